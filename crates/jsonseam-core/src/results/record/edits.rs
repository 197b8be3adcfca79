//! The edits of a record as JSON: most records of broken texts consist of them.

use jsonseam_text::push_string;

use crate::results::repaired::Repaired;

/// Appends the array of the edits, with the pointer of each.
pub(super) fn push_edits(repaired: &Repaired<'_>, out: &mut Vec<u8>) -> serde_json::Result<()> {
    let mut edits = repaired.edits();
    if edits.len() == 0 {
        out.extend_from_slice(b"[]");
        return Ok(());
    }
    let mut separator = b'[';
    let mut result = Ok(());
    let mut number = |name: &str, number: usize, out: &mut Vec<u8>| {
        out.extend_from_slice(name.as_bytes());
        if let Err(error) = serde_json::to_writer(out, &number) {
            result = Err(error);
        }
    };
    repaired.each_path(|path| {
        let Some(edit) = edits.next() else { return };
        out.push(separator);
        separator = b',';
        out.extend_from_slice(b"{\"rule\":");
        push_string(edit.rule, out);
        out.extend_from_slice(b",\"risk\":");
        push_string(edit.risk.as_str(), out);
        number(",\"start\":", edit.span.start, out);
        number(",\"end\":", edit.span.end, out);
        out.extend_from_slice(b",\"replacement\":");
        push_string(edit.replacement, out);
        out.extend_from_slice(b",\"path\":");
        push_string(path, out);
        out.push(b'}');
    });
    out.push(b']');
    result
}
