//! An answer to a fault, and how the reading goes on with it.

use crate::edits::edit::Edits;
use crate::edits::reach::Start;
use crate::edits::risk::Risk;
use crate::looking::trace::GroupTokens;
use crate::reading::recognise::State;
use crate::rule::proposals::Veto;

/// An answer that may be made.
pub(super) struct Answer {
    pub(super) rule: u16,
    pub(super) risk: Risk,
    pub(super) edits: Edits,
    /// How it is made; `None` where it starts at a suspect, so that the reading must go back first.
    pub(super) plan: Option<Plan>,
    /// What it costs the first time, in hundredths.
    pub(super) cost: u32,
    pub(super) doubt: Option<&'static str>,
    /// What is to be asked when the text has ended.
    pub(super) veto: Option<Veto>,
}

/// How an edit that may be made is made.
pub(super) struct Plan {
    /// The state at the start of the first edit.
    pub(super) state: State,
    /// The state after the last one.
    pub(super) after: State,
    /// How far back the first edit starts.
    pub(super) start: Start,
    /// The tokens between the two states.
    pub(super) tokens: GroupTokens,
    /// Whether it only takes text between two tokens out of the way, and so leaves the frontier alone.
    pub(super) is_blank: bool,
}

impl Plan {
    /// A new one, at a fault with this state.
    pub(super) fn new(state: State) -> Self {
        Self { state, after: state, start: Start::default(), tokens: GroupTokens::default(), is_blank: false }
    }
}
