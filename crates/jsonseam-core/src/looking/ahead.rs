//! The cursor that a rule reads with: from the fault, or from any other place of the payload, forwards and backwards.
//!
//! Invariants: every byte that an answer reads is counted once per reading ([`Work::examined`](crate::Work::examined));
//! and an answer that depends on where the region ends says so, by construction: no method sees that end without noting it.
//!
//! Boundary: the cursor knows no grammar and no words, which are the lexer's (`lex.rs`). It reads the payload as it was written, without the edits
//! made so far.

use std::cell::{Cell, RefCell};

use crate::derived::debug_facts;

/// How far back a line is looked at for its indentation, in bytes.
const MAX_INDENT: usize = 256;

/// A text that is read through cursors alone: what they read of it is counted, and whether an answer depended on its end is noted.
///
/// ```
/// use jsonseam_core::CountedText;
///
/// let text = CountedText::new("key: 1");
/// assert!(text.at(0).has_key());
/// assert!(!text.has_touched_end());
/// assert!(text.at(5).skip_json_space().after(1).peek().is_none());
/// assert!(text.has_touched_end());
/// ```
#[derive(Debug)]
pub struct CountedText<'e> {
    text: &'e str,
    examined: Cell<u64>,
    touched: Cell<bool>,
    /// Latest answers of `find`: needle, where the search started, what it found.
    pub(super) finds: RefCell<Finds>,
}

/// What was looked for, from where on, and where it was found.
pub(super) type Finds = Vec<(&'static str, usize, Option<usize>)>;

impl<'e> CountedText<'e> {
    /// The whole of `text`, of which nothing was read.
    #[must_use]
    pub const fn new(text: &'e str) -> Self {
        Self { text, examined: Cell::new(0), touched: Cell::new(false), finds: RefCell::new(Vec::new()) }
    }

    /// Goes on from where so much had been read and this had been found: before something that is taken back, or when less of the text was there.
    pub(super) fn go_on_from(&self, examined: u64, finds: Finds) {
        self.count_from(examined);
        self.finds.replace(finds);
    }

    pub(crate) fn count_from(&self, examined: u64) {
        self.examined.set(examined);
    }

    /// A cursor at the byte `pos`.
    #[must_use]
    pub const fn at(&self, pos: usize) -> Ahead<'_> {
        Ahead { text: self, pos }
    }

    /// How many bytes were read, each as often as it was.
    #[must_use]
    pub const fn examined(&self) -> u64 {
        self.examined.get()
    }

    /// Whether an answer depended on where the text ends.
    #[must_use]
    pub const fn has_touched_end(&self) -> bool {
        self.touched.get()
    }

    pub(crate) fn charge(&self, bytes: usize) {
        self.examined.set(self.examined.get() + bytes as u64);
    }

    /// Notes that an answer depends on where the text ends.
    pub(crate) fn touch(&self) {
        self.touched.set(true);
    }

    /// Notes that no answer did, or that one did. What was noted before.
    pub(crate) fn note_touched(&self, touched: bool) -> bool {
        self.touched.replace(touched)
    }

    /// Where `needle` next starts, from `pos` on. A search that a former one covers is free.
    fn find(&self, needle: &'static str, pos: usize) -> Option<usize> {
        let mut finds = self.finds.borrow_mut();
        let known = finds.iter().position(|&(known, ..)| known == needle);
        if let Some(&(_, from, found)) = known.and_then(|index| finds.get(index))
            && from <= pos
            && found.is_none_or(|found| found >= pos)
        {
            self.charge(1);
            return found;
        }
        let rest = self.text.get(pos..).unwrap_or_default().as_bytes();
        let found = match needle.as_bytes() {
            &[byte] => memchr::memchr(byte, rest),
            needle => memchr::memmem::find(rest, needle),
        };
        let found = found.map(|offset| pos + offset);
        self.charge(found.unwrap_or(self.text.len()).saturating_sub(pos) + needle.len());
        let entry = (needle, pos, found);
        match known.and_then(|index| finds.get_mut(index)) {
            Some(slot) => *slot = entry,
            None => finds.push(entry),
        }
        found
    }
}

