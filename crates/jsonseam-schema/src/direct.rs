//! A text put to its schema while it is read, with no value made of it: most texts fit, and for most schemas this sees it at a fraction of the cost.
//!
//! It answers only *surely*: a text that it does not follow, in whatever respect, goes the way of [`evaluate`](crate::evaluate), which decides.
//!
//! **Invariant:** what surely fits is JSON that a value holds, has no member twice, and fits by an evaluation within its budget.
//! The differential tests hold both ways against each other.

use serde_json::Number;

use jsonseam_text::{skip_blanks, valid_string_end};

use crate::exact::NONE;
use crate::graph::{Graph, Items, Keyword, Kinds, Node, NodeId, Properties};
use crate::number::compare_exactly;

/// How deep values and references within each other are followed.
const MAX_DEPTH: usize = 64;
/// How many members of an object are compared with each other.
const MAX_MEMBERS: usize = 64;
/// Numbers with so many characters are exact as floats.
const MAX_NUMBER: usize = 15;
/// The work that any text may take, and for each byte of it: far below the budget of an evaluation.
const WORK: usize = 1 << 16;
const WORK_PER_BYTE: usize = 8;

/// Whether a text surely fits.
pub(crate) fn surely_fits(graph: &Graph, text: &str) -> bool {
    let left = WORK + WORK_PER_BYTE * text.len();
    let mut reading = Reading { graph, text, pos: 0, left, depth: 0, names: Vec::new() };
    reading.value(Some(graph.root)).is_some() && skip_blanks(text.as_bytes(), reading.pos) == text.len()
}

/// A text on its way through a schema. `None` of its methods means that it is not sure.
struct Reading<'g, 't> {
    graph: &'g Graph,
    text: &'t str,
    pos: usize,
    /// The work that is left.
    left: usize,
    depth: usize,
    /// The names of the members so far, of each object that is open.
    names: Vec<&'t str>,
}

