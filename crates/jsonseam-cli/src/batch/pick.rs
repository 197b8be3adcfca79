//! Where the text of a record is.

use std::borrow::Cow;
use std::ops::Range;

use anyhow::bail;
use jsonseam::FinishReason;
use jsonseam_text::{Decoded, pointer, spelled_len};

use super::bad::BadRecord;
use super::members::{self, Record};
use super::shape::{Answer, Text};
use crate::arguments::Shape;
use crate::escape::escaped;

/// Where the text of a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pick {
    /// In the member of this name; else at the end of this path.
    Member(String, Option<Vec<String>>),
    /// Where a provider puts it.
    Shape(Shape),
    /// The line itself is the text.
    Line,
}

/// The text of a record.
pub(super) struct Completion<'t> {
    /// The text.
    pub(super) text: Cow<'t, str>,
    /// How it is spelled as a JSON string, if that is known and is how it would be written.
    pub(super) spelling: Option<&'t str>,
    /// Why the model stopped, if the record says so.
    pub(super) finish_reason: Option<FinishReason>,
}

impl<'t> Completion<'t> {
    /// How a part of the text is spelled, without quotes. Only what is around it is read.
    pub(super) fn spelling_of(&self, part: Range<usize>) -> Option<&'t str> {
        let spelling = self.spelling?;
        let before = spelled_len(self.text.get(..part.start)?);
        let after = spelled_len(self.text.get(part.end..)?);
        spelling.get(1 + before..spelling.len() - 1 - after)
    }
}

impl Pick {
    /// The member that `field` names: by its name, as a JSON Pointer (`/a/0`), or as a path (`a.0`, `a[0]`).
    pub(super) fn member(field: &str) -> anyhow::Result<Self> {
        let path = if let Some(pointer) = field.strip_prefix('/') {
            Some(pointer.split('/').map(|token| pointer::unescaped(token).into_owned()).collect())
        } else if field.contains(['.', '[']) {
            let path: Vec<String> = field.replace('[', ".").replace(']', "").split('.').map(str::to_owned).collect();
            if path.iter().any(String::is_empty) {
                bail!("--field {}: a name, a JSON Pointer such as /a/0, or a path such as a[0].b", escaped(field));
            }
            Some(path)
        } else {
            None
        };
        Ok(Self::Member(field.to_owned(), path))
    }

    /// The member whose value is decoded when a record is read.
    pub(super) fn wanted(&self) -> Option<&str> {
        // Keys are compared with it as they are spelled.
        if let Self::Member(name, _) = self { Some(name.as_str()).filter(|name| !name.contains('\\')) } else { None }
    }

    /// The text of a record, of which `decoded` holds the member that is [`wanted`](Self::wanted).
    pub(super) fn text<'a>(&self, record: &Record<'a>, decoded: &'a mut Decoded) -> Result<Completion<'a>, BadRecord> {
        let (value, finish_reason) = match self {
            Self::Line | Self::Member(..) => (self.value(record), None),
            Self::Shape(shape) => match shape.answer(record)? {
                Answer { text: Text::Parts(text), finish_reason } => {
                    return Ok(Completion { text: Cow::Owned(text), spelling: None, finish_reason });
                }
                Answer { text: Text::Spelled(value), finish_reason } => (Some(value), finish_reason),
            },
        };
        let value = value.ok_or(BadRecord::MissingField)?;
        if !self.wanted().is_some_and(|name| record.is_decoded(name)) && decoded.read(value, 0).is_none() {
            return Err(unreadable(value));
        }
        let decoded = &*decoded;
        let spelling = decoded.is_canonical().then_some(value);
        Ok(Completion { text: Cow::Borrowed(decoded.text()), spelling, finish_reason })
    }

