//! `house/guillemets`: a string in `«` and `»`.

use jsonseam::rule::shared::{clues, strings};
use jsonseam::rule::{Edit, Fault, Proposals, RepairRule, rule};

rule! {
    /// Makes a string of a text in guillemets.
    ///
    /// # What
    /// A key or a value is expected, and there is `«`. A `»` may be its end if what follows can follow a string.
    ///
    /// # Why
    /// Models that answer in French quote their strings as French quotes texts.
    ///
    /// # Example
    /// `{"a": «oui»}` becomes `{"a": "oui"}`.
    ///
    /// # Limits
    /// The text may quote in guillemets itself, so each such end is offered, and the reading of the whole payload decides.
    /// A text with a double quote, a backslash or a control character is left alone.
    pub struct Guillemets {
        name: "house/guillemets",
        risk: Guess,
        answers: [Value, Key],
        next: [NonAscii],
        cases: "guillemets.toml",
    }
}

/// How many ends are offered: the reading of each costs time.
const MOST: usize = 4;

impl RepairRule for Guillemets {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let mut ahead = fault.ahead();
        if !ahead.eat("«") {
            return;
        }
        let mut offers = 0;
        for inner in 0.. {
            ahead.take_while(|char| char >= ' ' && !matches!(char, '»' | '"' | '\\'));
            let end = ahead.pos();
            if offers == MOST || !ahead.eat("»") {
                return;
            }
            if strings::could_end(fault, ahead) {
                let opening = fault.replace_ahead("«".len(), "\"");
                let edits = opening.and(Edit::replace(end..ahead.pos(), "\""));
                // Each mark that becomes text speaks against this end, and more so each that could have been the end.
                to.offer(edits).clues(clues::INNER_MARK, inner).clues(clues::MARKS_AROUND_COMMA, offers);
                offers += 1;
            }
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(Guillemets);
