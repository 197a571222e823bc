//! Makes the guard's tables of the schemas in `schemas/`, so that nothing is compiled when it is called.

mod bundle;
#[path = "../src/table/code.rs"]
mod code;
mod compile;
mod dfa;
mod emit;
mod normal;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("schemas");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=schemas");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/table/code.rs");

    let bundle = bundle::read(&folder)?;
    // The same document, for the test that asks another validator.
    fs::write(out.join("bundle.json"), serde_json::to_string(&bundle)?)?;
    let tables = compile::compile(&bundle)?;
    fs::write(out.join("tables.rs"), emit::source(&tables)?)?;
    Ok(())
}
