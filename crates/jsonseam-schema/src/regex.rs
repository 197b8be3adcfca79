//! Regular expressions that take linear time: with every optimisation, or, without the feature `perf`, in the least code.
//!
//! Both builds find the same matches, and refuse the same expressions but for those near the limit of size.

pub(crate) use self::engine::Regex;

/// A compiled expression that would take more memory than it may.
#[derive(Debug)]
pub(crate) struct TooLarge;

#[cfg(feature = "perf")]
mod engine {
    use regex_automata::meta;

    use super::TooLarge;

    /// A compiled expression.
    #[derive(Debug, Clone)]
    pub(crate) struct Regex(meta::Regex);

    impl Regex {
        /// Compiles an expression into at most so many bytes, for each of its engines. `Err(None)`: it is not one.
        pub(crate) fn new(expression: &str, most_bytes: usize) -> Result<Self, Option<TooLarge>> {
            let config = meta::Config::new()
                .nfa_size_limit(Some(most_bytes))
                .onepass_size_limit(Some(most_bytes))
                .dfa_size_limit(Some(most_bytes))
                .hybrid_cache_capacity(most_bytes);
            let built = meta::Builder::new().configure(config).build(expression);
            built.map(Self).map_err(|error| error.size_limit().map(|_| TooLarge))
        }

        /// What it takes, in bytes.
        pub(crate) fn memory_usage(&self) -> usize {
            self.0.memory_usage()
        }

        pub(crate) fn is_match(&self, text: &str) -> bool {
            self.0.is_match(text)
        }
    }
}

#[cfg(not(feature = "perf"))]
mod engine {
    use std::panic::{RefUnwindSafe, UnwindSafe};
    use std::sync::Arc;

    use regex_automata::Input;
    use regex_automata::hybrid::dfa::{Cache, DFA};
    use regex_automata::nfa::thompson::pikevm::PikeVM;
    use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
    use regex_automata::util::pool::Pool;

    use super::TooLarge;

    type NewCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

    /// A compiled expression.
    #[derive(Debug, Clone)]
    pub(crate) struct Regex {
        /// Decides what the automaton cannot: a Unicode word boundary beside text that is not ASCII.
        machine: PikeVM,
        automaton: Option<Arc<Automaton>>,
    }

    #[derive(Debug)]
    struct Automaton {
        states: DFA,
        caches: Pool<Cache, NewCache>,
    }

    impl Regex {
        /// Compiles an expression into at most so many bytes, for each of its engines. `Err(None)`: it is not one.
        pub(crate) fn new(expression: &str, most_bytes: usize) -> Result<Self, Option<TooLarge>> {
            let config = Config::new().nfa_size_limit(Some(most_bytes)).which_captures(WhichCaptures::None);
            let built = Compiler::new().configure(config).build(expression).and_then(PikeVM::new_from_nfa);
            let machine = built.map_err(|error| error.size_limit().map(|_| TooLarge))?;
            let config =
                DFA::config().unicode_word_boundary(true).cache_capacity(most_bytes).skip_cache_capacity_check(true);
            let states = DFA::builder().configure(config).build_from_nfa(machine.get_nfa().clone());
            let automaton = states.ok().map(|states| {
                let shared = states.clone();
                Arc::new(Automaton { states, caches: Pool::new(Box::new(move || shared.create_cache())) })
            });
            Ok(Self { machine, automaton })
        }

        /// What it takes, in bytes, and as much again, since the other build has a second automaton for the way back:
        /// both builds refuse a schema for its size at nearly the same place.
        pub(crate) fn memory_usage(&self) -> usize {
            2 * self.machine.get_nfa().memory_usage()
        }

        pub(crate) fn is_match(&self, text: &str) -> bool {
            let input = Input::new(text).earliest(true);
            let found = self
                .automaton
                .as_deref()
                .and_then(|Automaton { states, caches }| states.try_search_fwd(&mut caches.get(), &input).ok());
            found.map_or_else(|| self.machine.is_match(&mut self.machine.create_cache(), input), |end| end.is_some())
        }
    }
}
