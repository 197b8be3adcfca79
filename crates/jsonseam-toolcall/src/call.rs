//! One call, as an object of the envelope: `{"name": …, "arguments": {…}}`.

mod arguments;
mod response;

use std::ops::Range;

use jsonseam_core::Risk;

use self::arguments::Arguments;
use self::response::Response;
use crate::cursor::Stop;
use crate::likeness::ENVELOPE_KEYS;
use crate::members::{Member, elements, members};
use crate::pack::Row;
use crate::reader::Reader;
use crate::weave::{Edit, Piece, Woven, escaped};

/// Members that are about a call and not for its tool: what `OpenAI`, Cohere, Bedrock and the Model Context Protocol write beside the name.
const BOOKKEEPING: [&str; 9] =
    ["id", "type", "index", "call_id", "tool_call_id", "toolUseId", "role", "status", "_meta"];

/// Those of them that tell one call from another: where there are several, results are paired by the first.
const ID_KEYS: [&str; 4] = ["call_id", "tool_call_id", "toolUseId", "id"];

/// One call that was read.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The name of the tool.
    pub(crate) name: String,
    /// What the model calls this call.
    pub(crate) id: Option<String>,
    /// The pieces of its object.
    pub(crate) pieces: Vec<Piece>,
    /// The edits that rules made in what the call was read from, also where nothing of that is among the pieces.
    pub(crate) repairs: Vec<Edit>,
    /// The texts of the response that the call was read in, if it is the first there: each as the content of a JSON string.
    pub(crate) said: Vec<Vec<Piece>>,
}

impl Call {
    fn of(name: String, pieces: Vec<Piece>) -> Self {
        let repairs = repairs_of(&pieces);
        Self { name, id: None, pieces, repairs, said: Vec::new() }
    }

    /// The same call with the identifier that the model gave it.
    pub(crate) fn with_id(mut self, id: Option<&str>) -> Self {
        self.id = id.map(str::trim).filter(|id| !id.is_empty()).map(str::to_owned).or(self.id);
        self
    }

    /// A call whose name is in the text, with the members of its arguments.
    pub(crate) fn new(source: &str, name: Range<usize>, arguments: Vec<Piece>) -> Self {
        let mut pieces =
            vec![Piece::insert("{\"name\":\""), Piece::Keep(name.clone()), Piece::insert("\",\"arguments\":")];
        pieces.extend(arguments);
        pieces.push(Piece::insert("}"));
        Self::of(source.get(name).unwrap_or_default().to_owned(), pieces)
    }

    /// The same call for another source than the one that it was read from.
    pub(crate) fn detached(self, source: &str) -> Self {
        let pieces = vec![Piece::Insert(Woven::new(source, self.pieces).text)];
        let said = |said: Vec<Piece>| vec![Piece::Insert(Woven::new(source, said).text)];
        Self { pieces, repairs: Vec::new(), said: self.said.into_iter().map(said).collect(), ..self }
    }

    /// The same call with other pieces in place of each of its own; what was repaired stays on record.
    pub(crate) fn mapped(self, map: impl Fn(Piece) -> Vec<Piece>) -> Self {
        let repairs: Vec<_> = self.repairs.into_iter().map(Piece::Edit).flat_map(&map).collect();
        let repairs = repairs_of(&repairs);
        let all = |pieces: Vec<Piece>| -> Vec<_> { pieces.into_iter().flat_map(&map).collect() };
        let said = self.said.into_iter().map(all).collect();
        Self { name: self.name, id: self.id, pieces: all(self.pieces), repairs, said }
    }

