//! What a rule answers: the one edit that there is, or several that compete.

use crate::edit::Edits;
use crate::engine::costs::Clue;

/// Where a rule puts its answers to a fault.
///
/// A *sole* answer says that nothing else can be meant: it ends the asking. An *offer* competes: each offer of every rule is read on by the same
/// recogniser and the same rules, and the cheapest reading of the whole payload wins if it leads clearly.
/// An offer costs what the risk of its rule costs, and more for each clue against it.
///
/// ```
/// use jsonseam_core::{Clue, Edit, Proposals};
///
/// let mut proposals = Proposals::default();
/// proposals.offer(Edit::remove(4..5));
/// proposals.offer(Edit::insert(9, "]")).clue(Clue::STRONG);
/// assert_eq!(proposals.edits().count(), 2);
/// ```
#[derive(Debug, Default)]
pub struct Proposals {
    found: Vec<Offer>,
}

/// One answer, and what speaks against it.
#[derive(Debug)]
pub struct Offer {
    pub(crate) edits: Edits,
    pub(crate) is_sole: bool,
    /// What the clues cost, in hundredths.
    pub(crate) clues: u32,
    pub(crate) doubt: Option<&'static str>,
}

impl Proposals {
    /// The one answer. From a rule of risk `guess` or `lossy` it counts as an offer.
    pub fn sole(&mut self, edits: Edits) {
        self.found.push(Offer { edits, is_sole: true, clues: 0, doubt: None });
    }

    /// One answer of several.
    pub fn offer(&mut self, edits: impl Into<Edits>) -> &mut Offer {
        let at = self.found.len();
        self.found.push(Offer { edits: edits.into(), is_sole: false, clues: 0, doubt: None });
        &mut self.found[at]
    }

    /// Whether nothing was proposed.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The edits of each answer, in the order in which they were put.
    pub fn edits(&self) -> impl Iterator<Item = &Edits> {
        self.found.iter().map(|offer| &offer.edits)
    }

    pub(crate) fn take(&mut self) -> std::vec::Drain<'_, Offer> {
        self.found.drain(..)
    }
}

impl Offer {
    /// Charges a clue against this answer.
    pub fn clue(&mut self, clue: Clue) -> &mut Self {
        self.clues(clue, 1)
    }

    /// Charges a clue so many times.
    pub fn clues(&mut self, clue: Clue, times: usize) -> &mut Self {
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        self.clues = self.clues.saturating_add(clue.cost().saturating_mul(times));
        self
    }

    /// Names a reading that no rule can put up, so near that this one must not be taken: the text is refused if it wins.
    pub fn doubt(&mut self, reason: &'static str) -> &mut Self {
        self.doubt = Some(reason);
        self
    }
}
