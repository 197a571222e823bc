//! What is usual in projects of Go.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Tool};

pub const GO: Practice = Practice {
    name: "Go",
    globs: files::Language::Go.globs(),
    ecosystem: Ecosystem::Go,
    manifest: "go.mod",
    declares_as_data: true,
    locks: &["go.sum"],
    lists: &[],
    version: &["go 1."],
    linter: Some(Tool {
        files: &["/.golangci.*", "/staticcheck.conf"],
        words: &[("Makefile", &["golangci-lint", "go vet", "staticcheck"])],
    }),
    // gofmt comes with the compiler, and nobody does without it.
    formatter: None,
    types: None,
    tests: &[&["*_test.go"]],
    test_marks: &[],
    runner: None,
    publishes_documents: true,
    is_public: |line| {
        let name = ["func ", "type "].iter().find_map(|word| line.strip_prefix(word));
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    },
    documented: Documented::Above(&["//", "*/"]),
};
