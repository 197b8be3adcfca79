//! Payloads as they are inside a string: one level of escapes too many.

use std::ops::Range;

use jsonseam_text::{Strings, escape};

use super::region::Region;
use crate::edits::edit::{Edit, Edits};
use crate::reading::limits::MAX_DEPTH;
use crate::reading::recognise::is_valid;

impl Region<'_> {
    /// The edits that take one level of JSON escapes (RFC 8259 section 7) off the text of `span`; `None` if it has none.
    ///
    /// An escape that JSON does not know, and half a surrogate pair, stay as they are.
    pub fn unescape(&self, span: Range<usize>) -> Option<Edits> {
        let text = self.slice(span.clone());
        let mut edits = Vec::new();
        let mut pos = 0;
        while let Some(offset) = memchr::memchr(b'\\', text.as_bytes().get(pos..)?) {
            let start = pos + offset;
            let Some((char, len)) = escape(text.as_bytes().get(start..).unwrap_or_default()) else {
                pos = start + 1;
                continue;
            };
            pos = start + len;
            let edit = Edit::replace(span.start + start..span.start + pos, String::from(char));
            edits.push(edit);
        }
        Edits::group(edits)
    }

    /// Whether the byte at `pos` opens a payload of the wanted root.
    pub fn opens_payload(&self, pos: usize) -> bool {
        self.slice(pos..pos + 1).bytes().any(|byte| self.root.opens(byte))
    }

    /// Whether the region is one valid JSON string.
    pub fn is_string(&self) -> bool {
        let text = self.slice(self.span());
        text.starts_with('"') && is_valid(text.as_bytes(), MAX_DEPTH)
    }

    /// Whether the region starts with a key in double quotes and a colon: the payload has lost its opening brace.
    pub fn starts_with_member(&self) -> bool {
        let start = self.at(self.span.start);
        start.starts_with("\"") && start.has_key()
    }

    /// Whether all brackets of the region outside double-quoted strings are closed, each after it was opened, and so are the strings.
    pub fn is_balanced(&self) -> bool {
        let (mut strings, mut depth) = (Strings::default(), 0_isize);
        let is_opened = self.slice(self.span()).bytes().all(|byte| {
            match byte {
                _ if strings.hides(byte) => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            depth >= 0
        });
        is_opened && depth == 0 && !strings.is_inside()
    }
}
