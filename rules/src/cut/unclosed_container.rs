//! `unclosed-container`: the text ends before its root is closed.

use jsonseam_core::{Edit, Edits, Expected, Fault, Proposals, TokenKind, rule};

use crate::shared::{closers, clues};

rule! {
    /// Closes the objects and arrays that are open at the end of the text.
    ///
    /// # What
    /// The region ends after a complete value, after a comma, or right after `{` or `[`.
    /// All missing closers are inserted at the end as one edit; a comma before them is removed.
    /// When nothing follows the region, the report says `truncated` and lists what is incomplete.
    ///
    /// # Why
    /// A model that runs out of tokens leaves every container open; one that loses count forgets the last closers.
    ///
    /// # Example
    /// `{"a": [1, 2` becomes `{"a": [1, 2]}`.
    ///
    /// # Limits
    /// Only at the region's end, never in the middle. Never after a key or a colon: a member without a value is not invented and not dropped.
    /// Never if the last closer is on a line that is indented differently from the line where its container opens: then a closer is missing before it.
    /// Nor if a line before the end is indented differently from its siblings: then the closer is missing there.
    /// A number at the end stays as it is and is listed as incomplete, because digits may be missing.
    pub struct UnclosedContainer {
        name: "unclosed-container",
        risk: Likely,
        answers: [Value, Key, Comma],
        next: [End],
        reaches: [LastComma],
        answer: unclosed_container,
    }
}

fn unclosed_container(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some(edits) = closed(fault) {
        to.offer(edits).clue(clues::UNCLOSED);
    }
}

/// All open containers, closed at the end of the region.
fn closed(fault: &Fault<'_>) -> Option<Edits> {
    // The text may end with a span, and go on after it.
    if !fault.is_at_end() || fault.depth() == 0 {
        return None;
    }
    let previous = fault.token(0)?;
    let edits = match previous.kind {
        TokenKind::Comma => fault.remove_previous()?.and(Edit::insert(fault.pos(), fault.closers())),
        TokenKind::ObjectStart | TokenKind::ArrayStart => fault.insert(fault.closers()),
        _ if fault.expected() == Expected::Comma => fault.insert(fault.closers()),
        _ => return None,
    };
    let is_out_of_place = closers::closer_fits_lines(fault) == Some(false) || fault.suspects().next().is_some();
    (!is_out_of_place && !begins_again(fault)).then_some(edits)
}

/// Whether the last object is rather the whole answer, begun anew: it begins with the root's first key, where the value of that key is due, where
/// texts are listed, or where it repeats the root from its start on.
fn begins_again(fault: &Fault<'_>) -> bool {
    let Some(opener) = fault.token(0).filter(|end| end.kind == TokenKind::ObjectEnd).and_then(|end| end.opens) else {
        return false;
    };
    let root = fault.at(fault.region_start()).after(1).skip_json_space();
    let inner = fault.at(opener).after(1).skip_json_space();
    let Some(key_end) = root.key_end().filter(|end| opener > end.pos() && inner.starts_with(root.slice_to(end.pos())))
    else {
        return false;
    };
    let between = key_end.slice_to(opener).trim_start().strip_prefix(':').unwrap_or_default().trim();
    let texts = between.strip_prefix('[').unwrap_or_default().trim_end_matches([',', ' ']);
    between.is_empty() || texts.ends_with('"') || inner.starts_with(root.slice_to(opener).trim_end())
}

#[cfg(test)]
jsonseam_testkit::laws!(UnclosedContainer);
