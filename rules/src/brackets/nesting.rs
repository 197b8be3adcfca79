//! Brackets that are wrong: each row a door out of a nesting that does not fit, priced by the same clues; the rest of the text decides between them.

use jsonseam_core::{
    Ahead, Container, Edit, Expected, Fault, Layout, Proposals, Strings, Suspect, Token, TokenKind, rule,
};

use crate::shared::runs::at_most;
use crate::shared::{closers, clues, members};

rule! {
    /// Removes closers after a complete payload, or a quote.
    ///
    /// # What
    /// The root is complete, and only `}` and `]` follow up to the end of the payload. They are removed in one edit.
    /// So is a single `"` that ends the text, if the quotes before it are pairs, and one with which the end of the payload is repeated: `"x"}."⏎}`;
    /// and `"""` where they also precede the payload.
    ///
    /// # Why
    /// Models that lose count close once too often; constrained decoders go on closing until they run out of tokens.
    ///
    /// # Example
    /// `{"a": {"b": 1}} }` becomes `{"a": {"b": 1}} `.
    ///
    /// # Limits
    /// A single closer too many may also mean that one before it came too early, which changes the nesting.
    /// So the indentation must agree: the root's own closer is on a line indented like the one where the root opens.
    /// In text on one line, a single closer right after the root is left alone if a member follows closers earlier in the text.
    pub struct ExtraCloser {
        name: "extra-closer",
        risk: Likely,
        answers: [End],
        reaches: [Fault],
        answer: extra_closer,
    }

    /// Replaces a closer of the wrong kind by the one that the container needs.
    ///
    /// # What
    /// The closer at the fault is of the wrong kind, or it has changed places with the next one, and with the right one
    /// the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that nest deeply lose track of what they opened.
    ///
    /// # Example
    /// `{"a": [1, 2}, "b": 3}` becomes `{"a": [1, 2], "b": 3}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if it is the one that works.
    /// A text that ends before its root closes is left alone.
    /// A closer of the root before more on its line may come too early: there the payload is refused.
    pub struct MismatchedCloser {
        name: "mismatched-closer",
        risk: Guess,
        answers: [Comma, Key, Value],
        next: ["}])"],
        answer: mismatched_closer,
    }

    /// Removes a closer in the middle that closes nothing.
    ///
    /// # What
    /// The closer at the fault does not fit, and without it the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that lose count close an inner object twice.
    ///
    /// # Example
    /// `{"a": [{"b": 1}}], "c": 2}` becomes `{"a": [{"b": 1}], "c": 2}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if it is the one that works.
    /// An extra closer that fits the grammar where it is closes its container too early: that is `premature-closer`.
    pub struct ExtraInnerCloser {
        name: "extra-inner-closer",
        risk: Guess,
        answers: [Comma, Key, Value],
        next: ["}])"],
        answer: extra_inner_closer,
    }

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
        answer: premature_closer,
    }

    /// Inserts closers that are missing in the middle.
    ///
    /// # What
    /// There is a key in an array, or an object where a key is expected, or the next closer belongs to a container further out.
    /// With the missing closers, at most four in a row, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that nest deeply forget to close the inner list before they go on with the next member.
    ///
    /// # Example
    /// `{"a": [1, 2, "b": 3}` becomes `{"a": [1, 2], "b": 3}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if one of them works.
    /// If two nestings read equally well, declared keys and then the indentation decide, or nothing is done.
    /// A missing closer that leaves no fault in the middle shows only at the end of the text, and cannot be placed.
    /// An object beside one that begins with the same key may be another element of a list without brackets: there the payload is refused.
    pub struct UnclosedInnerContainer {
        name: "unclosed-inner-container",
        risk: Guess,
        answers: [Comma, Key, Value],
        reaches: [Tokens(4), OpenString, Suspects],
        answer: unclosed_inner_container,
    }

    /// Inserts an opener that is missing before the members or elements it belongs to.
    ///
    /// # What
    /// There is `"key":` where a value is expected or has just been read: a brace is missing before it. Or there is `"key": 1, 2]`:
    /// the bracket before the first value is missing.
    /// With the opener, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models drop the brace of an object in a list when they write many of them.
    ///
    /// # Example
    /// `[{"a": 1}, "a": 2}]` becomes `[{"a": 1}, {"a": 2}]`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if it is the one that works.
    /// An array without its opener is found only if at most one scalar precedes the fault.
    /// A member after scalars of an array may follow an array that lost its closer: there the payload is refused.
    pub struct MissingOpener {
        name: "missing-opener",
        risk: Guess,
        answers: [Comma, Key, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
        answer: missing_opener,
    }
}

