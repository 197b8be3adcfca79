//! The seam to tool calls: what takes an answer out of its wrapper (SPEC L1).

use serde::Deserialize;
use serde_json::value::RawValue;

/// Finds the JSON that the wrapper of a tool call holds. Every closure from a completion to a list of JSON texts is one.
///
/// It is asked only about completions that are no valid JSON as they are.
/// The texts are put to the contract in order; the first that meets it is the answer.
/// If none does, the completion is judged as it stands, as if there were no wrapper.
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

/// The calls as the envelope of SPEC L2; and where there is a single one, its arguments, for contracts on what a forced call brings.
///
/// A call that cannot be read, such as one that is cut, is no envelope.
impl Envelope for jsonseam_toolcall::Extractor {
    fn ends_in_thoughts(&self, completion: &str) -> bool {
        Self::ends_in_thoughts(self, completion)
    }

    fn envelopes(&self, completion: &str) -> Vec<String> {
        let Ok(Some(envelope)) = self.extract(completion) else { return Vec::new() };
        let mut texts = vec![envelope.text().to_owned()];
        if let Ok(Calls { calls }) = serde_json::from_str(envelope.text())
            && let [Call { arguments }] = calls.as_slice()
        {
            texts.push(arguments.get().to_owned());
        }
        texts
    }
}

#[derive(Deserialize)]
struct Calls<'t> {
    #[serde(borrow, rename = "toolCalls")]
    calls: Vec<Call<'t>>,
}

#[derive(Deserialize)]
struct Call<'t> {
    #[serde(borrow)]
    arguments: &'t RawValue,
}
