//! What is usual in projects of Ruby.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Runner, Tool};

pub const RUBY: Practice = Practice {
    name: "Ruby",
    globs: files::Language::Ruby.globs(),
    ecosystem: Ecosystem::Ruby,
    manifest: "a Gemfile",
    declares_as_data: false,
    locks: &["Gemfile.lock"],
    lists: &[],
    version: &["ruby ", "required_ruby_version"],
    linter: Some(Tool { files: &["/.rubocop.yml", "/.standard.yml"], words: &[("Gemfile", &["rubocop", "standard"])] }),
    formatter: Some(Tool {
        files: &["/.rubocop.yml", "/.standard.yml"],
        words: &[("Gemfile", &["rubocop", "standard", "rufo"])],
    }),
    types: Some(Tool { files: &["/sorbet/config", "/Steepfile"], words: &[("Gemfile", &["sorbet", "steep"])] }),
    tests: &[&["*_spec.rb", "*_test.rb", "test_*.rb", "spec_*.rb"]],
    test_marks: &[],
    runner: Some(Runner { paths: &[".rspec", "Rakefile"], ..Runner::NONE }),
    publishes_documents: false,
    is_public: |line| {
        let code = line.trim_start();
        code.starts_with("class ") || code.starts_with("module ")
    },
    documented: Documented::Above(&["#"]),
};