fn extra_closer(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some(len) = closers::surplus(fault).or_else(|| last_quote_len(fault)) {
        to.offer(fault.blank_ahead(len)).clue(clues::SURPLUS);
    }
}

/// How much may follow the root where its end is repeated, in bytes.
const TAIL: usize = 63;

/// The length of what follows the complete root, if that is a quote that opens nothing, alone or where the end of the payload is repeated: `}"}`, `}."⏎}`.
fn last_quote_len(fault: &Fault<'_>) -> Option<usize> {
    let is_after_root = fault.expected() == Expected::End && fault.token_kind(0).is_some_and(TokenKind::is_closer);
    if !is_after_root || !fault.ahead().starts_with("\"") && !fault.ahead().starts_with(".") {
        return None;
    }
    let before = fault.at(0).slice_to(fault.region_start());
    if fault.ahead().starts_with("\"\"\"") {
        let is_last = fault.ahead().after(3).skip_json_space().peek().is_none();
        return (is_last && before.trim_end().trim_end_matches("json").ends_with("\"\"\"")).then_some(3);
    }
    let mut ahead = fault.ahead();
    let is_of_tail = |char: char| matches!(char, '"' | '.' | '}' | ']') || char.is_ascii_whitespace();
    let tail = ahead.take_while(at_most(TAIL, is_of_tail)).trim_end();
    let is_tail =
        ahead.peek().is_none() && tail.matches('"').count() == 1 && (tail == "\"" || tail.ends_with(['}', ']']));
    // A value that is a container may be a text that lost its opening quote.
    let is_repeated = tail != "\"";
    if !is_tail || is_repeated && fault.token_kind(1) != Some(TokenKind::String) {
        return None;
    }
    let mut strings = Strings::default();
    let payload = fault.at(fault.region_start()).slice_to(fault.pos());
    payload.bytes().for_each(|byte| {
        strings.hides(byte);
    });
    // An odd quote before the payload may be the one that this pairs with.
    let are_pairs = || before.matches('"').count().is_multiple_of(2);
    let is_text = strings.is_inside() || is_repeated && payload.contains("\"{");
    (!is_text && are_pairs()).then_some(tail.len())
}

fn mismatched_closer(fault: &Fault<'_>, to: &mut Proposals) {
    let Some(closer) = closers::closer_at(fault) else { return };
    let own = if fault.container() == Some(Container::Object) { "}" } else { "]" };
    let second = fault.ahead().after(1).skip_space_and_comments();
    if fault.depth() > 1 && second.starts_with(own) && fault.closers()[1..].starts_with(closer) {
        let second = Edit::replace(second.pos()..second.pos() + 1, closer.to_string());
        to.offer(fault.replace_ahead(1, own).and(second)).clue(clues::BRACKET).clue(clues::SECOND_BRACKET);
    }
    // A payload hardly ends in the middle of a line.
    let ends_in_line = || {
        let mut after = fault.ahead().after(1);
        after.take_while(|char| matches!(char, ' ' | '\t'));
        after.peek().is_some_and(|char| !matches!(char, '}' | ']' | ')' | ';' | '<' | '\n' | '\r'))
    };
    let is_early = fault.depth() == 1 && ends_in_line();
    to.offer(fault.replace_ahead(1, own)).clue(clues::BRACKET).doubt_if(is_early, "the payload may go on after it");
}

