//! One call, as an object of the envelope: `{"name": …, "arguments": {…}}`.

use std::ops::Range;

use crate::cursor::Stop;
use crate::members::{Member, elements, members};
use crate::pack::Row;
use crate::weave::{Piece, Woven, escaped};

/// Members that hold calls, in an object that holds nothing else of a call.
const ENVELOPE_KEYS: [&str; 4] = ["tool_calls", "tool_call", "toolCalls", "function_call"];

/// One call that was read.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The name of the tool.
    pub(crate) name: String,
    /// The pieces of its object.
    pub(crate) pieces: Vec<Piece>,
}

impl Call {
    /// A call whose name stands in the text, with the members of its arguments.
    pub(crate) fn new(source: &str, name: Range<usize>, arguments: Vec<Piece>) -> Self {
        let mut pieces =
            vec![Piece::insert("{\"name\":\""), Piece::Keep(name.clone()), Piece::insert("\",\"arguments\":")];
        pieces.extend(arguments);
        pieces.push(Piece::insert("}"));
        Self { name: source.get(name).unwrap_or_default().to_owned(), pieces }
    }
}

/// The part of `span` that is the name of a tool: without what the format puts around names. `None` if nothing of it is left, or it is no name.
pub(crate) fn name_in(source: &str, span: Range<usize>, row: &Row) -> Option<Range<usize>> {
    let whole = source.get(span.clone())?;
    let name = cleaned(whole.trim(), row);
    let start = span.start + (name.as_ptr() as usize - whole.as_ptr() as usize);
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':' | '/');
    (!name.is_empty() && name.chars().all(is_name)).then_some(start..start + name.len())
}

fn cleaned<'n>(name: &'n str, row: &Row) -> &'n str {
    let mut name = name;
    for prefix in &row.name_prefix {
        name = name.strip_prefix(prefix.as_str()).unwrap_or(name);
    }
    for suffix in &row.name_suffix {
        name = name.strip_suffix(suffix.as_str()).unwrap_or(name);
    }
    let counted = name.rsplit_once(':').filter(|(_, count)| count.bytes().all(|byte| byte.is_ascii_digit()));
    match counted {
        Some((before, _)) if row.numbered => before,
        _ => name,
    }
}

/// The calls in a JSON value that stands in the completion from `start` on: an object is one call, an array holds several.
pub(crate) fn calls_in(value: &Woven<'_>, row: &Row, start: usize) -> Result<Vec<Call>, Stop> {
    let whole = 0..value.text.len();
    match elements(&value.text) {
        Some(elements) => elements.into_iter().map(|element| call_in(value, element, row, start)).collect(),
        None => match enveloped(value, row) {
            Some(inner) => inner.into_iter().map(|inner| call_in(value, inner, row, start)).collect(),
            None => Ok(vec![call_in(value, whole, row, start)?]),
        },
    }
}

/// The calls that an object holds in one member: `{"tool_calls": […]}`.
fn enveloped(value: &Woven<'_>, row: &Row) -> Option<Vec<Range<usize>>> {
    let members = members(&value.text)?;
    let [member] = members.as_slice() else { return None };
    if !ENVELOPE_KEYS.contains(&member.key.as_str()) || row.name_keys.contains(&member.key) {
        return None;
    }
    let inner = value.text.get(member.value.clone())?;
    let within = |span: Range<usize>| member.value.start + span.start..member.value.start + span.end;
    match elements(inner) {
        Some(elements) => Some(elements.into_iter().map(within).collect()),
        None => Some(vec![member.value.clone()]),
    }
}

fn call_in(value: &Woven<'_>, span: Range<usize>, row: &Row, start: usize) -> Result<Call, Stop> {
    let malformed = Stop::Malformed(start);
    let text = value.text.get(span.clone()).unwrap_or_default();
    let mut members = members(text).ok_or(malformed)?;
    for member in &mut members {
        for part in [&mut member.key_span, &mut member.value] {
            *part = part.start + span.start..part.end + span.start;
        }
    }
    Reading { value, span, row, members: &members }.call().ok_or(malformed)
}

/// An object that should be a call.
struct Reading<'r, 'a> {
    value: &'r Woven<'a>,
    span: Range<usize>,
    row: &'r Row,
    members: &'r [Member],
}

impl Reading<'_, '_> {
    fn call(&self) -> Option<Call> {
        self.nested().or_else(|| self.plain()).or_else(|| self.short())
    }

    fn text(&self, span: &Range<usize>) -> &str {
        self.value.text.get(span.clone()).unwrap_or_default()
    }

    fn first(&self, keys: &[String]) -> Option<&Member> {
        keys.iter().find_map(|key| self.members.iter().find(|member| member.key == *key))
    }

