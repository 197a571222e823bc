//! What is usual in the projects of a language: one value a language, in a file of its own. No reader of texts knows these things.

mod go;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;

use guard_sdk::Ecosystem;

pub struct Practice {
    /// The language, as the host and people call it.
    pub name: &'static str,
    /// Of its files.
    pub globs: &'static [&'static str],
    pub ecosystem: Ecosystem,
    /// The manifest that people expect.
    pub manifest: &'static str,
    /// Manifests are data, so that all dependencies are seen. What a program declares is not always seen.
    pub declares_as_data: bool,
    pub locks: &'static [&'static str],
    /// Lists of requirements, which lock them if each is one version.
    pub lists: &'static [&'static str],
    /// In a manifest, what names a version of the language.
    pub version: &'static [&'static str],
    /// None: the language's own tools need no configuration and are always there.
    pub linter: Option<Tool>,
    pub formatter: Option<Tool>,
    pub types: Option<Tool>,
    /// Files that are named as tests, then those that only stand among them.
    pub tests: &'static [&'static [&'static str]],
    /// What marks a test beside the code.
    pub test_marks: &'static [&'static str],
    /// None: the language's own tools run tests.
    pub runner: Option<Runner>,
    /// Its own tools publish the documents of the code, as docs.rs and pkg.go.dev do.
    pub publishes_documents: bool,
    /// Whether a line begins a definition that others use, as far as the line tells.
    pub is_public: fn(&str) -> bool,
    pub documented: Documented,
}

/// Where a tool is configured: its own files, or words in the files of others.
pub struct Tool {
    pub files: &'static [&'static str],
    pub words: Words,
}

pub type Words = &'static [(&'static str, &'static [&'static str])];

/// What shows that a runner of tests is configured, in the order in which it is looked for.
pub struct Runner {
    /// Paths from the root.
    pub paths: &'static [&'static str],
    pub globs: &'static [&'static str],
    pub words: Words,
    /// A script of `package.json`.
    pub scripts: bool,
}

/// Where the comment of a definition stands.
pub enum Documented {
    /// Above it, with one of these marks.
    Above(&'static [&'static str]),
    /// A string is the first statement of its body.
    InBody,
}

impl Runner {
    const NONE: Runner = Runner { paths: &[], globs: &[], words: &[], scripts: false };
}

/// Of languages that are equally frequent, the last one counts more.
pub const ALL: [&Practice; 9] = [
    &python::PYTHON,
    &javascript::JAVASCRIPT,
    &javascript::TYPESCRIPT,
    &rust::RUST,
    &go::GO,
    &ruby::RUBY,
    &php::PHP,
    &java::JAVA,
    &kotlin::KOTLIN,
];
