//! Guards of every released contract, as they were built then.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::author;
use crate::support::cli::host;
use crate::support::guest::{Guest, ID};
use crate::support::repo::TestRepo;

#[test]
fn components_of_every_released_version_judge() {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract");
    let mut languages = BTreeSet::new();
    for version in fs::read_dir(room).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
        for component in fs::read_dir(version).unwrap().map(|entry| entry.unwrap().path()) {
            languages.insert(component.file_stem().unwrap().to_string_lossy().into_owned());
            let repo = TestRepo::with(&[("a.py", "x = 1\n"), ("guards.toml", "schema = 1\n")]);
            repo.write("guard.wasm", fs::read(&component).unwrap());
            author::host(repo.path(), &["guard", "add", "path:guard.wasm"]).expect(0);
            repo.commit("rules");
            for (line, code) in [("# TODO(ada): more\n", 0), ("# TODO more\n", 1)] {
                repo.write("a.py", format!("x = 1\n{line}"));
                repo.stage_all();
                let ran = author::host(repo.path(), &["check", "--staged", "--locked"]);
                assert_eq!(ran.code, code, "{}: {ran:?}", component.display());
            }
        }
    }
    let templates = embedded_languages();
    assert_eq!(languages, templates, "a language without a component of a released contract");
}

/// Those that `host guard new` knows.
fn embedded_languages() -> BTreeSet<String> {
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk");
    let folders = fs::read_dir(sdk).unwrap().map(|entry| entry.unwrap().path());
    let languages = folders.filter(|folder| folder.join("template.toml").is_file());
    languages.map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// One of tomorrow: told before anything is written or run.
#[test]
fn a_newer_contract_says_what_to_do() {
    let newer = Guest {
        contract: |text| text.replace("guard@0.1.0", "guard@0.2.0"),
        imports: r#"(import "guardhost:guard/change@0.2.0" "files" (func $files (param i32)))"#,
        ..Guest::checking("(call $files (i32.const 4000))")
    };
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\n")]);
    repo.write("guard.wasm", newer.component());
    let told = "needs guardhost:guard 0.2, this host has 0.1: update the host or pin an older guard";
    let ran = host(repo.path(), &["guard", "add", "path:guard.wasm"]).expect(4);
    assert!(ran.stderr.contains(told), "{ran:?}");
    assert_eq!(repo.read("guards.toml"), b"schema = 1\n");
    repo.write("guards.toml", format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\n"));
    repo.commit("pinned by hand");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged"]).expect(4);
    assert!(ran.stdout.contains(told), "{ran:?}");
}
