//! `Debug` of what holds text of a completion: facts about it, never the text (SPEC M5).

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
