//! Members and elements ahead: whether one comes next, and whether what follows a value fits its container.

use crate::looking::ahead::Ahead;
use crate::reading::token::Container;
use jsonseam_text::{closers_of, is_quote};

/// What comes next.
impl Ahead<'_> {
    /// A cursor after the scalar that comes next: a quoted text on one line, a number, or one of the words for a value.
    pub fn scalar_end(self) -> Option<Self> {
        if is_quote(self.peek()?) {
            return self.quoted_end();
        }
        let len = self.number().or_else(|| self.literal().map(|(len, _)| len))?;
        Some(self.after(len))
    }

    /// Whether a value comes next: a bracket or a scalar.
    pub fn has_value(self) -> bool {
        matches!(self.peek(), Some('{' | '[')) || self.scalar_end().is_some()
    }

    /// Whether a whole member comes next: a key, a colon and a value, after which the object can go on or end.
    pub fn has_member(self) -> bool {
        self.key_end().and_then(|key| key.past(":")).is_some_and(|value| value.has_value_of(Container::Object))
    }

    /// Whether a value comes next; if it is a scalar, also whether `container` can go on or end after it.
    pub fn has_value_of(self, container: Container) -> bool {
        match self.peek() {
            Some('{' | '[') => true,
            _ => self.scalar_end().is_some_and(|after| after.goes_on(container)),
        }
    }

    /// Whether a value comes next after which a member ends for certain: a closing brace follows, or a comma and a member,
    /// or, if the value is not a string, a comma and a key with a value right after it.
    pub fn has_last_value_of_member(self) -> bool {
        let first = self.peek();
        if matches!(first, Some('{' | '[')) {
            return true;
        }
        let Some(after) = self.scalar_end() else {
            return false;
        };
        let mut next = after.skip_space_and_comments();
        match next.bump() {
            Some('}') => true,
            Some(',') => {
                let after = next.skip_space_and_comments();
                let is_text = first.is_some_and(is_quote);
                after.peek() == Some('}') || after.has_member() || !is_text && after.has_pair()
            }
            _ => false,
        }
    }

    /// Whether the colon after a key that ends at the cursor is missing: blanks and the value of a member come next.
    pub fn lacks_colon(self) -> bool {
        let value = self.skip_space_and_comments();
        value.pos() > self.pos() && value.has_last_value_of_member()
    }

    /// Whether a quoted key and a value that is not a string come next, with nothing between them.
    fn has_pair(self) -> bool {
        let is_quoted = |ahead: Self| ahead.peek().is_some_and(is_quote);
        let is_value = |ahead: Self| !is_quoted(ahead) && ahead.has_value();
        is_quoted(self) && self.quoted_end().is_some_and(|after| is_value(after.skip_space_and_comments()))
    }

    /// Whether a colon, or what some writer puts in its place, comes next.
    pub(crate) fn has_colon_or_sign(self) -> bool {
        let next = self.skip_space_and_comments();
        matches!(next.peek(), Some(':' | '=' | '：')) || next.starts_with("->")
    }
}

/// What may follow a value that ends at the cursor.
impl Ahead<'_> {
    /// Whether `container` goes on or ends right after a value that ends at the cursor.
    /// The separator may be a foreign one, and it may be missing if blanks separate the two.
    fn goes_on(self, container: Container) -> bool {
        if self.could_end_value(Some(container)) {
            return true;
        }
        let next = self.skip_space_and_comments();
        let Some(char) = next.peek() else {
            return true;
        };
        let is_separator = matches!(char, ',' | ';' | '，' | '；' | '、');
        let start = if is_separator { next.after(char.len_utf8()).skip_space_and_comments() } else { next };
        if !is_separator && next.pos() == self.pos() {
            return false;
        }
        if is_separator && matches!(start.peek(), Some('}' | ']')) {
            return true;
        }
        match container {
            Container::Object => start.key_end().is_some_and(Self::has_colon_or_sign),
            Container::Array => start.has_value() && !start.has_key(),
        }
    }

    /// Whether a value that ends before the cursor is followed by what `container` allows next.
    pub fn could_end_value(self, container: Option<Container>) -> bool {
        let next = self.skip_space_and_comments();
        let Some(char) = next.peek() else {
            return true;
        };
        match (container, char) {
            (Some(Container::Object), '}' | '｝') | (Some(Container::Array), ']' | '］') => true,
            (Some(container), ',' | '，') => next.after(char.len_utf8()).continues(container),
            // Signs of prose too: they separate what is whole.
            (Some(container), ';' | '；' | '、') => {
                let next = next.after(char.len_utf8()).skip_space_and_comments();
                if container == Container::Object { next.has_key() } else { next.has_value() }
            }
            (Some(Container::Object), _) => self.slice_to(next.pos()).contains(['\n', '\r']) && next.has_key(),
            _ => false,
        }
    }

    /// Whether what follows a comma fits `container`: its closer, or the beginning of a member or element.
    pub fn continues(self, container: Container) -> bool {
        let next = self.skip_space_and_comments();
        let Some(char) = next.peek() else {
            return true;
        };
        match container {
            Container::Object => char == '}' || next.has_key() || next.is_cut_name(),
            Container::Array if matches!(char, ']' | '[' | '{' | '-' | '0'..='9') || is_quote(char) => true,
            Container::Array => next.literal().is_some() || next.has_foreign_number() || next.is_cut_word(),
        }
    }

    /// Whether a word comes next and runs on to the end of the text.
    fn is_cut_word(self) -> bool {
        let word = self.word();
        !word.is_empty() && self.after(word.len()).peek().is_none()
    }

    /// Whether a key comes next and the text ends in it or right after it, before its colon. A quote or a closer tells that it was not cut, but lost its own quote.
    pub fn is_cut_name(mut self) -> bool {
        let Some(quote) = self.peek().filter(|&quote| is_quote(quote)) else { return self.is_cut_word() };
        if let Some(after) = self.quoted_end() {
            return after.skip_json_space().peek().is_none();
        }
        self.bump();
        self.take_while(|char| {
            char >= ' '
                && !closers_of(quote).contains(&char)
                && !matches!(char, '"' | '}' | ']')
                && (quote != '"' || !matches!(char, ':' | ',' | '{' | '['))
        });
        self.peek().is_none()
    }

    /// Whether what follows may follow a scalar whose end is plain to see. In an array any comma will do: what follows it may be bare too.
    pub fn could_end_scalar(self, container: Option<Container>) -> bool {
        match container {
            Some(Container::Array) => matches!(self.skip_space_and_comments().peek(), None | Some(',' | ']')),
            _ => self.could_end_value(container),
        }
    }
}
