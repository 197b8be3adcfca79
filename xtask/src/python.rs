//! `cargo xtask python`: builds the Python package, installs it into a fresh environment and runs its tests there.
//!
//! Everything it makes is below `target/python`. Packages come through pip; what cannot be had is named, and the verdict says `NOT RUN`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

/// The package, below the root of the workspace.
const PACKAGE: &str = "bindings/python";

/// The oldest Python that the wheel is for.
const OLDEST: (u32, u32) = (3, 10);

/// What to do with the Python package.
#[derive(Debug, Default, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Arguments {
    /// The interpreter to use, if not the one that `JSONSEAM_PYTHON` names, else `python3`.
    #[arg(long)]
    python: Option<String>,
    /// Builds the wheel as it is shipped, which takes minutes.
    #[arg(long)]
    release: bool,
    /// Runs the tests with every Python from 3.10 to 3.13 that is installed.
    #[arg(long)]
    all_pythons: bool,
    /// Runs the tests against the real frameworks: pydantic, openai, instructor, `LangChain`, `DSPy`, pydantic-ai, `LiteLLM`.
    #[arg(long)]
    frameworks: bool,
    /// Runs the tests in the real data engines: `PySpark`, Ray, `DuckDB`, Polars, `DataFusion`, Daft.
    #[arg(long)]
    engines: bool,
    /// Measures the data engines beside plain UDFs with `json.loads` and `json_repair`, and writes the table of docs/data-engines.md.
    #[arg(long)]
    throughput: bool,
    /// Builds the wheel of the command, `jsonseam-cli`, installs it and repairs a text with it.
    #[arg(long)]
    command: bool,
    /// Compares `jsonseam.compat.json_repair` with the calls of `json_repair`'s own tests, and writes docs/from-json-repair.md.
    #[arg(long)]
    agreement: bool,
    /// Accepts a worse agreement than the table holds.
    #[arg(long, requires = "agreement")]
    bless: bool,
    /// Measures beside `json`, `json_repair`, `fast_json_repair` and the Rust loop; needs a machine that does nothing else.
    #[arg(long)]
    speed: bool,
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let interpreter = arguments.python.clone().or_else(|| std::env::var("JSONSEAM_PYTHON").ok());
    let interpreter = interpreter.unwrap_or_else(|| "python3".to_owned());
    let Some(version) = version(&interpreter) else {
        let (major, minor) = OLDEST;
        return Ok(Verdict::not_run(format!("{interpreter} is no Python of version {major}.{minor} or newer")));
    };
    let place = Place { workspace, folder: workspace.path("target/python") };
    let Ok(tools) = place.environment("tools", &interpreter, &["tools.txt"]) else {
        return Ok(Verdict::not_run("pip could not install maturin, pytest, hypothesis and mypy"));
    };
    let wheel = place.wheel(&tools, arguments.release)?;
    // Who takes figures keeps the page; on another platform a wheel has another size, and is built all the same.
    if arguments.release && (arguments.speed || arguments.throughput) {
        has_the_size_of_the_page(workspace, &wheel, "The wheel has ")?;
    }
    tools.pip(&["--no-deps", "--force-reinstall", &wheel.to_string_lossy()])?;
    let mut done = vec![format!("Python {}.{}", version.0, version.1)];
    tools.tests(workspace, "tests")?;
    tools.types(workspace)?;
    if arguments.all_pythons {
        done.extend(all_pythons(&place, &wheel, version)?);
    }
    done.extend(in_other_programs(&place, arguments, &interpreter, &wheel)?);
    if arguments.throughput {
        throughput(&place, &interpreter, &wheel)?;
        done.push("throughput".to_owned());
    }
    if arguments.command {
        let wheel = place.command(&tools)?;
        if arguments.speed || arguments.throughput {
            has_the_size_of_the_page(workspace, &wheel, "that of the command ")?;
        }
        done.push("the command".to_owned());
    }
    if arguments.agreement {
        let mut command = tools.command(workspace, &["tools/agreement.py"]);
        if arguments.bless {
            command.arg("--bless");
        }
        succeed(&mut command)?;
        done.push("agreement".to_owned());
    }
    if arguments.speed {
        speed(&place, &tools)?;
        done.push("speed".to_owned());
    }
    Ok(Verdict::pass(done.join(", ")))
}

/// The tests with the frameworks and the engines that are asked for.
fn in_other_programs(place: &Place<'_>, arguments: &Arguments, interpreter: &str, wheel: &Path) -> Result<Vec<String>> {
    let mut done = Vec::new();
    for (is_wanted, name, folder, sets) in [
        (arguments.frameworks, "frameworks", "tests_frameworks", &FRAMEWORKS[..]),
        (arguments.engines, "engines", ENGINE_TESTS, &ENGINES[..]),
    ] {
        if is_wanted {
            for set @ Set { files, .. } in sets {
                let environment = place.installed(set, interpreter, wheel)?;
                for file in *files {
                    environment.tests(place.workspace, &format!("{folder}/{file}"))?;
                }
            }
            done.push(name.to_owned());
        }
    }
    Ok(done)
}

