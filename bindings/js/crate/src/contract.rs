//! Output contracts: which keys, which schemas, and what is done where they do not fit.

use jsonseam::contract::{Adapter, Cast, CastKind, Casts, DroppedItem, Incomplete, Items};
use jsonseam::{ContractError, Duplicates, Outputs, ParseOptions, Record, Root, built_in};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::problem::Problem;
use crate::settings::Settings;
use crate::{Answer, Help, Refusal, json};

/// What a caller declared. Schemas come as text, since their digits and the order of their members are theirs.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Declared {
    keys: Vec<String>,
    optional: Vec<String>,
    schemas: Vec<(String, String)>,
    whole: Option<String>,
    incomplete: Option<String>,
    items: Option<String>,
    duplicates: Option<String>,
    defaults: bool,
    coerce: Vec<String>,
}

/// A contract and a pipeline, made ready.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ContractEngine(Adapter);

/// A setting and its values as they are written in JavaScript.
fn setting(name: &str, values: &[&str]) -> String {
    let quoted: Vec<_> = values.iter().map(|value| format!("'{value}'")).collect();
    let list = quoted.join(", ");
    if name == "coerce" { format!("coerce: [{list}]") } else { format!("{name}: {list}") }
}

#[wasm_bindgen]
impl ContractEngine {
    /// The contract that `declared` describes, over the pipeline that `settings` describe: a JSON object, and pairs of a name and a value.
    /// The error is a [`Problem`].
    #[wasm_bindgen(constructor)]
    pub fn new(declared: &str, settings: &str) -> Result<ContractEngine, Problem> {
        let declared: Declared = serde_json::from_str(declared)
            .map_err(|_| Problem::new("config", "a part of the contract is of another kind than it must be", None))?;
        declared.adapter(&Settings::read(settings)?).map(Self)
    }

    /// The outputs of a completion and the record of its repair, or what is wrong, as JSON.
    pub fn parse(&self, completion: &str, finish_reason: Option<String>) -> String {
        let options = ParseOptions::new().with_finish_reason(finish_reason);
        match self.0.parse_with(completion, &options) {
            Ok(outputs) => accepted(&outputs),
            Err(error) => rejected(&error),
        }
    }

    /// What would have helped a completion that this contract refuses, as JSON.
    pub fn explain(&self, completion: &str) -> String {
        let error = self.0.parse(completion).err().map(|error| self.0.explain(&error, completion));
        let of_decode = || Some(error.as_ref()?.decode()?.help());
        let of_values = || Some(self.0.ways_to_fit(error.as_ref()?, completion)?.told(setting, "ask the model again"));
        json(&Help {
            mended_by: error.as_ref().map_or(&[], ContractError::mended_by),
            repaired_with: error.as_ref().map_or(&[], ContractError::repaired_with),
            unanswered: error.as_ref().and_then(ContractError::unanswered),
            help: of_decode().or_else(of_values).unwrap_or_default(),
        })
    }
}

impl Declared {
    fn adapter(&self, settings: &Settings) -> Result<Adapter, Problem> {
        // Declared outputs are members of an object; without them the whole may be anything.
        let has_outputs = !(self.keys.is_empty() && self.optional.is_empty() && self.schemas.is_empty());
        let config = settings.config(if has_outputs { Root::Object } else { Root::Any })?;
        let casts = Casts::named(self.coerce.iter().map(String::as_str)).map_err(|_| {
            let names: Vec<_> = CastKind::ALL.iter().map(|kind| kind.name()).collect();
            Problem::new("config", &format!("unknown cast: it is one of exact, {}", names.join(", ")), None)
        })?;
        let mut builder = Adapter::builder()
            .catalogue(built_in)
            .config(&config)
            .outputs(self.keys.iter().map(String::as_str))
            .incomplete(named(self.incomplete.as_deref(), "policy for truncated answers", Incomplete::NAMES)?)
            .items(named(self.items.as_deref(), "policy for items", Items::NAMES)?)
            .duplicates(named(self.duplicates.as_deref(), "policy for repeated keys", Duplicates::NAMES)?)
            .casts(casts)
            .defaults(self.defaults);
        for (name, schema) in &self.schemas {
            builder = builder.schema(name, schema);
        }
        for name in &self.optional {
            builder = builder.optional(name);
        }
        if let Some(schema) = &self.whole {
            builder = builder.whole_schema(schema);
        }
        builder.build().map_err(|error| Problem::new(error.code().as_str(), &error.to_string(), None))
    }
}

/// A policy by its name; without one the default.
fn named<T: Default + std::str::FromStr>(name: Option<&str>, what: &str, names: &[&str]) -> Result<T, Problem> {
    let unknown = |_| Problem::new("config", &format!("unknown {what}: it is one of {}", names.join(", ")), None);
    name.map_or_else(|| Ok(T::default()), |name| name.parse().map_err(unknown))
}

#[derive(Serialize)]
struct Accepted<'o> {
    outputs: &'o Outputs,
    answer: Answer<'o>,
    /// The JSON Pointers of the values that were cast.
    casts: Vec<&'o str>,
    dropped: &'o [DroppedItem],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rejected<'e> {
    error: &'e ContractError,
    message: String,
    retryable: bool,
    /// What a model can act on. Names keys of the completion.
    for_model: String,
    answer: Option<Answer<'e>>,
    partial: Option<&'e Outputs>,
}

fn accepted(outputs: &Outputs) -> String {
    json(&Accepted {
        outputs,
        answer: Answer { record: Record::from(outputs.repair()), refusal: None },
        casts: outputs.casts().iter().map(Cast::path).collect(),
        dropped: outputs.dropped(),
    })
}

fn rejected(error: &ContractError) -> String {
    let answer = match (error.decode(), error.partial()) {
        (Some(refusal), _) => Some(Answer { record: Record::from(refusal), refusal: Some(Refusal::of(refusal)) }),
        (None, Some(partial)) => Some(Answer { record: Record::from(partial.repair()), refusal: None }),
        (None, None) => None,
    };
    json(&Rejected {
        error,
        message: error.to_string(),
        retryable: error.is_retryable(),
        for_model: error.llm_message(),
        answer,
        partial: error.partial(),
    })
}
