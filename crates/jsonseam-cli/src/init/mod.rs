//! `jsonseam init`: a commented configuration to start from, or a crate for the rules of a house.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::arguments::InitArguments;
use crate::console;
use crate::engine::CONFIG_FILE;
use crate::escape::escaped;
use crate::exit::Exit;

/// The configuration that `init` writes. It holds the defaults; everything else is a comment.
const TEMPLATE: &str = include_str!("jsonseam.toml");

/// The crate that `init --rules` writes, as one of the house `acme`. The tests of this crate compile it as it is.
const HOUSE: [(&str, &str); 6] = [
    ("Cargo.toml", include_str!("house/Cargo.toml.in")),
    ("jsonseam.toml", include_str!("house/jsonseam.toml")),
    ("src/lib.rs", include_str!("house/lib.rs")),
    ("src/main.rs", include_str!("house/main.rs")),
    ("src/wavy_arrow.rs", include_str!("house/wavy_arrow.rs")),
    ("src/wavy_arrow.toml", include_str!("house/wavy_arrow.toml")),
];

/// Longest name of a crate.
const LONGEST_NAME: usize = 64;

/// Writes what the arguments ask for.
pub(crate) fn run(arguments: &InitArguments) -> anyhow::Result<Exit> {
    match &arguments.rules {
        Some(name) => write_house(name, arguments.path.as_deref()),
        None => write_config(),
    }
}

/// Writes `jsonseam.toml` into the current directory unless there is one.
fn write_config() -> anyhow::Result<Exit> {
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

/// Writes a crate into a new directory of its name.
fn write_house(name: &str, checkout: Option<&Path>) -> anyhow::Result<Exit> {
    let is_name = name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        });
    if !is_name {
        bail!("--rules {}: a name in kebab-case, such as acme-rules", escaped(name));
    }
    let prefix = name.strip_suffix("-rules").filter(|prefix| !prefix.is_empty()).unwrap_or(name);
    let directory = Path::new(name);
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{name} exists already; it was left as it is");
        }
        made => made.with_context(|| format!("cannot make {name}"))?,
    }
    let write = |(file, template): &(&str, &str)| {
        let path = directory.join(file);
        let text = of_house(template, name, prefix, checkout)?;
        fs::create_dir_all(path.parent().unwrap_or(directory))
            .and_then(|()| fs::write(&path, text))
            .map_err(anyhow::Error::from)
    };
    if let Err(error) = HOUSE.iter().try_for_each(write) {
        let _ = fs::remove_dir_all(directory);
        return Err(error.context(format!("cannot write {name}")));
    }
    let mut text = format!(
        "{name} written: a rule, its cases, and a command that knows it. Next:\n  cd {name}\n  cargo test\n  \
        echo '{{\"a\" ~> 1}}' | cargo run --features command -- repair\n"
    );
    if checkout.is_none() {
        let _ = writeln!(
            text,
            "Until the crates of jsonseam are published, this needs a clone: remove {name} and run\n  \
            jsonseam init --rules {name} --path CLONE"
        );
    }
    console::emit(text.as_bytes())?;
    Ok(Exit::Done)
}

/// A file of the template with the names of the house.
fn of_house(template: &str, name: &str, prefix: &str, checkout: Option<&Path>) -> anyhow::Result<String> {
    let mut text = template
        .replace("acme-rules", name)
        .replace("acme_rules", &name.replace('-', "_"))
        .replace("acme/", &format!("{prefix}/"));
    // The longer placeholders first, which begin with the shorter one.
    for (placeholder, package) in
        [("JSONSEAM-CLI", "jsonseam-cli"), ("JSONSEAM-TESTKIT", "jsonseam-testkit"), ("JSONSEAM", "jsonseam")]
    {
        let source = match checkout {
            None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
            Some(checkout) => {
                let path = checkout.join("crates").join(package);
                fs::metadata(&path).with_context(|| format!("no {package} in the checkout"))?;
                // The crate is one directory further down, and a path that was given from here stays one.
                let path: PathBuf = Path::new("..").join(path).components().collect();
                format!("path = {:?}", path.to_string_lossy())
            }
        };
        text = text.replace(placeholder, &source);
    }
    Ok(text)
}
