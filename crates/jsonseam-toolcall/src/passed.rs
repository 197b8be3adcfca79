//! What looked like a call and is not one: an agent that is told so does not stand still in silence (SPEC L0a).

use std::ops::Range;

use jsonseam_text::named;

named! {
    /// Why something that looks like a call is not one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Passed as "a reason" {
        /// It is quoted: shown, not made.
        Quoted = "quoted",
        /// It is in thoughts.
        Thought = "thought",
        /// It has no mark, and prose is beside it.
        Inline = "inline",
        /// It is within a value that is no call itself.
        Data = "data",
        /// It is of a tool that was not offered, where nothing but the name tells a call from data.
        NotOffered = "not_offered",
        /// It gives its name or its arguments twice, or in another spelling.
        Repeated = "repeated",
        /// It cannot be read, or the text ends within it.
        Unread = "unread",
        /// It is in the turn of another role, or after an observation that the model wrote itself.
        OtherTurn = "other_turn",
    }
}

/// Something that looks like a call and is not one.
///
/// ```
/// use jsonseam_toolcall::{Extractor, Packs, Passed, WRAPPERS};
///
/// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?);
/// let reading = extractor.read("Never write `<tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>`.").unwrap();
/// assert!(reading.envelope().is_none());
/// assert_eq!(reading.passed_over()[0].reason, Passed::Quoted);
/// # Ok::<(), jsonseam_toolcall::PackError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassedOver {
    /// Why it is not one.
    pub reason: Passed,
    /// Where it is, in bytes of the completion.
    pub span: Range<usize>,
}
