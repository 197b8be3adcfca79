//! Which kind of payload is wanted, and what is refused for being another (SPEC P3, P4).

use crate::config::Root;
use crate::error::Reason;
use crate::locate::{Region, is_element, opens};

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
    let Some(first) = memchr::memchr(wanted, text) else { return Some(Reason::NoJsonObjectFound) };
    let before = text.get(..first).unwrap_or_default();
    is_element(before, other, region.root()).then_some(reason)
}
