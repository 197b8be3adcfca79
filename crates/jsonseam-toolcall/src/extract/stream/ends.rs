//! Where marks are in a text of which more may come.

use crate::cursor::Stop;
use crate::template::Template;

/// The first place from `from` on where one of the marks is, or may come to be; and where it ends.
pub(super) fn first_end<'t>(
    marks: impl Iterator<Item = &'t Template>,
    text: &str,
    from: usize,
) -> Option<(usize, Option<usize>)> {
    let first = |mark: &Template| {
        let mut from = from;
        loop {
            let rest = text.as_bytes().get(from..)?;
            let at = from + memchr::memmem::find(rest, mark.anchor().as_bytes())?;
            match mark.match_at(text, at) {
                Ok(found) => return Some((at, Some(found.end))),
                Err(Stop::Cut) => return Some((at, None)),
                Err(_) => from = at + mark.anchor().len(),
            }
        }
    };
    marks.filter_map(first).min()
}
