//! From flags and the configuration file to a pipeline.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use jsonseam::reask::Settings;
use jsonseam::{Config, ConfigError, Error, FinishReason, Limit, Pipeline, Policy, Position, RepairOptions, Repaired};

use crate::arguments::EngineFlags;
use crate::console;
use crate::escape::escaped;
use crate::git;
use crate::walk::Exclude;

/// The variable of the environment that gives `--preset`.
pub(crate) const PRESET_VARIABLE: &str = "JSONSEAM_PRESET";

/// The configuration that is read when no other is named: the nearest one upwards.
pub(crate) const CONFIG_FILE: &str = "jsonseam.toml";

/// Longest configuration file. Far above any use; it keeps `--config /dev/zero` from filling the memory.
const MAX_CONFIG_BYTES: u64 = 4 << 20;

/// Bytes of the longest character in UTF-8.
const LONGEST_CHARACTER: u64 = 4;

/// Reasons that say that a model has finished, by the interfaces that are known.
const FINISHED: [&str; 10] = [
    "stop",
    "end_turn",
    "stop_sequence",
    "tool_calls",
    "tool_use",
    "function_call",
    "eos",
    "eos_token",
    "complete",
    "completed",
];

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
    /// What the file takes out of directories.
    pub(crate) exclude: Exclude,
    /// What the flags disable: advice must not be to enable it.
    pub(crate) disabled: Vec<String>,
    /// The preset that the flags name.
    pub(crate) named_preset: Option<String>,
    /// Whether the flags name the payload that is wanted: the others are left out with intent.
    pub(crate) names_policy: bool,
}

impl Engine {
    /// The engine that the flags ask for.
    pub(crate) fn from_flags(flags: &EngineFlags) -> anyhow::Result<Self> {
        let Loaded { config, settings, exclude, path } = base(flags.config.as_deref())?;
        if let Some(path) = path.filter(|_| console::is_verbose()) {
            console::note(format_args!("configuration: {}", path.to_string_lossy()));
        }
        let config = with_flags(config, flags);
        let pipeline = build(&config, flags)?;
        warn_of_former_names(&config)?;
        let finish_reason = flags.finish_reason.as_deref().map(FinishReason::from);
        if let Some(reason) = flags.finish_reason.as_deref()
            && !FINISHED.iter().any(|known| known.eq_ignore_ascii_case(reason))
            && !finish_reason.as_ref().is_some_and(FinishReason::is_cut)
        {
            console::warn(format_args!(
                "the finish reason `{reason}` is not known; it does not mark the result as truncated"
            ));
        }
        let (disabled, named_preset) = (flags.disable.clone(), flags.preset.clone());
        let names_policy = flags.candidates.is_some();
        Ok(Self { config, pipeline, finish_reason, settings, exclude, disabled, named_preset, names_policy })
    }

    /// The same engine for a caller that takes every payload, whatever the policy.
    pub(crate) fn for_all_payloads(mut self) -> anyhow::Result<Self> {
        // The first one alone would be refused where the preset cannot tell where it ends.
        self.config = self.config.with_policy(Policy::Last);
        self.pipeline = jsonseam::pipeline(&self.config)?;
        Ok(self)
    }

    /// Most bytes that are read of one text: enough that the engine sees the limit exceeded, even if the cut splits a character.
    pub(crate) fn most_bytes(&self) -> u64 {
        let limit = u64::try_from(self.config.limits().max_input_bytes).unwrap_or(u64::MAX);
        limit.saturating_add(LONGEST_CHARACTER)
    }

    /// Repairs one text.
    pub(crate) fn repair<'a>(&self, bytes: &'a [u8]) -> Result<Repaired<'a>, Error> {
        repair(&self.pipeline, bytes, self.finish_reason.as_ref())
    }

    /// The refusal of a text with the rules that would have helped, which costs up to as much as a repair.
    pub(crate) fn explain(&self, error: &Error, bytes: &[u8]) -> Error {
        self.pipeline.explain(error, str::from_utf8(bytes).unwrap_or_default())
    }

    /// The payload that was chosen and those at `further` of its text, in order.
    pub(crate) fn with_further<'a>(
        &self,
        bytes: &'a [u8],
        chosen: Vec<Repaired<'a>>,
        further: impl Iterator<Item = Range<usize>>,
    ) -> Result<Vec<Repaired<'a>>, Error> {
        let mut payloads: Vec<_> = chosen.into_iter().map(|chosen| (chosen.payload().start, chosen)).collect();
        for span in further {
            payloads.push((span.start, self.repair(bytes.get(span).unwrap_or_default())?));
        }
        payloads.sort_by_key(|(start, _)| *start);
        Ok(payloads.into_iter().map(|(_, payload)| payload).collect())
    }
}

/// Warns of each name that a rule had formerly.
pub(crate) fn warn_of_former_names(config: &Config) -> anyhow::Result<()> {
    let catalogue = jsonseam::catalogue()?;
    for (former, name) in config.former_names(&catalogue) {
        console::warn(format_args!("the rule `{former}` is now called `{name}`"));
    }
    Ok(())
}

