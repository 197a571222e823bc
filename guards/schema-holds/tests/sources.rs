//! What lies in `schemas/vendor` is what `sources.json` says was taken.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

#[test]
fn schemas_of_others_are_as_they_were_taken() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let sources: Value = serde_json::from_slice(&fs::read(folder.join("sources.json")).unwrap()).unwrap();
    let sources = sources.as_object().unwrap();
    let kept = fs::read_dir(folder.join("vendor")).unwrap().map(|entry| entry.unwrap().file_name());
    let kept: BTreeSet<String> = kept.map(|name| name.into_string().unwrap()).collect();
    assert_eq!(kept, sources.keys().cloned().collect());
    for (name, source) in sources {
        let bytes = Sha256::digest(fs::read(folder.join("vendor").join(name)).unwrap());
        let digest: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(source["sha256"], digest, "{name}: run fetch.py, or restore it");
        assert!(source["licence"].as_str().is_some_and(|licence| !licence.is_empty()), "{name} has no licence");
    }
}

#[test]
fn every_schema_has_its_licence_in_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let sources: Value = serde_json::from_slice(&fs::read(folder.join("sources.json")).unwrap()).unwrap();
    let table = fs::read_to_string(folder.join("LICENSES.md")).unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).map(|(schema, rest)| {
        let (origin, licence) = rest.trim_end_matches(" |").split_once(" | ").expect("three columns");
        (schema.to_owned(), (origin.to_owned(), licence.to_owned()))
    });
    let rows: BTreeMap<String, (String, String)> = rows.collect();
    let kept = ["vendor", "own"].into_iter().flat_map(|part| {
        let names = fs::read_dir(folder.join(part)).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(move |name| format!("{part}/{}", name.into_string().unwrap()))
    });
    assert_eq!(
        kept.collect::<BTreeSet<_>>(),
        rows.keys().cloned().collect(),
        "a row for each schema, and for no other"
    );
    for (schema, (origin, licence)) in rows {
        match schema.strip_prefix("vendor/") {
            Some(name) => {
                let source = &sources[name];
                assert_eq!(source["licence"], licence, "{schema}");
                let package =
                    format!("`{}` {}", source["package"].as_str().unwrap(), source["version"].as_str().unwrap());
                assert!(origin.ends_with(&package), "{schema}: {origin} names no {package}");
                // Others may pass these on within a program of any licence.
                assert!(licence.split(" OR ").any(|one| ["Apache-2.0", "MIT"].contains(&one)), "{schema}: {licence}");
            }
            None => assert_eq!(licence, "this project's", "{schema}"),
        }
    }
}

/// What is built into the guard lies in one of the two folders of the table.
#[test]
fn nothing_else_is_built_in() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let bundle: Value = serde_json::from_slice(&fs::read(folder.join("bundle.json")).unwrap()).unwrap();
    for schema in bundle["schemas"].as_object().unwrap().keys() {
        assert!(schema.starts_with("vendor/") || schema.starts_with("own/"), "{schema}");
    }
}
