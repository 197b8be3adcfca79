//! What must be in a region for a locator to find anything there: so that most locators are not even asked.
//!
//! Invariant: a locator finds nothing in a region that holds none of its landmarks. The testkit asks each locator wherever it may be asked for how the region
//! starts, and holds it to that.

use super::region::Region;

/// What a locator looks for in a region. It is not asked about a region without that.
///
/// [`rule!`](crate::rule!) makes them from the lines `starts`, `ends`, `never_starts`, `holds` and `usual` of a declaration.
/// Of each, an empty one says nothing.
///
/// ```
/// use jsonseam_core::Landmarks;
///
/// // A fence, in a text that does not begin as a payload.
/// let fence = Landmarks { never_starts: "{[", holds: &["`", "~"], ..Landmarks::ANY };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Landmarks {
    /// The region begins with one of these ASCII characters, or ends with one of `ends`.
    pub starts: &'static str,
    /// Which ASCII characters at the region's end do as well.
    pub ends: &'static str,
    /// The region begins with none of these ASCII characters. The locator does not ask this itself.
    pub never_starts: &'static str,
    /// The region holds at least one of these texts. Of one character, its bytes may be anywhere in the completion.
    pub holds: &'static [&'static str],
    /// What it does with a usual completion.
    pub usual: Usual,
}

/// What a locator does with a usual completion: one whole object, bare or in one fenced block, with nothing around it but words.
///
/// Where no locator has to be asked, none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Usual {
    /// It has to be asked.
    Unknown,
    /// It finds nothing there.
    Nothing,
    /// It takes a bare object; of a block the content is asked for, which is one.
    Bare,
    /// It takes the content of a block without a tag or tagged `json`, and finds nothing elsewhere.
    Fenced,
}

impl Landmarks {
    /// Every region that is not empty.
    pub const ANY: Self = Self { starts: "", ends: "", never_starts: "", holds: &[], usual: Usual::Unknown };

    /// Whether `region` has what a locator with these landmarks looks for.
    pub fn are_in(&self, region: &Region<'_>) -> bool {
        let text = region.bytes();
        let (Some(first), Some(last)) = (text.first(), text.last()) else { return false };
        let is_one_of = |byte: &u8, chars: &str| chars.as_bytes().contains(byte);
        (self.starts.is_empty() || is_one_of(first, self.starts) || is_one_of(last, self.ends))
            && !is_one_of(first, self.never_starts)
            && (self.holds.is_empty() || self.holds.iter().any(|text| region.may_hold(text)))
    }
}
