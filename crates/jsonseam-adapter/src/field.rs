//! The fields of a text that was judged.

use std::fmt;
use std::ops::Range;

use jsonseam_schema::Cast;

use crate::items::DroppedItem;
use crate::typed::AnyValue;

/// The fields of a text, and how they came to be.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// The text that the spans are of, where it is not the repaired one.
    pub(crate) text: Option<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) casts: Vec<Cast>,
    /// The items of arrays that are not in the fields.
    pub(crate) dropped: Vec<DroppedItem>,
}

/// One field.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: FieldName,
    pub(crate) text: FieldText,
    pub(crate) typed: Option<AnyValue>,
}

/// The name of a field.
#[derive(Debug, Clone)]
pub(crate) enum FieldName {
    /// The output at this place of the contract.
    Declared(usize),
    /// A key of the text.
    Found(Box<str>),
}

/// Where the text of a field is.
#[derive(Clone)]
pub(crate) enum FieldText {
    Span(Range<usize>),
    Own(Box<str>),
}

impl FieldText {
    pub(crate) fn of<'t>(&'t self, text: &'t str) -> &'t str {
        match self {
            Self::Span(span) => text.get(span.clone()).unwrap_or_default(),
            Self::Own(own) => own,
        }
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Field").field("is_typed", &self.typed.is_some()).finish_non_exhaustive()
    }
}
