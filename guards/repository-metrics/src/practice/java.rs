//! What is usual in projects of Java.

use guard_sdk::{Ecosystem, files};

use super::{Documented, Practice, Runner, Tool};

pub const JAVA: Practice = Practice {
    name: "Java",
    globs: files::Language::Java.globs(),
    ecosystem: Ecosystem::Maven,
    manifest: "pom.xml",
    declares_as_data: false,
    locks: &["gradle.lockfile", "*.lockfile", "verification-metadata.xml", "pom.xml"],
    lists: &[],
    version: &["maven.compiler", "<release>", "java.version", "sourceCompatibility"],
    linter: Some(Tool {
        files: &["checkstyle*.xml", "/detekt.yml", "/.editorconfig"],
        words: &[
            ("pom.xml", &["checkstyle", "spotbugs", "errorprone", "pmd"]),
            ("build.gradle", &["checkstyle", "spotbugs", "errorprone", "detekt", "ktlint"]),
            ("build.gradle.kts", &["checkstyle", "spotbugs", "errorprone", "detekt", "ktlint"]),
        ],
    }),
    formatter: Some(Tool {
        files: &["/.editorconfig"],
        words: &[
            ("pom.xml", &["spotless", "google-java-format", "fmt-maven-plugin"]),
            ("build.gradle", &["spotless", "ktlint"]),
            ("build.gradle.kts", &["spotless", "ktlint"]),
        ],
    }),
    types: None,
    tests: &[&["*Test.java", "*Tests.java"], &["**/src/test/**/*.java"]],
    test_marks: &[],
    runner: Some(Runner { paths: &["pom.xml", "build.gradle", "build.gradle.kts"], ..Runner::NONE }),
    publishes_documents: false,
    is_public: |line| line.trim_start().starts_with("public "),
    documented: Documented::Above(&["*/", "///"]),
};