    /// The value of the member, as it is spelled; `None` where there is none, and for a place that is not a member.
    pub(super) fn value<'a>(&self, record: &Record<'a>) -> Option<&'a str> {
        let Self::Member(name, path) = self else { return None };
        record.value(name).or_else(|| along(record, path.as_ref()?.iter().map(String::as_str)))
    }

    /// What the messages call the place.
    pub(super) fn described(&self) -> String {
        match self {
            Self::Member(name, _) => format!("`{name}`"),
            Self::Shape(shape) => shape.place(),
            Self::Line => "the line".to_owned(),
        }
    }
}

/// The value at the end of a path, as it is spelled.
pub(super) fn along<'a, 'p>(record: &Record<'a>, mut path: impl Iterator<Item = &'p str>) -> Option<&'a str> {
    let mut value = record.value(path.next()?)?;
    for token in path {
        value = if value.starts_with('{') {
            members::of_valid(value).value(token)?
        } else if value.starts_with('[') {
            value.get(jsonseam_text::elements(value).nth(token.parse().ok()?)?)?
        } else {
            return None;
        };
    }
    Some(value)
}

/// Why a valid value spells no text: if it is a string, only half a surrogate pair can be in the way.
pub(super) fn unreadable(value: &str) -> BadRecord {
    if value.starts_with('"') { BadRecord::NotUnicode } else { BadRecord::NotAString }
}

#[cfg(test)]
mod tests {
    use super::super::shape::shape_of;
    use super::*;

    fn picked(pick: &Pick, record: &str) -> Result<String, BadRecord> {
        let mut decoded = Decoded::default();
        pick.text(&members::of_valid(record), &mut decoded).map(|completion| completion.text.into_owned())
    }

    #[test]
    fn a_member_of_that_very_name_wins_over_a_pointer_and_a_path() {
        let record = r#"{"a.b":"name","/a/b":"pointer name","a":{"b":"nested","c":["x","y"]},"~/":{"":"odd"}}"#;
        let field = |field: &str| picked(&Pick::member(field).expect("it is one"), record);
        assert_eq!(field("a.b"), Ok("name".into()));
        assert_eq!(field("/a/b"), Ok("pointer name".into()));
        assert_eq!(field("/a/c/1"), Ok("y".into()));
        assert_eq!(field("a.c.0"), Ok("x".into()));
        assert_eq!(field("a.c[1]"), Ok("y".into()));
        assert_eq!(field("/~0~1/"), Ok("odd".into()));
        assert_eq!(field("a.c.2"), Err(BadRecord::MissingField));
        assert_eq!(field("a.c.0.x"), Err(BadRecord::MissingField));
        assert_eq!(field("a"), Err(BadRecord::NotAString));
        assert!(Pick::member("a..b").is_err());
    }

    #[test]
    fn the_shapes_of_providers_are_known() {
        let chat = r#"{"choices":[{"message":{"content":"{\"a\":1}"}}]}"#;
        assert_eq!(picked(&Pick::Shape(Shape::Chat), chat), Ok("{\"a\":1}".into()));
        let openai = format!(r#"{{"custom_id":"1","response":{{"status_code":200,"body":{chat}}}}}"#);
        assert_eq!(picked(&Pick::Shape(Shape::Openai), &openai), Ok("{\"a\":1}".into()));
        assert_eq!(shape_of(&members::of_valid(&openai)), Some("openai"));
        assert_eq!(shape_of(&members::of_valid(chat)), Some("chat"));
        let parts = r#"{"result":{"message":{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"{\"a\""},{"type":"text","text":":1}"}]}}}"#;
        assert_eq!(picked(&Pick::Shape(Shape::Anthropic), parts), Ok("{\"a\":1}".into()));
        assert_eq!(shape_of(&members::of_valid(parts)), Some("anthropic"));
        let none = r#"{"result":{"message":{"content":[{"type":"tool_use"}]}}}"#;
        assert_eq!(picked(&Pick::Shape(Shape::Anthropic), none), Err(BadRecord::MissingField));
    }
}
