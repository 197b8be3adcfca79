//! The arguments of one call.

use std::ops::Range;

use jsonseam_core::{Reason, Risk};
use serde_json::value::RawValue;

use super::history::{Call, Spelling};
use super::{HealReason, Healer};
use crate::cursor::Finder;
use crate::pack::HeadKeys;
use crate::reader::Reader;
use crate::record::EditRecord;
use crate::weave::{Edit, Piece, Woven};

/// No arguments at all, or nothing that says which, became an empty object.
const EMPTY: &str = "empty-arguments";
/// A string in a string became the object that it holds.
const TWICE: &str = "arguments-encoded-twice";
/// An object became the string that the shape of the call wants, or a string the object.
const SPELLED: &str = "arguments-spelling";
/// What is around the object was left out.
const FENCE: &str = "markdown-fence";

/// The edits of a call, and what its arguments become.
type Change = (Vec<EditRecord>, String);
/// Why there is none, and the edits whose risk is too high.
type Refused = (HealReason, Vec<EditRecord>);

/// An object that the text of arguments becomes, and the edits that make it.
struct Object {
    text: String,
    edits: Vec<Edit>,
}

impl Healer {
    /// What becomes of the arguments of a call; nothing if they can be sent as they are.
    pub(super) fn healed(&self, history: &str, call: &Call) -> Result<Option<Change>, Refused> {
        let refused = |reason| (reason, Vec::new());
        if call.is_repeated {
            return Err(refused(HealReason::RepeatedMember));
        }
        let given = history.get(call.value.clone()).unwrap_or_default();
        let change = match given.bytes().next() {
            None => Some(absent(history, call)),
            Some(b'n') => Some(whole(EMPTY, nothing(call).to_owned(), call)),
            Some(b'{') if call.spelling == Spelling::Text => Some(whole(SPELLED, spelled(given), call)),
            Some(b'{') => None,
            Some(b'"') => self.of_string(given, call).map_err(refused)?,
            Some(_) => return Err(refused(HealReason::NotAnObject)),
        };
        match change {
            Some((edits, _)) if edits.iter().any(|edit| edit.risk > self.max_risk) => {
                Err((HealReason::RiskTooHigh, edits))
            }
            change => Ok(change),
        }
    }

    /// Arguments that are a string.
    fn of_string(&self, given: &str, call: &Call) -> Result<Option<Change>, HealReason> {
        let text: String = serde_json::from_str(given).map_err(|_| HealReason::Malformed)?;
        let is_json = serde_json::from_str::<&RawValue>(&text).is_ok();
        let is_object = is_json && text.trim_ascii_start().starts_with('{');
        if is_object && call.spelling != Spelling::Object {
            return Ok(None);
        }
        let object = if is_object {
            Object { text, edits: Vec::new() }
        } else if matches!(text.trim(), "" | "null") {
            let edit = Edit::new(EMPTY, Risk::Likely, 0..text.len(), "{}".to_owned());
            Object { text: "{}".to_owned(), edits: vec![edit] }
        } else if is_json {
            once(&text).ok_or(HealReason::NotAnObject)?
        } else {
            self.repaired(&text, call)?
        };
        let within = |edit: Edit| record(&edit.within(call.value.clone()), call);
        let mut edits: Vec<_> = object.edits.into_iter().map(within).collect();
        if call.spelling == Spelling::Object {
            let (last, text) = whole(SPELLED, object.text, call);
            edits.extend(last);
            return Ok(Some((edits, text)));
        }
        Ok(Some((edits, spelled(&object.text))))
    }

    /// Text that is not JSON: balanced, or repaired by rules.
    fn repaired(&self, text: &str, call: &Call) -> Result<Object, HealReason> {
        let finder = Finder::new(text);
        let head_keys = HeadKeys::default();
        let reader = Reader {
            text,
            finder: &finder,
            tools: &self.tools,
            pipeline: self.pipeline.as_ref(),
            marks: &[],
            noise: &[],
            turns: &[],
            head_keys: &head_keys,
            takes_quoted: false,
        };
        let judge = |value: &Woven<'_>| reader.judged_arguments(value, &call.name);
        let woven = reader.broken_value(text, 0..text.len(), &judge).map_err(|_| HealReason::Ambiguous)?;
        let woven = woven.ok_or_else(|| self.reason(text))?;
        let object = with_around(text, &woven);
        let end = text.trim_end().len();
        let closes = |edit: &Edit| edit.span.start >= end && !edit.replacement.is_empty();
        // A call that no one has answered may still be run, and what is closed at its end may be half of it.
        if !call.is_answered && object.edits.iter().any(closes) {
            return Err(HealReason::Truncated);
        }
        Ok(object)
    }

    /// Why a text cannot be repaired.
    fn reason(&self, text: &str) -> HealReason {
        let Some(pipeline) = &self.pipeline else { return HealReason::Malformed };
        let is_cut = match pipeline.repair(text) {
            Ok(repaired) => repaired.is_truncated(),
            Err(error) => error.reason() == Reason::Truncated,
        };
        if is_cut { HealReason::Truncated } else { HealReason::Malformed }
    }
}

/// A call without the member gets it.
fn absent(history: &str, call: &Call) -> Change {
    let before = history.get(..call.value.start).unwrap_or_default();
    let comma = if before.ends_with('{') { "" } else { "," };
    whole(EMPTY, format!("{comma}\"{}\":{}", call.key, nothing(call)), call)
}

/// No arguments.
fn nothing(call: &Call) -> &'static str {
    if call.spelling == Spelling::Text { "\"{}\"" } else { "{}" }
}

/// One edit that replaces the arguments as a whole.
fn whole(rule: &str, text: String, call: &Call) -> Change {
    let edit = Edit::new(rule, Risk::Likely, call.value.clone(), text.clone());
    (vec![record(&edit, call)], text)
}

/// The object that a string in a string holds.
fn once(text: &str) -> Option<Object> {
    let inner: String = serde_json::from_str(text).ok()?;
    let is_object = inner.trim_ascii_start().starts_with('{') && serde_json::from_str::<&RawValue>(&inner).is_ok();
    let edit = Edit::new(TWICE, Risk::Likely, 0..text.len(), inner.clone());
    is_object.then(|| Object { text: inner, edits: vec![edit] })
}

/// The object with the blanks around it; a fence around it is left out, by edits of its own.
fn with_around(text: &str, woven: &Woven<'_>) -> Object {
    let spans = woven.pieces.iter().filter_map(|piece| match piece {
        Piece::Keep(span) => Some(span.clone()),
        Piece::Edit(edit) => Some(edit.span.clone()),
        Piece::Insert(_) => None,
    });
    let (start, end) = spans.fold((text.len(), 0), |(start, end), span| (start.min(span.start), end.max(span.end)));
    let around = |span: Range<usize>| {
        let part = text.get(span.clone()).unwrap_or_default();
        let is_blank = part.trim_ascii().is_empty();
        let edit = Edit::new(FENCE, Risk::Likely, span, String::new());
        if is_blank { (part, None) } else { ("", Some(edit)) }
    };
    let (before, opened) = around(0..start);
    let (after, closed) = around(end..text.len());
    let made = woven.pieces.iter().filter_map(|piece| match piece {
        Piece::Edit(edit) => Some(edit.clone()),
        _ => None,
    });
    let edits = opened.into_iter().chain(made).chain(closed).collect();
    Object { text: format!("{before}{}{after}", woven.text), edits }
}

/// A text as a JSON string.
fn spelled(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn record(edit: &Edit, call: &Call) -> EditRecord {
    EditRecord::new(&edit.seam(), call.path.clone(), edit.inner.clone())
}
