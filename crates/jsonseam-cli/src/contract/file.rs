//! The contract file, read by hand so that every mistake has its place and no message quotes the file.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::anyhow;
use jsonseam::contract::{CastKind, Casts, Draft, Incomplete, Items};
use jsonseam::{Config, Position};
use serde::de::IgnoredAny;
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::arguments::{EXACT, cast_names};
use crate::escape::escaped;
use crate::names;

const TOP: [&str; 8] = ["outputs", "schema-file", "draft", "formats", "coerce", "alias", "incomplete", "items"];
const OUTPUT: [&str; 4] = ["type", "schema", "schema-file", "optional"];
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "null"];

/// What a contract file declares.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ContractFile {
    /// The outputs, in the order of the file.
    pub(super) outputs: Vec<Declared>,
    /// The schema of the whole.
    pub(super) schema_file: Option<PathBuf>,
    /// The draft of schemas that do not state one.
    pub(super) draft: Option<Draft>,
    /// Whether `format` is asserted.
    pub(super) formats: bool,
    /// The casts that may be made.
    pub(super) casts: Casts,
    /// Names of outputs or properties, each with a key that stands for it.
    pub(super) aliases: Vec<(String, String)>,
    /// What is done with answers that were truncated.
    pub(super) incomplete: Incomplete,
    /// What is done with items that do not fit.
    pub(super) items: Items,
}

/// One output.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) is_optional: bool,
    pub(super) schema: Option<SchemaSource>,
}

/// Where an output's schema comes from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SchemaSource {
    /// The schema itself, as JSON.
    Text(String),
    /// A file, relative to the contract's own folder.
    File(PathBuf),
}

/// Reads a contract file; `name` is what messages call it.
pub(super) fn read(text: &str, name: &str) -> anyhow::Result<ContractFile> {
    let reader = Reader { text, name };
    let table = DeTable::parse(text).map_err(|error| match Config::from_toml(text, name) {
        // The configuration has words for what TOML does not take.
        Err(error) => error.into(),
        Ok(_) => reader.mistake(error.span().unwrap_or(text.len()..text.len()), "not valid TOML"),
    })?;
    let mut contract = ContractFile::default();
    for (key, value) in sorted(table.get_ref()) {
        match key.get_ref().as_ref() {
            "outputs" => {
                for (name, value) in sorted(reader.table(value, "outputs")?) {
                    contract.outputs.push(reader.output(name.get_ref(), value)?);
                }
            }
            "schema-file" => contract.schema_file = Some(reader.string(value, "schema-file")?.into()),
            "draft" => contract.draft = Some(reader.named(value, "draft", Draft::NAMES)?),
            "incomplete" => contract.incomplete = reader.named(value, "incomplete", Incomplete::NAMES)?,
            "items" => contract.items = reader.named(value, "items", Items::NAMES)?,
            "formats" => contract.formats = reader.truth(value, "formats")?,
            "coerce" => contract.casts = reader.casts(value)?,
            "alias" => {
                for (name, value) in sorted(reader.table(value, "alias")?) {
                    let aliases = reader.strings(value, "an alias")?;
                    contract
                        .aliases
                        .extend(aliases.into_iter().map(|alias| (name.get_ref().to_string(), alias.to_owned())));
                }
            }
            other => return Err(reader.unknown(other, key.span(), "the contract", &TOP)),
        }
    }
    Ok(contract)
}

type Entry<'t, 'i> = (&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

/// The entries of a table in the order of the file.
fn sorted<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Entry<'t, 'i>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// A decimal number of TOML as JSON, with its own digits; `None` for what JSON does not have, such as `inf`.
fn json_number(digits: &str) -> Option<String> {
    let digits = digits.trim_start_matches('+').replace('_', "");
    serde_json::from_str::<serde_json::Number>(&digits).is_ok().then_some(digits)
}

struct Reader<'t> {
    text: &'t str,
    name: &'t str,
}

