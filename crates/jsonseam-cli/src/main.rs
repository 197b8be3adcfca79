//! The `jsonseam` command with the built-in rules.

use std::process::ExitCode;

fn main() -> ExitCode {
    jsonseam_cli::main()
}
