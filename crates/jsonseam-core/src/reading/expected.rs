//! What the grammar expected at a fault, by name.

use jsonseam_text::named;

use super::recognise::{Next, Partial, State};

named! {
    /// What the grammar expected where the payload stopped being JSON.
    ///
    /// A declaration lists the ones its rule answers; the rule is asked about no other. The name is the one used in configuration (`at = "colon"`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Expected as "an expectation" {
        /// A value (after `[`, also `]`).
        Value = "value",
        /// A key (after `{`, also `}`).
        Key = "key",
        /// A colon.
        Colon = "colon",
        /// A comma or the closer of the container.
        Comma = "comma",
        /// More of a string: it holds a control character or a false escape, or is not closed.
        String = "string",
        /// Nothing more: the root is complete.
        End = "end",
    }
}

impl Expected {
    /// The phrase used in messages and in the `expected` member of the record.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::Key => "a key in double quotes",
            Self::Colon => "a colon",
            Self::Comma => "a comma or a closing bracket",
            Self::String => "the rest of a string",
            Self::End => "the end of the text",
        }
    }

    pub(crate) const fn of(state: &State) -> Self {
        if matches!(state.partial, Partial::Text { .. }) {
            return Self::String;
        }
        match state.next {
            Next::Value | Next::ValueOrClose => Self::Value,
            Next::Key | Next::KeyOrClose => Self::Key,
            Next::Colon => Self::Colon,
            Next::CommaOrClose => Self::Comma,
            Next::End => Self::End,
        }
    }
}
