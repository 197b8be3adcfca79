//! Which rules would have helped: found out when someone asks, since finding out costs more than the refusal itself (SPEC P6).

use std::fmt;
use std::sync::{Arc, OnceLock};

/// The names of the rules that are off and would have helped, or what finds them.
///
/// What finds them may hold the completion; no text of it is shown.
#[derive(Clone, Default)]
pub(crate) struct Help {
    names: OnceLock<Vec<String>>,
    find: Option<Arc<dyn Fn() -> Vec<String> + Send + Sync>>,
}

impl Help {
    /// Help that is found when someone asks.
    pub(crate) fn later(find: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Self {
        Self { names: OnceLock::new(), find: Some(Arc::new(find)) }
    }

    /// The names, found on the first call.
    pub(crate) fn names(&self) -> &[String] {
        self.names.get_or_init(|| self.find.as_ref().map_or_else(Vec::new, |find| find()))
    }
}

impl From<Vec<String>> for Help {
    fn from(names: Vec<String>) -> Self {
        Self { names: names.into(), find: None }
    }
}

impl PartialEq for Help {
    fn eq(&self, other: &Self) -> bool {
        self.names() == other.names()
    }
}

impl Eq for Help {}

impl fmt::Debug for Help {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names().fmt(formatter)
    }
}
