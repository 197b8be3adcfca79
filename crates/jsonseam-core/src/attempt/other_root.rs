//! What is refused for its root (SPEC P3).

use crate::locate::Region;
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
/// `is_repaired` says whether the whole region can be.
pub(crate) fn refusal_of_region(region: &Region<'_>, is_repaired: impl Fn() -> bool) -> Option<Reason> {
    let start = region.span().start;
    let (wanted, other, reason) = match region.root() {
        Root::Any => {
            let has_opener = ["{", "["].iter().any(|opener| region.find(opener, start).is_some());
            return (!has_opener).then_some(Reason::NoJsonObjectFound);
        }
        Root::Object => ("{", '[', Reason::TopLevelArrayNotAllowed),
        Root::Array => ("[", '{', Reason::TopLevelObjectNotAllowed),
    };
    if region.at(start).peek() == Some(other) && is_repaired() {
        return Some(reason);
    }
    let Some(first) = region.find(wanted, start) else { return Some(Reason::NoJsonObjectFound) };
    region.is_element_at(first).then_some(reason)
}
