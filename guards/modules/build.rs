//! Compiles every guard, and the components that read languages, to WebAssembly modules. This needs no other crate, so it starts as soon as the outer build does.

mod grammars;
mod prebuilt;
mod readers;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TARGET: &str = "wasm32-unknown-unknown";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = package.ancestors().nth(2).ok_or("the package lies in guards/modules")?;
    let folder = root.join("guards");
    for shared in ["Cargo.toml", "Cargo.lock", "sdk/rust/Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(shared).display());
    }
    let names = guards(&folder)?;
    let packages: Vec<String> = names.iter().cloned().chain(readers::in_rust().map(str::to_owned)).collect();
    // OUT_DIR is <target>/<profile>/build/<package>-<hash>/out, or <target>/<triple>/<profile>/…; all profiles and triples share the guests.
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let of_triple = out.ancestors().nth(4).ok_or("OUT_DIR lies in a target directory")?;
    let target =
        if of_triple.ends_with(env::var("TARGET")?) { of_triple.parent().unwrap_or(of_triple) } else { of_triple };
    let guests = target.join("guests");
    // Its own sources, and the folder of modules that may appear in it.
    println!("cargo::rerun-if-changed={}", package.display());
    let modules = match prebuilt::find(&package, root)? {
        Some(modules) => modules,
        None => {
            require_target()?;
            run(build(&packages, root, &guests)?, "the guards do not build")?;
            let modules = guests.join(TARGET).join("guest");
            let grammars = grammars::build(root, &guests, &modules)?;
            let instead = match grammars {
                Some(_) => Vec::new(),
                None => readers::instead_of(grammars::PACKAGE),
            };
            if !instead.is_empty() {
                run(build(&instead, root, &guests)?, "the parsers in place of the grammars do not build")?;
            }
            let mut sources: BTreeSet<PathBuf> =
                ["Cargo.lock", "rust-toolchain.toml", "sdk/rust/Cargo.toml"].map(|file| root.join(file)).into();
            sources.extend(readers::manifests(&folder));
            sources.extend(names.iter().map(|name| folder.join(name).join("Cargo.toml")));
            for name in packages.iter().chain(&instead).map(String::as_str).chain(grammars) {
                sources.extend(compiled(&modules.join(format!("{}.d", name.replace('-', "_"))))?);
            }
            for source in &sources {
                println!("cargo::rerun-if-changed={}", source.display());
            }
            // Build scripts of guards name folders, and what they made.
            sources.retain(|source| !source.starts_with(&guests));
            while let Some(folder) = sources.iter().find(|source| source.is_dir()).cloned() {
                sources.remove(&folder);
                for entry in fs::read_dir(folder)? {
                    sources.insert(entry?.path());
                }
            }
            fs::write(modules.join(prebuilt::LIST), prebuilt::list(root, &sources)?)?;
            modules
        }
    };
    println!("cargo::metadata=names={}", names.join(","));
    let readers = readers::Readers::in_folder(&modules);
    println!("cargo::metadata=readers={}", readers.built.join(","));
    println!("cargo::metadata=missing={}", readers.missing.join(";"));
    println!("cargo::metadata=modules={}", modules.display());
    // Code for one triple, and for this machine.
    println!("cargo::metadata=cache_of_target={}", of_triple.join("guests/components").display());
    println!("cargo::metadata=cache_of_host={}", guests.join("components").display());
    Ok(())
}

/// Names of the guards: the folders with a library in `src/`, sorted. A new one is noticed because the workspace must name it.
fn guards(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join("src/lib.rs").is_file() {
            names.push(path.file_name().ok_or("a folder has a name")?.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// In a target directory of their own: this script runs while the outer cargo holds the lock of its.
fn build(packages: &[String], root: &Path, target_dir: &Path) -> Result<Command> {
    let cargo = env::var_os("CARGO").ok_or("cargo sets CARGO")?;
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["build", "--quiet", "--locked", "--profile", "guest", "--target", TARGET, "--lib"]);
    command.arg("--target-dir").arg(target_dir);
    for name in packages {
        command.args(["-p", name]);
    }
    // The settings of the outer build (flags for this machine's processor, clippy in place of rustc, a profile's settings) are
    // not meant for guests.
    for (key, _) in env::vars_os() {
        let name = key.to_string_lossy();
        let scrub = ["RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTC_LINKER", "RUSTDOCFLAGS"];
        if scrub.contains(&&*name)
            || ["CARGO_ENCODED_", "CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_CFG_", "CARGO_FEATURE_", "CARGO_TARGET_"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        {
            command.env_remove(&key);
        }
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", remap()?);
    Ok(command)
}

/// What it printed. `otherwise`: what a failure means.
fn run(mut command: Command, otherwise: &str) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{otherwise}:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The sources that went into a module: cargo's own list, in the syntax of make.
fn compiled(list: &Path) -> Result<Vec<PathBuf>> {
    let list = fs::read_to_string(list).map_err(|error| format!("read {}: {error}", list.display()))?;
    let sources = list.split_once(": ").map_or("", |(_, sources)| sources);
    Ok(sources.replace("\\ ", "\0").split_whitespace().map(|source| source.replace('\0', " ").into()).collect())
}

/// rustup fetches by itself what `rust-toolchain.toml` names, except where `RUSTUP_AUTO_INSTALL=0` forbids it to; then it has to be asked.
fn require_target() -> Result<()> {
    if has_target()? {
        return Ok(());
    }
    let why = match Command::new("rustup").args(["target", "add", TARGET]).output() {
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_string(),
        Err(error) => format!("rustup: {error}"),
    };
    if !has_target()? {
        let remedy = format!("which is not installed; run: rustup target add {TARGET}");
        return Err(format!("guards are built for {TARGET}, {remedy}\n{why}").into());
    }
    Ok(())
}

fn has_target() -> Result<bool> {
    let rustc = env::var_os("RUSTC").ok_or("cargo sets RUSTC")?;
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_string();
    Ok(output.status.success() && Path::new(&folder).is_dir())
}

/// Sources of crates and of the standard library lie in the user's home, and their paths end up in panic messages; without them, the same
/// sources give the same digest everywhere. (Those of the workspace are relative already.)
fn remap() -> Result<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let mut flags = Vec::new();
    if let Some(sources) = home.map(|home| home.join("registry/src")).filter(|sources| sources.is_dir()) {
        for registry in fs::read_dir(sources)? {
            flags.push(format!("--remap-path-prefix={}=crates", registry?.path().display()));
        }
    }
    flags.push(format!("--remap-path-prefix={}", standard_library()?));
    flags.sort();
    Ok(flags.join("\x1f"))
}

/// Where the sources of the standard library lie, and what stands for them in a program that was compiled without them: whoever has the
/// component `rust-src`, as an editor's language server wants it, would get their paths into panic messages too.
fn standard_library() -> Result<String> {
    let rustc = || Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let asked = |argument: &[&str]| {
        let mut command = rustc();
        command.args(argument);
        run(command, "rustc does not say what it is")
    };
    let (sysroot, version) = (asked(&["--print", "sysroot"])?, asked(&["-vV"])?);
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    Ok(format!("{}=/rustc/{commit}", sources.display()))
}
