//! Enumerations whose values have names, written once.

use std::fmt;

/// An enumeration whose values have one name each.
///
/// The names stand beside the values. From them come `ALL`, `NAMES`, `as_str`, `Display`, `FromStr` and `Serialize`;
/// what follows `as` says what a value is, for the [error](UnknownName) of reading a name that there is not.
///
/// ```
/// jsonseam_text::named! {
///     /// Where something is.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Side as "a side" {
///         /// Left.
///         Left = "left",
///         /// Right.
///         Right = "right",
///     }
/// }
///
/// assert_eq!("left".parse(), Ok(Side::Left));
/// assert_eq!(Side::ALL, [Side::Left, Side::Right]);
/// assert_eq!("up".parse::<Side>().unwrap_err().to_string(), "not a side: expected `left` or `right`");
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $type:ident as $what:literal {
            $($(#[$note:meta])* $variant:ident = $name:literal),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $type {
            $($(#[$note])* $variant,)+
        }

        #[allow(dead_code, reason = "not every enumeration is read, or listed")]
        impl $type {
            /// Every value, in the order of declaration.
            $visibility const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Every name, in the same order.
            $visibility const NAMES: &'static [&'static str] = &[$($name),+];

            /// The stable name.
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> ::std::result::Result<Self, $crate::UnknownName> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownName::new($what, Self::NAMES)),
                }
            }
        }

        impl $crate::serde::Serialize for $type {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

/// A text that should have been one of a few names, and is not.
///
/// It says what was expected and does not repeat the text, which may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName {
    what: &'static str,
    names: &'static [&'static str],
}

impl UnknownName {
    /// An error that wants `what`, such as "a root", which is one of `names`.
    pub const fn new(what: &'static str, names: &'static [&'static str]) -> Self {
        Self { what, names }
    }

    /// What was expected, with its article: "a root".
    pub const fn what(self) -> &'static str {
        self.what
    }

    /// The names that would have been taken, in their order.
    pub const fn names(self) -> &'static [&'static str] {
        self.names
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "not {}: expected {}", self.what, listed(self.names))
    }
}

impl std::error::Error for UnknownName {}

/// Names from which one is chosen, as a message writes them.
///
/// ```
/// assert_eq!(jsonseam_text::listed(&["a", "b", "c"]), "`a`, `b` or `c`");
/// assert_eq!(jsonseam_text::listed(&[]), "nothing");
/// ```
pub fn listed(names: &[&str]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [only] => format!("`{only}`"),
        [init @ .., last] => {
            let init = init.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
            format!("{} or `{last}`", init.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UnknownName;

    named! {
        /// Three levels.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Level as "a level" {
            Low = "low",
            Middle = "in-between",
            High = "high",
        }
    }

    #[test]
    fn every_name_leads_to_its_value_and_back() {
        assert_eq!(Level::NAMES, ["low", "in-between", "high"]);
        for &level in Level::ALL {
            assert_eq!(level.as_str().parse(), Ok(level));
            assert_eq!(level.to_string(), level.as_str());
            assert_eq!(serde_json::to_string(&level).expect("a name"), format!("{:?}", level.as_str()));
        }
        assert_eq!(format!("{:>5}|", Level::Low), "  low|");
    }

    #[test]
    fn m5_the_error_names_what_was_expected_and_not_what_was_there() {
        let error = "the secret".parse::<Level>().expect_err("there is no such level");
        assert_eq!(error.to_string(), "not a level: expected `low`, `in-between` or `high`");
        assert_eq!((error.what(), error.names()), ("a level", Level::NAMES));
        assert!(!format!("{error:?}").contains("secret"));
        assert_eq!(UnknownName::new("a thing", &["one"]).to_string(), "not a thing: expected `one`");
    }
}
