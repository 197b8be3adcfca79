//! What a JSON call has for arguments, and what may not be left out beside them (SPEC L0a).

use std::ops::Range;

use jsonseam_core::Risk;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{BOOKKEEPING, Reading, repairs_of};
use crate::cursor::Stop;
use crate::likeness::{ENVELOPE_KEYS, WRAPPED};
use crate::members::{Member, members};
use crate::weave::{Edit, Piece, Woven};

/// Members in which a model says why it calls: they are for no tool.
const REMARKS: [&str; 6] = ["thought", "thoughts", "thinking", "reasoning", "rationale", "explanation"];

/// What a call has under the key of its arguments, or beside its name.
#[derive(Clone, Copy)]
enum Given {
    /// There is no such key, and nothing beside the name but what is about a call.
    Nothing,
    /// No such key or an empty object there: what is beside the name may be the arguments.
    Empty,
    /// An object with members.
    Members,
}

/// What a string holds, and how it was repaired.
pub(super) struct Held {
    pub(super) text: String,
    pub(super) repairs: Vec<Edit>,
}

/// What a call has for arguments.
pub(super) enum Arguments<'r> {
    /// Nothing at all.
    None,
    /// The object that a member is.
    Member(&'r Member, Vec<Piece>),
    /// The object that the string of a member holds, or `{}` where it holds nothing.
    String(&'r Member, Held),
    /// The members beside the name, which the tool declares, each with its place among all members.
    Flat(Vec<(usize, &'r Member)>),
}

impl<'r> Reading<'r, '_> {
    /// The arguments of a call of `tool`. No member that may be one is left out (SPEC L0a): where the arguments hold nothing, the members beside the name
    /// are the arguments if the tool declares them all; else the call is malformed.
    pub(super) fn arguments(
        &self,
        name: &Member,
        tool: &str,
        arguments: Option<&'r Member>,
    ) -> Result<Arguments<'r>, Stop> {
        let malformed = Stop::Malformed(self.start);
        let declares = |key: &str| self.reader.tools.shape(tool, key).is_some();
        let held = match arguments {
            Some(arguments) if self.text(&arguments.value).starts_with('{') => None,
            Some(arguments) => Some(self.held(&arguments.value, tool).ok_or(malformed)?),
            None => None,
        };
        let plain = arguments.map(|arguments| self.text(&arguments.value));
        let given = held.as_ref().map(|held| held.text.as_str()).or(plain).and_then(members).unwrap_or_default();
        // A key such as `input` that the tool declares may be an argument itself.
        let is_argument = arguments.is_some_and(|arguments| {
            !matches!(arguments.key.as_str(), "arguments" | "parameters") && declares(&arguments.key)
        });
        if is_argument && (given.is_empty() || given.iter().any(|member| !declares(&member.key))) {
            return Err(malformed);
        }
        if arguments.is_some_and(|arguments| self.is_declaration(tool, &arguments.value)) {
            return Err(malformed);
        }
        let is_head = |member: &Member| {
            member.key_span == name.key_span || arguments.is_some_and(|arguments| member.key_span == arguments.key_span)
        };
        let beside: Vec<_> = self.members.iter().enumerate().filter(|(_, member)| !is_head(member)).collect();
        let is_flat = |member: &Member| given.is_empty() && !BOOKKEEPING.contains(&member.key.as_str());
        let around = if given.is_empty() { Given::Empty } else { Given::Members };
        let is_nothing = arguments.is_none() && !beside.iter().any(|(_, member)| is_flat(member));
        let kind = if is_nothing { Given::Nothing } else { around };
        // What is around the object that names the tool is about the call.
        let mut all =
            beside.iter().map(|(_, member)| (*member, kind)).chain(self.outer.iter().map(|member| (member, around)));
        if all.any(|(member, kind)| self.may_vanish(member, kind, &declares)) {
            return Err(malformed);
        }
        let flat: Vec<_> = beside.into_iter().filter(|(_, member)| is_flat(member)).collect();
        match (arguments, held) {
            // What is around the object that names the tool is not beside the name.
            _ if self.outer.iter().any(is_flat) => Err(malformed),
            _ if !flat.is_empty() => Ok(Arguments::Flat(flat)),
            (Some(arguments), Some(held)) => Ok(Arguments::String(arguments, held)),
            (Some(arguments), None) => Ok(Arguments::Member(arguments, self.unwrapped(tool, &arguments.value, &given))),
            (None, _) => Ok(Arguments::None),
        }
    }

    /// The pieces of an object of arguments, or of the object that is all that it holds, under a key that models put around arguments.
    fn unwrapped(&self, tool: &str, object: &Range<usize>, given: &[Member]) -> Vec<Piece> {
        let whole = || self.value.slice(object.clone());
        let [only] = given else { return whole() };
        let inner = object.start + only.value.start..object.start + only.value.end;
        if !self.reader.wraps(tool, &only.key, self.text(&inner)) {
            return whole();
        }
        let without = |span: Range<usize>| {
            let span = self.source_of(&span)?;
            Some(Piece::Edit(Edit::new(WRAPPED, Risk::Likely, span, String::new())))
        };
        let (Some(before), Some(after)) = (without(object.start..inner.start), without(inner.end..object.end)) else {
            return whole();
        };
        let mut pieces = vec![before];
        pieces.extend(self.value.slice(inner));
        pieces.push(after);
        pieces
    }

    /// Whether a member beside the name is, or may be, an argument or a call that would be left out, or an argument that is given twice.
    fn may_vanish(&self, member: &Member, given: Given, declares: &dyn Fn(&str) -> bool) -> bool {
        let key = member.key.as_str();
        let is_path = key.split_once('.').is_some_and(|(head, _)| self.row.argument_keys.iter().any(|key| key == head));
        let may_be_argument = match (BOOKKEEPING.contains(&key), given) {
            (true, _) if self.is_type_of_call(member) => false,
            // Without arguments, what is about a call elsewhere may be all of them.
            (true, Given::Nothing) => true,
            (true, Given::Empty) => declares(key),
            (true, Given::Members) => false,
            (false, Given::Members) => declares(key) || !self.is_remark(member),
            (false, _) => !declares(key),
        };
        is_path || may_be_argument || ENVELOPE_KEYS.contains(&key)
    }

    /// What a model says of a call in words.
    fn is_remark(&self, member: &Member) -> bool {
        REMARKS.contains(&member.key.as_str()) && self.text(&member.value).starts_with('"')
    }

    /// `"type": "function"` and the like.
    fn is_type_of_call(&self, member: &Member) -> bool {
        let says = |kind: &str| {
            self.text(&member.value).strip_prefix('"').and_then(|text| text.strip_suffix('"')) == Some(kind)
        };
        member.key == "type" && ["function", "function_call", "tool_call", "tool_use"].into_iter().any(says)
    }

    /// Whether what should be arguments is the schema of them: a model that repeats the declaration of a tool calls nothing.
    fn is_declaration(&self, tool: &str, value: &Range<usize>) -> bool {
        let Ok(Value::Object(object)) = serde_json::from_str(self.text(value)) else { return false };
        let is_schema = object.get("type").is_some_and(|kind| kind == "object" || kind == "OBJECT")
            && object.get("properties").is_some_and(Value::is_object);
        is_schema && self.reader.tools.offers(tool) && !self.reader.tools.places(tool, &Value::Object(object))
    }

    /// Arguments that are no object: what a string holds, broken or not, and nothing for `null`.
    fn held(&self, value: &Range<usize>, tool: &str) -> Option<Held> {
        let text = self.text(value);
        let inner = if text == "null" { String::new() } else { serde_json::from_str::<String>(text).ok()? };
        let inner = inner.trim();
        let held = |text: &str| Some(Held { text: text.to_owned(), repairs: Vec::new() });
        match inner {
            "" | "null" => held("{}"),
            _ if !inner.starts_with('{') => None,
            _ if serde_json::from_str::<&RawValue>(inner).is_ok() => held(inner),
            _ => {
                let judge = |value: &Woven<'_>| self.reader.judged_arguments(value, tool);
                let woven = self.reader.broken_value(inner, 0..inner.len(), &judge).ok()??;
                Some(Held { repairs: repairs_of(&woven.pieces), text: woven.text })
            }
        }
    }
}
