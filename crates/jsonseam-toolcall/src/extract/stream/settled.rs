//! Reads the settled text of a JSON body: which calls are in it, and how far their arguments are there.

use std::ops::Range;

use jsonseam_text::Strings;

use crate::call::{is_bookkeeping, spelled_name};
use crate::likeness::{ENVELOPE_KEYS, WRAPPERS};
use crate::pack::Format;
use crate::tools::Tools;

/// A call of which something may be told.
#[derive(Debug, Clone)]
pub(super) struct Ready {
    pub(super) name: String,
    /// Where its arguments are in the settled text, as far as they are there and may be told.
    pub(super) arguments: Range<usize>,
}

/// The object of a call that is being read.
#[derive(Debug, Default)]
struct Object {
    name: Option<String>,
    /// The key of the arguments, and where they start.
    arguments: Option<(String, usize)>,
    /// The first key of the arguments.
    first: Option<String>,
    end: Option<usize>,
    /// Which of the calls it is, once it is known to be one.
    index: Option<usize>,
    is_read: bool,
}

/// What was read of the settled text.
#[derive(Debug)]
pub(super) struct Settled {
    pos: usize,
    /// The open brackets.
    stack: Vec<u8>,
    strings: Strings,
    /// Where the string begins that is open.
    string: Option<usize>,
    /// Whether the next string is a key.
    awaits_key: bool,
    key: Range<usize>,
    /// Where the latest comma or opening brace is: before the next key ends, what is from there on may belong elsewhere.
    pause: usize,
    /// How deep the members of a call are: unknown before the first bracket.
    level: Option<usize>,
    object: Object,
    pub(super) ready: Vec<Ready>,
    /// Whether something is there that the whole value decides: nothing more is told before.
    is_blocked: bool,
}

/// How calls are read.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub(super) format: &'r Format,
    pub(super) tools: &'r Tools,
    /// The name that the head has, where the body is the arguments.
    pub(super) name: Option<&'r str>,
}

impl Settled {
    pub(super) fn new() -> Self {
        Self {
            pos: 0,
            stack: Vec::new(),
            strings: Strings::default(),
            string: None,
            awaits_key: false,
            key: 0..0,
            pause: 0,
            level: None,
            object: Object::default(),
            ready: Vec::new(),
            is_blocked: false,
        }
    }

    /// Reads what is new in `text`, the settled text so far.
    pub(super) fn read(&mut self, rules: Rules<'_>, text: &str) {
        for (at, byte) in text.bytes().enumerate().skip(self.pos) {
            if self.is_blocked {
                break;
            }
            if self.strings.hides(byte) {
                match self.string {
                    Some(start) if !self.strings.is_inside() => {
                        self.string = None;
                        self.string_ended(rules, text, start..at + 1);
                    }
                    Some(_) => {}
                    None => {
                        self.string = Some(at);
                        self.value_began(rules, text, at, byte);
                    }
                }
                continue;
            }
            match byte {
                b'{' | b'[' => {
                    self.value_began(rules, text, at, byte);
                    self.stack.push(byte);
                    (self.awaits_key, self.pause) = (byte == b'{', at + 1);
                }
                b'}' | b']' => self.closed(rules, at),
                b',' => (self.awaits_key, self.pause) = (self.stack.last() == Some(&b'{'), at),
                b' ' | b'\t' | b'\r' | b'\n' | b':' => {}
                _ => self.value_began(rules, text, at, byte),
            }
        }
        self.pos = self.pos.max(text.len());
        self.extend(match self.string {
            _ if self.awaits_key => self.pause,
            Some(_) => text.len(),
            None => text.trim_end_matches([',', ' ', '\t', '\r', '\n']).len(),
        });
    }

    /// What is settled of the arguments that are being read may be told up to this place.
    fn extend(&mut self, len: usize) {
        if let Object { index: Some(index), end: None, .. } = self.object
            && !self.is_blocked
            && let Some(ready) = self.ready.get_mut(index)
        {
            ready.arguments.end = ready.arguments.end.max(len);
        }
    }

    fn is_in_call(&self) -> bool {
        self.level == Some(self.stack.len()) && self.stack.last() == Some(&b'{')
    }

