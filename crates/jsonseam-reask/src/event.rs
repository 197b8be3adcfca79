//! What a run tells of an answer while it is written: each field of the contract, and which attempt it is of.

use std::fmt;

use jsonseam_adapter::FieldEvent;

use crate::message::Mode;

/// A piece of an answer that is being written. `Debug` does not show its text.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Piece<'p> {
    /// The next piece of its text.
    Text(&'p str),
    /// The next piece of the arguments of a call that the server reports beside the text.
    #[non_exhaustive]
    Arguments {
        /// Which call it is, from 0, in the order in which calls begin.
        call: usize,
        /// The name of the tool, as far as it came.
        name: &'p str,
        /// The piece.
        json: &'p str,
    },
}

impl<'p> Piece<'p> {
    /// The next piece of the arguments of a call.
    pub fn arguments(call: usize, name: &'p str, json: &'p str) -> Self {
        Self::Arguments { call, name, json }
    }
}

impl<'p> From<&'p str> for Piece<'p> {
    fn from(text: &'p str) -> Self {
        Self::Text(text)
    }
}

impl fmt::Debug for Piece<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.debug_struct("Text").field("len", &text.len()).finish_non_exhaustive(),
            Self::Arguments { call, json, .. } => {
                let mut shown = formatter.debug_struct("Arguments");
                shown.field("call", call).field("len", &json.len()).finish_non_exhaustive()
            }
        }
    }
}

/// What [`Reask::on_event`](crate::Reask::on_event) tells, in order.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AnswerEvent<'e> {
    /// A request is sent: what follows is of its answer. A request that is sent again because of the transport begins anew.
    Attempt {
        /// The number of the attempt, from 1.
        number: u32,
        /// The response format that is asked for.
        mode: Mode,
    },
    /// An event of the contract, of the attempt that was told last. [`FieldEvent::Hopeless`] is told only where the answer is given up for it.
    Field(&'e FieldEvent),
    /// The attempt is over and brought no answer: nothing that was told of it counts.
    GivenUp {
        /// The number of the attempt.
        number: u32,
        /// What was wrong, each as `code/reason`.
        errors: &'e [String],
        /// Whether the answer was given up while it was written.
        stopped_early: bool,
    },
    /// The attempt has brought the answer, but in another text than the one whose fields were told, such as a later payload: the outputs count alone.
    Withdrawn {
        /// The number of the attempt.
        number: u32,
    },
}
