//! What is usual in projects of Rust.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Tool};

pub const RUST: Practice = Practice {
    name: "Rust",
    globs: files::Language::Rust.globs(),
    ecosystem: Ecosystem::Cargo,
    manifest: "Cargo.toml",
    declares_as_data: true,
    locks: &["Cargo.lock"],
    lists: &[],
    version: &["rust-version", "edition"],
    linter: Some(Tool {
        files: &["/clippy.toml", "/.clippy.toml"],
        words: &[("Cargo.toml", &["[lints", "[workspace.lints"]), ("Makefile", &["clippy"]), ("justfile", &["clippy"])],
    }),
    formatter: Some(Tool {
        files: &["/rustfmt.toml", "/.rustfmt.toml"],
        words: &[
            ("Makefile", &["cargo fmt"]),
            ("justfile", &["cargo fmt"]),
            (".github/workflows/ci.yml", &["cargo fmt", "rustfmt"]),
        ],
    }),
    types: None,
    tests: &[&["**/tests/*.rs", "**/tests/*/main.rs"]],
    test_marks: &["#[test]", "#[tokio::test]"],
    runner: None,
    publishes_documents: true,
    is_public: |line| {
        let code = line.trim_start();
        ["pub fn ", "pub struct ", "pub enum ", "pub trait ", "pub async fn "].iter().any(|word| code.starts_with(word))
    },
    documented: Documented::Above(&["///", "/**", "*/"]),
};
