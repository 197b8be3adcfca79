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
    /// A call whose name is in the text, with the members of its arguments.
    pub(crate) fn new(source: &str, name: Range<usize>, arguments: Vec<Piece>) -> Self {
        let mut pieces =
            vec![Piece::insert("{\"name\":\""), Piece::Keep(name.clone()), Piece::insert("\",\"arguments\":")];
        pieces.extend(arguments);
        pieces.push(Piece::insert("}"));
        Self { name: source.get(name).unwrap_or_default().to_owned(), pieces }
    }

    /// The same call for another source than the one that it was read from.
    pub(crate) fn detached(self, source: &str) -> Self {
        Self { name: self.name, pieces: vec![Piece::Insert(Woven::new(source, self.pieces).text)] }
    }

    /// The same call under a name that is spelled otherwise in the text.
    pub(crate) fn renamed(mut self, name: String) -> Self {
        if let Some(spelled) = self.pieces.get_mut(1) {
            *spelled = Piece::Insert(escaped(&name));
        }
        self.name = name;
        self
    }
}

/// The part of `span` that is the name of a tool: without what the format puts around names. `None` if nothing of it is left, or it is not a name.
pub(crate) fn name_in(source: &str, span: Range<usize>, row: &Row) -> Option<Range<usize>> {
    let whole = source.get(span.clone())?;
    let name = cleaned(whole.trim(), row);
    let start = span.start + (name.as_ptr() as usize - whole.as_ptr() as usize);
    let is_name = |char: char| {
        let is_plain = char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '/') || char == ':' && !row.numbered;
        is_plain || row.entities && matches!(char, '&' | ';' | '#')
    };
    (name.chars().any(char::is_alphanumeric) && name.chars().all(is_name)).then_some(start..start + name.len())
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

/// The calls in a JSON value that is in the completion from `start` on: an object is one call, an array holds several.
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
    let text = value.text.get(span.clone()).unwrap_or_default();
    let mut members = members(text).ok_or(Stop::Malformed(start))?;
    for member in &mut members {
        for part in [&mut member.key_span, &mut member.value] {
            *part = part.start + span.start..part.end + span.start;
        }
    }
    Reading { value, span, row, members: &members, start }.call()
}

/// An object that should be a call.
struct Reading<'r, 'a> {
    value: &'r Woven<'a>,
    span: Range<usize>,
    row: &'r Row,
    members: &'r [Member],
    /// Where the value starts in the completion.
    start: usize,
}

impl Reading<'_, '_> {
    fn call(&self) -> Result<Call, Stop> {
        let name = self.only(&self.row.name_keys)?;
        let arguments = self.only(&self.row.argument_keys)?;
        match (name, arguments) {
            (Some(function), None) if self.text(&function.value).starts_with('{') => self.nested(function),
            (Some(name), arguments) => self.plain(name, arguments),
            (None, _) => self.short().ok_or(Stop::Malformed(self.start)),
        }
    }

    fn text(&self, span: &Range<usize>) -> &str {
        self.value.text.get(span.clone()).unwrap_or_default()
    }

    /// The one member that has one of these keys. A second one, or another spelling, is refused: decoders differ on what it says.
    fn only(&self, keys: &[String]) -> Result<Option<&Member>, Stop> {
        let folded = |key: &str| key.trim().to_lowercase();
        let mut found = self.members.iter().filter(|member| keys.contains(&folded(&member.key)));
        let Some(first) = found.next() else { return Ok(None) };
        let raw = self.text(&first.key_span);
        let is_plain = keys.contains(&first.key) && raw.get(1..raw.len() - 1) == Some(first.key.as_str());
        if found.next().is_some() || !is_plain { Err(Stop::Repeated(self.start)) } else { Ok(Some(first)) }
    }

    /// `{"id": …, "type": "function", "function": {"name": …, "arguments": …}}`: the call is the inner object.
    fn nested(&self, function: &Member) -> Result<Call, Stop> {
        let inner = members(self.text(&function.value)).ok_or(Stop::Malformed(self.start))?;
        let inner: Vec<_> = inner.into_iter().map(|member| shifted(member, function.value.start)).collect();
        let reading = Reading { span: function.value.clone(), members: &inner, ..*self };
        let name = reading.only(&self.row.name_keys)?.ok_or(Stop::Malformed(self.start))?;
        reading.plain(name, reading.only(&self.row.argument_keys)?)
    }

    /// `{"name": …, "parameters": …}`: the two members keep their order and get the names of the envelope; others are left out.
    fn plain(&self, name: &Member, arguments: Option<&Member>) -> Result<Call, Stop> {
        let malformed = Stop::Malformed(self.start);
        let decoded: String = serde_json::from_str(self.text(&name.value)).map_err(|_| malformed)?;
        let spelled = cleaned(&decoded, self.row);
        if spelled.is_empty() || arguments.is_none() && self.row.needs_arguments {
            return Err(malformed);
        }
        let mut kept = vec![(name, "name", self.name_content(name, &decoded, spelled))];
        if let Some(arguments) = arguments {
            let content = self.arguments_content(&arguments.value).ok_or(malformed)?;
            kept.push((arguments, "arguments", content));
        }
        kept.sort_by_key(|(member, ..)| member.key_span.start);
        let keeps_all = kept.len() == self.members.len();
        let mut pieces = Vec::new();
        let mut pos = self.span.start;
        for (index, (member, key, content)) in kept.into_iter().enumerate() {
            if keeps_all {
                pieces.extend(self.value.slice(pos..member.key_span.start));
            } else {
                pieces.push(Piece::insert(if index == 0 { "{" } else { "," }));
            }
            if key == member.key {
                pieces.extend(self.value.slice(member.key_span.clone()));
            } else {
                pieces.push(Piece::Insert(format!("\"{key}\"")));
            }
            pieces.extend(self.value.slice(member.key_span.end..member.value.start));
            pieces.extend(content);
            pos = member.value.end;
        }
        if arguments.is_none() {
            pieces.push(Piece::insert(",\"arguments\":{}"));
        }
        if keeps_all {
            pieces.extend(self.value.slice(pos..self.span.end));
        } else {
            pieces.push(Piece::insert("}"));
        }
        Ok(Call { name: spelled.to_owned(), pieces })
    }

    fn name_content(&self, name: &Member, decoded: &str, spelled: &str) -> Vec<Piece> {
        if spelled == decoded {
            self.value.slice(name.value.clone())
        } else {
            vec![Piece::Insert(format!("\"{}\"", escaped(spelled)))]
        }
    }

    /// The object that the arguments are, as it is or encoded in a string; `None` for anything else.
    fn arguments_content(&self, value: &Range<usize>) -> Option<Vec<Piece>> {
        match self.text(value).bytes().next() {
            Some(b'{') => Some(self.value.slice(value.clone())),
            Some(b'"') => self.decoded_arguments(value),
            _ => None,
        }
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
