//! A cache of answers, as a trait: the loop keeps none itself.

use serde_json::{Value, json};

use crate::message::{Request, Response};

/// Keeps answers that met the contract, and gives them back for the same request.
///
/// The loop asks it before it asks a model, and judges what it gets like any answer: one that does not meet the contract is passed over.
/// What a request and an answer hold is the caller's and the model's text; a cache that outlives the process must be kept as they are.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use jsonseam_adapter::Adapter;
/// use jsonseam_reask::{AnswerCache, Reask, Request, Response, TransportError};
///
/// #[derive(Default)]
/// struct InMemory(Mutex<HashMap<String, Response>>);
///
/// impl AnswerCache for InMemory {
///     fn get(&self, request: &Request) -> Option<Response> {
///         self.0.lock().ok()?.get(&request.identity()).cloned()
///     }
///     fn put(&self, request: &Request, answer: &Response) {
///         if let Ok(mut known) = self.0.lock() {
///             known.insert(request.identity(), answer.clone());
///         }
///     }
/// }
///
/// let reask = Reask::new(Adapter::builder().output("city").build()?).cache(InMemory::default());
/// let mut asked = 0;
/// let mut model = |_: Request| -> Result<Response, TransportError> { asked += 1; Ok("{\"city\": \"Oslo\"}".into()) };
/// for is_cached in [false, true] {
///     let answer = reask.run_blocking(&mut model, "Where is the Munch museum?")?;
///     assert_eq!(answer.attempts[0].is_cached, is_cached);
/// }
/// assert_eq!(asked, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnswerCache: Send + Sync {
    /// The answer that was kept for a request.
    fn get(&self, request: &Request) -> Option<Response>;

    /// Keeps an answer that met the contract.
    fn put(&self, request: &Request, answer: &Response);
}

impl Request {
    /// A text that two requests share exactly if a model would be asked the same: messages, mode, schema, temperature, tools, and which model of the chain.
    ///
    /// It holds the text of the prompt, so hash it with a key where it is stored. The name of a single model is not in it.
    pub fn identity(&self) -> String {
        let messages: Vec<Value> =
            self.messages.iter().map(|message| json!([message.role.as_str(), message.content])).collect();
        json!([messages, self.mode.as_str(), self.schema, self.temperature, self.tools.as_ref(), self.model])
            .to_string()
    }
}
