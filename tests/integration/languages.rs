//! One guard in every language: built from its template by its own tool, judged on the shared cases, pinned, and probed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use crate::support::author::{NAME, TemplateProject, host, root};
use crate::support::cli::Ran;
use crate::support::repo::{TestRepo, git_in};

/// The example guard is built, judged on the shared cases, pinned and certified.
fn shows(language: &'static str) {
    let Some(guard) = TemplateProject::of(language).and_then(|project| project.build("example", |_| {})) else {
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
    if let Some(project) = TemplateProject::of("python") {
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
        assert_eq!(sorted(&kept.join(folder)), sorted(&bindings.join(folder)), "sdk/python/typings/{folder}");
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

#[test]
fn modules_that_cannot_become_a_guard_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("not-wasm", "not wasm at all".as_bytes().to_vec(), "expected `(`"),
        ("a-component", wat::parse_str("(component)").unwrap(), "a component already"),
        ("no-exports", wat::parse_str("(module)").unwrap(), "guardhost:guard/metadata@0.1.0"),
        (
            "other-imports",
            wat::parse_str(r#"(module (import "env" "system" (func (param i32))) (memory (export "memory") 1))"#)
                .unwrap(),
            "env",
        ),
    ];
    for (name, module, word) in cases {
        fs::write(folder.path().join("core.wasm"), module).unwrap();
        let ran = host(folder.path(), &["guard", "componentize", "core.wasm"]).expect(2);
        assert!(ran.stderr.contains(word) || ran.stdout.contains(word), "{name} does not say {word}: {ran:?}");
        assert!(!folder.path().join("guard.wasm").exists(), "{name}");
    }
    let ran = host(folder.path(), &["guard", "componentize", "core.wasm", "--world", "elsewhere"]).expect(2);
    assert!(format!("{ran:?}").contains("elsewhere"), "{ran:?}");
}

/// `describe` that returns no handle of a description is found before anything is written.
#[test]
fn a_module_that_does_not_describe_itself_becomes_no_guard() {
    let folder = tempfile::tempdir().unwrap();
    let text = by_hand("(i32.const 0)");
    fs::write(folder.path().join("core.wat"), text).unwrap();
    let ran = host(folder.path(), &["guard", "componentize", "core.wat"]).expect(4);
    assert!(ran.stderr.contains("does not describe itself"), "{ran:?}");
    assert!(!folder.path().join("guard.wasm").exists());
}

/// The guide's table of layouts, as text: plain export names, and no allocation because nothing is read.
#[test]
fn a_guard_by_hand_judges() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("core.wat"), by_hand("(call $description (i32.const 64) (i32.const 7) (i32.const 80) (i32.const 5) (i32.const 96) (i32.const 4))")).unwrap();
    host(folder.path(), &["guard", "componentize", "core.wat"]).expect(0);
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("guards/by-hand.wasm", fs::read(folder.path().join("guard.wasm")).unwrap());
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"by-hand\"\nsource = \"path:guards/by-hand.wasm\"\n");
    repo.commit("rules");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    let finding = &ran["guards"][0]["findings"][0];
    assert_eq!((&finding["rule"], &finding["message"]), (&json!("by-hand"), &json!("none")), "{ran}");
}

/// A guard that rejects every change, in WebAssembly text.
fn by_hand(describe: &str) -> String {
    format!(
        r#"(module
          (import "guardhost:guard/report@0.1.0" "[constructor]description"
            (func $description (param i32 i32 i32 i32 i32 i32) (result i32)))
          (import "guardhost:guard/report@0.1.0" "[constructor]finding"
            (func $finding (param i32 i32 i32 i32 i32) (result i32)))
          (memory (export "memory") 1)
          (data (i32.const 64) "by-hand")
          (data (i32.const 80) "0.1.0")
          (data (i32.const 96) "none")
          ;; result<verdict, string>: ok, reject, a list of one handle.
          (data (i32.const 128) "\00\00\00\00\01\00\00\00\a0\00\00\00\01\00\00\00")
          (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
          (func (export "describe") (result i32) {describe})
          (func (export "check") (param i32 i32) (result i32)
            (i32.store (i32.const 160)
              (call $finding (i32.const 64) (i32.const 7) (i32.const 0) (i32.const 96) (i32.const 4)))
            (i32.const 128)))"#
    )
}

/// An example of `sdk/examples`, in a language without a template: built as its guard.toml says, certified, and asked.
fn example(language: &'static str) {
    let Some(guard) = TemplateProject::of(language).and_then(|project| project.build("example", |_| {})) else {
        return;
    };
    imports_nothing_but_the_contract(&guard);
    host(root(), &["guard", "certify", guard.to_str().unwrap(), "--changes", "12"]).expect(0);
    let repo = TestRepo::with(&[("a.py", "x = 1\n# FIXME: was there\ny = 2\n"), ("b.py", "1\n2\n3\n4\n")]);
    repo.write("guards/no-fixme.wasm", fs::read(&guard).unwrap());
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"no-fixme\"\nsource = \"path:guards/no-fixme.wasm\"\n");
    repo.commit("rules");
    repo.write("a.py", "x = 1\n# FIXME: was there\ny = 3\n");
    repo.stage_all();
    host(repo.path(), &["check", "--staged"]).expect(0);
    repo.write("b.py", "1\n3\n4 # FIXME\n5 FIXME");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    let found: Vec<_> =
        ran["guards"][0]["findings"].as_array().unwrap().iter().map(|one| (&one["path"], &one["line"])).collect();
    assert_eq!(found, [(&json!("b.py"), &json!(3)), (&json!("b.py"), &json!(4))], "{language}: {ran}");
}

