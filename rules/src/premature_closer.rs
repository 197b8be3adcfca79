//! `premature-closer`: a closer that comes too early.

use jsonseam_core::{Container, Edit, Expected, Fault, Proposals, RepairRule, Suspect, Token, TokenKind, rule};

use crate::shared::{closers, clues};

rule! {
    /// Removes a closer that comes too early.
    ///
    /// # What
    /// The root is complete, and a comma and a member follow.
    /// Without the closer, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that lose count close the object around the one they meant, and continue as if it were open.
    ///
    /// # Example
    /// `{"a": {"b": 1}}, "c": 2}` becomes `{"a": {"b": 1}, "c": 2}`.
    ///
    /// # Limits
    /// The tail is never dropped.
    /// If another closer earlier in the text is as likely to be the extra one, nothing is done, unless the indentation decides.
    /// A premature closer that leaves no fault after it is not found.
    pub struct PrematureCloser {
        name: "premature-closer",
        risk: Guess,
        answers: [End, Comma, Key],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for PrematureCloser {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if let Some(closer) = early_closer(fault).filter(is_written) {
            let offer = to.offer(Edit::remove(closer.span.clone())).clue(clues::BRACKET).clue(clues::EARLY_CLOSER);
            let is_root = fault.expected() == Expected::End;
            let is_alone = is_root && !closers::may_close_earlier(fault);
            if closers::closer_fits_lines(fault) == Some(true) && !is_alone {
                offer.doubt("the lines say that the closer is in its place");
            }
            let is_plain = lines_agree(fault, closer.span.start) == Some(true);
            if is_root && !is_plain && !is_alone {
                offer.doubt("another closer further up may be the one that comes too early");
            }
        }
        if let Some(closer) = early_end_of_array(fault).filter(is_written) {
            let is_out_of_place = lines_go_on(fault, &closer);
            let offer = to.offer(Edit::remove(closer.span)).clue(clues::BRACKET).clue(clues::EARLY_CLOSER);
            if !is_out_of_place {
                offer.doubt("the array may have lost an opener instead");
            }
        }
        if closers::is_bracket_fault(fault) {
            for closer in fault.suspects().filter_map(outdented).filter(is_written) {
                to.offer(Edit::remove(closer.span.clone())).clue(clues::EARLY_CLOSER);
            }
        }
    }
}

/// Whether a token is in the text, and not put there by an edit.
fn is_written(token: &Token) -> bool {
    !token.span.is_empty()
}

/// Whether the member after the fault is indented as the line is on which the closer is; `None` if it begins no line.
fn lines_agree(fault: &Fault<'_>, closer: usize) -> Option<bool> {
    let next = fault.at(fault.ahead().after(1).skip_space_and_comments().pos()).indent()?;
    let line = fault.at(closer).before_while(|char| char != '\n');
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    Some(!line.trim().is_empty() && indent == next)
}

/// The closer right before the fault, or before a comma and the key before the fault, after which its container goes on.
fn early_closer(fault: &Fault<'_>) -> Option<Token> {
    match fault.expected() {
        Expected::End => {
            let closer = fault.token(0).filter(|token| token.kind.is_closer())?;
            let is_of_rows =
                |end: &Token| end.opens.is_some_and(|opens| fault.at(opens + 1).skip_json_space().starts_with("["));
            let next = fault.ahead().after(1).skip_space_and_comments().pos();
            let goes_on = match closer.kind {
                TokenKind::ObjectEnd => fault.at(next).has_key(),
                // Rows side by side are no row within another one.
                _ => fault.at(next).has_value() && (is_of_rows(&closer) || !fault.at(next).starts_with("[")),
            };
            (fault.ahead().starts_with(",") && goes_on).then_some(closer)
        }
        Expected::Comma if fault.ahead().starts_with(":") && fault.container() == Some(Container::Array) => {
            let is_key = fault.previous_is(TokenKind::String) && fault.token(1)?.kind == TokenKind::Comma;
            fault.token(2).filter(|closer| is_key && closer.kind == TokenKind::ObjectEnd)
        }
        _ => None,
    }
}

/// The end of an array before a comma and a bracket: in an object that is no member, so the array may go on there.
fn early_end_of_array(fault: &Fault<'_>) -> Option<Token> {
    let is_element = fault.expected() == Expected::Key && matches!(fault.next_char(), Some('{' | '['));
    fault.token(1).filter(|end| is_element && fault.previous_is(TokenKind::Comma) && end.kind == TokenKind::ArrayEnd)
}

/// Whether the lines say that an array goes on after its closer: the closer is not where that of an array over several lines is,
/// and what follows begins a line that is indented deeper than the one on which the array opens.
fn lines_go_on(fault: &Fault<'_>, closer: &Token) -> bool {
    let Some(opener) = closer.opens.map(|opens| fault.at(opens)) else { return false };
    let outer = closers::line_indent(opener);
    let is_over_lines = opener.slice_to(closer.span.start).contains('\n');
    let fits = fault.at(closer.span.start).indent() == Some(outer);
    is_over_lines && !fits && fault.ahead().indent().is_some_and(|indent| indent > outer)
}

/// The closer before a member that is indented deeper than the members of the object it is in.
fn outdented(suspect: &Suspect) -> Option<Token> {
    let member = suspect.open.first()?.member?;
    let is_deeper = suspect.kind == TokenKind::Key && suspect.indent > member;
    suspect.second.clone().filter(|closer| is_deeper && closer.kind.is_closer())
}

#[cfg(test)]
jsonseam_testkit::laws!(PrematureCloser);
