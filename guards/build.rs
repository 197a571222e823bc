//! Embeds the default set, and the components that read languages: every module of `guard-modules` is turned into a component, a guard is
//! asked to describe itself, and each is compiled to native code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use sha2::{Digest, Sha256};
use wasmtime::error::Context;
use wasmtime::{Error, Result, ensure};

mod cache;
mod claims;
mod component;
mod describe;
#[path = "../host/engine/config.rs"]
mod engine;
mod explained;
mod skeleton;
mod static_outline;

use cache::{Cache, Cross};

/// Set for `cargo check` of another system (`.ci/platforms`): guards have the code of this machine.
const CHECK_ONLY: &str = "GUARDHOST_CHECK_ONLY";

fn main() -> Result<()> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = folder.parent().context("the package stands in the workspace")?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let lock = root.join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock)?;

    // What the build script of `guard-modules` printed.
    let [names, readers, missing, modules, cache_of_target, cache_of_host] =
        ["NAMES", "READERS", "MISSING", "MODULES", "CACHE_OF_TARGET", "CACHE_OF_HOST"].map(|key| {
            env::var(format!("DEP_GUARD_MODULES_{key}")).map_err(|error| Error::msg(format!("guard-modules: {error}")))
        });
    let (names, readers, missing, modules) = (names?, readers?, missing?, PathBuf::from(modules?));
    let names: Vec<&str> = names.split(',').collect();
    let (target, host) = (env::var("TARGET")?, env::var("HOST")?);
    let here = Cache { folder: cache_of_host?.into(), tools: tools(&lock, &host)?, cross: None };
    // Code ahead of time for another system costs a processor a minute or two, and a check of that system uses none of it.
    println!("cargo::rerun-if-env-changed={CHECK_ONLY}");
    let check_only = target != host && env::var_os(CHECK_ONLY).is_some();
    let cache = match target == host || check_only {
        true => here,
        false => {
            let tools = tools(&lock, &target)?;
            Cache { folder: cache_of_target?.into(), tools, cross: Some(Cross { target, here: Box::new(here) }) }
        }
    };

    let (mut of_guards, mut of_analyzers, mut guards, mut analyzers) = (String::new(), String::new(), 0, 0);
    let mut components = String::new();
    for name in names {
        let guard =
            cache.get(name, &read(&modules, name)?, describe::describe).with_context(|| format!("guards/{name}"))?;
        ensure!(guard.description["id"] == *name, "guards/{name} describes itself as {}", guard.description["id"]);
        let [wasm, skeleton, compiled] =
            ["wasm", "skeleton.wasm", "cwasm"].map(|extension| out.join(format!("{name}.{extension}")));
        fs::write(&wasm, &guard.wasm)?;
        fs::write(&skeleton, skeleton::from_component(&guard.wasm).with_context(|| format!("guards/{name}"))?)?;
        fs::write(&compiled, &guard.compiled)?;
        writeln!(components, "({name:?}, include_bytes!({wasm:?})),")?;
        let list = match explained::is_analyzer(&guard.description) {
            true => {
                analyzers += 1;
                &mut of_analyzers
            }
            false => {
                guards += 1;
                &mut of_guards
            }
        };
        writeln!(
            list,
            "Builtin {{ id: {name:?}, version: {}, skeleton: include_bytes!({skeleton:?}), size: {}, \
             compiled: Compiled::new(include_page_aligned!({compiled:?})), digest: \"sha256:{}\", description: Described::new({:?}), {} {} }},",
            guard.description["version"],
            guard.wasm.len(),
            hex(&Sha256::digest(&guard.wasm)),
            guard.description.to_string(),
            static_outline::from_description(&guard.description).with_context(|| format!("guards/{name}"))?,
            explained::examples(&folder.join(name), &guard.description).with_context(|| format!("guards/{name}"))?,
        )?;
    }
    let mut list = format!(
        "/// How many guards are embedded.\npub const COUNT: usize = {guards};\nstatic BUILTIN: [Builtin; COUNT] = [\n{of_guards}];\n\
         static ANALYZERS: [Builtin; {analyzers}] = [\n{of_analyzers}];\n\
         static COMPONENTS: [(&str, &[u8]); {}] = [\n{components}];\n",
        guards + analyzers
    );
    let readers: Vec<&str> = readers.split(',').collect();
    writeln!(list, "static READERS: [EmbeddedReader; {}] = [", readers.len())?;
    for name in readers {
        let made = cache.get(name, &read(&modules, name)?, claims::claims).with_context(|| name.to_owned())?;
        let [skeleton, compiled] = ["skeleton.wasm", "cwasm"].map(|extension| out.join(format!("{name}.{extension}")));
        fs::write(&skeleton, skeleton::from_component(&made.wasm).with_context(|| name.to_owned())?)?;
        fs::write(&compiled, &made.compiled)?;
        writeln!(
            list,
            "EmbeddedReader {{ name: {name:?}, skeleton: include_bytes!({skeleton:?}), size: {}, \
             compiled: Compiled::new(include_page_aligned!({compiled:?})), digest: \"sha256:{}\", claims: &[{}] }},",
            made.wasm.len(),
            hex(&Sha256::digest(&made.wasm)),
            claims::written(&made.description)?,
        )?;
    }
    writeln!(list, "];\nstatic MISSING_READERS: &[MissingReader] = &[")?;
    for one in missing.split(';').filter(|one| !one.is_empty()) {
        let parts: Vec<&str> = one.splitn(3, '=').collect();
        let [name, languages, why] = parts[..] else {
            return Err(Error::msg(format!("guard-modules: not PACKAGE=LANGUAGES=WHY: {one}")));
        };
        writeln!(list, "MissingReader {{ name: {name:?}, languages: {languages:?}, why: {why:?} }},")?;
    }
    writeln!(list, "];")?;
    writeln!(list, "/// The triple that code is compiled for.\npub const TARGET: &str = {:?};", env::var("TARGET")?)?;
    writeln!(
        list,
        "/// Of everything that decides what the compiler makes of a component.\npub const ENGINE: &str = {:?};",
        fingerprint(&lock, &env::var("TARGET")?)?
    )?;
    if check_only {
        // A program with the code of another system must not come to be: this library does not exist, so that linking fails.
        writeln!(list, "#[link(name = \"guards-of-{CHECK_ONLY}-are-for-another-system\")]\nunsafe extern \"C\" {{}}")?;
    }
    fs::write(out.join("builtin.rs"), list)?;
    Ok(())
}

