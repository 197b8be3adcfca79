//! The `jsonseam` command with the rules of our house: every subcommand knows them.

// Without this line the linker drops the rules.
use acme_rules as _;

fn main() -> std::process::ExitCode {
    jsonseam_cli::main_as(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}
