//! Makes the default set: every folder beside this file is a guard; it is compiled to WebAssembly, turned into a component,
//! asked to describe itself, and compiled to native code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use wasmtime::component::{Component, Linker, Val};
use wasmtime::error::Context;
use wasmtime::{Engine, Error, Result, Store, bail, ensure};

#[path = "engine.rs"]
mod engine;
#[path = "explained.rs"]
mod explained;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<()> {
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = folder.parent().context("the package stands in the workspace")?;
    let out = PathBuf::from(env::var("OUT_DIR")?);

    println!("cargo::rerun-if-changed=engine.rs");
    println!("cargo::rerun-if-changed=explained.rs");
    for shared in ["Cargo.toml", "Cargo.lock", "sdk/rust/Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(shared).display());
    }
    let names = guards(&folder)?;
    require_target()?;
    let modules = build(&names, root, &out)?;

    let mut list = format!(
        "/// How many guards are embedded.\npub const COUNT: usize = {};\nstatic BUILTIN: &[Builtin] = &[\n",
        names.len()
    );
    for name in &names {
        let module = modules.join(format!("{}.wasm", name.replace('-', "_")));
        let guard = make(&module).with_context(|| format!("guards/{name}"))?;
        ensure!(guard.description["id"] == *name, "guards/{name} describes itself as {}", guard.description["id"]);
        let (wasm, compiled) = (out.join(format!("{name}.wasm")), out.join(format!("{name}.cwasm")));
        fs::write(&wasm, &guard.wasm)?;
        fs::write(&compiled, &guard.compiled)?;
        writeln!(
            list,
            "Builtin {{ id: {name:?}, version: {}, wasm: include_bytes!({wasm:?}), \
             compiled: include_page_aligned!({compiled:?}), digest: \"sha256:{}\", description: {:?}, {} }},",
            guard.description["version"],
            hex(&Sha256::digest(&guard.wasm)),
            guard.description.to_string(),
            explained::fields(&folder.join(name)).with_context(|| format!("guards/{name}"))?,
        )?;
    }
    list.push_str("];\n");
    writeln!(list, "/// The triple that code is compiled for.\npub const TARGET: &str = {:?};", env::var("TARGET")?)?;
    writeln!(
        list,
        "/// Of everything that decides what the compiler makes of a component.\npub const ENGINE: &str = {:?};",
        fingerprint(root)?
    )?;
    fs::write(out.join("builtin.rs"), list)?;
    Ok(())
}

