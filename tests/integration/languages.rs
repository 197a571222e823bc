//! One guard in every language: built from its template by its own tool, judged on the shared cases, pinned, and probed.

mod mistakes;
mod other;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::support::author::{NAME, TemplateProject, host, root};
use crate::support::cli::Ran;
use crate::support::component;
use crate::support::repo::{TestRepo, git_in};

/// The example guard is built, judged on the shared cases, pinned and certified.
fn shows(language: &'static str) {
    let Some(guard) = TemplateProject::build_template(language).and_then(|project| project.build("example", |_| {}))
    else {
        return;
    };
    imports_nothing_but_the_contract(&guard);
    agrees_on_every_case(language, &guard);
    judges_where_it_is_pinned(&guard);
    // An example that breaks, or takes more and more, would be a bad one.
    host(root(), &["guard", "certify", guard.to_str().unwrap(), "--changes", "12"]).expect(0);
}

#[test]
fn rust() {
    shows("rust");
}

#[test]
fn javascript() {
    shows("js");
}

#[test]
fn typescript() {
    shows("ts");
}

#[test]
fn python() {
    shows("python");
    if let Some(project) = TemplateProject::build_template("python") {
        types_for_editors_are_those_of_the_contract(&project.tool());
    }
}

#[test]
fn c() {
    shows("c");
}

#[test]
fn go() {
    shows("go");
}