/// Repairs bytes of which there may be more than the limit.
pub(crate) fn repair<'a>(
    pipeline: &Pipeline,
    bytes: &'a [u8],
    finish_reason: Option<&FinishReason>,
) -> Result<Repaired<'a>, Error> {
    let options = RepairOptions::new().with_finish_reason(finish_reason.cloned());
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

/// A configuration and where it is from.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// The settings of the engine.
    pub(crate) config: Config,
    /// The settings of the loop.
    pub(crate) settings: Settings,
    /// What it takes out of directories.
    pub(crate) exclude: Exclude,
    /// The file, if there is one.
    pub(crate) path: Option<PathBuf>,
}

/// The configuration of the file at `path`: of the engine, and of the loop.
pub(crate) fn load(path: &Path) -> anyhow::Result<Loaded> {
    let name = path.to_string_lossy();
    let cannot = || format!("cannot read the configuration {}", escaped(&name));
    let mut bytes = Vec::new();
    File::open(path).with_context(cannot)?.take(MAX_CONFIG_BYTES + 1).read_to_end(&mut bytes).with_context(cannot)?;
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        bail!("{}: longer than a configuration may be ({MAX_CONFIG_BYTES} bytes)", escaped(&name));
    }
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = str::from_utf8(whole_characters(&bytes, error.valid_up_to())).unwrap_or_default();
            let Position { line, column, .. } = Position::of(valid.len(), valid);
            bail!("{}:{line}:{column}: not UTF-8; convert the file to UTF-8", escaped(&name));
        }
    };
    // A mistake in the settings of the loop is one in the file, whatever the command needs of it.
    if text.trim_start().starts_with('{') {
        bail!("{}: looks like JSON; a configuration is TOML, such as preset = \"standard\"", escaped(&name));
    }
    let (config, settings) = (Config::from_toml(text, &name)?, Settings::from_toml(text, &name)?);
    let exclude = Exclude::of(&config, path)?;
    Ok(Loaded { config, settings, exclude, path: Some(path.to_owned()) })
}

/// The configuration that is named, or else the nearest one upwards, or else the defaults.
pub(crate) fn base(named: Option<&Path>) -> anyhow::Result<Loaded> {
    match named.map(Path::to_owned).or_else(nearest) {
        Some(path) => load(&path),
        None => Ok(Loaded::default()),
    }
}

/// The nearest configuration file, in the current directory or above, no further than a repository reaches.
///
/// That of the current directory is called by its name alone.
pub(crate) fn nearest() -> Option<PathBuf> {
    let exists = |path: &Path| std::fs::symlink_metadata(path).is_ok();
    if exists(Path::new(CONFIG_FILE)) {
        return Some(CONFIG_FILE.into());
    }
    let here = std::env::current_dir().ok()?;
    for directory in here.ancestors() {
        let file = directory.join(CONFIG_FILE);
        if exists(&file) {
            return Some(file);
        }
        // A repository is a house of its own.
        if exists(&directory.join(git::REPOSITORY)) {
            return None;
        }
    }
    None
}

fn with_flags(mut config: Config, flags: &EngineFlags) -> Config {
    if let Some(preset) = &flags.preset {
        config = config.with_preset(preset);
    }
    if let Some(risk) = flags.max_risk {
        config = config.with_max_risk(risk);
    }
    if let Some(root) = flags.root {
        config = config.with_root(root);
    }
    if let Some(policy) = flags.candidates {
        config = config.with_policy(policy);
    }
    if let Some(bytes) = flags.max_input_bytes {
        let limits = config.limits().with_max_input_bytes(bytes);
        config = config.with_limits(limits);
    }
    for rule in &flags.enable {
        config = config.with_enabled(rule);
    }
    for rule in &flags.disable {
        config = config.with_disabled(rule);
    }
    config
}

/// Builds the pipeline; a mistake in the name of a rule says what a user of the command can do about it.
fn build(config: &Config, flags: &EngineFlags) -> anyhow::Result<Pipeline> {
    let catalogue = jsonseam::catalogue()?;
    let is_known =
        |name: &str| catalogue.rule(name).is_some() || config.patterns().iter().any(|pattern| pattern.name() == name);
    for (flag, names) in [("--enable", &flags.enable), ("--disable", &flags.disable)] {
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            bail!("{flag}: {}", crate::rules::unknown(name, &catalogue, config));
        }
    }
    Pipeline::new(config, &catalogue).map_err(with_advice)
}

/// A name with a prefix is that of a rule of some house, which only a command of that house knows.
pub(crate) fn with_advice(error: ConfigError) -> anyhow::Error {
    let is_foreign = error.message().contains("unknown rule") && error.message().contains("as _;");
    if is_foreign {
        return anyhow::anyhow!("{error}; {}", crate::rules::HOUSE_HELP);
    }
    error.into()
}