impl<'g, 't> Reading<'g, 't> {
    fn work(&mut self, amount: usize) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }

    /// The byte that comes next, after blanks.
    fn next(&mut self) -> Option<u8> {
        self.pos = skip_blanks(self.text.as_bytes(), self.pos);
        self.text.as_bytes().get(self.pos).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then(|| self.pos += 1)
    }

    /// The value that comes next, which a node may speak of.
    fn value(&mut self, node: Option<NodeId>) -> Option<()> {
        self.depth = (self.depth < MAX_DEPTH).then_some(self.depth + 1)?;
        let first = self.next()?;
        let start = self.pos;
        let node = node.map(|node| &self.graph.nodes[node]);
        let keywords = node.map_or(&[][..], |node| &node.keywords);
        self.work(1 + keywords.len())?;
        let is_null = first == b'n' && node.is_some_and(|node| node.accepts_null);
        for keyword in keywords.iter().filter(|_| !is_null) {
            self.in_place(keyword, start)?;
        }
        self.pos = start;
        let node = node.filter(|_| !is_null);
        match first {
            b'{' => self.object(node)?,
            b'[' => self.array(node)?,
            b'"' => self.string_value(keywords)?,
            b'n' => self.literal("null", if is_null { &[] } else { keywords }, "null")?,
            b't' => self.literal("true", keywords, "boolean")?,
            b'f' => self.literal("false", keywords, "boolean")?,
            _ => self.number(keywords)?,
        }
        self.depth -= 1;
        Some(())
    }

    /// What a keyword has other nodes say about the value that begins here; those that only a value can answer are not followed.
    fn in_place(&mut self, keyword: &'g Keyword, start: usize) -> Option<()> {
        match keyword {
            Keyword::Ref(node) => self.again(*node, start),
            Keyword::AllOf(nodes) => nodes.iter().try_for_each(|node| self.again(*node, start)),
            Keyword::AnyOf(nodes) => {
                let (depth, names) = (self.depth, self.names.len());
                nodes
                    .iter()
                    .any(|node| {
                        self.depth = depth;
                        self.names.truncate(names);
                        self.again(*node, start).is_some()
                    })
                    .then_some(())
            }
            Keyword::Never
            | Keyword::OneOf(_)
            | Keyword::Not(_)
            | Keyword::If(_)
            | Keyword::DynamicRef(_)
            | Keyword::Pattern(_)
            | Keyword::Format(_)
            | Keyword::UniqueItems
            | Keyword::Contains(_)
            | Keyword::DependentRequired(..)
            | Keyword::DependentSchemas(..)
            | Keyword::PropertyNames(_)
            | Keyword::UnevaluatedItems(_)
            | Keyword::UnevaluatedProperties(_) => None,
            // These are asked of the value itself, by its kind. All are named, so that a new keyword is not taken to hold.
            Keyword::Type(_)
            | Keyword::Enum(_)
            | Keyword::Const(_)
            | Keyword::MultipleOf(_)
            | Keyword::Maximum(_)
            | Keyword::ExclusiveMaximum(_)
            | Keyword::Minimum(_)
            | Keyword::ExclusiveMinimum(_)
            | Keyword::MaxLength(_)
            | Keyword::MinLength(_)
            | Keyword::MaxItems(_)
            | Keyword::MinItems(_)
            | Keyword::Items(_)
            | Keyword::MaxProperties(_)
            | Keyword::MinProperties(_)
            | Keyword::Required(_)
            | Keyword::Properties(_) => Some(()),
        }
    }

    fn again(&mut self, node: NodeId, start: usize) -> Option<()> {
        self.pos = start;
        self.value(Some(node))
    }

    fn literal(&mut self, spelled: &str, keywords: &[Keyword], kind: &str) -> Option<()> {
        self.text[self.pos..].starts_with(spelled).then_some(())?;
        self.pos += spelled.len();
        keywords.iter().try_for_each(|keyword| match keyword {
            Keyword::Type(kinds) => kinds.has(kind).then_some(()),
            Keyword::Enum(_) | Keyword::Const(_) => None,
            _ => Some(()),
        })
    }

    /// The string that comes next, and by how many characters its escapes are longer than what they spell.
    fn string(&mut self) -> Option<(&'t str, usize)> {
        let end = valid_string_end(self.text.as_bytes(), self.pos)?;
        let inner = self.text.get(self.pos + 1..end - 1)?;
        self.pos = end;
        self.work(1 + inner.len() / 8)?;
        let mut escapes = 0;
        let mut rest = inner;
        while let Some(at) = rest.find('\\') {
            let len = match rest.as_bytes().get(at + 1)? {
                // Half of a character: whether the other half follows, a value says.
                b'u' if is_half(rest.as_bytes().get(at + 2..at + 4)?) => return None,
                b'u' => 6,
                _ => 2,
            };
            rest = rest.get(at + len..)?;
            escapes += len - 1;
        }
        Some((inner, escapes))
    }

    fn string_value(&mut self, keywords: &[Keyword]) -> Option<()> {
        let (inner, escapes) = self.string()?;
        let length = || (inner.chars().count() - escapes) as u64;
        keywords.iter().try_for_each(|keyword| {
            let holds = match keyword {
                Keyword::Type(kinds) => kinds.has("string"),
                Keyword::Enum(options) => escapes == 0 && options.strings.contains(inner),
                Keyword::Const(constant) => escapes == 0 && constant.as_str() == Some(inner),
                Keyword::MaxLength(most) => length() <= *most,
                Keyword::MinLength(least) => length() >= *least,
                _ => true,
            };
            holds.then_some(())
        })
    }

    fn number(&mut self, keywords: &[Keyword]) -> Option<()> {
        let token = Token::read(&self.text[self.pos..])?;
        self.pos += token.text.len();
        let mut known = None;
        let mut number = || known.get_or_insert_with(|| token.number()).clone();
        keywords.iter().try_for_each(|keyword| {
            let order = |bound: &Number, number: Option<Number>| {
                Some(compare_exactly(&number?, &NONE, bound, &self.graph.exact))
            };
            let holds = match keyword {
                Keyword::Type(kinds) => token.is_of(*kinds),
                Keyword::Enum(_) | Keyword::Const(_) => false,
                Keyword::MultipleOf(of) => of.divides(token.decimal()?, &self.graph.exact)?,
                Keyword::Maximum(bound) => order(bound, number())?.is_le(),
                Keyword::ExclusiveMaximum(bound) => order(bound, number())?.is_lt(),
                Keyword::Minimum(bound) => order(bound, number())?.is_ge(),
                Keyword::ExclusiveMinimum(bound) => order(bound, number())?.is_gt(),
                _ => true,
            };
            holds.then_some(())
        })
    }

    fn array(&mut self, node: Option<&'g Node>) -> Option<()> {
        let keywords = node.map_or(&[][..], |node| &node.keywords);
        let items =
            keywords.iter().find_map(|keyword| if let Keyword::Items(items) = keyword { Some(items) } else { None });
        let of = |index| items.and_then(|Items { prefix, rest, .. }| prefix.get(index).copied().or(*rest));
        let mut count = 0;
        self.take(b'[')?;
        if self.next()? == b']' {
            self.pos += 1;
        } else {
            loop {
                self.value(of(count))?;
                count += 1;
                if self.next()? == b']' {
                    self.pos += 1;
                    break;
                }
                self.take(b',')?;
            }
        }
        let count = count as u64;
        keywords.iter().try_for_each(|keyword| {
            let holds = match keyword {
                Keyword::Type(kinds) => kinds.has("array"),
                Keyword::Enum(_) | Keyword::Const(_) => false,
                Keyword::MaxItems(most) => count <= *most,
                Keyword::MinItems(least) => count >= *least,
                _ => true,
            };
            holds.then_some(())
        })
    }

    fn object(&mut self, node: Option<&'g Node>) -> Option<()> {
        let keywords = node.map_or(&[][..], |node| &node.keywords);
        let properties = keywords
            .iter()
            .find_map(|keyword| if let Keyword::Properties(named) = keyword { Some(named) } else { None });
        let base = self.names.len();
        self.take(b'{')?;
        if self.next()? == b'}' {
            self.pos += 1;
        } else {
            loop {
                self.member(properties, base)?;
                if self.next()? == b'}' {
                    self.pos += 1;
                    break;
                }
                self.take(b',')?;
            }
        }
        let required = |keyword: &Keyword| if let Keyword::Required(names) = keyword { names.len() } else { 0 };
        self.work(keywords.iter().map(required).sum())?;
        let names = self.names.get(base..)?;
        let count = names.len() as u64;
        let fits = keywords.iter().all(|keyword| match keyword {
            Keyword::Type(kinds) => kinds.has("object"),
            Keyword::Enum(_) | Keyword::Const(_) => false,
            Keyword::MaxProperties(most) => count <= *most,
            Keyword::MinProperties(least) => count >= *least,
            Keyword::Required(required) => {
                required.len() <= names.len() && required.iter().all(|name| names.contains(&&**name))
            }
            _ => true,
        });
        self.names.truncate(base);
        fits.then_some(())
    }

    fn member(&mut self, properties: Option<&'g Properties>, base: usize) -> Option<()> {
        (self.next()? == b'"').then_some(())?;
        let (name, escapes) = self.string()?;
        let known = self.names.get(base..)?;
        (escapes == 0 && known.len() < MAX_MEMBERS && !known.contains(&name)).then_some(())?;
        self.names.push(name);
        self.take(b':')?;
        let node = match properties {
            Some(properties) if !properties.patterns.is_empty() => return None,
            Some(properties) => properties.named.get(name).copied().or(properties.additional),
            None => None,
        };
        self.value(node)
    }
}