    fn value_began(&mut self, rules: Rules<'_>, text: &str, at: usize, byte: u8) {
        if self.stack.is_empty() {
            self.level = match (rules.name, byte) {
                (Some(_), b'{') => Some(0),
                (None, b'{') => Some(1),
                (None, b'[') if !rules.format.row.single => Some(2),
                _ => None,
            };
            if self.level == Some(0) {
                let name = rules.name.map(str::to_owned);
                self.object = Object { name, arguments: Some((String::new(), at)), ..Object::default() };
            }
            self.is_blocked |= self.level.is_none();
            return;
        }
        if self.awaits_key {
            return;
        }
        if self.level == Some(2) && self.stack.len() == 1 {
            // Each element is a call, in order.
            self.is_blocked |= byte != b'{' || self.object.is_read && self.object.index.is_none();
            self.object = Object::default();
        }
        if self.is_in_call() {
            self.member(rules, text, at, byte);
        }
    }

    /// The value of a member of a call begins.
    fn member(&mut self, rules: Rules<'_>, text: &str, at: usize, byte: u8) {
        let row = &rules.format.row;
        let key = text.get(self.key.start + 1..self.key.end.saturating_sub(1)).unwrap_or_default();
        let has = |keys: &[String]| keys.iter().any(|known| known == key);
        let folded = key.trim().to_lowercase();
        let is_other = key.contains('\\')
            || folded != key && (row.name_keys.contains(&folded) || row.argument_keys.contains(&folded));
        let object = &mut self.object;
        object.is_read = true;
        let is_known = if is_other || ENVELOPE_KEYS.contains(&key) {
            false
        } else if has(&row.name_keys) {
            object.name.is_none() && byte == b'"'
        } else if has(&row.argument_keys) {
            let is_first = object.arguments.is_none();
            object.arguments = Some((key.to_owned(), at));
            is_first && byte == b'{'
        } else {
            is_bookkeeping(key)
        };
        self.is_blocked |= !is_known;
    }

    fn string_ended(&mut self, rules: Rules<'_>, text: &str, span: Range<usize>) {
        if self.awaits_key {
            self.awaits_key = false;
            let depth = self.level.map(|level| level + 1);
            if depth == Some(self.stack.len()) && self.object.end.is_none() && self.object.arguments.is_some() {
                self.argument_key(rules, text.get(span.start + 1..span.end - 1).unwrap_or_default());
            }
            self.key = span;
            return;
        }
        let key = text.get(self.key.start + 1..self.key.end.saturating_sub(1)).unwrap_or_default();
        if self.level != Some(0) && self.is_in_call() && rules.format.row.name_keys.iter().any(|known| known == key) {
            let decoded = serde_json::from_str::<String>(text.get(span).unwrap_or_default()).ok();
            self.object.name = decoded.and_then(|name| spelled_name(&name, &rules.format.row));
            self.is_blocked |= self.object.name.is_none();
            self.announce(rules);
        }
    }

    /// A key of the arguments: one that may as well be of the call is decided by the whole value.
    fn argument_key(&mut self, rules: Rules<'_>, key: &str) {
        let row = &rules.format.row;
        let name = self.object.name.as_deref().unwrap_or_default();
        let is_declared = rules.tools.shape(name, key).is_some();
        let may_be_outer =
            is_bookkeeping(key) || row.name_keys.iter().chain(&row.argument_keys).any(|known| known == key);
        if rules.name.is_none() && may_be_outer && !is_declared {
            self.is_blocked = true;
            return;
        }
        self.object.first.get_or_insert_with(|| key.to_owned());
        self.announce(rules);
    }

    fn closed(&mut self, rules: Rules<'_>, at: usize) {
        self.stack.pop();
        self.awaits_key = false;
        if self.level == Some(self.stack.len()) && self.object.end.is_none() && self.object.arguments.is_some() {
            self.extend(at + 1);
            self.object.end = Some(at + 1);
            self.announce(rules);
        }
    }

    /// Tells of the call once its name and what its arguments begin with are known.
    fn announce(&mut self, rules: Rules<'_>) {
        let Object { name: Some(name), arguments: Some((key, start)), first: Some(first), index: None, end, .. } =
            &self.object
        else {
            return;
        };
        let declares = |key: &str| rules.tools.shape(name, key).is_some();
        let is_wrapped = WRAPPERS.contains(&first.as_str()) && rules.tools.offers(name) && !declares(first);
        let is_argument = !matches!(key.as_str(), "" | "arguments" | "parameters") && declares(key);
        if rules.tools.forbids(name) || rules.name.is_none() && (is_wrapped || is_argument) {
            self.is_blocked = true;
            return;
        }
        let ready = Ready { name: name.clone(), arguments: *start..end.unwrap_or(*start) };
        self.object.index = Some(self.ready.len());
        self.ready.push(ready);
    }
}
