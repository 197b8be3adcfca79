//! The engine that finds captures: the one with every optimisation, or, without the feature `perf`, a small one.
//!
//! Both are linear in the text and find the same matches. The small one is built of parts that the automaton of a pattern needs anyway.

use regex_automata::PatternID;

pub(super) use self::engine::Finder;

impl Finder {
    /// The number of the group with this name.
    pub(super) fn group(&self, name: &str) -> Option<usize> {
        self.groups().to_index(PatternID::ZERO, name)
    }
}

/// Creates the scratch space of an engine.
pub(super) type NewCache<C> = Box<dyn Fn() -> C + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>;

/// Why an expression has no engine.
#[derive(Debug)]
pub(super) enum Refused {
    TooLarge,
    /// The message of the parser, which quotes the expression.
    Syntax(String),
    Other,
}

#[cfg(feature = "perf")]
mod engine {
    use std::ops::Range;

    use regex_automata::Input;
    use regex_automata::meta::Regex;
    use regex_automata::util::captures::{Captures, GroupInfo};

    use crate::config::pattern::finder::Refused;

    /// Finds matches and their captures.
    pub(crate) struct Finder(Regex);

    impl Finder {
        pub(crate) fn new(find: &str, most_bytes: usize, cache_bytes: usize) -> Result<Self, Refused> {
            let config = Regex::config().nfa_size_limit(Some(most_bytes)).hybrid_cache_capacity(cache_bytes);
            Regex::builder().configure(config).build(find).map(Self).map_err(|error| {
                match (error.size_limit(), error.syntax_error()) {
                    (Some(_), _) => Refused::TooLarge,
                    (None, Some(syntax)) => Refused::Syntax(syntax.to_string()),
                    (None, None) => Refused::Other,
                }
            })
        }

        pub(crate) fn find(&self, input: &Input<'_>) -> Option<Range<usize>> {
            Some(self.0.search(input)?.range())
        }

        pub(crate) fn captures(&self, input: &Input<'_>) -> Captures {
            let mut captures = self.0.create_captures();
            self.0.search_captures(input, &mut captures);
            captures
        }

        pub(crate) fn groups(&self) -> &GroupInfo {
            self.0.group_info()
        }
    }
}

#[cfg(not(feature = "perf"))]
mod engine {
    use std::ops::Range;

    use regex_automata::Input;
    use regex_automata::nfa::thompson::pikevm::{Cache, PikeVM};
    use regex_automata::nfa::thompson::{self, Compiler};
    use regex_automata::util::captures::{Captures, GroupInfo};
    use regex_automata::util::pool::Pool;
    use regex_automata::util::syntax;

    use crate::config::pattern::finder::{NewCache, Refused};

    /// Finds matches and their captures.
    pub(crate) struct Finder {
        machine: PikeVM,
        caches: Pool<Cache, NewCache<Cache>>,
    }

    impl Finder {
        pub(crate) fn new(find: &str, most_bytes: usize, _: usize) -> Result<Self, Refused> {
            let parsed = syntax::parse(find).map_err(|error| Refused::Syntax(error.to_string()))?;
            let config = thompson::Config::new().nfa_size_limit(Some(most_bytes));
            let built = Compiler::new().configure(config).build_from_hir(&parsed).and_then(PikeVM::new_from_nfa);
            let machine = built.map_err(|error| error.size_limit().map_or(Refused::Other, |_| Refused::TooLarge))?;
            let shared = machine.clone();
            Ok(Self { machine, caches: Pool::new(Box::new(move || shared.create_cache())) })
        }

        pub(crate) fn find(&self, input: &Input<'_>) -> Option<Range<usize>> {
            Some(self.captures(input).get_match()?.range())
        }

        pub(crate) fn captures(&self, input: &Input<'_>) -> Captures {
            let mut captures = self.machine.create_captures();
            self.machine.search(&mut self.caches.get(), input, &mut captures);
            captures
        }

        pub(crate) fn groups(&self) -> &GroupInfo {
            self.machine.get_nfa().group_info()
        }
    }
}