    /// The same call under the name of the only tool that its number in the text can mean, on record.
    pub(crate) fn of_only_tool(mut self, number: Range<usize>, name: &str) -> Self {
        let edit = Edit::new("unnamed-call", Risk::Likely, number, name.to_owned());
        if let Some(spelled) = self.pieces.get_mut(1) {
            *spelled = Piece::Edit(Edit { replacement: escaped(name), ..edit.clone() });
        }
        self.repairs.insert(0, edit);
        name.clone_into(&mut self.name);
        self
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
    (name.chars().any(char::is_alphanumeric) && name.chars().all(is_name) && !is_word(name))
        .then_some(start..start + name.len())
}

/// Whether a member of this key is about a call and not for its tool.
#[cfg(feature = "stream")]
pub(crate) fn is_bookkeeping(key: &str) -> bool {
    BOOKKEEPING.contains(&key)
}

/// The name of a tool as it counts; `None` if it is not one.
#[cfg(feature = "stream")]
pub(crate) fn spelled_name(name: &str, row: &Row) -> Option<String> {
    let name = cleaned(name, row);
    (!name.is_empty() && !is_word(name)).then(|| name.to_owned())
}

/// Whether what could be a name is a word before a colon, or at the end of a sentence.
fn is_word(name: &str) -> bool {
    name.trim_end().ends_with([':', '.'])
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
pub(crate) fn calls_in(reader: &Reader<'_, '_>, value: &Woven<'_>, row: &Row, start: usize) -> Result<Vec<Call>, Stop> {
    let whole = 0..value.text.len();
    let call = |span| call_in(reader, value, span, row, start);
    let mut calls = Vec::new();
    for one in elements(&value.text).unwrap_or_else(|| vec![whole]) {
        if let Some(response) = Response::read(&value.text, &one) {
            let first = calls.len();
            for span in response.calls {
                let spans = enveloped(value, &span, row).unwrap_or_else(|| vec![span]);
                calls.extend(spans.into_iter().map(call).collect::<Result<Vec<_>, _>>()?);
            }
            if let Some(call) = calls.get_mut(first) {
                call.id = call.id.take().or(response.id);
                call.said = response.said.into_iter().map(|span| value.slice(span)).collect();
            }
        } else {
            let spans = enveloped(value, &one, row).unwrap_or_else(|| vec![one]);
            calls.extend(spans.into_iter().map(call).collect::<Result<Vec<_>, _>>()?);
        }
    }
    // What was repaired anywhere in the value decides what the calls are.
    let repairs = repairs_of(&value.pieces);
    for (index, call) in calls.iter_mut().enumerate() {
        let outer = if index == 0 { repairs.clone() } else { Vec::new() };
        let inner = call.repairs.drain(..).filter(|edit| edit.inner.is_some());
        call.repairs = outer.into_iter().chain(inner).collect();
        call.repairs.sort_by_key(|edit| edit.span.start);
    }
    Ok(calls)
}

fn repairs_of(pieces: &[Piece]) -> Vec<Edit> {
    let edit = |piece: &Piece| if let Piece::Edit(edit) = piece { Some(edit.clone()) } else { None };
    pieces.iter().filter_map(edit).collect()
}

/// Whether a JSON text is an object that names its tool and holds its arguments, and perhaps what is about the call, but nothing else.
pub(crate) fn is_call(text: &str, row: &Row) -> bool {
    let Some(members) = members(text) else { return false };
    let count = |keys: &[String]| members.iter().filter(|member| keys.contains(&member.key)).count();
    let bookkeeping = members.iter().filter(|member| BOOKKEEPING.contains(&member.key.as_str())).count();
    count(&row.name_keys) == 1 && count(&row.argument_keys) == 1 && 2 + bookkeeping == members.len()
}

/// The calls that an object holds in one member, `{"tool_calls": […]}`, beside which a message of the model's may say who speaks, and nothing else.
fn enveloped(value: &Woven<'_>, span: &Range<usize>, row: &Row) -> Option<Vec<Range<usize>>> {
    let object = value.text.get(span.clone())?;
    let members = members(object)?;
    let text = |member: &Member| object.get(member.value.clone()).unwrap_or_default();
    let says_nothing = |member: &Member| {
        let is_role =
            matches!((member.key.as_str(), text(member)), ("role", "\"assistant\"") | ("type", "\"message\""));
        is_role || matches!(text(member), "null" | "\"\"" | "[]")
    };
    let mut held = members.iter().filter(|member| !says_nothing(member));
    let member = held.next().filter(|member| ENVELOPE_KEYS.contains(&member.key.as_str()))?;
    if held.next().is_some() || row.name_keys.contains(&member.key) {
        return None;
    }
    let start = span.start + member.value.start;
    let within = |span: Range<usize>| start + span.start..start + span.end;
    let several = elements(text(member)).map(|elements| elements.into_iter().map(within).collect());
    Some(several.unwrap_or_else(|| vec![within(0..member.value.len())]))
}

fn call_in(
    reader: &Reader<'_, '_>,
    value: &Woven<'_>,
    span: Range<usize>,
    row: &Row,
    start: usize,
) -> Result<Call, Stop> {
    let text = value.text.get(span.clone()).unwrap_or_default();
    let mut members = members(text).ok_or(Stop::Malformed(start))?;
    for member in &mut members {
        for part in [&mut member.key_span, &mut member.value] {
            *part = part.start + span.start..part.end + span.start;
        }
    }
    Reading { reader, value, span, row, members: &members, outer: &[], start }.call()
}

/// An object that should be a call.
struct Reading<'r, 'a> {
    reader: &'r Reader<'r, 'a>,
    value: &'r Woven<'r>,
    span: Range<usize>,
    row: &'r Row,
    members: &'r [Member],
    /// The members beside the object, of the object around it.
    outer: &'r [Member],
    /// Where the value starts in the completion.
    start: usize,
}

impl<'r> Reading<'r, '_> {
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
    fn only(&self, keys: &[String]) -> Result<Option<&'r Member>, Stop> {
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
        let outer = self.members.iter().filter(|member| member.key_span != function.key_span);
        let outer: Vec<_> = outer.cloned().collect();
        let reading = Reading { span: function.value.clone(), members: &inner, outer: &outer, ..*self };
        let name = reading.only(&self.row.name_keys)?.ok_or(Stop::Malformed(self.start))?;
        reading.plain(name, reading.only(&self.row.argument_keys)?)
    }

