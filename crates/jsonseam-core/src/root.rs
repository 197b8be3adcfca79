//! Which kind of payload is wanted, and what is refused for being another (SPEC P3, P4).

use crate::config::Root;
use crate::error::Reason;
use crate::locate::{Region, opens, unclosed_bracket};

/// Why a text that is valid JSON as a whole is not a payload of this root.
pub(crate) fn refusal_of_valid(text: &str, root: Root) -> Option<Reason> {
    let first = text.trim_start().bytes().next()?;
    if root == Root::Any || opens(first, root) {
        return None;
    }
    Some(match first {
        b'[' => Reason::TopLevelArrayNotAllowed,
        b'{' => Reason::TopLevelObjectNotAllowed,
        b'"' if text.bytes().any(|byte| opens(byte, root)) => Reason::TopLevelScalarNotAllowed,
        _ => Reason::NoJsonObjectFound,
    })
}

/// Why a region that is not valid as a whole holds no payload of the wanted root.
///
/// `repairs_to` says whether the whole region, repaired, opens with the given bracket.
pub(crate) fn refusal_of_region(region: &Region<'_>, repairs_to: impl Fn(u8) -> bool) -> Option<Reason> {
    let (wanted, other, reason) = match region.root() {
        Root::Any => {
            return region.payload_start().is_none().then_some(Reason::NoJsonObjectFound);
        }
        Root::Object => (b'{', b'[', Reason::TopLevelArrayNotAllowed),
        Root::Array => (b'[', b'{', Reason::TopLevelObjectNotAllowed),
    };
    let text = region.slice(region.span()).as_bytes();
    if text.first() == Some(&other) && repairs_to(other) {
        return Some(reason);
    }
    let Some(first) = memchr::memchr(wanted, text) else {
        return Some(Reason::NoJsonObjectFound);
    };
    let before = text.get(..first).unwrap_or_default();
    let is_inside_other = match region.root() {
        Root::Array => unclosed_brace(before),
        _ if text.first() == Some(&b'[') => unclosed_bracket(before).is_some(),
        _ => before.trim_ascii_end().last() == Some(&b'['),
    };
    is_inside_other.then_some(reason)
}

/// Whether a `{` of `text` has no `}`: a `[` after it is part of an object, not a payload.
fn unclosed_brace(text: &[u8]) -> bool {
    let depth = memchr::memchr2_iter(b'{', b'}', text)
        .fold(0_usize, |depth, pos| if text[pos] == b'{' { depth + 1 } else { depth.saturating_sub(1) });
    depth > 0
}
