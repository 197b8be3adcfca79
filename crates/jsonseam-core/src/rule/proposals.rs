//! What a rule answers: the one edit that there is, or several that compete.

use super::fault::Fault;
use crate::edits::costs::Clue;
use crate::edits::edit::Edits;

/// Where a rule puts its answers to a fault.
///
/// The *only* answer says that nothing else can be meant: it ends the asking. An *offer* competes: each offer of every rule is read on by the same
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
    pub(crate) found: Vec<Offer>,
}

/// One answer, and what speaks against it.
#[derive(Debug)]
pub struct Offer {
    pub(crate) edits: Edits,
    pub(crate) is_sole: bool,
    /// What the clues cost, in hundredths.
    pub(crate) clues: u32,
    pub(crate) doubt: Option<&'static str>,
    pub(crate) veto: Option<Veto>,
}

/// A question whose answer can only turn a repair into a refusal.
pub(crate) type Veto = fn(&Fault<'_>) -> bool;

impl Proposals {
    /// The one answer, if there is one. A rule of risk `guess` or `lossy` knows nothing better than others do: from it, it counts as an offer.
    ///
    /// ```
    /// use jsonseam_core::{Fault, Proposals};
    ///
    /// fn arrow(fault: &Fault<'_>, to: &mut Proposals) {
    ///     to.only(fault.ahead().starts_with("=>").then(|| fault.replace_ahead(2, ":")));
    /// }
    /// ```
    pub fn only(&mut self, edits: impl Into<Option<Edits>>) -> Only<'_> {
        let at = self.found.len();
        self.found.extend(edits.into().map(|edits| Offer { is_sole: true, ..Offer::new(edits) }));
        Only(self.found.get_mut(at))
    }

    /// One answer of several.
    pub fn offer(&mut self, edits: impl Into<Edits>) -> &mut Offer {
        let at = self.found.len();
        self.found.push(Offer::new(edits.into()));
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
}

/// The one answer, which has no rival: nothing speaks against it, but what comes may take it back.
#[derive(Debug)]
pub struct Only<'p>(Option<&'p mut Offer>);

impl Only<'_> {
    /// Withdraws the answer if `veto` says so, as [`Offer::unless`] does.
    pub fn unless(self, veto: fn(&Fault<'_>) -> bool) {
        if let Some(offer) = self.0 {
            offer.unless(veto);
        }
    }
}

impl Offer {
    fn new(edits: Edits) -> Self {
        Self { edits, is_sole: false, clues: 0, doubt: None, veto: None }
    }

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

    /// The same, if something is doubtful.
    pub fn doubt_if(&mut self, is_doubtful: bool, reason: &'static str) -> &mut Self {
        if is_doubtful { self.doubt(reason) } else { self }
    }

    /// Withdraws this answer if `veto` says so: what it asks may be far ahead, so that a stream would wait for it.
    ///
    /// Where no other rule could answer the fault, the edit is made at once and `veto` is asked when the text has ended; if it holds then, the payload is
    /// refused at this fault. So `veto` may ask for the fault, its open string and the text; of the tokens before it nothing is known by then.
    ///
    /// ```
    /// use jsonseam_core::{Fault, Proposals};
    ///
    /// fn tab(fault: &Fault<'_>, to: &mut Proposals) {
    ///     to.offer(fault.replace_ahead(1, "\\t")).unless(|fault| fault.ahead().line().contains('|'));
    /// }
    /// ```
    pub fn unless(&mut self, veto: fn(&Fault<'_>) -> bool) -> &mut Self {
        self.veto = Some(veto);
        self
    }
}
