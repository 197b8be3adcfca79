//! `schema-echo`: the schema that a model repeats before it answers.

use std::ops::Range;

use jsonseam_core::{Candidates, Region, RepairRule, rule};

rule! {
    /// Passes over a JSON Schema that stands before the answer it describes.
    ///
    /// # What
    /// The first object of the text is a schema of objects: it begins with a keyword of JSON Schema, has `"type": "object"` and `"properties"`.
    /// Another object follows, and the schema names its first key.
    /// The text is searched from that object on.
    ///
    /// # Why
    /// Models that are shown a schema repeat it before they fill it in.
    ///
    /// # Example
    /// `{"type": "object", "properties": {"a": {}}} {"a": 1}` gives `{"a": 1}`.
    ///
    /// # Limits
    /// Only with the policy `first`: the others see both and choose by what they are told.
    /// A schema that is followed by nothing, or by an object whose first key it does not name, is the answer.
    pub struct SchemaEcho {
        name: "schema-echo",
        locates: Regions,
        cases: "schema_echo.toml",
    }
}

impl RepairRule for SchemaEcho {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if !region.wants_first_only() || region.find("\"properties\"", region.span().start).is_none() {
            return;
        }
        if let [schema, answer, ..] = region.bracketed().as_slice()
            && is_echo(region, schema, answer)
        {
            found.push(answer.start..region.span().end);
        }
    }
}

/// Whether the text of `schema` is a schema that names the first key of `answer`.
fn is_echo(region: &Region<'_>, schema: &Range<usize>, answer: &Range<usize>) -> bool {
    let schema = region.slice(schema.clone());
    let begins = first_key(schema).is_some_and(|key| KEYWORDS.contains(&key));
    let is_schema = begins
        && value_behind(schema, "\"type\"").is_some_and(|value| value.starts_with("\"object\""))
        && value_behind(schema, "\"properties\"").is_some_and(|value| value.starts_with('{'));
    is_schema
        && first_key(region.slice(answer.clone())).is_some_and(|key| {
            let name = format!("\"{key}\"");
            !KEYWORDS.contains(&key) && schema.contains(&name)
        })
}

/// Keywords that schemas begin with.
const KEYWORDS: [&str; 8] = ["$schema", "$id", "$defs", "definitions", "title", "description", "type", "properties"];

/// The first key of the object that `text` begins with, as it is spelled: in quotes of any kind or without.
fn first_key(text: &str) -> Option<&str> {
    const QUOTES: [(char, &[char]); 5] =
        [('"', &['"']), ('\'', &['\'']), ('`', &['`']), ('“', &['”', '“']), ('‘', &['’'])];
    let rest = text.strip_prefix('{')?.trim_start();
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
    (!key.is_empty()).then_some(key)
}

/// What follows the first `name` and its colon.
fn value_behind<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(name)?;
    rest.trim_start().strip_prefix(':').map(str::trim_start)
}

#[cfg(test)]
jsonseam_testkit::laws!(SchemaEcho);