/// Measures every engine, and writes the table of the page.
fn throughput(place: &Place<'_>, interpreter: &str, wheel: &Path) -> Result<()> {
    let workspace = place.workspace;
    let results = place.folder.join("throughput.json");
    if results.exists() {
        fs::remove_file(&results)?;
    }
    // Daft has an environment of its own, so the last run has the figures of all.
    for set in ENGINES.iter().rev() {
        let environment = place.installed(set, interpreter, wheel)?;
        let mut command = environment.command(workspace, &["tools/throughput.py", "--page"]);
        command.arg(workspace.path("docs/data-engines.md")).arg("--results").arg(&results);
        succeed(&mut command)?;
    }
    Ok(())
}

/// Measures beside the loop in Rust and other libraries.
fn speed(place: &Place<'_>, tools: &Environment) -> Result<()> {
    let mut build = place.workspace.cargo(&["build", "--release", "-p", "rows"]);
    succeed(build.current_dir(place.workspace.path(PACKAGE)).env("CARGO_TARGET_DIR", place.folder.join("cargo")))?;
    let mut command = tools.command(place.workspace, &["tools/speed.py"]);
    succeed(command.arg(place.folder.join("cargo/release/rows")))
}

/// Packages that are installed together, and the tests that need them.
struct Set {
    /// The list of the packages with their versions.
    list: &'static str,
    /// The extras of our package that bring them too.
    extras: &'static str,
    files: &'static [&'static str],
}

/// Frameworks that cannot be installed together have environments of their own.
const FRAMEWORKS: [Set; 4] = [
    Set { list: "openai.txt", extras: "", files: &["test_pydantic.py", "test_openai.py", "test_anthropic.py"] },
    Set { list: "instructor.txt", extras: "", files: &["test_instructor.py", "test_langchain.py"] },
    Set { list: "agents.txt", extras: "", files: &["test_dspy.py", "test_pydantic_ai.py"] },
    Set { list: "litellm.txt", extras: "", files: &["test_litellm.py"] },
];
/// Where the tests in data engines are.
const ENGINE_TESTS: &str = "tests_engines";
const ENGINES: [Set; 2] = [
    Set {
        list: "engines.txt",
        extras: "[polars,duckdb,datafusion,ray,spark,report]",
        files: &[
            "test_arrow.py",
            "test_typed.py",
            "test_files.py",
            "test_spark.py",
            "test_ray.py",
            "test_duckdb.py",
            "test_polars.py",
            "test_datafusion.py",
            "test_page.py",
        ],
    },
    Set { list: "daft.txt", extras: "[daft,report]", files: &["test_daft.py", "test_page.py"] },
];

/// The tests with the other interpreters that are installed; those that are not are named.
fn all_pythons(place: &Place<'_>, wheel: &Path, known: (u32, u32)) -> Result<Vec<String>> {
    let mut done = Vec::new();
    for minor in OLDEST.1..=13 {
        let interpreter = format!("python3.{minor}");
        if (3, minor) == known {
            continue;
        }
        if version(&interpreter) != Some((3, minor)) {
            println!("NOT RUN: {interpreter} is not installed");
            continue;
        }
        let environment = place.environment(&format!("py3{minor}"), &interpreter, &["tests.txt"])?;
        environment.pip(&["--no-deps", "--force-reinstall", &wheel.to_string_lossy()])?;
        environment.tests(place.workspace, "tests")?;
        done.push(format!("3.{minor}"));
    }
    Ok(done)
}

/// The version of an interpreter; `None` if it does not run, or is too old.
fn version(interpreter: &str) -> Option<(u32, u32)> {
    let script = "import sys; print(*sys.version_info[:2])";
    let output = Command::new(interpreter).args(["-c", script]).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().split_once(' ')?;
    let version = (major.parse().ok()?, minor.parse().ok()?);
    (version >= OLDEST).then_some(version)
}

/// Where everything is made.
struct Place<'w> {
    workspace: &'w Workspace,
    folder: PathBuf,
}

