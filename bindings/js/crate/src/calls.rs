//! Tool calls: what reads them out of completions, and what heals those of a history.

use std::fmt;

use jsonseam::toolcall::{Bare, CallReader, HistoryRecord, Healer, Output, Tools};
use jsonseam::{ConfigError, FinishReason, Pipeline, Risk, Root, built_in, wrappers};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::json;
use crate::problem::Problem;
use crate::settings::{Settings, choice};

/// How calls are read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Declared {
    tools: Option<Value>,
    format: Option<String>,
    bare: Option<String>,
    within_thoughts: bool,
    /// Whether arguments are checked; if nothing is said, where tools are known.
    check: Option<bool>,
}

/// What reads calls and what heals histories, made ready.
#[wasm_bindgen]
pub struct CallEngine {
    reader: CallReader,
    healer: Healer,
    has_tools: bool,
    check: Option<bool>,
}

impl fmt::Debug for CallEngine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CallEngine").finish_non_exhaustive()
    }
}

/// A history that was healed.
#[derive(Serialize)]
struct Healed<'h> {
    text: &'h str,
    record: &'h HistoryRecord,
}

/// Tools; a schema that nothing can be checked by is a mistake where arguments are checked.
fn tools_of(list: &Value, checks: bool) -> Result<Tools, Problem> {
    let tools = Tools::from_json(list).map_err(|error| Problem::new("bad_tools", &error.to_string(), None))?;
    let unreadable = tools.unreadable_schemas().next().filter(|_| checks);
    let problem = unreadable.map(|(_, error)| format!("the schema of a tool: {error}"));
    problem.map_or(Ok(tools), |message| Err(Problem::new("schema_refused", &message, None)))
}

/// What repairs calls as the settings say, and the highest risk that a call may have.
fn pipeline_of(settings: &Settings) -> Result<(Pipeline, Risk, usize), Problem> {
    let config = settings.config(Root::Any)?;
    let (max_risk, longest) = (config.max_risk().unwrap_or(Risk::Likely), config.limits().max_input_bytes);
    let made = || -> Result<Pipeline, ConfigError> {
        Pipeline::new(&config.with_root(Root::Any).with_max_risk(Risk::Lossy), &built_in()?)
    };
    Ok((made()?, max_risk, longest))
}

#[wasm_bindgen]
impl CallEngine {
    /// What `declared` and `settings` describe: a JSON object, and pairs of a name and a value. The error is a [`Problem`].
    #[wasm_bindgen(constructor)]
    pub fn new(declared: &str, settings: &str) -> Result<CallEngine, Problem> {
        let declared: Declared = serde_json::from_str(declared)
            .map_err(|_| Problem::new("config", "an option is of another kind than it must be", None))?;
        let (pipeline, max_risk, longest) = pipeline_of(&Settings::read(settings)?)?;
        let packs = match &declared.format {
            None => wrappers().clone(),
            Some(name) => wrappers().only(name).ok_or_else(|| {
                let known: Vec<_> = wrappers().formats().map(|(_, name)| name).collect();
                Problem::new("config", &format!("unknown format: it is one of {}", known.join(", ")), None)
            })?,
        };
        let mut extractor =
            jsonseam::toolcall::Extractor::new(packs).with_pipeline(pipeline.clone()).with_max_risk(max_risk);
        if let Some(bare) = &declared.bare {
            extractor = extractor.with_bare(choice("value of `bare`", bare, Bare::NAMES)?);
        }
        if declared.within_thoughts {
            extractor = extractor.within_thoughts();
        }
        let mut reader = CallReader::new(extractor).with_longest(longest);
        let mut healer = Healer::new().with_pipeline(pipeline).with_max_risk(max_risk);
        if let Some(list) = &declared.tools {
            let tools = tools_of(list, declared.check != Some(false))?;
            reader = reader.with_tools(tools.clone());
            healer = healer.with_tools(tools);
        }
        Ok(Self { reader, healer, has_tools: declared.tools.is_some(), check: declared.check })
    }

    /// What [`CallReader::answer`] gives of a completion, of these tools if they are given as JSON. The error is a [`Problem`].
    pub fn read(
        &self,
        completion: &str,
        tools: Option<String>,
        finish_reason: Option<String>,
        output: &str,
    ) -> Result<String, Problem> {
        let output: Output = choice("output", output, Output::NAMES)?;
        let list = tools.map(|tools| serde_json::from_str::<Value>(&tools)).transpose();
        let list = list.map_err(|_| Problem::new("bad_tools", "the tools are not JSON", None))?;
        let own = list.map(|list| tools_of(&list, self.check != Some(false))).transpose()?;
        let checks = self.check.unwrap_or(self.has_tools || own.is_some());
        let reader = if checks { self.reader.clone().checking() } else { self.reader.clone() };
        let reason = finish_reason.as_deref().map(FinishReason::from);
        let answer = reader.answer(completion, own.as_ref(), reason.as_ref(), output);
        answer.map_err(|_| Problem::new("internal", "the record cannot be written", None))
    }

    /// A history that was healed, and the record, as JSON. The error is a [`Problem`].
    pub fn heal(&self, history: &str) -> Result<String, Problem> {
        let healed = self.healer.heal(history);
        let healed = healed.map_err(|error| Problem::new(error.code().as_str(), &error.to_string(), None))?;
        Ok(json(&Healed { text: healed.text(), record: healed.record() }))
    }
}
