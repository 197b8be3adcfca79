//! From flags and the configuration file to a pipeline.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::reask::Settings;
use jsonseam::{Config, Error, FinishReason, Limit, Pipeline, RepairOptions, Repaired};

use crate::arguments::EngineFlags;
use crate::escape::escaped;

/// The configuration that is read when no other is named. It is not searched for in parent directories.
pub(crate) const CONFIG_FILE: &str = "jsonseam.toml";

/// Longest configuration file. Far above any use; it keeps `--config /dev/zero` from filling the memory.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// Bytes of the longest character in UTF-8.
const LONGEST_CHARACTER: u64 = 4;

/// A pipeline, and what it was built from.
#[derive(Debug, Clone)]
pub(crate) struct Engine {
    /// The configuration, flags included.
    pub(crate) config: Config,
    /// The pipeline of that configuration.
    pub(crate) pipeline: Pipeline,
    /// Why the model stopped, as the flags say.
    pub(crate) finish_reason: Option<FinishReason>,
    /// How a model is asked, as the file says.
    pub(crate) settings: Settings,
}

impl Engine {
    /// The engine that the flags ask for.
    pub(crate) fn from_flags(flags: &EngineFlags) -> anyhow::Result<Self> {
        let (mut config, settings) = base(flags.config.as_deref())?;
        apply(flags, &mut config);
        let pipeline = jsonseam::pipeline(&config)?;
        let finish_reason = flags.finish_reason.as_deref().map(FinishReason::from);
        Ok(Self { config, pipeline, finish_reason, settings })
    }

    /// Most bytes that are read of one text: enough that the engine sees the limit exceeded, even if the cut splits a character.
    pub(crate) fn most_bytes(&self) -> u64 {
        let limit = u64::try_from(self.config.limits().max_input_bytes).unwrap_or(u64::MAX);
        limit.saturating_add(LONGEST_CHARACTER)
    }

    /// Repairs one text; a refusal names the rules that would have answered its fault.
    pub(crate) fn repair<'a>(&self, bytes: &'a [u8]) -> Result<Repaired<'a>, Error> {
        repair(&self.pipeline, bytes, self.finish_reason.as_ref())
    }
}

/// Repairs bytes of which there may be more than the limit.
pub(crate) fn repair<'a>(
    pipeline: &Pipeline,
    bytes: &'a [u8],
    finish_reason: Option<&FinishReason>,
) -> Result<Repaired<'a>, Error> {
    let options = RepairOptions { finish_reason: finish_reason.cloned(), ..RepairOptions::default() };
    match str::from_utf8(bytes) {
        // A character that is cut off at the end is ours if reading stopped there, and the text's own otherwise.
        Err(error) if error.error_len().is_none() => {
            match pipeline.repair_bytes(whole_characters(bytes, error.valid_up_to()), &options) {
                Err(error) if error.limit_met() == Some(Limit::InputBytes) => Err(error),
                _ => pipeline.repair_bytes(bytes, &options),
            }
        }
        _ => pipeline.repair_bytes(bytes, &options),
    }
}

fn whole_characters(bytes: &[u8], len: usize) -> &[u8] {
    bytes.get(..len).unwrap_or_default()
}

/// The configuration of the file at `path`: of the engine, and of the loop.
pub(crate) fn load(path: &Path) -> anyhow::Result<(Config, Settings)> {
    let name = path.to_string_lossy();
    let cannot = || format!("cannot read the configuration {}", escaped(&name));
    let mut bytes = Vec::new();
    File::open(path).with_context(cannot)?.take(MAX_CONFIG_BYTES + 1).read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        bail!("{}: longer than a configuration may be ({MAX_CONFIG_BYTES} bytes)", escaped(&name));
    }
    let Ok(text) = std::str::from_utf8(&bytes) else {
        bail!("{}: not UTF-8", escaped(&name));
    };
    // A mistake in the settings of the loop is one in the file, whatever the command needs of it.
    Ok((Config::from_toml(text, &name)?, Settings::from_toml(text, &name)?))
}

fn base(named: Option<&Path>) -> anyhow::Result<(Config, Settings)> {
    if let Some(path) = named {
        return load(path);
    }
    match std::fs::symlink_metadata(CONFIG_FILE) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Config::default(), Settings::default())),
        _ => load(Path::new(CONFIG_FILE)),
    }
}

fn apply(flags: &EngineFlags, config: &mut Config) {
    if let Some(preset) = &flags.preset {
        config.set_preset(preset);
    }
    if let Some(risk) = flags.max_risk {
        config.set_max_risk(risk);
    }
    if let Some(root) = flags.root {
        config.set_root(root);
    }
    if let Some(policy) = flags.candidates {
        config.set_policy(policy);
    }
    for rule in &flags.enable {
        config.enable(rule);
    }
    for rule in &flags.disable {
        config.disable(rule);
    }
}