/// Names of the folders that hold a package, sorted. A new one is noticed because the workspace must name it.
fn guards(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join("Cargo.toml").is_file() {
            names.push(path.file_name().context("a folder has a name")?.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Compile the guards' crates, in a target directory of their own: this script runs while the outer cargo holds the lock of its.
/// Returns where the modules lie.
fn build(names: &[String], root: &Path, out: &Path) -> Result<PathBuf> {
    // OUT_DIR is <target>/<profile>/build/<package>-<hash>/out; all profiles share the guests.
    let target_dir = out.ancestors().nth(4).context("OUT_DIR lies in a target directory")?.join("guests");
    let cargo = env::var_os("CARGO").context("cargo sets CARGO")?;
    let mut command = Command::new(cargo);
    command.current_dir(root).args(["build", "--locked", "--profile", "guest", "--target", TARGET, "--lib"]);
    command.arg("--target-dir").arg(&target_dir);
    for name in names {
        command.args(["-p", name]);
    }
    // What the outer build is told (flags of this machine's processor, clippy in place of rustc, a profile's settings) is
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
    let output = command.output().context("run cargo for the guards")?;
    ensure!(output.status.success(), "the guards do not build:\n{}", String::from_utf8_lossy(&output.stderr));
    let modules = target_dir.join(TARGET).join("guest");
    for name in names {
        println!("cargo::rerun-if-changed={}", root.join("guards").join(name).join("Cargo.toml").display());
        watch(&modules.join(format!("{}.d", name.replace('-', "_"))))?;
    }
    Ok(modules)
}

/// Cargo's own list of the sources that went into a module, in the syntax of make.
fn watch(list: &Path) -> Result<()> {
    let list = fs::read_to_string(list).with_context(|| format!("read {}", list.display()))?;
    let sources = list.split_once(": ").map_or("", |(_, sources)| sources);
    for source in sources.replace("\\ ", "\0").split_whitespace() {
        println!("cargo::rerun-if-changed={}", source.replace('\0', " "));
    }
    Ok(())
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
    ensure!(
        has_target()?,
        "guards are built for {TARGET}, which is not installed; run: rustup target add {TARGET}\n{why}"
    );
    Ok(())
}

fn has_target() -> Result<bool> {
    let rustc = env::var_os("RUSTC").context("cargo sets RUSTC")?;
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_string();
    Ok(output.status.success() && Path::new(&folder).is_dir())
}

/// Sources of crates lie in the user's home, and their paths end up in panic messages; without them, the same sources give
/// the same digest everywhere. (Those of the workspace are relative already.)
fn remap() -> Result<String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let mut flags = Vec::new();
    if let Some(sources) = home.map(|home| home.join("registry/src")).filter(|sources| sources.is_dir()) {
        for registry in fs::read_dir(sources)? {
            flags.push(format!("--remap-path-prefix={}=crates", registry?.path().display()));
        }
    }
    flags.sort();
    Ok(flags.join("\x1f"))
}

struct Guard {
    wasm: Vec<u8>,
    compiled: Vec<u8>,
    description: Value,
}

fn make(module: &Path) -> Result<Guard> {
    let module = fs::read(module).with_context(|| format!("read {}", module.display()))?;
    let encoder = wit_component::ComponentEncoder::default().validate(true);
    let wasm = encoder.module(&module).and_then(|mut encoder| encoder.encode());
    let wasm = wasm.map_err(|error| Error::msg(format!("{error:#}")))?;
    let (target, host) = (env::var("TARGET")?, env::var("HOST")?);
    let engine = Engine::new(&engine::compiler(&target)?)?;
    if target == host {
        let component = Component::new(&engine, &wasm)?;
        return Ok(Guard { description: describe(&component)?, compiled: component.serialize()?, wasm });
    }
    // Code for the target of a cross build does not run here.
    let component = Component::new(&Engine::new(&engine::compiler(&host)?)?, &wasm)?;
    Ok(Guard { description: describe(&component)?, compiled: engine.precompile_component(&wasm)?, wasm })
}

/// Call `describe`, with every import a trap: a description depends on nothing.
fn describe(component: &Component) -> Result<Value> {
    let engine = component.engine();
    let mut linker = Linker::<()>::new(engine);
    linker.define_unknown_imports_as_traps(component)?;
    let mut store = Store::new(engine, ());
    store.set_fuel(1_000_000_000)?;
    let instance = linker.instantiate(&mut store, component)?;
    let describe = instance.get_func(&mut store, "describe").context("exports no `describe`")?;
    let mut results = [Val::Bool(false)];
    describe.call(&mut store, &[], &mut results)?;
    json(&results[0])
}

/// Wasmtime itself compares only its major version and settings; a release that mends the compiler must not run old code.
fn fingerprint(root: &Path) -> Result<String> {
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    let version = lock.split_once("name = \"wasmtime\"\nversion = ").and_then(|(_, rest)| rest.lines().next());
    let version = version.context("Cargo.lock holds wasmtime")?;
    Ok(hex(&Sha256::new()
        .chain_update(version)
        .chain_update(include_str!("engine.rs"))
        .chain_update(env::var("TARGET")?)
        .finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The values of which a description is made.
fn json(value: &Val) -> Result<Value> {
    Ok(match value {
        Val::String(text) | Val::Enum(text) => Value::from(text.as_str()),
        Val::List(values) => Value::Array(values.iter().map(json).collect::<Result<_>>()?),
        Val::Record(fields) => {
            let mut map = Map::new();
            for (name, value) in fields {
                map.insert(name.replace('-', "_"), json(value)?);
            }
            Value::Object(map)
        }
        other => bail!("a description holds no {other:?}"),
    })
}
