//! The components that read languages, and which of them this build has.

use std::path::{Path, PathBuf};

/// A package of this name in this folder of `guards`.
struct Reader {
    package: &'static str,
    folder: &'static str,
    /// The languages, as people call them: what a build without it does not read.
    reads: &'static str,
    /// A compiler without which it cannot be built, and without which the build goes on.
    needs: Option<&'static str>,
    /// A package that reads the same and more: this one is built only in a build without that.
    instead_of: Option<&'static str>,
}

/// Of two that claim a file, the first answers.
const READERS: [Reader; 3] = [
    Reader {
        package: "language-parsers",
        folder: "languages/parsers",
        reads: "Python, JavaScript, TypeScript, Rust",
        needs: None,
        instead_of: None,
    },
    Reader {
        package: crate::grammars::PACKAGE,
        folder: "languages/grammars",
        reads: crate::grammars::READS,
        needs: Some("clang"),
        instead_of: None,
    },
    Reader {
        package: "language-fallback",
        folder: "languages/fallback",
        reads: "Go, PHP, Ruby",
        needs: None,
        instead_of: Some(crate::grammars::PACKAGE),
    },
];

pub struct Readers {
    /// Packages.
    pub built: Vec<&'static str>,
    /// `PACKAGE=LANGUAGES=WHY` of those that are not.
    pub missing: Vec<String>,
}

impl Readers {
    /// What a missing module would read is read by nobody, and `host doctor` says so.
    pub fn in_folder(modules: &Path) -> Readers {
        let mut readers = Readers { built: Vec::new(), missing: Vec::new() };
        let is_built = |package: &str| modules.join(format!("{}.wasm", package.replace('-', "_"))).is_file();
        for Reader { package, reads, needs, instead_of, .. } in &READERS {
            if instead_of.is_some_and(is_built) {
                continue;
            }
            let is_there = is_built(package);
            match needs {
                Some(program) if !is_there => readers.missing.push(format!("{package}={reads}=needs {program}")),
                _ => readers.built.push(package),
            }
        }
        readers
    }
}

/// Those that are built together with the guards.
pub fn in_rust() -> impl Iterator<Item = &'static str> {
    READERS.iter().filter(|reader| reader.needs.is_none() && reader.instead_of.is_none()).map(|reader| reader.package)
}

/// Those that are built in place of this one.
pub fn instead_of(missing: &str) -> Vec<String> {
    let instead = READERS.iter().filter(|reader| reader.instead_of == Some(missing));
    instead.map(|reader| reader.package.to_owned()).collect()
}

/// What decides what is built, beside the sources that the compiler names.
pub fn manifests(guards: &Path) -> impl Iterator<Item = PathBuf> {
    let of_c = ["lexer.h", "no-libc/stdio.c", "no-libc/stdlib.c", "no-libc/string.c"];
    let of_c = of_c.map(|file| guards.join("languages/grammars").join(file));
    READERS.iter().map(|reader| guards.join(reader.folder).join("Cargo.toml")).chain(of_c)
}
