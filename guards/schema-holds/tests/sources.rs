//! What lies in `schemas/vendor` is what `sources.json` says was taken.

use std::collections::BTreeSet;
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
