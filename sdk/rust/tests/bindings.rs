//! The bindings are generated once and checked in, so that a guard builds without the generator and its tree of
//! dependencies. This test generates them again from `wit`; `GUARD_TEST_UPDATE=1` writes them.

use std::path::Path;

use wit_bindgen_core::wit_parser::{Resolve, WorldId};
use wit_bindgen_core::{Files, WorldGenerator};
use wit_bindgen_rust::{Opts, WithOption};

/// The whole of a guard's contract. A guard that leaves an import unused does not import it: the linker drops the
/// function and the componentizer drops the interface.
#[test]
fn guard_bindings_are_those_of_the_contract() {
    in_step(
        "bindings.rs",
        "guardhost:worlds/guard-with-capabilities",
        Opts {
            default_bindings_module: module("bindings"),
            // It holds a handle, which is equal to nothing.
            additional_derive_ignore: vec!["verdict".into(), "edits".into()],
            ..opts("guard")
        },
    );
}

/// The plan stage is a world of its own, so that a guard of changes does not have to export `review`. What both worlds name
/// is one Rust type.
#[test]
fn planner_bindings_are_those_of_the_contract() {
    let shared = ["guard/types", "guard/report", "guard/log", "history/history"].map(|interface| {
        let path = interface.replace('/', "::");
        (format!("guardhost:{interface}@0.1.0"), WithOption::Path(format!("crate::bindings::guardhost::{path}")))
    });
    let with = shared.into();
    in_step(
        "planner_bindings.rs",
        "guardhost:worlds/planner-with-capabilities",
        Opts { with, default_bindings_module: module("planner_bindings"), ..opts("planner") },
    );
}

/// The analysis stage, for the same reason.
#[test]
fn analyzer_bindings_are_those_of_the_contract() {
    let shared =
        ["guard/types", "guard/report", "guard/log", "files/kinds", "repo/tree", "facts/facts", "toolchain/toolchain"];
    let shared = shared.map(|interface| {
        let path = interface.replace('/', "::");
        (format!("guardhost:{interface}@0.1.0"), WithOption::Path(format!("crate::bindings::guardhost::{path}")))
    });
    in_step(
        "analyzer_bindings.rs",
        "guardhost:worlds/analyzer-with-capabilities",
        Opts {
            with: shared.into(),
            default_bindings_module: module("analyzer_bindings"),
            additional_derive_ignore: vec!["measurement".into()],
            ..opts("analyzer")
        },
    );
}

/// What reads the texts of a language, for the same reason; guards get the same facts.
#[test]
fn language_bindings_are_those_of_the_contract() {
    let shared = ["modules/outline", "language/text-facts"].map(|interface| {
        let path = interface.replace('/', "::").replace('-', "_");
        (format!("guardhost:{interface}@0.1.0"), WithOption::Path(format!("crate::bindings::guardhost::{path}")))
    });
    in_step(
        "language_bindings.rs",
        "guardhost:language/language",
        Opts { with: shared.into(), default_bindings_module: module("language_bindings"), ..opts("language") },
    );
}

/// The C SDK's, made here because the generator is of the same family.
#[test]
fn c_bindings_are_those_of_the_contract() {
    let (mut resolve, world) = contract("guardhost:worlds/guard-with-capabilities");
    // `host guard componentize` brings the types that an object file would hold.
    let opts =
        wit_bindgen_c::Opts { rename_world: Some("contract".into()), no_object_file: true, ..Default::default() };
    let mut files = Files::default();
    opts.build().generate(&mut resolve, world, &mut files).expect("bindings");
    for (name, generated) in files.iter() {
        same(&format!("../c/guardhost/{name}"), generated);
    }
}

fn opts(world: &str) -> Opts {
    Opts {
        format: true,
        pub_export_macro: true,
        export_macro_name: Some(format!("export_{world}")),
        runtime_path: Some("wit_bindgen::rt".into()),
        additional_derive_attributes: vec!["PartialEq".into()],
        // It holds handles, which do not compare.
        additional_derive_ignore: vec!["verdict".into()],
        generate_all: true,
        generate_unused_types: true,
        ..Opts::default()
    }
}

fn module(name: &str) -> Option<String> {
    Some(format!("guard_sdk::{name}"))
}

fn generated(world: &str, opts: Opts) -> Vec<u8> {
    let (mut resolve, world) = contract(world);
    let mut files = Files::default();
    opts.build().generate(&mut resolve, world, &mut files).expect("bindings");
    let (_, generated) = files.iter().next().expect("one file");
    generated.to_vec()
}

fn in_step(file: &str, world: &str, opts: Opts) {
    let prefix = file.trim_end_matches(".rs");
    let generated = generated(world, opts);
    let generated = String::from_utf8_lossy(&generated);
    // Both worlds export `metadata`, and macros that a crate exports share one name space.
    let generated = generated.replace("__export_guardhost_guard_metadata_", &format!("__export_{prefix}_metadata_"));
    same(&format!("src/{file}"), generated.as_bytes());
}

/// Folders of `wit`, each after those that it names.
const PACKAGES: [&str; 15] = [
    "guard",
    "plan",
    "analysis",
    "files",
    "repo",
    "commits",
    "facts",
    "modules",
    "language",
    "net",
    "registry",
    "toolchain",
    "history",
    "model",
    "worlds",
];

/// A world by its package and its name.
fn contract(world: &str) -> (Resolve, WorldId) {
    let mut resolve = Resolve::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
    let packages = PACKAGES.map(|package| resolve.push_path(root.join(package)).expect("a WIT package").0);
    let world = resolve.select_world(&packages, Some(world)).expect("the world is there");
    (resolve, world)
}

fn same(file: &str, generated: &[u8]) {
    let checked_in = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("GUARD_TEST_UPDATE").is_some() {
        std::fs::write(&checked_in, generated).expect("write the bindings");
        return;
    }
    let found = std::fs::read(&checked_in).unwrap_or_default();
    assert!(found == generated, "{file} is not what wit says: run this test with GUARD_TEST_UPDATE=1");
}
