//! `cargo xtask js` and `cargo xtask page`: build and test the npm package and the page that shows every seam.
//!
//! Everything that is made is below `bindings/js` and `playground`, and ignored there. Packages come through npm;
//! what cannot be had is named, and the verdict says `NOT RUN`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::verdict::Verdict;
use crate::workspace::{Workspace, shown, succeed};

/// The package, below the root of the workspace.
const PACKAGE: &str = "bindings/js";

/// The page, below the root of the workspace.
const PAGE: &str = "playground";

/// The oldest Node that the package is for.
const OLDEST: u32 = 20;

/// What the engine is compiled for.
const TARGET: &str = "wasm32-unknown-unknown";

/// What to do with the JavaScript package.
#[derive(Debug, Default, Args)]
pub(crate) struct Arguments {
    /// Keeps the engine that was compiled before, if there is one.
    #[arg(long)]
    keep_engine: bool,
    /// Measures beside `JSON.parse` and the package `jsonrepair`; needs a machine that does nothing else.
    #[arg(long)]
    speed: bool,
    /// Writes the verdicts and docs/jsonrepair-agreement.md anew, from `JSONSEAM_DATA`.
    #[arg(long)]
    agreement: bool,
}

/// What to do with the page.
#[derive(Debug, Default, Args)]
pub(crate) struct PageArguments {
    /// Runs the tests in a real browser: `JSONSEAM_CHROMIUM` names it, else `/usr/bin/chromium`.
    #[arg(long)]
    browser: bool,
    /// Puts the documentation beside the page, as `mdbook` makes it; `playground/dist` is then the whole site.
    #[arg(long)]
    site: bool,
}

/// Runs `cargo xtask js`.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    if let Some(missing) = missing(workspace) {
        return Ok(Verdict::not_run(missing));
    }
    let mut build = node(workspace, PACKAGE, &["build.mjs"]);
    if !arguments.keep_engine {
        build.arg("--wasm");
    }
    succeed(&mut build)?;
    if arguments.agreement {
        succeed(&mut node(workspace, PACKAGE, &["test/agreement.mjs", "--write"]))?;
    }
    if arguments.speed {
        succeed(&mut node(workspace, PACKAGE, &["test/bench.mjs"]))?;
    }
    // The records of the package are compared with those of the command.
    let mut tests = node(workspace, PACKAGE, &["test/run.mjs"]);
    last_line(tests.env("JSONSEAM_COMMAND", workspace.command()?)).map(Verdict::pass)
}

/// Runs `cargo xtask page`.
pub(crate) fn run_page(workspace: &Workspace, arguments: &PageArguments) -> Result<Verdict> {
    if let Some(missing) = missing(workspace) {
        return Ok(Verdict::not_run(missing));
    }
    if !workspace.path("bindings/js/dist/web/index.js").is_file() {
        succeed(&mut node(workspace, PACKAGE, &["build.mjs"]))?;
    }
    succeed(&mut node(workspace, PAGE, &["../bindings/js/node_modules/typescript/bin/tsc", "-p", "."]))?;
    let mut build = node(workspace, PAGE, &["build.mjs"]);
    if arguments.site {
        if Command::new("mdbook").arg("--version").output().is_err() {
            return Ok(Verdict::not_run("mdbook is not installed (cargo install mdbook)"));
        }
        succeed(Command::new("mdbook").arg("build").current_dir(workspace.path("")))?;
        build.arg("--docs").arg(workspace.path("target/book"));
    }
    succeed(&mut build)?;
    let mut runs = node(workspace, PAGE, &["--test", "--test-reporter=spec", "test/runs.test.mjs"]);
    succeed(runs.env("JSONSEAM_COMMAND", workspace.command()?))?;
    if !arguments.browser {
        return Ok(Verdict::pass("the page is built; NOT RUN: its tests in a browser (cargo xtask page --browser)"));
    }
    succeed(&mut node(workspace, PAGE, &["--test", "--test-reporter=spec", "test/browser.test.mjs"]))?;
    Ok(Verdict::pass("the page is built, and its tests passed in the browser"))
}

/// What keeps the package from being built here; nothing if it can be. Installs the target and the packages of the tests on the way.
fn missing(workspace: &Workspace) -> Option<String> {
    let version = Command::new("node").arg("--version").output().ok().filter(|output| output.status.success());
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let major = version.as_deref().and_then(|version| version.trim_start_matches('v').split('.').next()?.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST) {
        return Some(format!("Node {OLDEST} or newer is not installed"));
    }
    if !has_target() {
        return Some(format!("the target {TARGET} is not installed (rustup target add {TARGET})"));
    }
    if workspace.path("bindings/js/node_modules/esbuild").is_dir() {
        return None;
    }
    let mut install = Command::new("npm");
    install.current_dir(workspace.path(PACKAGE)).args([
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
    ]);
    let is_installed = install.status().is_ok_and(|status| status.success());
    (!is_installed).then(|| "npm could not install what the build and the tests need".to_owned())
}

/// Whether the toolchain can compile for WebAssembly, as it is or after rustup was asked.
fn has_target() -> bool {
    let is_there = || {
        let probe = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
        probe.is_ok_and(|output| {
            output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
        })
    };
    is_there() || (Command::new("rustup").args(["target", "add", TARGET]).status().is_ok() && is_there())
}

fn node(workspace: &Workspace, folder: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("node");
    command.current_dir(workspace.path(folder)).args(arguments);
    command
}

/// Runs a command, shows what it prints, and gives its last line.
fn last_line(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{shown}`"))?;
    let mut last = String::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            last = line?;
            println!("{last}");
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{shown}` failed ({status}): {last}");
    }
    Ok(last)
}
