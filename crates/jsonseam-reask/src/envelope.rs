//! The seam to tool calls: what takes an answer out of its wrapper (SPEC L1).

/// Finds the JSON that the wrapper of a tool call holds. Every closure from a completion to a list of JSON texts is one.
///
/// It is asked only about completions that are not valid JSON as they are.
/// The texts are put to the contract in order; the first that meets it is the answer.
/// If none does, the completion is judged as it is, as if there were no wrapper.
///
/// ```
/// use jsonseam_reask::Envelope;
///
/// let last_line = |completion: &str| completion.lines().last().map(str::to_owned).into_iter().collect::<Vec<_>>();
/// assert_eq!(last_line.envelopes("call:\n{}"), ["{}"]);
/// ```
pub trait Envelope: Send + Sync {
    /// The JSON texts, the likeliest first; none if there is no wrapper.
    fn envelopes(&self, completion: &str) -> Vec<String>;

    /// Whether a completion ends within thoughts: then nothing in it is an answer, not even a partial one (SPEC B4). No by default.
    fn ends_in_thoughts(&self, _completion: &str) -> bool {
        false
    }
}

impl<F: Fn(&str) -> Vec<String> + Send + Sync> Envelope for F {
    fn envelopes(&self, completion: &str) -> Vec<String> {
        self(completion)
    }
}
