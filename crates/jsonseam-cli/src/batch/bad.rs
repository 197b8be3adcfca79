//! Lines that cannot be used.

use jsonseam_text::named;

named! {
    /// Why a line cannot be used.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) enum BadRecord as "a reason" {
        /// The line is not JSON.
        NotJson = "not_json",
        /// The record has no such member.
        MissingField = "missing_field",
        /// The member is not a string.
        NotAString = "not_a_string",
        /// The string holds half a surrogate pair.
        NotUnicode = "not_unicode",
        /// The line is longer than any record that could be repaired.
        TooLong = "too_long",
        /// The member for the offered tools is not a list of tools.
        BadTools = "bad_tools",
        /// The request failed: there is no answer.
        RequestFailed = "request_failed",
        /// The model declined to answer.
        ModelRefused = "model_refused",
        /// A filter of the provider held the answer back.
        ContentFilter = "content_filter",
    }
}

impl BadRecord {
    /// Whether the record is as it should be, but holds no answer.
    pub(super) fn is_without_answer(self) -> bool {
        matches!(self, Self::RequestFailed | Self::ModelRefused | Self::ContentFilter)
    }
}
