//! The edits of a record as JSON: most records of broken texts consist of them.

use jsonseam_text::push_string;

use crate::repaired::Repaired;

/// Appends the array of the edits, with the pointer of each.
pub(super) fn push_edits(repaired: &Repaired<'_>, out: &mut Vec<u8>) {
    let mut edits = repaired.edits();
    let mut separator = b'[';
    repaired.each_path(|path| {
        let Some(edit) = edits.next() else { return };
        out.push(separator);
        separator = b',';
        out.extend_from_slice(b"{\"rule\":");
        push_short(edit.rule, out);
        out.extend_from_slice(b",\"risk\":");
        push_short(edit.risk.as_str(), out);
        out.extend_from_slice(b",\"start\":");
        push_number(edit.span.start, out);
        out.extend_from_slice(b",\"end\":");
        push_number(edit.span.end, out);
        out.extend_from_slice(b",\"replacement\":");
        push_short(edit.replacement, out);
        out.extend_from_slice(b",\"path\":");
        push_short(path, out);
        out.push(b'}');
    });
    out.extend_from_slice(if separator == b'[' { b"[]" } else { b"]" });
}

/// Appends a string that is short and needs no escapes, mostly.
fn push_short(text: &str, out: &mut Vec<u8>) {
    if text.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        return push_string(text, out);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Appends a number in its digits.
pub(super) fn push_number(mut number: usize, out: &mut Vec<u8>) {
    // As many as the largest number has.
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b"0123456789"[number % 10];
        number /= 10;
        if number == 0 {
            break out.extend_from_slice(&digits[start..]);
        }
    }
}
