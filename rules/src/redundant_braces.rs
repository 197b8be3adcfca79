//! `redundant-braces`: an object in braces of its own.

use jsonseam_core::{Edit, Edits, Expected, Fault, RepairRule, TokenKind, rule, value_end};

use crate::shared::rows;

rule! {
    /// Removes braces around an object where a key is due.
    ///
    /// # What
    /// A brace opens directly within another one, before a key and its colon, and nothing else than the object is between the outer ones.
    /// The braces around it are removed, so many of them as there are; so is an opening quote between the two.
    /// At the root the braces that close may be missing.
    ///
    /// # Why
    /// Models copy the braces of templates, and continue a brace that the prompt has already opened: `{` and then `{"a": 1}`.
    ///
    /// # Example
    /// `{"k": {{"a": 1}}, "b": 2}` becomes `{"k": {"a": 1}, "b": 2}`.
    ///
    /// # Limits
    /// A guess: the outer braces may stand for the brackets of an array. Where a second value follows the first, they surely do, and nothing is changed.
    /// The object within must have its end, and where the outer braces are the value of a member it must need no repair.
    pub struct RedundantBraces {
        name: "redundant-braces",
        risk: Guess,
        answers: [Key, Colon, Comma, End],
        previous: [ObjectStart, ObjectEnd, Key],
        reaches: [Tokens(1), OpenString],
    }
}

impl RepairRule for RedundantBraces {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        match fault.expected() {
            Expected::Comma | Expected::End => surplus(fault),
            Expected::Colon => brace_as_key(fault),
            _ => openers(fault),
        }
    }
}

/// The most pairs of braces around an object that are removed.
const MOST: usize = 8;

/// The braces from `pos` on with nothing but blanks between them, `most` of them, and where the text goes on.
fn braces(fault: &Fault<'_>, pos: usize, brace: &'static str, most: usize) -> (Vec<usize>, usize) {
    let (mut found, mut ahead) = (Vec::new(), fault.at(pos).skip_json_space());
    while found.len() < most && ahead.eat(brace) {
        found.push(ahead.pos() - 1);
        ahead = ahead.skip_json_space();
    }
    (found, ahead.pos())
}

fn removed(braces: &[usize]) -> impl Iterator<Item = Edit> {
    braces.iter().map(|&brace| Edit::remove(brace..brace + 1))
}

/// The openers at the fault, which is after one, and what closes them where that would be read as another closer.
fn openers(fault: &Fault<'_>) -> Option<Edits> {
    if !fault.previous_is(TokenKind::ObjectStart) {
        return None;
    }
    let (within, key) = braces(fault, fault.pos(), "{", MOST);
    let inner = *within.last().filter(|_| fault.at(key).has_key())?;
    // At the root its values may need repair.
    let root_end = || {
        let text = fault.at(inner).slice_to(fault.region_end());
        let end = value_end(text.as_bytes(), 0);
        (fault.depth() == 1 && text[..end].ends_with('}')).then_some(inner + end)
    };
    let end = rows::whole_value_end(fault, inner).or_else(root_end)?;
    let (closers, next) = braces(fault, end, "}", within.len());
    let is_last = fault.depth() == 1 && fault.at(next).peek().is_none();
    if closers.len() < within.len() && !is_last {
        return None;
    }
    // In an object the first closer too many would close that.
    let is_value = fault.token(1).is_some_and(|token| token.kind == TokenKind::Colon);
    let inner_closers = [end - 1].into_iter().chain(closers.iter().copied().take(within.len() - 1));
    let inner_closers: Vec<usize> = if is_value { inner_closers.collect() } else { Vec::new() };
    Edits::group(removed(&within).chain(removed(&inner_closers)))
}

/// The closers at the fault of braces within which another one was.
fn surplus(fault: &Fault<'_>) -> Option<Edits> {
    let opener = fault.token(0).filter(|token| token.kind == TokenKind::ObjectEnd)?.opens?;
    let is_quoted = fault.at(opener + 1).skip_json_space().starts_with("\"{\"");
    let within = braces(fault, opener + 1, "{", MOST).0.len() + usize::from(is_quoted);
    Edits::group(removed(&braces(fault, fault.pos(), "}", within).0))
}

/// The brace and the quote at the start of the first key, whose colon is due: `{"{"a": 1}`.
fn brace_as_key(fault: &Fault<'_>) -> Option<Edits> {
    let brace = fault.token(1).filter(|token| token.kind == TokenKind::ObjectStart)?;
    let key = fault.token(0).filter(|key| key.span.len() == 3 && fault.at(key.span.start).starts_with("\"{\""))?;
    let is_first = fault.at(brace.span.end).skip_json_space().pos() == key.span.start;
    let is_key = fault.pos() == key.span.end && fault.at(key.span.end - 1).has_key();
    let end = rows::whole_value_end(fault, key.span.start + 1)?;
    let (closers, next) = braces(fault, end, "}", 1);
    let is_whole = closers.len() == 1 || fault.depth() == 1 && closers.is_empty() && fault.at(next).peek().is_none();
    (is_first && is_key && is_whole).then(|| Edit::remove(key.span.start + 1..key.span.end).into())
}

#[cfg(test)]
jsonseam_testkit::laws!(RedundantBraces);
