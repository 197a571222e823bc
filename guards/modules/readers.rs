//! The components that read languages, and what this machine lacks to build them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of this name in this folder of `guards`.
struct Reader {
    package: &'static str,
    folder: &'static str,
    /// A program without which it cannot be built.
    needs: Option<&'static str>,
}

/// Of two that claim a file, the first answers.
const READERS: [Reader; 2] = [
    Reader { package: "language-parsers", folder: "languages/parsers", needs: None },
    Reader { package: "language-grammars", folder: "languages/grammars", needs: Some("clang") },
];

pub struct Readers {
    /// Packages.
    pub built: Vec<&'static str>,
    /// `PACKAGE=WHY` of those that are not.
    pub missing: Vec<String>,
    pub manifests: Vec<PathBuf>,
}

/// A build goes on without a reader whose tool is missing: what it would read is then read by nobody, and `host doctor` says so.
pub fn find(guards: &Path) -> Readers {
    let mut readers = Readers { built: Vec::new(), missing: Vec::new(), manifests: Vec::new() };
    for Reader { package, folder, needs } in &READERS {
        let manifest = guards.join(folder).join("Cargo.toml");
        if !manifest.is_file() {
            continue;
        }
        match needs.filter(|program| !is_there(program)) {
            None => {
                readers.built.push(package);
                readers.manifests.push(manifest);
            }
            Some(program) => {
                println!(
                    "cargo::warning={package} is not built, because it needs {program}: install it, and build again"
                );
                readers.missing.push(format!("{package}=needs {program}"));
            }
        }
    }
    readers
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}