    /// `{"name": …, "parameters": …}`: the two members keep their order and get the names of the envelope; what is only about the call is left out.
    fn plain(&self, name: &Member, arguments: Option<&'r Member>) -> Result<Call, Stop> {
        let malformed = Stop::Malformed(self.start);
        let decoded: String = serde_json::from_str(self.text(&name.value)).map_err(|_| malformed)?;
        let spelled = self.reader.tools.within_namespace(cleaned(&decoded, self.row));
        let is_no_name = spelled.is_empty() || is_word(spelled);
        if is_no_name || arguments.is_none() && self.row.needs_arguments {
            return Err(malformed);
        }
        let name_content = self.name_content(name, &decoded, spelled);
        let mut inner = Vec::new();
        let pieces = match self.arguments(name, spelled, arguments)? {
            Arguments::String(arguments, string) => {
                let span = self.source_of(&arguments.value).ok_or(malformed)?;
                inner = string.repairs.into_iter().map(|edit| edit.within(span.clone())).collect();
                let content = vec![Piece::Insert(string.text)];
                self.assembled(vec![(name, "name", name_content), (arguments, "arguments", content)])
            }
            Arguments::Flat(flat) => self.assembled_flat(name, name_content, &flat)?,
            Arguments::Member(arguments, content) => {
                self.assembled(vec![(name, "name", name_content), (arguments, "arguments", content)])
            }
            Arguments::None => {
                let mut pieces = self.assembled(vec![(name, "name", name_content)]);
                let closer = pieces.pop();
                pieces.push(Piece::insert(",\"arguments\":{}"));
                pieces.extend(closer);
                pieces
            }
        };
        let id = ID_KEYS.iter().find_map(|key| {
            let mut members = self.outer.iter().chain(self.members);
            let member = members.find(|member| member.key == *key)?;
            serde_json::from_str::<String>(self.text(&member.value)).ok()
        });
        let mut call = Call::of(spelled.to_owned(), pieces).with_id(id.as_deref());
        call.repairs.extend(inner);
        Ok(call)
    }