#[test]
fn assemblyscript() {
    example("assemblyscript");
}

#[test]
fn cpp() {
    example("cpp");
}

#[test]
fn zig() {
    example("zig");
}

/// What is wrong ends the build with words, and the next step.
#[test]
fn mistakes_in_javascript_end_the_build_with_words() {
    let Some(project) = TemplateProject::of("js") else { return };
    let folder = project.kept(".").canonicalize().unwrap();
    let about = r#"id: "x", version: "0.1.0", promise: "p", check: () => []"#;
    let cases = [
        (format!("const x = guard({{ {about} }});"), "guard.js has no `export default guard({ … })`"),
        (format!("export default guard({{ {about}, glob: [] }});"), "guard has no property `glob`; it may have: id,"),
        (
            format!("export default guard({{ {about}, globs: \"*.js\" }});"),
            "guard.globs must be a list, and is the string \"*.js\"",
        ),
        (format!("export default guard({{ {about}, id: \"No Id\" }});"), "the id \"No Id\""),
        (
            format!("import * as tree from \"guardhost:repo/tree@0.1.0\";\nexport default guard({{ {about} }});"),
            "take the slashes off its line in wit/world.wit",
        ),
    ];
    for (text, words) in cases {
        fs::write(folder.join("guard.js"), format!("import {{ guard }} from \"./guardhost/index.js\";\n{text}"))
            .unwrap();
        let ran = host(&folder, &["guard", "build"]).expect(4);
        assert!(ran.stderr.contains(words), "{text}: {words}: {ran:?}");
    }
}

/// A finding of the wrong shape is an error that names the property, not a trap.
#[test]
fn findings_of_the_wrong_shape_are_named() {
    let Some(project) = TemplateProject::of("js") else { return };
    let finding = r#"{ rule: "r", severity: "error", message: "m", path: "a.txt", line: 1 }"#;
    let table: [(&str, String, &str); 7] = [
        (
            "line",
            finding.replace("line: 1", "line: \"1\""),
            "finding 0 (r).line must be a whole number from 1, and is the string \"1\"",
        ),
        (
            "zero",
            finding.replace("line: 1", "line: 0"),
            "finding 0 (r).line must be a whole number from 1, and is the number 0",
        ),
        (
            "severity",
            finding.replace("\"error\"", "\"fatal\""),
            "finding 0 (r).severity must be one of \"error\", \"warning\", \"info\"",
        ),
        (
            "unknown",
            finding.replace("line", "lines"),
            "finding 0 (r) has no property `lines`; it may have: rule, severity,",
        ),
        (
            "edit",
            finding.replace("line: 1", "fix: { title: \"t\", edits: [{}] }"),
            "finding 0 (r).fix.edits[0].path must be a string, and is undefined",
        ),
        ("missing", "{}".to_string(), "finding 0.rule must be a string, and is undefined"),
        ("none", "null".to_string(), "finding 0 must be an object, and is null"),
    ];
    let doors: String = table.iter().map(|(door, finding, _)| format!("  {door}: () => [{finding}],\n")).collect();
    let text = format!(
        "import {{ guard }} from \"./guardhost/index.js\";\nconst doors = {{\n{doors}  nothing: () => undefined,\n  promise: async () => [],\n}};\n\
         export default guard({{ id: \"{NAME}\", version: \"0.1.0\", promise: \"p\", settings: {{ type: \"object\", additionalProperties: false, \
         properties: {{ door: {{ type: \"string\" }} }} }}, check: (_, {{ door }}) => doors[door]() }});"
    );
    let Some(guard) = project.build("shapes", |folder| fs::write(folder.join("guard.js"), &text).unwrap()) else {
        return;
    };
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let what = "what `check` returns must be a list of findings, or notApplicable(reason), and is";
    let more = [("nothing", format!("{what} undefined")), ("promise", format!("{what} a promise"))];
    let table = table.map(|(door, _, words)| (door, words.to_string()));
    for (door, words) in table.iter().chain(&more) {
        let rules = repo.path().join("../shapes.toml");
        fs::write(&rules, pin(&guard, &format!(r#"{{"door":"{door}"}}"#))).unwrap();
        let ran =
            host(repo.path(), &["check", "--staged", "--format", "json", "--config", rules.to_str().unwrap()]).json();
        let reason = ran["guards"][0]["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(words.as_str()), "{door}: {words}: {ran}");
    }
}

/// Reads the component itself, not the host's report about it.
fn imports_nothing_but_the_contract(guard: &Path) {
    let bytes = fs::read(guard).unwrap();
    let (mut depth, mut imports) = (0, Vec::new());
    for payload in wasmparser::Parser::new(0).parse_all(&bytes) {
        match payload.unwrap() {
            wasmparser::Payload::ComponentSection { .. } | wasmparser::Payload::ModuleSection { .. } => depth += 1,
            wasmparser::Payload::End(_) => depth -= 1,
            wasmparser::Payload::ComponentImportSection(section) if depth == 0 => {
                imports.extend(section.into_iter().map(|import| import.unwrap().name.name.to_string()));
            }
            _ => {}
        }
    }
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
            &["check", "--range", range, "--format", "json", "--config", rules.to_str().unwrap()],
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
