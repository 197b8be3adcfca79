//! Plays a script of answers as a server: `cargo run -p jsonseam-reask --example model-server -- SCRIPT.toml [PORT]`.

#[path = "../tests/support/model_server/mod.rs"]
mod model_server;

use std::io::{Error, Write};

use model_server::{ModelServer, Script};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let Some(script) = arguments.next() else {
        return Err(Error::other("the arguments are SCRIPT.toml [PORT]"));
    };
    let port = arguments.next().map_or(Ok(0), |port| port.parse()).map_err(Error::other)?;
    let script = Script::from_toml(&std::fs::read_to_string(script)?).map_err(Error::other)?;
    let server = ModelServer::start_at(script, port)?;
    writeln!(std::io::stdout(), "answering at {}; stop it with Ctrl-C", server.base_url())?;
    server.wait();
    Ok(())
}