    /// The object out of these members, in their order, under these keys.
    fn assembled(&self, mut kept: Vec<(&Member, &str, Vec<Piece>)>) -> Vec<Piece> {
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
            pieces.extend(self.member(member, key, content));
            pos = member.value.end;
        }
        if keeps_all {
            pieces.extend(self.value.slice(pos..self.span.end));
        } else {
            pieces.push(Piece::insert("}"));
        }
        pieces
    }

    fn member(&self, member: &Member, key: &str, content: Vec<Piece>) -> Vec<Piece> {
        let mut pieces = if key == member.key {
            self.value.slice(member.key_span.clone())
        } else {
            vec![Piece::Insert(format!("\"{key}\""))]
        };
        pieces.extend(self.value.slice(member.key_span.end..member.value.start));
        pieces.extend(content);
        pieces
    }

    /// The object out of a name and the arguments beside it. Kept parts go forward, so a name between two arguments is copied.
    fn assembled_flat(
        &self,
        name: &Member,
        content: Vec<Piece>,
        flat: &[(usize, &Member)],
    ) -> Result<Vec<Piece>, Stop> {
        let mut head = self.member(name, "name", content);
        let after = flat.iter().filter(|(_, member)| member.key_span.start > name.key_span.start).count();
        if after != 0 && after != flat.len() {
            // A copy would hide what rule repaired the name.
            if head.iter().any(|piece| matches!(piece, Piece::Edit(_))) {
                return Err(Stop::Malformed(self.start));
            }
            head = vec![Piece::Insert(Woven::new(self.value.source, head).text)];
        }
        let mut arguments = vec![Piece::insert("\"arguments\":{")];
        let mut before: Option<(usize, &Member)> = None;
        for &(index, member) in flat {
            match before {
                // What is between two that follow each other may hold an edit.
                Some((last, before)) if last + 1 == index => {
                    arguments.extend(self.value.slice(before.value.end..member.key_span.start));
                }
                Some(_) => arguments.push(Piece::insert(",")),
                None => {}
            }
            arguments.extend(self.value.slice(member.key_span.start..member.value.end));
            before = Some((index, member));
        }
        arguments.push(Piece::insert("}"));
        let (first, second) = if after == 0 { (arguments, head) } else { (head, arguments) };
        let mut pieces = vec![Piece::insert("{")];
        pieces.extend(first);
        pieces.push(Piece::insert(","));
        pieces.extend(second);
        pieces.push(Piece::insert("}"));
        Ok(pieces)
    }

    fn name_content(&self, name: &Member, decoded: &str, spelled: &str) -> Vec<Piece> {
        if spelled == decoded {
            self.value.slice(name.value.clone())
        } else {
            vec![Piece::Insert(format!("\"{}\"", escaped(spelled)))]
        }
    }

    /// Where a part of the value is in the completion.
    fn source_of(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let pieces = self.value.slice(span.clone());
        let spans = pieces.iter().filter_map(|piece| match piece {
            Piece::Keep(span) => Some(span.clone()),
            Piece::Edit(edit) => Some(edit.span.clone()),
            Piece::Insert(_) => None,
        });
        let (starts, ends): (Vec<_>, Vec<_>) = spans.map(|span| (span.start, span.end)).unzip();
        Some(*starts.iter().min()?..*ends.iter().max()?)
    }

    /// `{"f": {…}}`, where the format has it.
    fn short(&self) -> Option<Call> {
        let [member] = self.members else { return None };
        let is_name = !member.key.is_empty() && !is_word(&member.key);
        let is_call = self.row.short && is_name && self.text(&member.value).starts_with('{');
        if !is_call {
            return None;
        }
        let mut pieces = self.value.slice(self.span.start..member.key_span.start);
        pieces.push(Piece::insert("\"name\":"));
        pieces.extend(self.value.slice(member.key_span.clone()));
        pieces.push(Piece::insert(",\"arguments\":"));
        pieces.extend(self.value.slice(member.value.start..self.span.end));
        Some(Call::of(member.key.clone(), pieces))
    }
}

fn shifted(member: Member, by: usize) -> Member {
    let shift = |span: Range<usize>| span.start + by..span.end + by;
    Member { key: member.key, key_span: shift(member.key_span), value: shift(member.value) }
}
