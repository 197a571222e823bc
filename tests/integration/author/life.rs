//! From an empty folder to a verdict, as the guide tells it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::support::author::{TemplateProject, root};
use crate::support::cli::{Ran, host_with};
use crate::support::repo::TestRepo;

/// With the author's own tools: rustup and cargo look for theirs at home.
pub fn host(dir: &Path, arguments: &[&str]) -> Ran {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let tool = |key: &str, folder: &str| {
        let set = std::env::var_os(key).map(PathBuf::from);
        set.unwrap_or_else(|| home.join(folder)).to_string_lossy().into_owned()
    };
    let (cargo, rustup) = (tool("CARGO_HOME", ".cargo"), tool("RUSTUP_HOME", ".rustup"));
    let cache = root().join("target/languages/cache");
    let env = [("CARGO_HOME", &*cargo), ("RUSTUP_HOME", &*rustup), ("XDG_CACHE_HOME", cache.to_str().unwrap())];
    host_with(dir, arguments, b"", &env)
}

/// `kept` is where the language's tool keeps what need not be fetched or compiled again.
fn lives(language: &'static str, kept: &str) {
    let Some(project) = TemplateProject::build_template(language) else { return };
    let kept_at = project.kept(kept);
    let empty = tempfile::tempdir().unwrap();
    let made =
        host(empty.path(), &["guard", "new", "no-todo", "--lang", language, "--format", "json"]).expect(0).json();
    let home = empty.path().join("no-todo");
    assert!(made["files"].as_array().unwrap().iter().any(|file| file == "README.md"), "{made}");
    host(empty.path(), &["guard", "new", "no-todo", "--lang", language]).expect(2);
    symlink(kept_at, home.join(kept)).unwrap();

    let built = host(&home, &["guard", "build", "--format", "json"]).expect(0).json();
    assert_eq!(built["id"], "no-todo");
    let component = fs::read(home.join("guard.wasm")).unwrap();
    assert_eq!(built["size"], component.len());
    if language == "rust" {
        let sources = "registry/src";
        let leaks = component.windows(sources.len()).any(|bytes| bytes == sources.as_bytes());
        assert!(!leaks, "paths of the author's home stand in the component");
    }
    assert!(built["imports"].as_array().unwrap().iter().any(|import| import == "change"), "{built}");

    let tested = host(&home, &["guard", "test", "--format", "json"]).expect(0).json();
    assert_eq!(tested["cases"].as_array().unwrap().len(), 1);
    assert_eq!(tested["digest"], built["digest"]);

    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    repo.write("guards/no-todo.wasm", component);
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"no-todo\"\nsource = \"path:guards/no-todo.wasm\"\n");
    repo.commit("pin");
    repo.write("a.py", "x = 1\n# TODO: later\n");
    repo.stage_all();
    let checked = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    assert_eq!(checked["guards"][0]["findings"][0]["rule"], "todo-without-owner");
}

#[test]
fn rust() {
    lives("rust", "target");
}

#[test]
fn javascript() {
    lives("js", "node_modules");
}

#[test]
fn typescript() {
    lives("ts", "node_modules");
}

#[test]
fn python() {
    lives("python", ".venv");
}

#[test]
fn c() {
    lives("c", ".venv");
}

#[test]
fn go() {
    lives("go", ".venv");
}

#[test]
fn names_and_languages_that_are_none() {
    let empty = tempfile::tempdir().unwrap();
    for name in ["No-Todo", "no_todo", "-x", "a--b", "../x"] {
        let ran = host(empty.path(), &["guard", "new", "--lang", "c", "--", name]).expect(2);
        assert!(ran.stderr.contains("cannot be a guard's id"), "{ran:?}");
    }
    let ran = host(empty.path(), &["guard", "new", "x", "--lang", "cobol"]).expect(2);
    assert!(ran.stderr.contains("c, go, js, python, rust, ts"), "{ran:?}");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "nothing was made");
    for language in ["ts", "python", "go", "js", "rust"] {
        host(empty.path(), &["guard", "new", "x", "--lang", language, "--dir", language]).expect(0);
        assert!(empty.path().join(language).join("guard.toml").is_file());
    }
    assert!(empty.path().join("rust/tests/cases.rs").is_file(), "its README promises `cargo test`");
}
