//! What no derive makes: `Debug` of what holds text of a completion, which is facts about it and never the text (SPEC M5), and copies that
//! use the memory of what they replace.

/// Implements `Debug` for a type: its name, these facts, and that there is more.
macro_rules! debug_facts {
    ($type:ident $(<$lifetime:lifetime>)?, |$this:ident| $($fact:ident: $value:expr),+) => {
        impl ::std::fmt::Debug for $type $(<$lifetime>)? {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                let $this = self;
                formatter.debug_struct(stringify!($type))$(.field(stringify!($fact), &$value))+.finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use debug_facts;

/// Implements `Clone` for a type with these fields, all that it has: `clone_from` keeps the memory of each.
macro_rules! copied {
    ($type:ident: $($field:ident),+) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                Self { $($field: Clone::clone(&self.$field)),+ }
            }

            fn clone_from(&mut self, source: &Self) {
                $(Clone::clone_from(&mut self.$field, &source.$field);)+
            }
        }
    };
}
pub(crate) use copied;
