//! `doubled-braces`: a payload whose braces all come in pairs, as in a template.

use jsonseam_core::{Candidates, Edit, Edits, LocateRule, Region, rule, string_end, value_end};

use crate::shared::brackets;

rule! {
    /// Removes one brace of each pair where all braces are doubled.
    ///
    /// # What
    /// The payload begins with `{{` and a key in double quotes, and outside of strings each brace has a second one of its kind right after it.
    /// The inner one of each pair is removed; the payload ends where its root closes. So where the outer braces alone are doubled, and nothing else is between them.
    ///
    /// # Why
    /// Templates of prompts write `{{` for a brace (Python's `str.format`, Jinja), and models copy what they see.
    ///
    /// # Example
    /// `{{"a": {{"b": 1}}}}` becomes `{"a": {"b": 1}}`.
    ///
    /// # Limits
    /// Otherwise: one single brace outside of strings, or a brace in place of another bracket, and nothing is changed. So is a placeholder (`{{name}}`), and a payload that breaks off.
    pub struct DoubledBraces {
        name: "doubled-braces",
        risk: Likely,
        locates: Payloads,
        holds: ["{"],
        usual: Nothing,
    }
}

impl LocateRule for DoubledBraces {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let span = region.span();
        let Some(start) = brackets::payload_start(region).filter(|&start| region.slice(start..start + 2) == "{{")
        else {
            return;
        };
        let text = region.slice(start..span.end);
        let is_key = text[2..].trim_start().starts_with('"');
        // Braces that are doubled before it too are those of a template, not of a payload.
        if !is_key || !region.opens_payload(start) || region.slice(span.start..start).contains("{{") {
            return;
        }
        if let Some((len, edits)) = halved(text, start).or_else(|| unwrapped(text, start)) {
            found.push_edited(start..start + len, edits);
        }
    }
}

/// The same where only the outer braces are doubled, and nothing else is between them.
fn unwrapped(text: &str, start: usize) -> Option<(usize, Edits)> {
    let inner_end = value_end(text.as_bytes(), 1);
    let rest = text.get(inner_end..)?;
    let closer = inner_end + (rest.len() - rest.trim_start().len());
    // What follows may close or continue more than this pair.
    let is_last = rest.trim_start().strip_prefix('}')?.trim().is_empty();
    let opener = Edit::remove(start + 1..start + 2);
    is_last.then(|| (closer + 1, Edits::from(opener).and(Edit::remove(start + inner_end - 1..start + inner_end))))
}

/// How long the payload is that `text` begins with, and the edits that leave one brace of each pair.
fn halved(text: &str, start: usize) -> Option<(usize, Edits)> {
    let bytes = text.as_bytes();
    let mut edits: Option<Edits> = None;
    let mut depth = 0_usize;
    let mut pos = 0;
    loop {
        match *bytes.get(pos)? {
            b'"' => pos = string_end(bytes, pos),
            brace @ (b'{' | b'}') => {
                if bytes.get(pos + 1) != Some(&brace) {
                    return None;
                }
                // The outer ones stay: the payload begins and ends with a brace.
                let inner = start + pos + usize::from(brace == b'{');
                let edit = Edit::remove(inner..inner + 1);
                edits = Some(match edits {
                    Some(edits) => edits.and(edit),
                    None => edit.into(),
                });
                pos += 2;
                depth = if brace == b'{' { depth + 1 } else { depth - 1 };
                if depth == 0 {
                    return Some((pos, edits?));
                }
            }
            _ => pos += 1,
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(DoubledBraces);
