//! Asking for the failing fields only: what is kept, what is asked for, and both put together again.

use std::borrow::Cow;
use std::fmt;

use jsonseam_adapter::{Adapter, Error, ParseOptions};
use jsonseam_core::{RepairOptions, Status};
use jsonseam_text::{Member, pointer};
use serde_json::Value;

use crate::json::JsonText;
use crate::prompt::format::Format;
use crate::settings::{Scope, Settings};

/// What an answer to the failing fields is merged with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Base {
    /// The fields that are asked for.
    pub(crate) failing: Vec<String>,
    /// The fields that were valid, with their text.
    kept: Vec<Kept>,
}

/// A field that is kept. `Debug` does not show its text.
#[derive(Clone, PartialEq, Eq)]
struct Kept {
    name: String,
    text: String,
}

impl fmt::Debug for Kept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Kept({})", self.name)
    }
}

/// A merged answer.
pub(crate) struct Merged {
    pub(crate) text: String,
    /// Whether the answer had to be repaired first.
    pub(crate) was_mended: bool,
}

/// What only the failing fields are merged with, where the settings ask for that scope and the error leaves something to merge with.
pub(crate) fn base(settings: &Settings, error: &Error, format: &Format) -> Option<Base> {
    let is_asked = settings.scope == Scope::FailingFields && !settings.strict;
    if is_asked { Base::of(error, format) } else { None }
}

impl Base {
    /// What can be kept of an answer with this error; `None` if nothing can, or if what is wrong is more than some fields.
    ///
    /// A field fails if the error names it, and if it is declared, required or there, and still not among what was valid.
    fn of(error: &Error, format: &Format) -> Option<Self> {
        if !error.extra().is_empty() || !error.duplicates().is_empty() {
            return None;
        }
        let partial = error.partial()?;
        let present = members(partial.repair().text())?;
        let mut failing: Vec<String> = error.missing().to_vec();
        for violation in error.violations() {
            // A violation of the whole is no one field's.
            failing.push(first_name(&violation.path())?);
        }
        let is_present = |name: &str| present.iter().any(|(present, _)| present == name);
        let is_valid = |name: &str| partial.text(name).is_some();
        let declared = format.names();
        failing.extend(
            declared
                .iter()
                .filter(|(name, is_required)| (*is_required || is_present(name)) && !is_valid(name))
                .map(|(name, _)| (*name).to_owned()),
        );
        failing.sort_unstable();
        failing.dedup();
        let fails = |name: &str| failing.iter().any(|failing| failing == name);
        let kept: Vec<Kept> = partial
            .iter()
            .filter(|(name, _)| !fails(name))
            .map(|(name, text)| Kept { name: name.to_owned(), text: text.to_owned() })
            .collect();
        let is_askable = failing.iter().all(|name| format.declares(name));
        let is_complete = present.iter().all(|(name, _)| fails(name) || kept.iter().any(|kept| kept.name == *name));
        (is_askable && is_complete && !failing.is_empty() && !kept.is_empty()).then_some(Self { failing, kept })
    }

    /// The schema of an answer that holds the failing fields only.
    pub(crate) fn schema(&self, format: &Format) -> JsonText {
        format.only(&self.failing).schema()
    }

    /// Puts an answer together with what was kept. `None` if the answer is not an object that is whole.
    ///
    /// What was valid stays as it was; everything else of the answer is taken, so an undeclared field is refused like in any answer.
    pub(crate) fn merge(&self, adapter: &Adapter, completion: &str, options: &ParseOptions) -> Option<Merged> {
        let options = RepairOptions::new().with_finish_reason(options.finish_reason().cloned());
        let repaired = adapter.pipeline().repair_with(completion, &options).ok()?;
        if repaired.is_truncated() {
            return None;
        }
        let members = members(repaired.text())?;
        let mut text = String::from("{");
        let kept = self.kept.iter().map(|kept| (kept.name.as_str(), kept.text.as_str()));
        let is_new = |name: &str| !self.kept.iter().any(|kept| kept.name == name);
        let new = members.iter().filter(|(name, _)| is_new(name)).map(|(name, value)| (name.as_str(), *value));
        for (index, (name, value)) in kept.chain(new).enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            text.push_str(&Value::from(name).to_string());
            text.push_str(": ");
            text.push_str(value);
        }
        text.push('}');
        Some(Merged { text, was_mended: repaired.status() == Status::Repaired })
    }
}

/// The name that a JSON Pointer begins with.
fn first_name(pointer: &str) -> Option<String> {
    pointer::names(pointer).next().map(Cow::into_owned)
}

/// The members of an object in their order, repeated ones too, each with its own text; `None` if `text` is not an object.
fn members(text: &str) -> Option<Vec<(String, &str)>> {
    let member = |member: Member| Some((member.name(text).as_str()?.to_owned(), text.get(member.value)?));
    text.trim_start().starts_with('{').then(|| jsonseam_text::members(text).map(member).collect())?
}

#[cfg(test)]
mod tests {
    use super::{first_name, members};

    #[test]
    fn members_keep_order_repetition_and_text() {
        let members = members("{\"b\": 1.10, \"a\": [ ], \"b\": \"\\u0041\"}").expect("an object");
        let members: Vec<_> = members.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        assert_eq!(members, [("b", "1.10"), ("a", "[ ]"), ("b", "\"\\u0041\"")]);
    }

    #[test]
    fn pointers_begin_with_a_field() {
        assert_eq!(first_name("/a~1b~0c/0").as_deref(), Some("a/b~c"));
        assert_eq!(first_name("/").as_deref(), Some(""));
        assert_eq!(first_name(""), None);
    }
}
