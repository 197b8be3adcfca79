//! What a stream of calls tells.

use std::fmt;

/// What a stream tells of the calls of a completion, each once and for good.
///
/// `Debug` shows no text of the completion; the fields do.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallEvent {
    /// The next piece of the text around the calls, without marks and thoughts. The pieces join to the content of the envelope.
    Content {
        /// The piece.
        text: String,
    },
    /// A mark says that all content told so far was thought: the content begins anew.
    Thought,
    /// A call begins: its name is whole and, where tools are known, offered.
    Begin {
        /// Which call of the envelope it is, from 0.
        index: usize,
        /// The tool.
        name: String,
        /// The format that it is written in.
        format: String,
    },
    /// The next piece of the arguments. The pieces of a call join to the JSON text that the envelope has.
    Arguments {
        /// Which call.
        index: usize,
        /// The piece. It may end within a string.
        json: String,
    },
    /// The call is whole and does not change. It is no leave to run it: one call that is refused refuses all of them, see [`CallStream::may_run`](crate::CallStream::may_run).
    Done {
        /// Which call.
        index: usize,
    },
}

impl fmt::Debug for CallEvent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content { text } => formatter.debug_struct("Content").field("len", &text.len()).finish(),
            Self::Thought => formatter.write_str("Thought"),
            Self::Begin { index, format, .. } => {
                formatter.debug_struct("Begin").field("index", index).field("format", format).finish_non_exhaustive()
            }
            Self::Arguments { index, json } => {
                formatter.debug_struct("Arguments").field("index", index).field("len", &json.len()).finish()
            }
            Self::Done { index } => formatter.debug_struct("Done").field("index", index).finish(),
        }
    }
}