fn extra_inner_closer(fault: &Fault<'_>, to: &mut Proposals) {
    if closers::closer_at(fault).is_some() {
        to.offer(fault.blank_ahead(1)).clue(clues::BRACKET);
    }
}

fn premature_closer(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some(closer) = early_closer(fault).filter(is_written) {
        let offer = to.offer(Edit::remove(closer.span.clone())).clue(clues::BRACKET).clue(clues::EARLY_CLOSER);
        let is_root = fault.expected() == Expected::End;
        let is_alone = is_root && !closers::may_close_earlier(fault);
        let fits = closers::closer_fits_lines(fault) == Some(true);
        offer.doubt_if(fits && !is_alone, "the lines say that the closer is in its place");
        let has_rival = is_root && !is_alone && lines_agree(fault, closer.span.start) != Some(true);
        offer.doubt_if(has_rival, "another closer further up may be the one that comes too early");
    }
    if let Some(closer) = early_end_of_array(fault).filter(is_written) {
        let is_out_of_place = lines_go_on(fault, &closer);
        let offer = to.offer(Edit::remove(closer.span)).clue(clues::BRACKET).clue(clues::EARLY_CLOSER);
        offer.doubt_if(!is_out_of_place, "the array may have lost an opener instead");
    }
    if closers::is_bracket_fault(fault) {
        for closer in fault.suspects().filter_map(outdented).filter(is_written) {
            to.offer(Edit::remove(closer.span.clone())).clue(clues::EARLY_CLOSER);
        }
    }
}

/// Whether a token is in the text, and not put there by an edit.
fn is_written(token: &Token) -> bool {
    !token.span.is_empty()
}

/// Whether the member after the fault is indented as the line is on which the closer is; `None` if it begins no line.
fn lines_agree(fault: &Fault<'_>, closer: usize) -> Option<bool> {
    let next = fault.ahead().after(1).skip_space_and_comments().indent()?;
    let closer = fault.at(closer);
    Some(closer.indent().is_none() && closers::line_indent(closer) == next)
}

