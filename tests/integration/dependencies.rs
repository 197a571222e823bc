//! `cargo test` after `cargo run` builds no dependency twice: both ask for the same features of it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Of every dependency: the sets of features with which a command builds it.
fn features(arguments: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["tree", "--locked", "--offline", "--no-dedupe"]);
    let output =
        command.args(["--prefix", "none", "--format", "{p}|{f}"]).args(arguments).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    for line in String::from_utf8(output.stdout).expect("UTF-8").lines() {
        let (package, features) = line.split_once('|').unwrap_or((line, ""));
        let package = package.trim_end_matches(" (proc-macro)");
        // Packages of the workspace are followed by their path.
        if !package.ends_with(')') {
            found.entry(package.to_owned()).or_default().insert(features.trim_end_matches(" (*)").to_owned());
        }
    }
    assert!(found.len() > 200, "the dependencies were not found");
    found
}

#[test]
fn no_dependency_of_the_program_is_built_twice() {
    let program = features(&["--edges", "normal,build"]);
    let mut all = features(&["--edges", "normal,build,dev", "--workspace"]);
    let mut twice = Vec::new();
    for (package, mut sets) in program {
        sets.append(&mut all.remove(&package).unwrap_or_default());
        if sets.len() > 1 {
            twice.push(format!("{package}: {}", sets.into_iter().collect::<Vec<_>>().join(" or ")));
        }
    }
    assert_eq!(twice, Vec::<String>::new(), "name the features that differ in guards/features/Cargo.toml");
}
