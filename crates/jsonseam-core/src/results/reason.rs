//! The table of reasons: what each is called, what it means, whether asking again can help, and what to do.
//!
//! The command, the bindings, the page and the documentation read it from here.

use jsonseam_text::named;

named! {
    /// Why a completion could not be decoded (SPEC E1, the reasons of `output_decode_failed`).
    ///
    /// ```
    /// use jsonseam_core::Reason;
    ///
    /// assert_eq!(Reason::Truncated.as_str(), "truncated");
    /// assert_eq!(Reason::Truncated.meaning(), "the text ends before its JSON does");
    /// assert!(!Reason::Truncated.is_retryable());
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Reason as "a reason" {
        /// The completion holds no payload of the configured root.
        NoJsonObjectFound = "no_json_object_found",
        /// The payload is an array and the root must not be one.
        TopLevelArrayNotAllowed = "top_level_array_not_allowed",
        /// The payload is a string that holds an object.
        TopLevelScalarNotAllowed = "top_level_scalar_not_allowed",
        /// The payload is an object and the root must not be one.
        TopLevelObjectNotAllowed = "top_level_object_not_allowed",
        /// No enabled rule answers the fault.
        Syntax = "syntax",
        /// The fault is where the completion was cut off.
        Truncated = "truncated",
        /// More than one payload, and the policy does not choose.
        AmbiguousPayload = "ambiguous_payload",
        /// The payload can be read in more than one way, and nothing decides between them (SPEC R2).
        AmbiguousRepair = "ambiguous_repair",
        /// Valid JSON that the target cannot hold (lone surrogate escapes, numbers out of range).
        NotRepresentable = "not_representable",
        /// The bytes are not UTF-8.
        InvalidUtf8 = "invalid_utf8",
        /// A bound of SPEC B5 was met.
        LimitExceeded = "limit_exceeded",
    }
}

impl Reason {
    /// What it means, and what to do.
    const fn explained(self) -> (&'static str, &'static str) {
        match self {
            Self::NoJsonObjectFound => (
                "the text holds no JSON of the wanted kind",
                "ask the model again, or admit JSON of another kind with the root `any`",
            ),
            Self::TopLevelArrayNotAllowed => (
                "the outermost value is an array, which the root does not allow",
                "allow arrays with the root `array` or `any`, or ask for an object",
            ),
            Self::TopLevelScalarNotAllowed => (
                "the outermost value is a string, which the root does not allow",
                "allow any value with the root `any`, or ask for an object",
            ),
            Self::TopLevelObjectNotAllowed => (
                "the outermost value is an object, which the root does not allow",
                "allow objects with the root `object` or `any`, or ask for an array",
            ),
            Self::Syntax => {
                ("not valid JSON", "ask the model again, or enable a rule that repairs it, if `mended_by` names one")
            }
            Self::Truncated => (
                "the text ends before its JSON does",
                "raise the model's limit of output tokens, or ask for a shorter answer",
            ),
            Self::AmbiguousPayload => (
                "the text holds more than one payload",
                "choose one with the policy `first`, `last` or `best`, or take every one",
            ),
            Self::AmbiguousRepair => (
                "the text can be read in two ways, and nothing decides between them",
                "compare the two readings and edit the text by hand, or ask the model again",
            ),
            Self::NotRepresentable => {
                ("valid JSON that the target cannot hold", "read the value as text, or ask the model again")
            }
            Self::InvalidUtf8 => ("the text is not UTF-8", "convert the text to UTF-8"),
            Self::LimitExceeded => ("a limit is exceeded", "raise the limit under `[limits]`, or split the text"),
        }
    }

    /// What it means, for a person: a clause in lower case, without a full stop.
    pub const fn meaning(self) -> &'static str {
        self.explained().0
    }

    /// What a person can do about any text that is refused for this reason: a clause in lower case, without a full stop.
    ///
    /// ```
    /// use jsonseam_core::Reason;
    ///
    /// assert_eq!(Reason::InvalidUtf8.advice(), "convert the text to UTF-8");
    /// ```
    pub const fn advice(self) -> &'static str {
        self.explained().1
    }

    /// Whether asking the model again can help. Limits and encodings are the caller's business; what is truncated needs a longer answer, not a repetition.
    pub const fn is_retryable(self) -> bool {
        !matches!(self, Self::Truncated | Self::InvalidUtf8 | Self::LimitExceeded)
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn e1_every_reason_says_what_it_means_and_what_to_do_in_words_of_its_own() {
        let clauses: Vec<_> = Reason::ALL.iter().flat_map(|reason| [reason.meaning(), reason.advice()]).collect();
        for clause in &clauses {
            assert!(clause.starts_with(|first: char| first.is_ascii_lowercase()) && !clause.ends_with('.'), "{clause}");
            assert_eq!(clauses.iter().filter(|other| *other == clause).count(), 1, "{clause}");
        }
    }

    #[test]
    fn e1_what_is_truncated_too_large_or_no_text_is_not_asked_for_again() {
        let is_final = |reason: &&Reason| !reason.is_retryable();
        let kept: Vec<_> = Reason::ALL.iter().filter(is_final).map(|reason| reason.as_str()).collect();
        assert_eq!(kept, ["truncated", "invalid_utf8", "limit_exceeded"]);
    }
}
