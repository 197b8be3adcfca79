//! Names in kebab-case for small enumerations, written once.

/// `ALL`, `as_str`, `Display`, `FromStr` and `Serialize` for an enumeration whose variants have one name each.
macro_rules! named {
    ($type:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Every name, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The stable name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = ();

            fn from_str(name: &str) -> Result<Self, ()> {
                Self::ALL.iter().copied().find(|value| value.as_str() == name).ok_or(())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

pub(crate) use named;
