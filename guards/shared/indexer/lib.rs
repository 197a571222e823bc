//! Reads the texts of modules for `guardhost:modules`: the component that the host runs, once for each text, and a library for native tests.
//!
//! What it says depends on the text and on the dialect alone, which is what follows the first dot of the file's name, so that the host can
//! keep an answer for as long as it keeps this component.

#[rustfmt::skip]
#[allow(clippy::all, missing_docs)]
#[cfg(target_arch = "wasm32")]
mod bindings;
// Only a guest has these exports.
#[cfg(target_arch = "wasm32")]
mod component;
mod go;
mod javascript;
mod module;
mod python;
mod rust;

use guard_sdk::modules::{Call, Function, Imported, Offered};

/// A language whose modules are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Python,
    JavaScript,
    TypeScript,
    Go,
    Rust,
}

impl Language {
    fn of(dialect: &str) -> Result<Self, String> {
        match dialect.rsplit('.').next().unwrap_or(dialect) {
            "py" | "pyi" => Ok(Language::Python),
            "js" | "mjs" | "cjs" | "jsx" => Ok(Language::JavaScript),
            "ts" | "mts" | "cts" | "tsx" => Ok(Language::TypeScript),
            "go" => Ok(Language::Go),
            "rs" => Ok(Language::Rust),
            _ => Err("no language of modules that are known has this ending".to_owned()),
        }
    }
}

/// What a module imports and offers. Err: why its text says nothing.
pub fn surface(dialect: &str, text: &str) -> Result<(Vec<Imported>, Offered), String> {
    let module = match Language::of(dialect)? {
        Language::Python => python::surface::read(text),
        Language::JavaScript | Language::TypeScript => javascript::surface::read(&file(dialect), text),
        Language::Go => go::read(text),
        Language::Rust => return Err("imports of Rust are not read".to_owned()),
    };
    module.map(module::Module::into_surface).ok_or_else(unparsed)
}

/// The functions and calls of a module that are certain. Err: why its text says nothing.
pub fn signatures(dialect: &str, text: &str) -> Result<(Vec<Function>, Vec<Call>), String> {
    let found = match Language::of(dialect)? {
        Language::Python => python::signatures(text),
        Language::TypeScript => javascript::signatures(&file(dialect), text),
        Language::Rust => rust::signatures(text),
        Language::JavaScript => return Err("in JavaScript every call fits every function".to_owned()),
        Language::Go => return Err("functions of Go are not read".to_owned()),
    };
    let (mut functions, calls) = found.ok_or_else(unparsed)?;
    functions.sort_by(|a, b| a.key.cmp(&b.key));
    Ok((functions, calls))
}

/// The parsers tell dialects apart by the names of files.
fn file(dialect: &str) -> String {
    format!("module.{dialect}")
}

fn unparsed() -> String {
    "it does not parse, or nests too deep".to_owned()
}

/// For the native tests of guards.
#[cfg(feature = "testing")]
pub struct Native;

#[cfg(feature = "testing")]
impl guard_sdk::testing::Indexer for Native {
    fn surface(&self, dialect: &str, text: &str) -> Result<(Vec<Imported>, Offered), String> {
        surface(dialect, text)
    }

    fn signatures(&self, dialect: &str, text: &str) -> Result<(Vec<Function>, Vec<Call>), String> {
        signatures(dialect, text)
    }
}
