//! `missing-outer-braces`: the members of an object, without its braces.

use jsonseam_core::{Candidates, Edit, Edits, LocateRule, Region, Root, rule};

rule! {
    /// Puts braces around members that have none.
    ///
    /// # What
    /// The region starts with a key in double quotes and its colon. It gets an opening brace, and a closing one if its brackets are balanced.
    ///
    /// # Why
    /// Some models answer a form field by field, and an interface that begins the answer with a brace itself leaves it out of the completion.
    ///
    /// # Example
    /// `"a": 1, "b": 2` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// A guess: the members may have belonged to an inner object. Keys in other quotes, or without quotes, are not recognised.
    /// At the end of the text the payload counts as truncated: whether more was to come is not known.
    pub struct MissingOuterBraces {
        name: "missing-outer-braces",
        risk: Guess,
        locates: Payloads,
        starts: "\"",
        usual: Nothing,
    }
}

impl LocateRule for MissingOuterBraces {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.root() == Root::Array || !region.starts_with_member() {
            return;
        }
        let span = region.span();
        let opened = Edits::from(Edit::insert(span.start, "{"));
        let edits = if region.open_brackets() == Some(0) { opened.and(Edit::insert(span.end, "}")) } else { opened };
        found.push_edited(span, edits);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingOuterBraces);