/// The closer right before the fault, or before a comma and the key before the fault, after which its container goes on.
fn early_closer(fault: &Fault<'_>) -> Option<Token> {
    match fault.expected() {
        Expected::End => {
            let closer = fault.token(0).filter(|token| token.kind.is_closer())?;
            let is_of_rows =
                |end: &Token| end.opens.is_some_and(|opens| fault.at(opens + 1).skip_json_space().starts_with("["));
            let next = fault.ahead().after(1).skip_space_and_comments();
            let goes_on = match closer.kind {
                TokenKind::ObjectEnd => next.has_key(),
                // Rows side by side are no row within another one.
                _ => next.has_value() && (is_of_rows(&closer) || !next.starts_with("[")),
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

fn unclosed_inner_container(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some(Gap { at, outer, comma }) = gap(fault) {
        let all = fault.closers();
        let ends = all.char_indices().skip(1).take(closers::MOST_MISSING).filter(|&(_, closer)| closer == outer);
        for (count, _) in ends {
            let closers = &all[..count];
            let offer = to.offer(Edit::insert(at, closers.to_owned() + comma)).clue(clues::BRACKET);
            offer.clues(clues::FURTHER_BRACKET, count - 1).clues(clues::FAR_BRACKET, usize::from(count > 1));
            offer.clues(clues::COMMA_ON_LINE, comma.len()).doubt_if(closers.contains(']') && nests_rows(fault), ROWS);
            offer.doubt_if(follows_sibling(fault), "the object before it may be another element of a list");
        }
    }
    if closers::is_bracket_fault(fault) {
        for (at, closers) in fault.suspects().filter_map(closed_before) {
            let offer = to.offer(Edit::insert(at, closers.clone()));
            offer.clues(clues::FURTHER_BRACKET, closers.len() - 1);
            offer.doubt_if(closers.contains(']') && nests_rows(fault), ROWS);
        }
    }
}

/// Where closers may be missing at a fault, and what is missing beside them.
struct Gap {
    at: usize,
    /// The closer of the container that goes on.
    outer: char,
    /// The comma that is missing too, if it is.
    comma: &'static str,
}

fn gap(fault: &Fault<'_>) -> Option<Gap> {
    // The outermost container is no inner one.
    if fault.depth() < 2 {
        return None;
    }
    let end = || fault.token(0).map_or(fault.pos(), |token| token.span.end);
    let gap = |at, outer, comma| Some(Gap { at, outer, comma });
    if let Some(closer) = closers::closer_at(fault) {
        return gap(end(), closer, "");
    }
    let is_in_object = fault.container() == Some(Container::Object);
    let before = |back: usize| fault.token(back).filter(|token| token.kind == TokenKind::Comma);
    match (fault.expected(), fault.next_char()?) {
        // `"key":` is among elements.
        (Expected::Comma, ':') if !is_in_object && fault.previous_is(TokenKind::String) => {
            gap(before(1)?.span.start, '}', "")
        }
        (Expected::Comma, _) if !is_in_object && members::key_is_next(fault) => gap(end(), '}', ","),
        // An element is among members.
        (Expected::Key, '{' | '[') if is_in_object => gap(before(0)?.span.start, ']', ""),
        (Expected::Comma, '{' | '[') if is_in_object => gap(end(), ']', ","),
        _ => None,
    }
}

/// Whether the object at the fault begins with the same key as the value before it: `"a": {"x": 1}, {"x": 2}` may be a list without its brackets.
fn follows_sibling(fault: &Fault<'_>) -> bool {
    if !fault.ahead().starts_with("{") {
        return false;
    }
    let comma = usize::from(fault.previous_is(TokenKind::Comma));
    let value = fault.token(comma).filter(|end| end.kind == TokenKind::ObjectEnd).and_then(|end| end.opens);
    let key = |opener: usize| {
        let key = fault.at(opener + 1).skip_json_space();
        key.key_end().map(|end| key.slice_to(end.pos()))
    };
    let is_member =
        |opener: usize| fault.at(opener).before_while(|char| char == ':' || char.is_whitespace()).contains(':');
    let first = value.filter(|&opener| is_member(opener)).and_then(key);
    first.is_some() && first == key(fault.pos())
}

const ROWS: &str = "a row may have lost its closer before the next one";

/// How much of an array is looked at.
const ROW: usize = 128;

/// Whether an array near the fault holds scalars and then an array: two rows, the first of which lost its closer, look the same.
fn nests_rows(fault: &Fault<'_>) -> bool {
    let arrays = (0..3).filter_map(|back| fault.token(back)).filter(|token| token.kind == TokenKind::ArrayEnd);
    arrays.filter_map(|end| Some((end.opens?, end.span.start))).any(|(opens, end)| {
        let row = fault.at(opens + 1).slice_to(end.min(opens + ROW));
        let (first, inner) = row.split_once('[').unwrap_or_default();
        !first.trim().is_empty() && first.trim_end().ends_with(',') && !first.contains('{') && !inner.is_empty()
    })
}

/// The closers that put the line of a suspect where its indentation says it belongs, and where they go.
fn closed_before(suspect: &Suspect) -> Option<(usize, String)> {
    let fits = |level: &Layout| match suspect.kind {
        TokenKind::Key => level.kind == Container::Object && level.member == Some(suspect.indent),
        TokenKind::ObjectEnd => level.kind == Container::Object && level.line == Some(suspect.indent),
        TokenKind::ArrayEnd => level.kind == Container::Array && level.line == Some(suspect.indent),
        _ => level.kind == Container::Array && level.member == Some(suspect.indent),
    };
    let count = suspect.open.iter().take(closers::MOST_MISSING + 1).position(fits).filter(|&count| count > 0)?;
    let closers = suspect.open.iter().take(count).map(|level| closers::closer_of(level.kind)).collect();
    let before = match &suspect.previous {
        Some(comma) if comma.kind == TokenKind::Comma => suspect.second.as_ref()?,
        previous => previous.as_ref()?,
    };
    Some((before.span.end, closers))
}

fn missing_opener(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some((opener, at)) = lost_object(fault).map(|at| ("{", at)).or_else(|| lost_array(fault).map(|at| ("[", at)))
    {
        // A closer that waits for it speaks for it.
        let is_closed = fault.expected() == Expected::Comma && fault.next_char() == Some(']');
        let clue = if is_closed { clues::SECOND_BRACKET } else { clues::OPENER };
        let offer = to.offer(Edit::insert(at, opener)).clue(clues::BRACKET).clue(clue);
        // An array of scalars has rather lost its closer.
        let follows_scalar = || fault.token_kind(2).is_some_and(TokenKind::is_scalar);
        let is_alone = fault.container() == Some(Container::Array) && opener == "{" && follows_scalar();
        let offer = offer.doubt_if(is_alone, "the array may have lost its closer instead");
        // Before a bracket or a remark it may be whole.
        let is_remark = || fault.ahead().after(fault.ahead().word().len()).starts_with(" ");
        if fault.expected() == Expected::Key && (matches!(fault.next_char(), Some('{' | '[')) || is_remark()) {
            offer.doubt("the value before it may be whole");
        }
    }
}

/// Where an object begins whose first key has just been read as an element, or as a value.
fn lost_object(fault: &Fault<'_>) -> Option<usize> {
    let is_key =
        fault.expected() == Expected::Comma && fault.ahead().starts_with(":") && fault.previous_is(TokenKind::String);
    let text = |back| fault.token(back).map(|token| fault.at(token.span.start).slice_to(token.span.end));
    // A key that comes twice is a slip of the writer.
    fault.token(0).filter(|_| is_key && text(0) != text(2)).map(|key| key.span.start)
}

/// Where an array begins after `"key": scalar,` or `"key": scalar]`.
fn lost_array(fault: &Fault<'_>) -> Option<usize> {
    if fault.container() != Some(Container::Object) {
        return None;
    }
    let last = match fault.expected() {
        Expected::Key if fault.previous_is(TokenKind::Comma) => 1,
        Expected::Colon if fault.ahead().starts_with(",") || fault.ahead().starts_with("]") => 2,
        Expected::Comma if fault.ahead().starts_with("]") => 0,
        _ => return None,
    };
    let is_row = last < 2 || fault.token(1)?.kind == TokenKind::Comma;
    let first = fault.token(last).filter(|first| is_row && first.kind.is_scalar())?;
    let is_value = fault.token(last + 1)?.kind == TokenKind::Colon;
    let is_decimal = || first.kind == TokenKind::Number && is_decimal_comma(fault.at(first.span.end));
    (is_value && !is_decimal()).then_some(first.span.start)
}

/// Whether a digit follows the comma at the cursor at once, and no closer the digits: `3,5` is rather a number as much of Europe writes it.
fn is_decimal_comma(mut ahead: Ahead<'_>) -> bool {
    let digits = ahead.take_while(|char| char.is_ascii_digit() || matches!(char, ',' | '.'));
    digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit) && !ahead.skip_json_space().starts_with("]")
}

#[cfg(test)]
jsonseam_testkit::laws! {
    extra_closer: ExtraCloser,
    mismatched_closer: MismatchedCloser,
    extra_inner_closer: ExtraInnerCloser,
    premature_closer: PrematureCloser,
    unclosed_inner_container: UnclosedInnerContainer,
    missing_opener: MissingOpener,
}
