//! `schema-echo`: the schema that a model repeats before it answers.

use std::ops::Range;

use jsonseam_core::{Candidates, Region, Strings, is_quote, rule};

use crate::shared::brackets;

rule! {
    /// Passes over a JSON Schema before the answer that it describes.
    ///
    /// # What
    /// The first object of the text is a schema of objects: it begins with a keyword of JSON Schema, has `"type": "object"` and `"properties"`.
    /// Another object follows, which is not a schema and has a key that the properties of the first object declare.
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
    /// A schema that is followed by nothing, or by an object of which it declares no key, is the answer.
    pub struct SchemaEcho {
        name: "schema-echo",
        locates: Regions,
        holds: ["{"],
        usual: Nothing,
        locate: schema_echo,
    }
}

fn schema_echo(region: &Region<'_>, found: &mut Candidates) {
    // Most often the text begins with another key in double quotes.
    let mut first = region.at(region.span().start);
    let mut is_quoted = first.eat("{");
    first.take_while(char::is_whitespace);
    is_quoted &= first.eat("\"");
    let is_first = |known: &&str| first.starts_with(known) && first.after(known.len()).starts_with("\"");
    if region.wants_first_only()
        && (!is_quoted || KEYWORDS.iter().any(is_first))
        && region.may_hold("\"properties\"")
        && brackets::first_bracketed(region).is_some_and(|start| may_be_schema(region, start))
        && let [schema, answer, ..] = brackets::bracketed(region).as_slice()
        && is_echo(region, schema, answer)
    {
        found.push(answer.start..region.span().end);
    }
}

/// Whether the first payload, at `start`, may begin as a schema, or is one that is passed over since it is quoted or escaped.
fn may_be_schema(region: &Region<'_>, start: usize) -> bool {
    let is_in_quotes = || start > region.span().start && region.at(start).char_before().is_some_and(is_quote);
    first_key(region, start).is_none_or(|key| KEYWORDS.contains(&key) || key.starts_with('\\') || is_in_quotes())
}

/// Whether the text of `schema` is a schema that declares the first key of `answer`, which is not a schema.
fn is_echo(region: &Region<'_>, schema: &Range<usize>, answer: &Range<usize>) -> bool {
    let first = first_key(region, answer.start);
    let is_keyword = |key: Option<&str>| key.is_some_and(|key| KEYWORDS.contains(&key));
    let begins_as_schema = is_keyword(first_key(region, schema.start));
    let (schema, answer) = (region.slice(schema.clone()), region.slice(answer.clone()));
    let is_schema = begins_as_schema
        && value_behind(schema, "\"type\"").is_some_and(|value| value.starts_with("\"object\""))
        && value_behind(schema, "\"properties\"").is_some_and(|value| value.starts_with('{'));
    let names = if is_schema { declared(schema) } else { Vec::new() };
    let is_schema_too = is_keyword(first) && value_behind(answer, "\"properties\"").is_some();
    let begins_declared = || first.is_some_and(|key| names.iter().any(|name| is_same_key(name, key)));
    !is_schema_too && (begins_declared() || has_declared(answer, &names))
}

/// How many keys of a schema are looked for.
const MOST_KEYS: usize = 64;

/// The first keys of the first `properties` of `schema`, as they are spelled.
fn declared(schema: &str) -> Vec<&str> {
    let properties = value_behind(schema, "\"properties\"").unwrap_or_default();
    let (mut depth, mut strings, mut start, mut names) = (0_usize, Strings::default(), None, Vec::new());
    for (at, byte) in properties.bytes().enumerate() {
        if names.len() == MOST_KEYS {
            break;
        }
        if strings.hides(byte) {
            start = match start {
                Some(start) if !strings.is_inside() => {
                    let is_key = depth == 1 && properties[at + 1..].trim_start().starts_with(':');
                    names.extend(properties.get(start..at).filter(|_| is_key));
                    None
                }
                start => start.or(Some(at + 1)),
            };
            continue;
        }
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => break,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    names
}

/// Whether `text` holds a key in double quotes that is one of these. It may have lost a quote, so whatever is between two of them may be a key.
fn has_declared(text: &str, names: &[&str]) -> bool {
    let mut strings = text.split('"');
    let mut before = strings.next();
    strings.any(|part| {
        let key = before.replace(part);
        part.trim_start().starts_with(':') && key.is_some_and(|key| names.contains(&key))
    })
}

/// Whether two keys are the same, as they are spelled or in their letters and digits.
fn is_same_key(one: &str, other: &str) -> bool {
    let plain = |key: &str| key.replace('\\', "");
    plain(one) == plain(other) || (letters(one) == letters(other) && !letters(one).is_empty())
}

/// The letters and digits of a key that may have lost an escape: `\n` stands for a line feed, any other escape for what follows the backslash.
fn letters(key: &str) -> String {
    let mut is_escaped = false;
    let is_letter = |char: &char| {
        let is_blank = is_escaped && matches!(char, 'b' | 'f' | 'n' | 'r' | 't');
        is_escaped = *char == '\\' && !is_escaped;
        char.is_alphanumeric() && !is_blank
    };
    key.chars().filter(is_letter).collect()
}

/// Keywords that schemas begin with.
const KEYWORDS: [&str; 8] = ["$schema", "$id", "$defs", "definitions", "title", "description", "type", "properties"];

/// The first key of the object at `start`, as it is spelled: in quotes of any kind or without.
fn first_key<'t>(region: &'t Region<'_>, start: usize) -> Option<&'t str> {
    let mut object = region.at(start);
    let key = object.eat("{").then(|| object.skip_space_and_comments())?;
    Some(key.slice_to(key.key_end()?.pos()).trim_matches(is_quote))
}

/// What follows the first `name` and its colon.
fn value_behind<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    rest.trim_start().strip_prefix(':').map(str::trim_start)
}

#[cfg(test)]
jsonseam_testkit::laws!(SchemaEcho);