impl Place<'_> {
    /// A fresh environment with the packages of these lists, which are in `bindings/python/requirements`.
    fn environment(&self, name: &str, interpreter: &str, lists: &[&str]) -> Result<Environment> {
        let folder = self.folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        succeed(Command::new(interpreter).args(["-m", "venv"]).arg(&folder))?;
        let environment = Environment { program: folder.join("bin/python") };
        for list in lists {
            let path = self.workspace.path(&format!("{PACKAGE}/requirements/{list}"));
            environment.pip(&["-r", &path.to_string_lossy()])?;
        }
        Ok(environment)
    }

    /// A fresh environment with the packages of a set and the wheel, whose extras must agree with them.
    fn installed(&self, set: &Set, interpreter: &str, wheel: &Path) -> Result<Environment> {
        let environment = self.environment(set.list.trim_end_matches(".txt"), interpreter, &[set.list])?;
        let pins = self.workspace.path(&format!("{PACKAGE}/requirements/{}", set.list));
        environment.pip(&["-c", &pins.to_string_lossy(), &format!("{}{}", wheel.display(), set.extras)])?;
        Ok(environment)
    }

    /// The wheel, built by maturin.
    fn wheel(&self, tools: &Environment, release: bool) -> Result<PathBuf> {
        self.built(tools, PACKAGE, if release { "release" } else { "quick" }, "wheels")
    }

    /// The wheel of the command repairs a text.
    fn command(&self, tools: &Environment) -> Result<PathBuf> {
        let wheel = self.built(tools, &format!("{PACKAGE}/cli"), "release", "command")?;
        tools.pip(&["--force-reinstall", &wheel.to_string_lossy()])?;
        let mut command = Command::new(tools.program.with_file_name("jsonseam"));
        command.args(["repair", "--preset", "standard", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("the wheel brought no command")?;
        child.stdin.take().context("no input")?.write_all(b"Sure: {'a': 1,}")?;
        let output = child.wait_with_output()?;
        if !output.status.success() || output.stdout != b"{\"a\": 1}" {
            bail!("the command of the wheel answered {}", String::from_utf8_lossy(&output.stdout));
        }
        Ok(wheel)
    }

    /// A wheel, built by maturin in this folder of the workspace and left in that one of this place.
    fn built(&self, tools: &Environment, package: &str, profile: &str, name: &str) -> Result<PathBuf> {
        let wheels = self.folder.join(name);
        if wheels.exists() {
            fs::remove_dir_all(&wheels).with_context(|| format!("cannot remove {}", wheels.display()))?;
        }
        let mut command =
            tools.command(self.workspace, &["-m", "maturin", "build", "--quiet", "--profile", profile, "-o"]);
        command.arg(&wheels).current_dir(self.workspace.path(package));
        command.env("CARGO_TARGET_DIR", self.folder.join("cargo"));
        if profile == "release" {
            command.env("CARGO_ENCODED_RUSTFLAGS", remapped(self.workspace)?.join("\u{1f}"));
        }
        for name in ["CARGO", "RUSTUP_TOOLCHAIN", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME"] {
            command.env_remove(name);
        }
        succeed(&mut command)?;
        let found = fs::read_dir(&wheels)?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let Some(wheel) = found.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        else {
            bail!("maturin wrote no wheel");
        };
        println!("{}: {} bytes", wheel.display(), fs::metadata(&wheel)?.len());
        Ok(wheel)
    }
}

/// Whether the page of Python gives the size of this wheel, to within 2 %, after these words.
fn has_the_size_of_the_page(workspace: &Workspace, wheel: &Path, words: &str) -> Result<()> {
    let page = workspace.read("docs/python.md")?;
    let said = page.split_once(words).and_then(|(_, rest)| rest.split_once(" MB")).map(|(size, _)| size);
    let said: f64 =
        said.and_then(|size| size.parse().ok()).context("docs/python.md does not give the size of the wheel")?;
    #[expect(clippy::cast_precision_loss, reason = "a wheel has megabytes")]
    let size = fs::metadata(wheel)?.len() as f64 / 1e6;
    if (said / size - 1.0).abs() > 0.02 {
        bail!("docs/python.md says {words}{said} MB, and it has {size:.2} MB");
    }
    Ok(())
}

/// Messages of panics name source files: by their place in a package, not in the folders of the machine that builds.
fn remapped(workspace: &Workspace) -> Result<Vec<String>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let registries = home.join("registry/src");
    let mut folders = vec![workspace.path("")];
    if registries.is_dir() {
        for entry in fs::read_dir(&registries)? {
            folders.push(entry?.path().join(""));
        }
    }
    Ok(folders.iter().map(|folder| format!("--remap-path-prefix={}=", folder.display())).collect())
}

/// A virtual environment.
struct Environment {
    program: PathBuf,
}

impl Environment {
    fn command(&self, workspace: &Workspace, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(workspace.path(PACKAGE));
        command
    }

    fn pip(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(&self.program);
        succeed(command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(arguments))
    }

    /// The tests in a folder or file.
    fn tests(&self, workspace: &Workspace, path: &str) -> Result<()> {
        let mut command = self.command(workspace, &["-m", "pytest", "--quiet", "-rs", "-p", "no:cacheprovider", path]);
        if path.starts_with(ENGINE_TESTS) {
            // The tests of columns compare with the command.
            command.env("JSONSEAM_COMMAND", workspace.command()?);
        }
        succeed(&mut command)
    }

    /// The types of the package, and that the stubs of the native half are true.
    fn types(&self, workspace: &Workspace) -> Result<()> {
        let cache = "--cache-dir=../../target/python/mypy";
        let package = "python/jsonseam";
        succeed(&mut self.command(workspace, &["-m", "mypy", cache, "--exclude", "integrations|arrow", package]))?;
        succeed(&mut self.command(workspace, &["-m", "mypy.stubtest", "jsonseam._native"]))
    }
}