/// Whether a code unit that begins with these digits is half of a surrogate pair.
fn is_half(digits: &[u8]) -> bool {
    matches!(digits, [b'd' | b'D', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F'])
}

/// A number as it is spelled, without an exponent.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    /// Where the digits after the point begin.
    fraction: Option<usize>,
}

impl<'t> Token<'t> {
    /// The number that a text begins with. One with an exponent, or so long that its size is in question, is not followed.
    fn read(text: &'t str) -> Option<Self> {
        /// No number of so few characters is beyond floats.
        const MAX_LEN: usize = 64;
        let bytes = text.as_bytes();
        let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
        let start = usize::from(bytes.first() == Some(&b'-'));
        let whole = digits(start);
        (whole == 1 || whole > 1 && bytes.get(start) != Some(&b'0')).then_some(())?;
        let mut end = start + whole;
        let mut fraction = None;
        if bytes.get(end) == Some(&b'.') {
            fraction = Some(end + 1);
            let places = digits(end + 1);
            (places > 0).then_some(())?;
            end += 1 + places;
        }
        let is_whole = !matches!(bytes.get(end), Some(b'e' | b'E')) && end <= MAX_LEN;
        Some(Self { text: text.get(..end).filter(|_| is_whole)?, fraction })
    }

    /// Whether it is surely of one of these kinds.
    fn is_of(self, kinds: Kinds) -> bool {
        // `-0` and what is beyond 64 bits are floats, which draft 4 takes for no integers.
        let is_plain = self.fraction.is_none() && self.text.len() <= MAX_NUMBER && self.text != "-0";
        kinds.has("number") || kinds.has("integer") && is_plain
    }

    /// The number, if it is within what a float holds.
    fn number(self) -> Option<Number> {
        (self.text.len() <= MAX_NUMBER).then_some(())?;
        match self.fraction {
            None if self.text != "-0" => self.text.parse::<i64>().ok().map(Number::from),
            _ => Number::from_f64(self.text.parse().ok()?),
        }
    }

    /// The digits without their sign, and the power of ten of the last one.
    fn decimal(self) -> Option<(u64, i32)> {
        (self.text.len() <= MAX_NUMBER).then_some(())?;
        let digits =
            |value: u64, byte: u8| if byte.is_ascii_digit() { value * 10 + u64::from(byte - b'0') } else { value };
        let value = self.text.bytes().fold(0, digits);
        let places = self.fraction.map_or(0, |fraction| self.text.len() - fraction);
        Some((value, -i32::try_from(places).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Casts, Draft, Schema};

    const ORDER: &str = r##"{
        "type": "object", "required": ["id", "items"], "additionalProperties": false, "properties": {
            "id": {"type": "integer", "minimum": 1},
            "total": {"type": "number", "multipleOf": 0.01, "exclusiveMaximum": 1e6},
            "state": {"enum": ["open", "paid"]},
            "note": {"anyOf": [{"type": "string", "maxLength": 8}, {"type": "null"}]},
            "items": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}}
        },
        "$defs": {"item": {"type": "object", "properties": {"sku": {"type": "string", "minLength": 1}, "parts": {"items": {"$ref": "#/$defs/item"}}}}}
    }"##;

    fn sure(schema: &str, text: &str) -> bool {
        let schema = Schema::compile(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
        let is_sure = surely_fits(schema.graph(), text);
        assert!(
            !is_sure || schema.check(text, &Casts::NONE).is_ok_and(|checked| checked.repeated.is_empty()),
            "{text}"
        );
        is_sure
    }

    #[test]
    fn v1_an_ordinary_text_is_seen_to_fit_without_a_value() {
        for text in [
            r#"{"id": 1, "items": [{"sku": "a"}]}"#,
            r#" {"id":12,"total":19.90,"state":"paid","note":null,"items":[{"sku":"a","parts":[{"sku":"b"},{}]},{"x":[1,-0.5,true,{}]}]} "#,
            r#"{"id": 2, "note": "\n\n\n\n\n\né", "items": [{}]}"#,
            r#"{"id": 2, "note": "Z\u00fcrich\ud7ff", "items": [{"sku": "\uE000"}]}"#,
            r#"{"id": 2, "total": -0, "items": [{"x": 12345678901234567890123, "y": 0.12345678901234567}]}"#,
        ] {
            assert!(sure(ORDER, text), "{text}");
        }
    }

    #[test]
    fn v1_what_does_not_fit_or_is_not_followed_is_not_sure() {
        for text in [
            r#"{"id": 0, "items": [{}]}"#,
            r#"{"id": 1, "items": []}"#,
            r#"{"id": 1}"#,
            r#"{"id": 1, "items": [{}], "more": 1}"#,
            r#"{"id": 1, "total": 0.015, "items": [{}]}"#,
            r#"{"id": 1, "total": 1000000, "items": [{}]}"#,
            r#"{"id": 1, "state": "Open", "items": [{}]}"#,
            r#"{"id": 1, "note": "longer than that", "items": [{}]}"#,
            r#"{"id": 1, "items": [{"sku": ""}]}"#,
            // A value decides: twice a name, an escape that may be half a character, an exponent, more digits than a float has.
            r#"{"id": 1, "items": [{"x": {"a": 1, "a": 2}}]}"#,
            r#"{"id": 1, "items": [{"x": "\ud800"}]}"#,
            r#"{"id": 1, "items": [{"x": "\uDBFF\uDFFF"}]}"#,
            r#"{"id": 1, "note": "Z\u00fcrich\u00e9\u00e9\u00e9", "items": [{}]}"#,
            r#"{"id": 1, "items": [{"x": "\u00g0"}]}"#,
            r#"{"id": 1, "st\u0061te": "open", "items": [{}]}"#,
            r#"{"id": 1, "items": [{"x": 1e400}]}"#,
            r#"{"id": 1234567890123456, "items": [{}]}"#,
            // No JSON.
            r#"{"id": 01, "items": [{}]}"#,
            r#"{"id": 1, "items": [{}],}"#,
            r#"{"id": 1, "items": [{} {}]}"#,
            r#"{"id": 1, "items": [{}]} x"#,
            r#"{"id": 1, "items": [{}]"#,
            r#"{"id": 1., "items": [{}]}"#,
            r#"{"id": -, "items": [{}]}"#,
            r#"{"id": 1, "items": [nul]}"#,
            "{\"id\": 1, \"items\": [{\"x\": \"\u{1}\"}]}",
            "",
        ] {
            assert!(!sure(ORDER, text), "{text}");
        }
        // What the draft takes for an integer is a question of its own.
        let old = Schema::options().draft(Draft::Draft4).compile(r#"{"type": "integer"}"#).expect("a schema");
        assert!(["1.0", "-0", "1e2"].iter().all(|text| !surely_fits(old.graph(), text)));
        assert!(surely_fits(old.graph(), "-1"));
    }

    #[test]
    fn v3_a_schema_that_tries_again_and_again_ends_at_the_bound() {
        let nested = r##"{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/n"}, "maxItems": 0}, {"type": "array", "items": {"$ref": "#/$defs/n"}, "minItems": 2},
            {"type": "array", "items": {"$ref": "#/$defs/n"}}]}}}"##;
        let schema = Schema::compile(nested).expect("a schema");
        let text = format!("{}{}", "[".repeat(20), "]".repeat(20));
        assert!(!surely_fits(schema.graph(), &text));
        assert!(schema.check(&text, &Casts::NONE).is_ok());
        // Nor does depth, or an object of many members, take more than its share.
        assert!(!sure("{\"type\": \"array\"}", &format!("{}{}", "[".repeat(100), "]".repeat(100))));
        let members: Vec<String> = (0..100).map(|index| format!("\"m{index}\": 1")).collect();
        assert!(!sure("{\"type\": \"object\"}", &format!("{{{}}}", members.join(","))));
    }
}
