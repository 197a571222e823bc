//! The components that read languages, and which of them this build has.

use std::path::{Path, PathBuf};

/// A package of this name in this folder of `guards`.
struct Reader {
    package: &'static str,
    folder: &'static str,
    /// A compiler without which it cannot be built, and without which the build goes on.
    needs: Option<&'static str>,
}

/// Of two that claim a file, the first answers.
const READERS: [Reader; 2] = [
    Reader { package: "language-parsers", folder: "languages/parsers", needs: None },
    Reader { package: crate::grammars::PACKAGE, folder: "languages/grammars", needs: Some("clang") },
];

pub struct Readers {
    /// Packages.
    pub built: Vec<&'static str>,
    /// `PACKAGE=WHY` of those that are not.
    pub missing: Vec<String>,
}

impl Readers {
    /// What a missing module would read is read by nobody, and `host doctor` says so.
    pub fn of(modules: &Path) -> Readers {
        let mut readers = Readers { built: Vec::new(), missing: Vec::new() };
        for Reader { package, needs, .. } in &READERS {
            let is_there = modules.join(format!("{}.wasm", package.replace('-', "_"))).is_file();
            match needs {
                Some(program) if !is_there => readers.missing.push(format!("{package}=needs {program}")),
                _ => readers.built.push(package),
            }
        }
        readers
    }
}

/// Those that are built together with the guards.
pub fn of_rust() -> impl Iterator<Item = &'static str> {
    READERS.iter().filter(|reader| reader.needs.is_none()).map(|reader| reader.package)
}

/// What decides what is built, beside the sources that the compiler names.
pub fn manifests(guards: &Path) -> impl Iterator<Item = PathBuf> {
    let no_libc = ["stdio.c", "stdlib.c", "string.c"].map(|file| guards.join("languages/grammars/no-libc").join(file));
    READERS.iter().map(|reader| guards.join(reader.folder).join("Cargo.toml")).chain(no_libc)
}
