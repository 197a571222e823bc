//! What is usual in projects of PHP.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Runner, Tool};

pub const PHP: Practice = Practice {
    name: "PHP",
    globs: files::Language::Php.globs(),
    ecosystem: Ecosystem::Php,
    manifest: "composer.json",
    declares_as_data: false,
    locks: &["composer.lock"],
    lists: &[],
    version: &["\"php\""],
    linter: Some(Tool {
        files: &["/phpstan.neon*", "/psalm.xml*", "/phpcs.xml*", "/.phpcs.xml*"],
        words: &[("composer.json", &["phpstan", "psalm", "php_codesniffer"])],
    }),
    formatter: Some(Tool {
        files: &["/.php-cs-fixer*", "/pint.json"],
        words: &[("composer.json", &["php-cs-fixer", "laravel/pint"])],
    }),
    types: Some(Tool { files: &["/phpstan.neon*", "/psalm.xml*"], words: &[("composer.json", &["phpstan", "psalm"])] }),
    tests: &[&["*Test.php"]],
    test_marks: &[],
    runner: Some(Runner { paths: &["phpunit.xml", "phpunit.xml.dist"], ..Runner::NONE }),
    publishes_documents: false,
    is_public: |line| line.trim_start().starts_with("public "),
    documented: Documented::Above(&["*/", "///"]),
};