/// The module of a package.
fn read(modules: &Path, package: &str) -> Result<Vec<u8>> {
    let module = modules.join(format!("{}.wasm", package.replace('-', "_")));
    println!("cargo::rerun-if-changed={}", module.display());
    fs::read(&module).with_context(|| format!("read {}", module.display()))
}

/// Wasmtime itself compares only its major version and settings; a release that fixes the compiler must not run old code.
fn fingerprint(lock: &str, target: &str) -> Result<String> {
    Ok(hex(&Sha256::new()
        .chain_update(version("wasmtime", lock)?)
        .chain_update(include_str!("../host/engine/config.rs"))
        .chain_update(target)
        .finalize()))
}

/// Of everything that decides what becomes of a module in a build for `target`.
fn tools(lock: &str, target: &str) -> Result<String> {
    let mut tools = fingerprint(lock, target)?
        + include_str!("component.rs")
        + include_str!("describe.rs")
        + include_str!("claims.rs")
        + &env::var("HOST")?;
    for name in ["cranelift-codegen", "regalloc2", "wasmtime-internal-cranelift", "wit-component"] {
        tools += version(name, lock)?;
    }
    Ok(tools)
}

/// As `Cargo.lock` has it, in quotes.
fn version<'a>(name: &str, lock: &'a str) -> Result<&'a str> {
    let package = lock.split_once(&format!("name = \"{name}\"\nversion = "));
    package.and_then(|(_, rest)| rest.lines().next()).with_context(|| format!("Cargo.lock holds {name}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
