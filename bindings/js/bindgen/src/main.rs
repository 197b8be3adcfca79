//! `jsonseam-bindgen IN.wasm OUT_DIR`: the glue of `wasm-bindgen`, in the shape of its target `bundler`.
//!
//! A program of its own in place of `wasm-bindgen-cli`: one lock file then ties it to the version the crate was built with,
//! and nothing has to be installed beforehand.

use std::path::Path;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [input, folder] = arguments.as_slice() else {
        bail!("usage: jsonseam-bindgen IN.wasm OUT_DIR");
    };
    Bindgen::new()
        .input_path(input)
        .out_name("glue")
        .bundler(true)?
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(Path::new(folder))
        .with_context(|| format!("cannot write the glue of {input}"))
}
