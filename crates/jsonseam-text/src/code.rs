//! The codes of errors.

crate::named! {
    /// What kind of error it is (SPEC E1 and the command's record): one list for all crates.
    ///
    /// A caller branches on the code, and on the reason within it. Codes are never renamed; new ones may come.
    ///
    /// ```
    /// use jsonseam_text::ErrorCode;
    ///
    /// assert_eq!(ErrorCode::InvalidOutputs.as_str(), "invalid_outputs");
    /// assert!(ErrorCode::InvalidOutputs == "invalid_outputs");
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ErrorCode as "a code of an error" {
        /// The completion does not decode.
        OutputDecodeFailed = "output_decode_failed",
        /// The keys are not the declared ones.
        InvalidOutputs = "invalid_outputs",
        /// Fields do not fit their schemas or types, or a validator objects.
        OutputValidationFailed = "output_validation_failed",
        /// The text holds marks of tool calls that cannot be read.
        ToolCallsRefused = "tool_calls_refused",
        /// A line of a batch cannot be used.
        BadRecord = "bad_record",
        /// A line of a batch met a mistake in this program.
        Internal = "internal",
        /// The list of offered tools cannot be read.
        BadTools = "bad_tools",
        /// A schema was refused when it was compiled.
        SchemaRefused = "schema_refused",
        /// A contract contradicts itself.
        ContractRefused = "contract_refused",
        /// The configuration has a mistake.
        Config = "config",
        /// There was no answer from a server.
        Transport = "transport",
        /// A prompt template cannot be used.
        Template = "template",
    }
}

impl PartialEq<str> for ErrorCode {
    fn eq(&self, name: &str) -> bool {
        self.as_str() == name
    }
}

impl PartialEq<&str> for ErrorCode {
    fn eq(&self, name: &&str) -> bool {
        self.as_str() == *name
    }
}