    /// `{"id": …, "type": "function", "function": {"name": …, "arguments": …}}`: the call is the inner object, and the rest stays beside its members.
    fn nested(&self) -> Option<Call> {
        let function = self.members.iter().find(|member| member.key == "function")?;
        let inner = members(self.text(&function.value))?;
        let has_one = self.members.iter().filter(|member| member.key == "function").count() == 1;
        let inner: Vec<_> = inner.into_iter().map(|member| shifted(member, function.value.start)).collect();
        let call = Reading { value: self.value, span: function.value.clone(), row: self.row, members: &inner };
        let call = call.plain().filter(|_| has_one)?;
        let mut pieces = self.value.slice(self.span.start..function.key_span.start);
        pieces.extend(without_braces(call.pieces));
        pieces.extend(self.value.slice(function.value.end..self.span.end));
        Some(Call { name: call.name, pieces })
    }

    /// `{"name": …, "parameters": …}`: the members keep their places, and get the names of the envelope.
    fn plain(&self) -> Option<Call> {
        let name = self.first(&self.row.name_keys)?;
        let decoded: String = serde_json::from_str(self.text(&name.value)).ok()?;
        let spelled = cleaned(&decoded, self.row);
        if spelled.is_empty() {
            return None;
        }
        let arguments = self.first(&self.row.argument_keys);
        let mut pieces = Vec::new();
        let mut pos = self.span.start;
        for member in self.members {
            let is = |other: Option<&Member>| other.is_some_and(|other| other.key_span == member.key_span);
            let (key, content) = match () {
                () if is(Some(name)) && spelled == decoded => ("name", None),
                () if is(Some(name)) => ("name", Some(vec![Piece::Insert(format!("\"{}\"", escaped(spelled)))])),
                () if is(arguments) => ("arguments", self.decoded_arguments(&member.value)),
                () => (member.key.as_str(), None),
            };
            pieces.extend(self.value.slice(pos..member.key_span.start));
            if key == member.key {
                pieces.extend(self.value.slice(member.key_span.clone()));
            } else {
                pieces.push(Piece::Insert(format!("\"{key}\"")));
            }
            pieces.extend(self.value.slice(member.key_span.end..member.value.start));
            pieces.extend(content.unwrap_or_else(|| self.value.slice(member.value.clone())));
            pos = member.value.end;
        }
        if arguments.is_none() {
            pieces.push(Piece::insert(",\"arguments\":{}"));
        }
        pieces.extend(self.value.slice(pos..self.span.end));
        Some(Call { name: spelled.to_owned(), pieces })
    }

    /// Arguments that were encoded twice: the object in the string, or `{}` for none.
    fn decoded_arguments(&self, value: &Range<usize>) -> Option<Vec<Piece>> {
        let inner: String = serde_json::from_str(self.text(value)).ok()?;
        if inner.trim().is_empty() {
            return Some(vec![Piece::insert("{}")]);
        }
        let is_object =
            inner.trim_start().starts_with('{') && serde_json::from_str::<&serde_json::value::RawValue>(&inner).is_ok();
        is_object.then(|| vec![Piece::Insert(inner.trim().to_owned())])
    }

    /// `{"f": {…}}`, where the format has it.
    fn short(&self) -> Option<Call> {
        let [member] = self.members else { return None };
        let is_call = self.row.short && !member.key.is_empty() && self.text(&member.value).starts_with('{');
        if !is_call {
            return None;
        }
        let mut pieces = self.value.slice(self.span.start..member.key_span.start);
        pieces.push(Piece::insert("\"name\":"));
        pieces.extend(self.value.slice(member.key_span.clone()));
        pieces.push(Piece::insert(",\"arguments\":"));
        pieces.extend(self.value.slice(member.value.start..self.span.end));
        Some(Call { name: member.key.clone(), pieces })
    }
}

fn shifted(member: Member, by: usize) -> Member {
    let shift = |span: Range<usize>| span.start + by..span.end + by;
    Member { key: member.key, key_span: shift(member.key_span), value: shift(member.value) }
}

/// The pieces of an object without its outermost braces.
fn without_braces(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let shorten = |piece: &mut Piece, at_start: bool| match piece {
        Piece::Keep(span) if at_start => span.start += 1,
        Piece::Keep(span) => span.end -= 1,
        Piece::Insert(text) | Piece::Edit(crate::weave::Edit { replacement: text, .. }) => {
            if at_start {
                text.remove(0);
            } else {
                text.pop();
            }
        }
    };
    if let Some(first) = pieces.first_mut() {
        shorten(first, true);
    }
    if let Some(last) = pieces.last_mut() {
        shorten(last, false);
    }
    pieces
}