/// The compiler generates these types in memory only; editors need them as files.
fn types_for_editors_are_those_of_the_contract(compiler: &Path) {
    let made = tempfile::tempdir().unwrap();
    let (wit, bindings) = (made.path().join("wit"), made.path().join("typings"));
    for package in fs::read_dir(root().join("wit")).unwrap().map(|package| package.unwrap().path()) {
        let worlds = package.ends_with("worlds");
        let to = if worlds { wit.clone() } else { wit.join("deps").join(package.file_name().unwrap()) };
        fs::create_dir_all(&to).unwrap();
        for file in fs::read_dir(package).unwrap().map(|file| file.unwrap()) {
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    let mut command = std::process::Command::new(compiler);
    command
        .args(["--quiet", "--world", "guard-with-capabilities", "--wit-path"])
        .arg(&wit)
        .arg("bindings")
        .arg(&bindings);
    assert!(command.status().unwrap().success());
    let kept = root().join("sdk/python/typings");
    for folder in ["wit_world/imports", "wit_world/exports"] {
        let (kept, made) = (kept.join(folder), bindings.join(folder));
        if guard_cases::updating() {
            for file in files(&made) {
                fs::copy(made.join(&file), kept.join(&file)).unwrap();
            }
        }
        assert_eq!(sorted(&kept), sorted(&made), "sdk/python/typings/{folder}");
    }
    for file in files(&kept) {
        if guard_cases::updating() {
            fs::copy(bindings.join(&file), kept.join(&file)).unwrap();
        }
        let (kept, made) =
            (fs::read_to_string(kept.join(&file)).unwrap(), fs::read_to_string(bindings.join(&file)).unwrap());
        assert_eq!(kept, made, "sdk/python/typings/{}", file.display());
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut files = files(folder);
    files.sort();
    files
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let inside = |entry: fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => files(&entry.path()).into_iter().map(|file| Path::new(&entry.file_name()).join(file)).collect(),
        false => vec![PathBuf::from(entry.file_name())],
    };
    fs::read_dir(folder).unwrap().flat_map(|entry| inside(entry.unwrap())).collect()
}

/// Reads the component itself, not the host's report about it.
fn imports_nothing_but_the_contract(guard: &Path) {
    let imports = component::imports(&fs::read(guard).unwrap());
    assert!(imports.contains(&"guardhost:guard/change@0.1.0".to_string()), "{imports:?}");
    let others: Vec<_> =
        imports.iter().filter(|name| name.contains(':') && !name.starts_with("guardhost:guard/")).collect();
    assert!(others.is_empty(), "{others:?}");
}

/// The same bytes of JSON from every language, because each is compared with the same file.
fn agrees_on_every_case(language: &str, guard: &Path) {
    let update = guard_cases::updating() && language == "rust";
    let cases = cases();
    assert!(cases.ranges.len() > 20, "the shared cases were not found");
    for (name, range) in &cases.ranges {
        let folder = root().join("sdk/cases").join(name);
        let settings = fs::read_to_string(folder.join("settings.json")).unwrap_or_else(|_| "{}".to_string());
        let rules = cases.repo.path().join(format!("../{language}.toml"));
        fs::write(&rules, pin(guard, &settings)).unwrap();
        let ran = host(
            cases.repo.path(),
            &[
                "check",
                "--range",
                range,
                "--skip",
                "host:readable",
                "--format",
                "json",
                "--config",
                rules.to_str().unwrap(),
            ],
        );
        let said = verdict(&ran);
        let file = folder.join("expect.json");
        if update {
            fs::write(&file, &said).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: expect.json: {error}"));
        assert_eq!(said, expected, "{language}: sdk/cases/{name}");
    }
}

fn judges_where_it_is_pinned(guard: &Path) {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("guards/house-style.wasm", fs::read(guard).unwrap());
    repo.write("guards.toml", pin(Path::new("guards/house-style.wasm"), r#"{"max_line_length":20}"#));
    repo.commit("rules");
    repo.write("a.txt", "one\n# TODO(ana): two\n");
    repo.stage_all();
    host(repo.path(), &["check", "--staged"]).expect(0);
    repo.write("a.txt", "one\n# TODO(ana): twenty-one\n");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged"]).expect(1);
    assert!(ran.stdout.contains("this line has 23 characters"), "{ran:?}");
}

/// `guards.toml` with one guard.
fn pin(guard: &Path, settings: &str) -> String {
    let settings: BTreeMap<String, toml::Value> = serde_json::from_str(settings).unwrap();
    let pin = json!({"schema": 1, "guard": [{"id": NAME, "source": format!("path:{}", guard.display()), "settings": settings}]});
    toml::to_string(&pin).unwrap()
}

/// The guard's entry in the form of a case's `expect.json`, without null and empty fields.
fn verdict(ran: &Ran) -> String {
    let report = ran.json();
    let guard = &report["guards"][0];
    let kept = |value: &Value, keys: &[&str]| {
        let fields =
            keys.iter().filter(|key| !value[**key].is_null()).map(|key| (key.to_string(), value[*key].clone()));
        fields.collect::<Map<_, _>>()
    };
    let mut said = kept(guard, &["verdict", "reason"]);
    let finding =
        |found: &Value| kept(found, &["rule", "severity", "path", "line", "end_line", "message", "help", "fix"]).into();
    let findings: Vec<Value> = guard["findings"].as_array().unwrap().iter().map(finding).collect();
    if !findings.is_empty() {
        said.insert("findings".to_string(), findings.into());
    }
    let code = match guard["verdict"].as_str() {
        Some("pass") => 0,
        Some("reject") => 1,
        _ => 5,
    };
    assert_eq!(ran.code, code, "{ran:?}");
    serde_json::to_string_pretty(&said).unwrap() + "\n"
}

struct Cases {
    repo: TestRepo,
    /// `A..B` by the case's name.
    ranges: BTreeMap<String, String>,
}

/// The shared cases as commits, so that git and the host find the renames, not this test.
fn cases() -> &'static Cases {
    static CASES: OnceLock<Cases> = OnceLock::new();
    CASES.get_or_init(|| {
        let repo = TestRepo::new();
        let mut ranges = BTreeMap::new();
        for entry in fs::read_dir(root().join("sdk/cases")).unwrap() {
            let case = entry.unwrap().path();
            let before = commit(&repo, &case.join("before"), None);
            let after = commit(&repo, &case.join("after"), Some(&before));
            let name = case.file_name().unwrap().to_string_lossy().into_owned();
            ranges.insert(name, format!("{before}..{after}"));
        }
        Cases { repo, ranges }
    })
}

fn commit(repo: &TestRepo, folder: &Path, parent: Option<&str>) -> String {
    let git_dir = repo.path().join(".git");
    let git = |arguments: &[&str]| {
        let place = ["--git-dir", git_dir.to_str().unwrap(), "--work-tree", folder.to_str().unwrap()];
        git_in(folder, &[&place, arguments].concat(), b"")
    };
    git(&["add", "--all", "--force", "."]);
    let tree = git(&["write-tree"]);
    let parent = parent.map_or(vec![], |parent| vec!["-p", parent]);
    git(&[&["commit-tree", &tree, "-m", "case"], parent.as_slice()].concat())
}