/// A place in the payload, and what follows and precedes it.
///
/// It is small and [`Copy`]: a helper may take it by value, read on, and leave the caller's cursor where it was.
/// Offsets are bytes of the completion. Nothing at or after the region's end is ever read.
///
/// ```
/// use jsonseam_core::Ahead;
///
/// /// Where the word at the cursor ends, if a colon follows it after spaces.
/// fn end_of_key(mut ahead: Ahead<'_>) -> Option<usize> {
///     let word = ahead.take_while(char::is_alphanumeric);
///     let end = ahead.pos();
///     (!word.is_empty() && ahead.skip_json_space().starts_with(":")).then_some(end)
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Ahead<'e> {
    text: &'e CountedText<'e>,
    pos: usize,
}

debug_facts!(Ahead<'_>, |ahead| pos: ahead.pos);

impl<'e> Ahead<'e> {
    /// The offset of the cursor.
    pub fn pos(self) -> usize {
        self.pos
    }

    /// A cursor at another offset of the payload. Inside a character, or after the region's end, it sees nothing.
    #[must_use]
    pub fn at(self, pos: usize) -> Self {
        Self { pos, ..self }
    }

    /// A cursor `len` bytes further on.
    #[must_use]
    pub fn after(self, len: usize) -> Self {
        self.at(self.pos + len)
    }

    /// A cursor at the region's end.
    #[must_use]
    pub fn to_end(self) -> Self {
        self.text.touch();
        self.at(self.text.text.len())
    }

    /// The next character; `None` at the region's end.
    pub fn peek(self) -> Option<char> {
        let next = self.rest().chars().next();
        self.text.charge(next.map_or(1, char::len_utf8));
        if next.is_none() {
            self.text.touch();
        }
        next
    }

    /// The character after the next one, of however many bytes both are; `None` at the region's end.
    pub fn char_after(mut self) -> Option<char> {
        self.bump().and_then(|_| self.peek())
    }

    /// Passes the next character and returns it; `None` at the region's end.
    pub fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.pos += next.len_utf8();
        Some(next)
    }

    /// Whether `text` comes next.
    pub fn starts_with(self, text: &str) -> bool {
        let rest = self.rest().as_bytes();
        let equal = rest.iter().zip(text.as_bytes()).take_while(|(byte, wanted)| byte == wanted).count();
        if equal == text.len() {
            self.text.charge(equal);
            return true;
        }
        self.text.charge(equal + 1);
        if equal == rest.len() {
            self.text.touch();
        }
        false
    }

    /// Passes `text` if it comes next. Whether it did.
    pub fn eat(&mut self, text: &str) -> bool {
        let is_next = self.starts_with(text);
        if is_next {
            self.pos += text.len();
        }
        is_next
    }

    /// Passes the characters for which `belongs` holds, and returns them.
    pub fn take_while(&mut self, mut belongs: impl FnMut(char) -> bool) -> &'e str {
        // Most texts are ASCII as far as this goes.
        let ascii = self.rest().bytes().take_while(|&byte| byte.is_ascii() && belongs(char::from(byte))).count();
        self.take_on(ascii, &mut belongs)
    }

    /// The same, where the first `ascii` bytes belong. It is the larger part, so it is code once and not once for each question.
    /// Where size counts; elsewhere a call would cost more than most words.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub(super) fn take_on(&mut self, ascii: usize, belongs: &mut dyn FnMut(char) -> bool) -> &'e str {
        let rest = self.rest();
        let ends_there = rest.as_bytes().get(ascii).is_some_and(u8::is_ascii);
        let others = if ends_there { Some(0) } else { rest[ascii..].find(|char| !belongs(char)) };
        let len = others.map_or(rest.len(), |others| ascii + others);
        if others.is_none() {
            self.text.touch();
        }
        self.text.charge(len + 1);
        self.pos += len;
        rest.get(..len).unwrap_or_default()
    }

    /// The rest of the line, without its line break (`\n` or `\r`).
    pub fn line(mut self) -> &'e str {
        self.take_while(|char| !matches!(char, '\n' | '\r'))
    }

    /// A cursor after the white space of JSON (RFC 8259 section 2) that comes next.
    #[must_use]
    pub fn skip_json_space(mut self) -> Self {
        let rest = self.rest();
        let len = rest.bytes().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).unwrap_or_else(|| {
            self.text.touch();
            rest.len()
        });
        self.text.charge(len + 1);
        self.pos += len;
        self
    }

    /// The offset at which `needle` next starts, from the cursor on. Reads up to there, or to the region's end.
    ///
    /// The answer is remembered for the whole repair, so asking again and again for a terminator that never comes costs one pass in all.
    pub fn find(self, needle: &'static str) -> Option<usize> {
        let found = self.text.find(needle, self.pos);
        if found.is_none() {
            self.text.touch();
        }
        found
    }

    /// The text from the cursor to `pos`. Empty if it is not ahead, or if either splits a character.
    pub fn slice_to(self, pos: usize) -> &'e str {
        let slice = self.rest().get(..pos.saturating_sub(self.pos)).unwrap_or_default();
        self.text.charge(slice.len());
        if pos >= self.text.text.len() {
            self.text.touch();
        }
        slice
    }

    /// How many of the next `len` bytes are there. Nothing of them is read, and the end is noted only where it cuts them.
    ///
    /// ```
    /// use jsonseam_core::CountedText;
    ///
    /// let text = CountedText::new("[1, 2]");
    /// assert_eq!((text.at(2).left_of(3), text.has_touched_end()), (3, false));
    /// assert_eq!((text.at(2).left_of(9), text.has_touched_end()), (4, true));
    /// ```
    pub fn left_of(self, len: usize) -> usize {
        let left = self.text.text.len().saturating_sub(self.pos);
        if left < len {
            self.text.touch();
        }
        left.min(len)
    }

    /// Up to `len` bytes before the cursor, reduced to whole characters. They may lie before the payload.
    pub fn before(self, len: usize) -> &'e str {
        let text = self.passed();
        let mut start = text.len().saturating_sub(len);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        self.text.charge(text.len() - start);
        text.get(start..).unwrap_or_default()
    }

    /// The character right before the cursor, of however many bytes; `None` at the start of the text. It may lie before the payload.
    ///
    /// ```
    /// use jsonseam_core::Fault;
    ///
    /// /// Whether a letter of any script precedes the fault.
    /// fn touches_letter(fault: &Fault<'_>) -> bool {
    ///     fault.ahead().char_before().is_some_and(char::is_alphabetic)
    /// }
    /// ```
    pub fn char_before(self) -> Option<char> {
        let before = self.passed().chars().next_back();
        self.text.charge(before.map_or(1, char::len_utf8));
        before
    }

    /// The characters right before the cursor for which `belongs` holds, asked from the last one backwards.
    pub fn before_while(self, mut belongs: impl FnMut(char) -> bool) -> &'e str {
        self.take_before(&mut belongs)
    }

    fn take_before(self, belongs: &mut dyn FnMut(char) -> bool) -> &'e str {
        let text = self.passed();
        let start =
            text.char_indices().rev().take_while(|&(_, char)| belongs(char)).last().map_or(text.len(), |(at, _)| at);
        self.text.charge(text.len() - start + 1);
        text.get(start..).unwrap_or_default()
    }

    /// How many spaces and tabs precede the cursor on its line; `None` if anything else does.
    ///
    /// No more than 256 bytes are looked back. Blanks before the whole text are how a model starts its answer, and count as none.
    pub fn indent(self) -> Option<usize> {
        let passed = self.passed().as_bytes();
        let blanks = passed.iter().rev().take(MAX_INDENT - 1).take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        self.text.charge(blanks + 1);
        match passed[..passed.len() - blanks].last() {
            None => Some(0),
            Some(b'\n' | b'\r') => Some(blanks),
            Some(_) => None,
        }
    }

    pub(super) fn charge(self, bytes: usize) {
        self.text.charge(bytes);
    }

    pub(super) fn touch(self) {
        self.text.touch();
    }

    /// What follows, up to the region's end. The caller charges and notes what it reads of it.
    pub(super) fn rest(self) -> &'e str {
        self.text.text.get(self.pos..).unwrap_or_default()
    }

    fn passed(self) -> &'e str {
        self.text.text.get(..self.pos.min(self.text.text.len())).unwrap_or_default()
    }
}
