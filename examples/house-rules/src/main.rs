//! Repairs a completion with the rules that a TOML file names, those of our house among them.
//!
//! The text goes to the standard output, the seams and every refusal to the standard error.
//! Exit codes: 0 repaired or valid, 1 refused, 2 usage, configuration, input or output.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::{env, fs};

// Without this line the linker drops the rules, and `house/fat-arrow` is unknown.
use house_rules as _;
use jsonseam::{Config, RepairOptions, Repaired, pipeline};

const USAGE: &str = "usage: house-rules [COMPLETION|- [CONFIG.toml]]";

/// The configuration if none is given.
const DEFAULT_CONFIG: &str = include_str!("../house-rules.toml");

enum Failure {
    Refused(jsonseam::Error),
    Unusable(String),
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let (message, code) = match run(&arguments) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Refused(error)) => (format!("refused: {error}"), 1),
        Err(Failure::Unusable(message)) => (message, 2),
    };
    // No one is left to tell if the standard error is closed.
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(code)
}

fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let is_flag =
        |argument: &OsString| argument != "-" && argument.as_encoded_bytes().starts_with(b"-");
    if arguments.len() > 2 || arguments.iter().any(is_flag) {
        return Err(Failure::Unusable(USAGE.to_owned()));
    }
    let config = read_config(arguments.get(1))?;
    let pipeline = pipeline(&config).map_err(|error| Failure::Unusable(error.to_string()))?;
    let completion = read_completion(arguments.first())?;
    let repaired = pipeline
        .repair_bytes(&completion, &RepairOptions::default())
        .map_err(Failure::Refused)?;
    show(&repaired).or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(Failure::Unusable(format!("cannot write: {error}"))),
    })
}

fn read_config(path: Option<&OsString>) -> Result<Config, Failure> {
    let config = match path {
        None => Config::from_toml(DEFAULT_CONFIG, "house-rules.toml"),
        Some(path) => {
            let name = path.to_string_lossy();
            let text = fs::read_to_string(path)
                .map_err(|error| Failure::Unusable(format!("{name}: {error}")))?;
            Config::from_toml(&text, &name)
        }
    };
    config.map_err(|error| Failure::Unusable(error.to_string()))
}

fn read_completion(path: Option<&OsString>) -> Result<Vec<u8>, Failure> {
    if let Some(path) = path.filter(|&path| path != "-") {
        return fs::read(path)
            .map_err(|error| Failure::Unusable(format!("{}: {error}", path.to_string_lossy())));
    }
    let mut completion = Vec::new();
    io::stdin()
        .read_to_end(&mut completion)
        .map_err(|error| Failure::Unusable(format!("standard input: {error}")))?;
    Ok(completion)
}

/// The text as it is, nothing added; then one line for each edit, in which no character of the payload is raw.
fn show(repaired: &Repaired<'_>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(repaired.text().as_bytes())?;
    stdout.flush()?;
    let mut stderr = io::stderr().lock();
    for seam in repaired.edits() {
        let (span, replacement) = (seam.span, seam.replacement);
        writeln!(
            stderr,
            "bytes {}..{} became {replacement:?} by {} ({})",
            span.start, span.end, seam.rule, seam.risk
        )?;
    }
    Ok(())
}
