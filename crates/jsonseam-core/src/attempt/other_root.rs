//! What is refused for its root (SPEC P3).

use crate::locate::Region;
use crate::locate::root::is_element;
use crate::reading::wanted::Root;
use crate::results::reason::Reason;

/// Why a text that is valid JSON as a whole is not a payload of this root.
pub(crate) fn refusal_of_valid(text: &str, root: Root) -> Option<Reason> {
    let first = text.trim_start().bytes().next()?;
    if root == Root::Any || root.opens(first) {
        return None;
    }
    Some(match first {
        b'[' => Reason::TopLevelArrayNotAllowed,
        b'{' => Reason::TopLevelObjectNotAllowed,
        b'"' if root.opener_in(text.as_bytes()).is_some() => Reason::TopLevelScalarNotAllowed,
        _ => Reason::NoJsonObjectFound,
    })
}

/// Why a region that is not valid as a whole holds no payload of the wanted root.
///
/// `repairs_to` says whether the whole region, repaired, opens with the given bracket.
pub(crate) fn refusal_of_region(region: &Region<'_>, repairs_to: impl Fn(u8) -> bool) -> Option<Reason> {
    let (wanted, other, reason) = match region.root() {
        Root::Any => {
            let has_opener = ["{", "["].iter().any(|opener| region.find(opener, region.span().start).is_some());
            return (!has_opener).then_some(Reason::NoJsonObjectFound);
        }
        Root::Object => (b'{', b'[', Reason::TopLevelArrayNotAllowed),
        Root::Array => (b'[', b'{', Reason::TopLevelObjectNotAllowed),
    };
    let text = region.text().as_bytes();
    if text.first() == Some(&other) && repairs_to(other) {
        return Some(reason);
    }
    let Some(first) = memchr::memchr(wanted, text) else { return Some(Reason::NoJsonObjectFound) };
    is_element(&text[..first], other).then_some(reason)
}
