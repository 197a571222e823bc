//! The component that reads languages by the grammars of tree-sitter, which are C. Without a clang that compiles for WebAssembly it is left
//! out, and the rest of the build goes on: those languages are then not in this build.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Result, TARGET};

pub const PACKAGE: &str = "language-grammars";
/// The languages, with what other components do not read of them.
pub const READS: &str = "Java, Kotlin, C#, C, C++, Swift, and the definitions of Go, PHP and Ruby";
pub const MODULE: &str = "language_grammars.wasm";

/// The package that has the headers of a C library for WebAssembly.
const HEADERS: &str = "tree-sitter-language";

/// The compiler that the `cc` crate takes for this target.
const COMPILER: &str = "CC_wasm32_unknown_unknown";

/// The package, if it was built.
pub fn build(root: &Path, guests: &Path, modules: &Path) -> Result<Option<&'static str>> {
    println!("cargo::rerun-if-env-changed={COMPILER}");
    match try_to_build(root, guests) {
        Ok(()) => Ok(Some(PACKAGE)),
        Err(why) => {
            // One of an earlier build would be taken for this one's.
            if let Err(error) = fs::remove_file(modules.join(MODULE))
                && error.kind() != std::io::ErrorKind::NotFound
            {
                return Err(error.into());
            }
            let first: String = why.to_string().lines().take(8).collect::<Vec<_>>().join(" | ");
            println!(
                "cargo::warning={READS} are not in this build: {first}. \
                 Install clang, and run `cargo clean -p guard-modules` once"
            );
            Ok(None)
        }
    }
}

fn try_to_build(root: &Path, guests: &Path) -> Result<()> {
    let compiler = env::var(COMPILER).unwrap_or_else(|_| "clang".to_owned());
    fs::create_dir_all(guests)?;
    require(&compiler, guests)?;
    let headers = headers(root, guests)?;
    let empty = root.join("guards/languages/grammars/no-libc");
    let mut command = crate::build(&[PACKAGE.to_owned()], root, guests)?;
    // In place of what the build script of `tree-sitter-language` says: some grammars want the sources of a C library too, which
    // tree-sitter itself brings since 0.27.
    for (key, folder) in [("wasm-headers", &headers), ("wasm-src", &empty)] {
        command.arg("--config").arg(format!("target.{TARGET}.{HEADERS}.{key}={:?}", folder.display().to_string()));
    }
    // Not every grammar's build script asks for the headers, and C++'s scanner for `wchar_t`. The generated parsers switch optimising off
    // where clang says who it is, and a lexer of 18,000 lines then takes twice as long to compile.
    let flags = "-Os -DNDEBUG -w -U__clang__ -include wchar.h -Dstatic_assert=_Static_assert";
    let lexer = root.join("guards/languages/grammars/lexer.h");
    // The build scripts of the grammars know nothing of this file, but they start again when their flags change.
    let mut digest = DefaultHasher::new();
    fs::read(&lexer)?.hash(&mut digest);
    command.env(
        format!("CFLAGS_{}", TARGET.replace('-', "_")),
        format!("-I{} {flags} -DLEXER={:x} -include {}", quoted(&headers), digest.finish(), quoted(&lexer)),
    );
    command.env("CC_SHELL_ESCAPED_FLAGS", "1");
    crate::run(command, "the grammars do not build").map(|_| ())
}

/// For a list of flags that is split as a shell would.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// By compiling: a clang may have been built without WebAssembly.
fn require(compiler: &str, folder: &Path) -> Result<()> {
    let (source, object) = (folder.join("probe.c"), folder.join("probe.o"));
    fs::write(&source, "int probe(void) { return 0; }\n")?;
    let mut command = Command::new(compiler);
    command.arg(format!("--target={TARGET}")).arg("-c").arg(&source).arg("-o").arg(&object).stdin(Stdio::null());
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err(format!("`{compiler}` does not compile for {TARGET}").into()),
        Err(error) => Err(format!("`{compiler}`: {error}").into()),
    }
}

/// Cargo says where a package's manifest is; nothing else tells the folder of a registry's package.
fn headers(root: &Path, guests: &Path) -> Result<PathBuf> {
    let mut command = crate::build(&[HEADERS.to_owned()], root, guests)?;
    command.args(["--message-format", "json"]);
    let said = crate::run(command, "the headers of the grammars do not build")?;
    let manifest = said.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let manifest = manifest.map(|path| path.replace("\\\\", "\\")).find(|path| path.contains(HEADERS));
    let manifest = PathBuf::from(manifest.ok_or("cargo does not name the manifest of tree-sitter-language")?);
    let folder = manifest.parent().ok_or("a manifest stands in a folder")?.join("wasm/include");
    match folder.is_dir() {
        true => Ok(folder),
        false => Err(format!("{HEADERS} has no headers at {}", folder.display()).into()),
    }
}
