//! What speaks against an end of a string.

use jsonseam_core::CountedText;

use super::end::{End, Ending, Weight};
use super::view::{View, char_at, char_before, has_newline, is_document, skip_space_and_comments};
use crate::shared::{clues, words::is_spaced};

/// How far the beginning of a quotation is looked for, in bytes.
const QUOTATION: usize = 96;

impl View<'_> {
    /// What `end` costs. The marks in its content are at `inner`. Most ends are asked for again, so this is not part of the asking.
    #[inline(never)]
    pub(super) fn weigh(&self, end: &End, inner: &[usize]) -> Weight {
        let (len, after) = (end.pos - end.start, end.after - end.start);
        let bytes = self.text.as_bytes();
        let mut weight = Weight::default();
        let body = &bytes[..len];
        if end.ending != Ending::Mark {
            weight.charge(clues::NO_END_MARK, 1);
            let next = skip_space_and_comments(self.text, after);
            let is_on_line =
                !bytes[after..skip_space_and_comments(self.text, (after + 1).min(bytes.len()))].contains(&b'\n');
            if is_on_line && bytes.get(next) == Some(&b',') {
                weight.charge(clues::NO_END_MARK_ON_LINE, 1);
            }
            let is_structure = end.open > 0 || end.first_control.is_some() && ends_in_line_of_closers(body);
            weight.charge(clues::OPEN_BRACKETS_IN_TEXT, usize::from(is_structure));
            weight.charge(clues::CLOSER_IN_TEXT, end.closers);
        }
        if end.is_key {
            weight.charge(clues::STRUCTURE_IN_KEY, usize::from(body.contains(&b'\n') || body.contains(&b',')));
            let is_inch = matches!(inner, &[only] if self.is_lone(only));
            weight.charge(clues::QUOTES_IN_KEY, usize::from(!inner.is_empty() && !is_inch));
        }
        if !inner.is_empty() {
            self.charge_inner(&mut weight, end, inner);
        }
        weight.charge(clues::RAW_LINES, usize::from(end.has_raw_controls && end.first_control.is_some()));
        weight.charge(clues::SWALLOWED_MEMBER, end.charged);
        weight
    }

    /// What the marks inside say: pairs that face words are quotations.
    fn charge_inner(&self, weight: &mut Weight, end: &End, inner: &[usize]) {
        if end.ending != Ending::Mark {
            weight.charge(clues::SECOND_DEFECT, 1);
        }
        let others: Vec<_>;
        let inner = if inner.iter().any(|&at| self.is_quoted(at)) {
            others = inner.iter().copied().filter(|&at| !self.is_quoted(at)).collect();
            if others.is_empty() {
                weight.charge(clues::INNER_MARK, inner.len().min(10));
                return;
            }
            &others
        } else {
            inner
        };
        if inner.len().is_multiple_of(2) || (inner.len() + end.hidden).is_multiple_of(2) && self.string.mark == '"' {
            weight.charge(clues::EVEN_MARKS, 1);
            let mut parted = inner.as_chunks::<2>().0.iter().filter(|pair| self.separate(**pair)).peekable();
            let spans_lines = parted.peek().is_some_and(|pair| has_newline(&self.text[pair[0]..pair[1]]));
            weight.charge(clues::MARKS_AROUND_LINE_BREAK, usize::from(spans_lines));
            weight.charge(clues::MARKS_AROUND_COMMA, parted.count().min(2));
            let (mut faces_wrong, mut structural) = (0, 0);
            for (nth, &at) in inner.iter().enumerate().take(8) {
                let (before, after) = (char_before(self.text, at), char_at(self.text, at + 1));
                let (outside, inside) = if nth % 2 == 0 { (before, after) } else { (after, before) };
                // A mark with no word inside faces the one on its other side, in whatever script.
                let is_bare = inside.is_none_or(|char| matches!(char, '"' | ',' | ':') || char.is_whitespace());
                let faces = if is_bare { ends_words } else { is_spaced };
                faces_wrong += usize::from(outside.is_some_and(faces));
                structural += usize::from(matches!(after, Some(':' | ']' | '}')));
            }
            weight.charge(clues::MARK_FACES_WORD, faces_wrong.min(4));
            let is_document = is_document(&self.text[..end.pos - end.start]);
            weight.charge(clues::MARK_BEFORE_STRUCTURE, if is_document { 0 } else { structural.min(3) });
        } else if inner.len() == 1 && (self.is_lone(inner[0]) || !end.is_key && end.start + inner[0] + 1 == end.pos) {
            weight.charge(clues::INCH_MARK, 1);
        } else {
            weight.charge(clues::ODD_MARKS, 1);
            let parted = inner.windows(2).filter(|pair| self.separate([pair[0], pair[1]])).count();
            weight.charge(clues::MARKS_AROUND_COMMA, parted.min(2));
        }
        weight.charge(clues::INNER_MARK, inner.len().min(10));
    }

    /// Whether the mark at `at` is quoted or in brackets by itself, as in `'"'`: a text that names the mark; or ends what another kind opened: `„so"`.
    pub(super) fn is_quoted(&self, at: usize) -> bool {
        if self.string.mark != '"' {
            return false;
        }
        let bytes = self.text.as_bytes();
        let around = at.checked_sub(1).and_then(|before| Some([*bytes.get(before)?, *bytes.get(at + 1)?]));
        match around {
            // Most marks follow a blank or a word.
            Some([b' ', _]) => false,
            Some([b'a'..=b'z', _]) if self.is_ascii => false,
            Some([b'\'', b'\''] | [b'`', b'`'] | [b'(', b')'] | [b'^', b']']) => true,
            Some([before, _]) if !self.is_ascii && !before.is_ascii_whitespace() && before != b',' => {
                self.ends_quotation(at)
            }
            _ => false,
        }
    }

    /// Whether a typographic mark shortly before the mark at `at` opens a quotation that nothing else ends.
    fn ends_quotation(&self, at: usize) -> bool {
        let text = CountedText::new(self.text);
        let mut marks = text.at(at).before(QUOTATION).rmatches(['„', '“', '”', '«', '»', '"']);
        match marks.next() {
            Some("„" | "«") => true,
            // In German it ends one.
            Some("“") => marks.next() != Some("„"),
            _ => false,
        }
    }

    /// Whether the mark at `at` may be alone: inches after a short number, an apostrophe after a letter. A date or a time ends in no inches, nor does a name (`call_1`).
    pub(super) fn is_lone(&self, at: usize) -> bool {
        let before = &self.text.as_bytes()[..at];
        if self.string.mark == '\'' {
            return char_before(self.text, at).is_some_and(char::is_alphanumeric);
        }
        let digits = before.iter().rev().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let mut back = self.text[..at - digits].chars().rev();
        let is_part = match (back.next(), back.next()) {
            // `8x10`
            (Some('x' | 'X'), Some('0'..='9')) => false,
            (Some(':' | '=' | '_'), _) => true,
            (Some('-'), before) => before.is_some_and(char::is_alphanumeric),
            (before, _) => before.is_some_and(char::is_alphabetic),
        };
        (1..4).contains(&digits) && !is_part
    }

    /// Whether what is between two marks begins and ends with a comma: then they rather end one text and begin the next.
    fn separate(&self, [first, second]: [usize; 2]) -> bool {
        let between = self.text.as_bytes().get(first + 1..second).unwrap_or_default().trim_ascii();
        between.starts_with(b",") && between.ends_with(b",")
    }
}

/// Whether a closer begins the last of several lines: then it is rather one of the payload.
pub fn ends_in_line_of_closers(body: &[u8]) -> bool {
    let last_line = body.rsplit(|&byte| byte == b'\n').next().filter(|line| line.len() < body.len());
    last_line.is_some_and(|line| matches!(line.trim_ascii(), [b'}' | b']', ..]))
}

/// Whether a word or a sentence ends in `char`.
fn ends_words(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '.' | '!' | '?' | ')' | ';' | '%' | '。')
}