impl Reader<'_> {
    fn output(&self, name: &str, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Declared> {
        let mut declared = Declared { name: name.to_owned(), is_optional: false, schema: None };
        for (key, value) in sorted(self.table(value, "an output")?) {
            let schema = match key.get_ref().as_ref() {
                "optional" => {
                    declared.is_optional = self.truth(value, "optional")?;
                    continue;
                }
                "type" => {
                    let kind = self.string(value, "type")?;
                    if !TYPES.contains(&kind) {
                        return Err(self.no_name(value, "type", kind, &TYPES));
                    }
                    SchemaSource::Text(format!("{{\"type\":\"{kind}\"}}"))
                }
                "schema-file" => SchemaSource::File(self.string(value, "schema-file")?.into()),
                "schema" => SchemaSource::Text(match value.get_ref() {
                    DeValue::String(json) if serde_json::from_str::<IgnoredAny>(json).is_err() => {
                        let advice = "`schema` takes a table, or JSON as a string; a file is named by `schema-file`";
                        return Err(self.mistake(value.span(), advice));
                    }
                    DeValue::String(json) => json.to_string(),
                    DeValue::Table(_) | DeValue::Boolean(_) => {
                        let mut json = String::new();
                        self.push_json(value, &mut json)?;
                        json
                    }
                    _ => return Err(self.mistake(value.span(), "`schema` takes a table, or JSON as a string")),
                }),
                other => return Err(self.unknown(other, key.span(), "an output", &OUTPUT)),
            };
            if declared.schema.replace(schema).is_some() {
                return Err(self.mistake(key.span(), "an output takes one of `type`, `schema` and `schema-file`"));
            }
        }
        Ok(declared)
    }

    /// `true` for the casts that lose nothing, or the names of casts.
    fn casts(&self, value: &Spanned<DeValue<'_>>) -> anyhow::Result<Casts> {
        if let DeValue::Boolean(all) = *value.get_ref() {
            return Ok(if all { Casts::COERCE } else { Casts::NONE });
        }
        let mut casts = Casts::NONE;
        for name in self.strings(value, "`coerce`")? {
            casts = match CastKind::from_name(name) {
                _ if name == EXACT => casts.and(Casts::COERCE),
                Some(kind) if cast_names().any(|known| known == name) => casts.with(kind),
                _ => return Err(self.no_name(value, "coerce", name, &cast_names().collect::<Vec<_>>())),
            };
        }
        Ok(casts)
    }

    /// A string, or a list of strings.
    fn strings<'v>(&self, value: &'v Spanned<DeValue<'_>>, what: &str) -> anyhow::Result<Vec<&'v str>> {
        let string = |value: &'v Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => Err(self.mistake(value.span(), format!("{what} takes a string, or a list of strings"))),
        };
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(string).collect(),
            _ => Ok(vec![string(value)?]),
        }
    }

    fn truth(&self, value: &Spanned<DeValue<'_>>, key: &str) -> anyhow::Result<bool> {
        match *value.get_ref() {
            DeValue::Boolean(truth) => Ok(truth),
            _ => Err(self.mistake(value.span(), format!("`{key}` takes true or false"))),
        }
    }

    /// A value that is one of these names.
    fn named<T: FromStr>(&self, value: &Spanned<DeValue<'_>>, key: &str, names: &[&str]) -> anyhow::Result<T> {
        let name = self.string(value, key)?;
        name.parse().map_err(|_| self.no_name(value, key, name, names))
    }

    /// That a value is not one of the names which a key takes.
    fn no_name(&self, value: &Spanned<DeValue<'_>>, key: &str, name: &str, known: &[&str]) -> anyhow::Error {
        let near = names::nearest(name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        self.mistake(value.span(), format!("`{key}` takes one of {known}{}", near.unwrap_or_default()))
    }

    /// Appends the JSON that a TOML value stands for: names in the order of the file, digits as they are.
    fn push_json(&self, value: &Spanned<DeValue<'_>>, out: &mut String) -> anyhow::Result<()> {
        let no_json = || self.mistake(value.span(), "a value that JSON does not have");
        match value.get_ref() {
            DeValue::String(text) => out.push_str(&Value::from(text.as_ref()).to_string()),
            DeValue::Boolean(truth) => out.push_str(&truth.to_string()),
            DeValue::Integer(number) if number.radix() != 10 => {
                let number = i64::from_str_radix(number.as_str(), number.radix()).map_err(|_| no_json())?;
                out.push_str(&number.to_string());
            }
            DeValue::Integer(number) => out.push_str(&json_number(number.as_str()).ok_or_else(no_json)?),
            DeValue::Float(number) => out.push_str(&json_number(number.as_str()).ok_or_else(no_json)?),
            DeValue::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    self.push_json(item, out)?;
                }
                out.push(']');
            }
            DeValue::Table(table) => {
                out.push('{');
                for (index, (key, value)) in sorted(table).into_iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(&Value::from(key.get_ref().as_ref()).to_string());
                    out.push(':');
                    self.push_json(value, out)?;
                }
                out.push('}');
            }
            DeValue::Datetime(_) => return Err(no_json()),
        }
        Ok(())
    }

    fn table<'v, 'i>(&self, value: &'v Spanned<DeValue<'i>>, what: &str) -> anyhow::Result<&'v DeTable<'i>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.mistake(value.span(), format!("{what} must be a table"))),
        }
    }

    fn string<'v>(&self, value: &'v Spanned<DeValue<'_>>, key: &str) -> anyhow::Result<&'v str> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text),
            _ => Err(self.mistake(value.span(), format!("`{key}` takes a string"))),
        }
    }

    fn unknown(&self, key: &str, span: Range<usize>, table: &str, known: &[&str]) -> anyhow::Error {
        let is_name = key.len() <= 40 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        let shown = if is_name { format!("unknown key `{key}`") } else { "an unknown key".to_owned() };
        let hint = names::nearest(key, known.iter().copied());
        let advice = match hint {
            Some(hint) => format!("did you mean `{hint}`?"),
            None => format!("it takes {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        };
        self.mistake(span, format!("{shown} in {table}; {advice}"))
    }

    /// A mistake at a place. The message holds nothing of the file but names.
    fn mistake(&self, span: Range<usize>, message: impl std::fmt::Display) -> anyhow::Error {
        let Position { line, column, .. } = Position::of(span.start, self.text);
        anyhow!("{}:{line}:{column}: {message}", escaped(self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contract_is_read_in_the_order_of_the_file() {
        let text = "schema-file = 'whole.json'\n[outputs.z]\ntype = 'string'\n[outputs.a]\noptional = true\n\
            [outputs.m]\nschema-file = 'm.json'\n[outputs.\"b c\"]\nschema = '{\"minimum\": 1}'\n\
            [outputs.t.schema]\ntype = 'array'\nmaxItems = 0x10\nitems.minimum = 0.5\n";
        let contract = read(text, "c.toml").expect("it is sound");
        let names: Vec<_> = contract.outputs.iter().map(|output| output.name.as_str()).collect();
        assert_eq!(names, ["z", "a", "m", "b c", "t"]);
        assert_eq!(contract.outputs.iter().filter(|output| output.is_optional).count(), 1);
        let text = |json: &str| Some(SchemaSource::Text(json.to_owned()));
        assert_eq!(contract.outputs[0].schema, text("{\"type\":\"string\"}"));
        assert_eq!(contract.outputs[2].schema, Some(SchemaSource::File("m.json".into())));
        assert_eq!(contract.outputs[3].schema, text("{\"minimum\": 1}"));
        assert_eq!(
            contract.outputs[4].schema,
            text("{\"type\":\"array\",\"maxItems\":16,\"items\":{\"minimum\":0.5}}")
        );
        assert_eq!(contract.schema_file, Some("whole.json".into()));
    }

    #[test]
    fn l3_the_tables_of_a_schema_keep_their_order_and_their_digits() {
        let text = "[outputs.a.schema.properties.z]\nmaximum = 1_000.10\nminimum = +9_007_199_254_740_993\n\
            [outputs.a.schema]\ntype = 'object'\n[outputs.a.schema.properties.\"b c\"]\nenum = [{ y = 0b11, x = -1e+06 }]\n\
            [outputs.a.schema.properties.a]\nproperties = { d.e = true, c = false }\n";
        let contract = read(text, "c.toml").expect("it is sound");
        let json = r#"{"properties":{"z":{"maximum":1000.10,"minimum":9007199254740993},"b c":{"enum":[{"y":3,"x":-1e+06}]},"a":{"properties":{"d":{"e":true},"c":false}}},"type":"object"}"#;
        assert_eq!(contract.outputs[0].schema, Some(SchemaSource::Text(json.to_owned())));
        for number in ["inf", "-nan", "1e999", "99999999999999999999999999"] {
            let text = format!("[outputs.a.schema]\nmaximum = {number}\n");
            let read = read(&text, "c.toml");
            let is_refused = !number.starts_with('9');
            assert_eq!(read.is_err(), is_refused, "{number}");
        }
    }

    #[test]
    fn what_flags_say_a_contract_may_say_too() {
        let text = "draft = 'openapi-3.0'\nformats = true\ncoerce = ['exact', 'enum-case']\n[alias]\nsum = 'total'\nid = ['key', 'ID']\n";
        let contract = read(text, "c.toml").expect("it is sound");
        assert_eq!((contract.draft, contract.formats), (Some(Draft::OpenApi30), true));
        assert_eq!(contract.casts, Casts::COERCE.with(CastKind::EnumCase));
        let items = read("incomplete = 'drop-outer'\nitems = 'fitting'\n", "c.toml").expect("it is sound");
        assert_eq!((items.incomplete, items.items), (Incomplete::DropOuter, Items::Fitting));
        let error = read("incomplete = 'dorp'\n", "c.toml").expect_err("there is no such policy").to_string();
        assert_eq!(
            error,
            "c.toml:1:14: `incomplete` takes one of `refuse`, `keep`, `drop`, `drop-outer`; did you mean `drop`?"
        );
        let aliases: Vec<_> = contract.aliases.iter().map(|(name, alias)| (name.as_str(), alias.as_str())).collect();
        assert_eq!(aliases, [("sum", "total"), ("id", "key"), ("id", "ID")]);
        assert_eq!(read("coerce = true\n", "c.toml").expect("it is sound").casts, Casts::COERCE);
        assert_eq!(read("coerce = 'trim'\n", "c.toml").expect("it is sound").casts, Casts::NONE.with(CastKind::Trim));
    }

    #[test]
    fn every_mistake_has_its_place_and_quotes_nothing() {
        let cases = [
            ("[outputs.a\n", "c.toml:1:11: not valid TOML: a bracket is not closed"),
            ("[output.a]\n", "c.toml:1:2: unknown key `output` in the contract; did you mean `outputs`?"),
            ("[outputs.a]\ntyp = 'x'\n", "c.toml:2:1: unknown key `typ` in an output; did you mean `type`?"),
            (
                "[outputs.a]\n\"se cret\" = 1\n",
                "c.toml:2:1: an unknown key in an output; it takes `type`, `schema`, `schema-file`, `optional`",
            ),
            (
                "[outputs.a]\ntype = 'secret'\n",
                "c.toml:2:8: `type` takes one of `string`, `integer`, `number`, `boolean`, `object`, `array`, `null`",
            ),
            ("[outputs.a]\noptional = 'secret'\n", "c.toml:2:12: `optional` takes true or false"),
            (
                "[outputs.a]\ntype = 'null'\nschema = {}\n",
                "c.toml:3:1: an output takes one of `type`, `schema` and `schema-file`",
            ),
            ("formats = 'secret'\n", "c.toml:1:11: `formats` takes true or false"),
            ("coerce = [1]\n", "c.toml:1:11: `coerce` takes a string, or a list of strings"),
            ("[alias]\na = 1\n", "c.toml:2:5: an alias takes a string, or a list of strings"),
            (
                "draft = 'draft-4'\n",
                "c.toml:1:9: `draft` takes one of `draft-04`, `draft-06`, `draft-07`, `openapi-3.0`, `2019-09`, `2020-12`; did you mean `draft-04`?",
            ),
            ("outputs = 'secret'\n", "c.toml:1:11: outputs must be a table"),
            ("outputs.a = 'secret'\n", "c.toml:1:13: an output must be a table"),
            ("[outputs.a]\nschema = {default = 2020-01-01}\n", "c.toml:2:21: a value that JSON does not have"),
        ];
        for (text, message) in cases {
            assert_eq!(read(text, "c.toml").expect_err("it is a mistake").to_string(), message, "{text}");
        }
    }
}
