//! It is built and checked as Java is.

use guard_sdk::{Ecosystem, files};

use super::Practice;
use super::java::JAVA;

pub const KOTLIN: Practice = Practice {
    name: "Kotlin",
    globs: files::Language::Kotlin.globs(),
    ecosystem: Ecosystem::Gradle,
    manifest: "build.gradle.kts",
    version: &["jvmToolchain", "sourceCompatibility", "languageVersion"],
    tests: &[&["*Test.kt"], &["**/src/test/**/*.kt"]],
    is_public: |line| line.starts_with("fun ") || line.starts_with("class "),
    ..JAVA
};
