//! `jsonseam init`: a commented configuration to start from.

use std::fs;
use std::io::{self, Write};

use anyhow::{Context, bail};

use crate::console;
use crate::engine::CONFIG_FILE;
use crate::exit::Exit;

/// The configuration that `init` writes. It holds the defaults; everything else is a comment.
const TEMPLATE: &str = include_str!("jsonseam.toml");

/// Writes `jsonseam.toml` into the current directory unless there is one.
pub(crate) fn run() -> anyhow::Result<Exit> {
    let mut file = match fs::File::create_new(CONFIG_FILE) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{CONFIG_FILE} exists already; it was left as it is");
        }
        Err(error) => return Err(error).context("cannot write jsonseam.toml"),
    };
    if let Err(error) = file.write_all(TEMPLATE.as_bytes()).and_then(|()| file.sync_all()) {
        let _ = fs::remove_file(CONFIG_FILE);
        return Err(error).context("cannot write jsonseam.toml");
    }
    console::emit(format!("{CONFIG_FILE} written; `jsonseam config check` checks it\n").as_bytes())?;
    Ok(Exit::Done)
}
