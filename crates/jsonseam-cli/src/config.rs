//! `jsonseam config check`: does a configuration hold?

use std::path::Path;

use anyhow::bail;

use crate::console;
use crate::engine::{self, CONFIG_FILE};
use crate::escape::escaped;
use crate::exit::Exit;

/// Loads the configuration and builds its pipeline, which also runs the cases of its patterns.
pub(crate) fn check(file: Option<&Path>) -> anyhow::Result<Exit> {
    let path = match file {
        Some(path) => path,
        None if std::fs::symlink_metadata(CONFIG_FILE).is_err() => {
            bail!("there is no {CONFIG_FILE} here; `jsonseam init` writes one");
        }
        None => Path::new(CONFIG_FILE),
    };
    let (config, _) = engine::load(path)?;
    let pipeline = jsonseam::pipeline(&config)?;
    let rules = pipeline.rules().count();
    let name = path.to_string_lossy();
    let line =
        format!("{}: ok, preset {}, {}\n", escaped(&name), config.preset(), crate::render::counted(rules, "rule"));
    console::emit(line.as_bytes())?;
    Ok(Exit::Done)
}
