//! What a person builds first is built once: no dependency twice for the program, and none again for the tests.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// What decides how a package of the registry is compiled: its features, and its profile.
type Settings = (String, String);

/// Of every target of a package of the registry, how often a command compiles it with which settings. `cargo tree` shows one set of
/// features where Cargo builds two, so this is the graph that Cargo itself builds by. It is not stable, and is printed for this variable.
fn units(arguments: &[&str]) -> BTreeMap<String, Vec<Settings>> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("RUSTC_BOOTSTRAP", "1");
    let output = command.args(arguments).args(["--unit-graph", "-Zunstable-options", "--locked", "--offline"]).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let graph: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut found = BTreeMap::<_, Vec<_>>::new();
    let of_registry = |unit: &&Value| {
        unit["pkg_id"].as_str().is_some_and(|id| id.starts_with("registry+")) && unit["mode"] == "build"
    };
    for unit in graph["units"].as_array().expect("units").iter().filter(of_registry) {
        // The profile's name differs where nothing else does.
        let mut profile = unit["profile"].clone();
        profile.as_object_mut().expect("a profile").remove("name");
        let package = unit["pkg_id"].as_str().and_then(|id| id.rsplit('#').next()).expect("a package");
        let name = format!("{package} {}", unit["target"]["kind"][0]);
        found.entry(name).or_default().push((unit["features"].to_string(), profile.to_string()));
    }
    assert!(found.len() > 200, "the dependencies were not found");
    found
}

/// The build script of `guards` and the program share one Wasmtime, and one of everything else. Twice, it is two minutes of one core.
#[test]
fn the_first_command_builds_no_dependency_twice() {
    let program = units(&["build"]);
    let of_the_compiler = |name: &&String| {
        ["cranelift-", "regalloc2", "wasmtime"].iter().any(|start| name.starts_with(start)) && name.ends_with("\"lib\"")
    };
    assert!(program.keys().filter(of_the_compiler).count() > 10, "Wasmtime was not found");
    let twice: BTreeMap<_, _> = program.into_iter().filter(|(_, settings)| settings.len() > 1).collect();
    assert!(twice.is_empty(), "name the features that differ in guards/features/Cargo.toml: {twice:#?}");
}

#[test]
fn tests_build_no_dependency_of_the_program_again() {
    let all = units(&["test", "--workspace"]);
    let mut again = Vec::new();
    for (name, settings) in units(&["build"]) {
        // Build scripts of other packages may need less of one; it is no build of the program's own.
        let known = all.get(&name).map(Vec::as_slice).unwrap_or_default();
        if let Some(missing) = settings.iter().find(|one| !known.contains(one)) {
            again.push(format!("{name}: {missing:?} or {known:?}"));
        }
    }
    assert_eq!(again, Vec::<String>::new(), "name the features that differ in guards/features/Cargo.toml");
}

/// Every build checks the oldest compiler that is promised: it is the one that builds.
#[test]
fn the_toolchain_is_the_oldest_that_is_promised() {
    let read = |file: &str| -> toml::Table {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        std::fs::read_to_string(path).expect("a file").parse().expect("TOML")
    };
    let channel = read("rust-toolchain.toml")["toolchain"]["channel"].as_str().expect("a channel").to_owned();
    let promised = read("Cargo.toml")["workspace"]["package"]["rust-version"].as_str().expect("a version").to_owned();
    assert_eq!(channel, format!("{promised}.0"));
}

/// What only a server needs is in a program of its own: docs/decisions/server.md.
#[test]
fn the_client_is_built_without_the_server() {
    let program = units(&["build"]);
    for name in ["async-nats", "axum", "libsqlite3-sys", "rusqlite", "tokio-postgres"] {
        let start = format!("{name}@");
        assert!(!program.keys().any(|unit| unit.starts_with(&start)), "{name}");
    }
}
