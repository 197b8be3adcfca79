//! `schema-echo`: the schema that a model repeats before it answers.

use std::ops::Range;

use jsonseam_core::{Candidates, LocateRule, Region, is_quote, rule};

use crate::shared::brackets;

rule! {
    /// Passes over a JSON Schema before the answer that it describes.
    ///
    /// # What
    /// The first object of the text is a schema of objects: it begins with a keyword of JSON Schema, has `"type": "object"` and `"properties"`.
    /// Another object follows, which is not a schema, and its first key is declared by the properties of the first object.
    /// The text is searched from that object on.
    ///
    /// # Why
    /// Models that are shown a schema repeat it before they fill it in.
    ///
    /// # Example
    /// `{"type": "object", "properties": {"a": {}}} {"a": 1}` gives `{"a": 1}`.
    ///
    /// # Limits
    /// Only with the policy `first`: the other policies see both objects and choose between them.
    /// A schema that is followed by nothing, or by an object whose first key it does not declare, is the answer.
    pub struct SchemaEcho {
        name: "schema-echo",
        locates: Regions,
        holds: ["{"],
        first_keys: &KEYWORDS,
        cases: "schema_echo.toml",
    }
}

impl LocateRule for SchemaEcho {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if !region.wants_first_only() {
            return;
        }
        let begins_as_schema = brackets::first_bracketed(region).is_some_and(|start| may_be_schema(region, start));
        if begins_as_schema
            && region.find("\"properties\"", region.span().start).is_some()
            && let [schema, answer, ..] = brackets::bracketed(region).as_slice()
            && is_echo(region, schema, answer)
        {
            found.push(answer.start..region.span().end);
        }
    }
}

/// Whether the first payload, at `start`, may begin as a schema, or is one that is passed over since it is quoted or escaped.
fn may_be_schema(region: &Region<'_>, start: usize) -> bool {
    let (before, rest) = region.text().split_at(start - region.span().start);
    let is_passed_over = |key: &str| key.starts_with('\\') || before.ends_with(is_quote);
    first_key(rest).is_none_or(|key| KEYWORDS.contains(&key) || is_passed_over(key))
}

/// Whether the text of `schema` is a schema that declares the first key of `answer`, which is not a schema.
fn is_echo(region: &Region<'_>, schema: &Range<usize>, answer: &Range<usize>) -> bool {
    let offset = region.span().start;
    let text = |span: &Range<usize>| region.text().get(span.start - offset..span.end - offset).unwrap_or_default();
    let (schema, answer) = (text(schema), text(answer));
    let begins = first_key(schema).is_some_and(|key| KEYWORDS.contains(&key));
    let is_schema = begins
        && value_behind(schema, "\"type\"").is_some_and(|value| value.starts_with("\"object\""))
        && value_behind(schema, "\"properties\"").is_some_and(|value| value.starts_with('{'));
    is_schema
        && first_key(answer).is_some_and(|key| {
            let is_schema_too = KEYWORDS.contains(&key) && value_behind(answer, "\"properties\"").is_some();
            !is_schema_too && declares(schema, key)
        })
}

/// Whether `key`, as it is spelled, is a member of the first `properties` of `schema`. An escape that is broken makes no difference.
fn declares(schema: &str, key: &str) -> bool {
    let Some(properties) = value_behind(schema, "\"properties\"") else { return false };
    let (mut depth, mut opened, mut is_escaped) = (0_usize, None, false);
    for (at, byte) in properties.bytes().enumerate() {
        match (byte, opened) {
            (_, Some(_)) if is_escaped => is_escaped = false,
            (b'\\', Some(_)) => is_escaped = true,
            (b'"', Some(start)) => {
                opened = None;
                let is_name = depth == 1 && properties[at + 1..].trim_start().starts_with(':');
                if is_name && is_same_key(properties.get(start..at).unwrap_or_default(), key) {
                    return true;
                }
            }
            (b'"', None) => opened = Some(at + 1),
            (b'{' | b'[', None) => depth += 1,
            (b'}' | b']', None) if depth <= 1 => return false,
            (b'}' | b']', None) => depth -= 1,
            _ => {}
        }
    }
    false
}

/// Whether two keys are the same, as they are spelled or in their letters and digits.
fn is_same_key(one: &str, other: &str) -> bool {
    let letters = |key| letters(key).collect::<String>();
    let plain = |key: &str| key.replace('\\', "");
    plain(one) == plain(other) || (letters(one) == letters(other) && !letters(one).is_empty())
}

/// The letters and digits of a key that may have lost an escape: `\n` stands for a line feed, any other escape for what follows the backslash.
fn letters(key: &str) -> impl Iterator<Item = char> {
    let mut chars = key.chars();
    std::iter::from_fn(move || {
        let char = chars.next()?;
        if char != '\\' {
            return Some(char);
        }
        chars.next().map(|escaped| if matches!(escaped, 'b' | 'f' | 'n' | 'r' | 't') { ' ' } else { escaped })
    })
    .filter(|char| char.is_alphanumeric())
}

/// Keywords that schemas begin with.
const KEYWORDS: [&str; 8] = ["$schema", "$id", "$defs", "definitions", "title", "description", "type", "properties"];

/// The first key of the object that `text` begins with, as it is spelled: in quotes of any kind or without.
fn first_key(text: &str) -> Option<&str> {
    const QUOTES: [(char, &[char]); 5] =
        [('"', &['"']), ('\'', &['\'']), ('`', &['`']), ('“', &['”', '“']), ('‘', &['’'])];
    let rest = after_blanks(text.strip_prefix('{')?);
    let first = rest.chars().next()?;
    let key = match QUOTES.iter().find(|(open, _)| *open == first) {
        Some((_, closers)) => {
            let inner = rest.get(first.len_utf8()..)?;
            let mut is_escaped = false;
            let end = inner.find(|char: char| {
                let ends = !is_escaped && closers.contains(&char);
                is_escaped = char == '\\' && !is_escaped;
                ends
            });
            inner.get(..end?)?
        }
        None => rest.get(..rest.find(|char: char| char == ':' || char.is_whitespace())?)?,
    };
    Some(key)
}

/// `text` without white space, characters that show nothing, and comments at its start.
fn after_blanks(mut text: &str) -> &str {
    loop {
        text = text.trim_start_matches(|char: char| {
            char.is_whitespace() || matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
        });
        let comment = match text.get(..1) {
            Some("#") => text.split_once('\n'),
            _ if text.starts_with("//") => text.split_once('\n'),
            _ if text.starts_with("/*") => text.split_once("*/"),
            _ => return text,
        };
        let Some((_, rest)) = comment else { return text };
        text = rest;
    }
}

/// What follows the first `name` and its colon.
fn value_behind<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    rest.trim_start().strip_prefix(':').map(str::trim_start)
}

#[cfg(test)]
jsonseam_testkit::laws!(SchemaEcho);
