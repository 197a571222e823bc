//! `[[language]]`: a language component of the repository's own is pinned, locked and judged by as a guard is.

use std::fs;

use serde_json::{Value, json};

use super::registry::Site;
use super::tampered::refused;
use crate::support::author::{TemplateProject, host};
use crate::support::cli::Ran;
use crate::support::guest::Guest;
use crate::support::registry::Registry;
use crate::support::repo::TestRepo;

const WHOLE: &str = "fn greet\n    say hello\nend\n";
const BROKEN: &str = "fn greet\n    say hello\n";

const GUARD: &str = "\n[[guard]]\nid = \"syntax-holds\"\n";
const PIN: &str = "\n[[language]]\nid = \"toy\"\nsource = \"path:tools/toy.wasm\"\n";

/// The toy language of the Rust template; None when its tool is missing, which was shown.
fn toy() -> Option<Vec<u8>> {
    let component = TemplateProject::build_reader_template()?.build("example", |_| {})?;
    Some(fs::read(component).unwrap())
}

/// A repository that reads it, locked and committed.
fn pinned() -> Option<TestRepo> {
    let toy = toy()?;
    let repo = TestRepo::with(&[("a.toy", WHOLE)]);
    repo.write("tools/toy.wasm", toy);
    repo.write("guards.toml", format!("schema = 1\n{GUARD}"));
    let added = json_of(&repo, &["guard", "add", "path:tools/toy.wasm"]);
    assert_eq!(change_of(&added, "toy")["reads"], "toy (.toy, #!toy)");
    assert_eq!(repo.read("guards.toml"), format!("schema = 1\n{GUARD}{PIN}").as_bytes());
    repo.commit("rules");
    Some(repo)
}

fn json_of(repo: &TestRepo, args: &[&str]) -> Value {
    host(repo.path(), &[args, &["--format", "json"]].concat()).expect(0).json()
}

fn change_of<'j>(report: &'j Value, id: &str) -> &'j Value {
    report["changes"].as_array().unwrap().iter().find(|change| change["id"] == id).unwrap()
}

/// Judges a text that takes the place of `a.toy`.
fn check(repo: &TestRepo, text: &str) -> Ran {
    repo.write("a.toy", text);
    repo.git(&["add", "a.toy"]);
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]);
    repo.git(&["reset", "-q", "--hard"]);
    ran
}

/// What it exports has the contract's name and another shape, as a component has that was built before claims were changed.
#[test]
fn a_language_of_another_contract_is_refused_with_the_reason() {
    let component = wat::parse_str(
        r#"(component
            (core module $code
                (memory (export "memory") 1)
                (func (export "allocate") (param i32 i32 i32 i32) (result i32) (i32.const 0))
                (func (export "claims") (result i32) (i32.const 0)))
            (core instance $code (instantiate $code))
            (func $claims (result (list string))
                (canon lift (core func $code "claims") (memory $code "memory") (realloc (func $code "allocate"))))
            (instance $reader (export "claims" (func $claims)))
            (export "guardhost:language/reader@0.1.0" (instance $reader))
            (@custom "version" "0.1.0"))"#,
    );
    let repo = TestRepo::with(&[("a.toy", WHOLE)]);
    repo.write("old.wasm", component.unwrap());
    let ran = host(repo.path(), &["guard", "info", "old.wasm"]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.stderr.contains("it was built for another state of guardhost:language/reader@0.1.0"), "{ran:?}");
    assert!(ran.stderr.contains("build it again with the SDK of this host"), "{ran:?}");
}

#[test]
fn a_pinned_language_is_read_and_its_digest_is_bound() {
    let Some(repo) = pinned() else { return };
    let lock = String::from_utf8(repo.read("guards.lock")).unwrap();
    let (_, entry) = lock.split_once("[[language]]").expect("an entry of the language");
    for line in [
        "id = \"toy\"",
        "source = \"path:tools/toy.wasm\"",
        "version = \"0.1.0\"",
        "imports = []",
        "exports = [\"reader\"]",
    ] {
        assert!(entry.contains(line), "{line}: {lock}");
    }
    assert!(!entry.contains("settings"), "a language has none: {lock}");
    assert_eq!(json_of(&repo, &["guard", "lock"])["written"], json!([]), "equal rules give an equal lock");
    assert_eq!(change_of(&json_of(&repo, &["guard", "verify"]), "toy")["action"], "verified");

    let listed = json_of(&repo, &["guard", "list"]);
    let first = &listed["languages"][0];
    assert_eq!((&first["id"], &first["reads"]), (&json!("toy"), &json!(["toy"])), "it is asked first: {listed}");
    assert!(entry.contains(&format!("digest = {}", first["digest"])), "{listed}");
    // Pinned, as a file and as a source, it is described alike.
    for (what, is_pinned) in [("toy", true), ("tools/toy.wasm", false), ("path:tools/toy.wasm", false)] {
        let asked = json_of(&repo, &["guard", "info", what]);
        let language = &asked["language"];
        for key in ["id", "version", "digest", "size", "reads"] {
            assert_eq!(language[key], first[key], "{what}: {asked}");
        }
        assert_eq!(language["pinned"], is_pinned, "{what}: {asked}");
        assert_eq!(language["exports"], json!(["reader"]), "{what}: {asked}");
        let claim = &language["claims"][0];
        assert_eq!(claim["endings"], json!(["toy"]), "{what}: {asked}");
        assert_eq!(claim["answers"], json!(["problems", "outline"]), "{what}: {asked}");
    }
    let embedded = &json_of(&repo, &["guard", "info", "language-parsers"])["language"];
    assert_eq!((&embedded["source"], &embedded["claims"][0]["language"]), (&json!("builtin"), &json!("python")));

    let judged = check(&repo, BROKEN).expect(1).json();
    let guard = &judged["guards"][0];
    assert_eq!(guard["findings"][0]["line"], 1, "{judged}");
    assert_eq!(guard["languages"]["toy"], first["digest"], "the verdict names what it rests on");
    check(&repo, "fn greet\n    say goodbye\nend\n").expect(0);
    let add = |more: &[&str]| host(repo.path(), &[&["guard", "add", "path:tools/toy.wasm"], more].concat());
    assert!(add(&[]).expect(2).stderr.contains("guards.toml has the language `toy` already"));
    // Without the pin nothing reads such a text.
    json_of(&repo, &["guard", "remove", "toy"]);
    assert_eq!(repo.read("guards.toml"), format!("schema = 1\n{GUARD}").as_bytes());
    assert!(add(&["--monitor"]).expect(2).stderr.contains("is a language, which has no rights"));
    repo.commit("no language");
    check(&repo, BROKEN).expect(0);
}

/// The guards' kept verdicts and the receipt of a change are those of one set of languages.
#[test]
fn another_component_is_another_judge() {
    let Some(repo) = pinned() else { return };
    let before = check(&repo, BROKEN).expect(1).json();
    assert_eq!(check(&repo, BROKEN).expect(1).json()["guards"][0]["reused"], true);
    // The same reader with other bytes: a custom section says nothing.
    let mut other = repo.read("tools/toy.wasm");
    other.extend([0, 2, 1, b'x']);
    repo.write("tools/toy.wasm", other);
    repo.commit("another component, not locked");
    refused(check(&repo, BROKEN), 4, &["language `toy`", "sha256:", "host guard update toy"]);
    let updated = json_of(&repo, &["guard", "update", "toy"]);
    assert_eq!(change_of(&updated, "toy")["action"], "updated");
    assert_eq!(change_of(&updated, "toy")["imports_gained"], json!([]));
    repo.commit("locked");
    let after = check(&repo, BROKEN).expect(1).json();
    assert_eq!(after["guards"][0]["reused"], Value::Null, "no verdict of the other component is taken");
    assert_ne!(before["guards"][0]["languages"], after["guards"][0]["languages"]);
}

#[test]
fn a_change_cannot_replace_the_language_that_judges_it() {
    let Some(repo) = pinned() else { return };
    repo.write("tools/toy.wasm", "no component");
    repo.write("a.toy", BROKEN);
    repo.stage_all();
    let refused = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(7).json();
    assert!(refused.to_string().contains("tools/toy.wasm"), "{refused}");
    // Whoever allows it is judged by the old language, and told that the lock does not fit.
    let ran = host(repo.path(), &["check", "--staged", "--allow-rule-changes", "--format", "json"]).expect(1).json();
    let rules: Vec<&str> = ran["guards"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|guard| guard["findings"].as_array().unwrap())
        .filter_map(|finding| finding["rule"].as_str())
        .collect();
    assert!(rules.contains(&"component-mismatch"), "{ran}");
    assert!(rules.len() > 1, "the old language still reads the text: {ran}");
}

#[test]
fn what_is_no_language_is_not_locked() {
    let Some(repo) = pinned() else { return };
    repo.write("tools/toy.wasm", Guest::default().component());
    let told = host(repo.path(), &["guard", "update", "toy", "--format", "json"]).expect(4).json();
    assert_eq!(told["error"]["code"], "not-a-language", "{told}");
    // It stands there already.
    repo.git(&["checkout", "-q", "tools/toy.wasm"]);
    let told = host(repo.path(), &["guard", "add", "path:tools/toy.wasm", "--format", "json"]).expect(2).json();
    assert!(told["error"]["message"].as_str().unwrap().contains("has the language `toy` already"), "{told}");
}

/// By the id of an embedded one it takes its place: then that is not asked for anything.
#[test]
fn a_language_replaces_an_embedded_one() {
    let Some(repo) = pinned() else { return };
    repo.write("a.py", "def f(:\n");
    repo.git(&["add", "a.py"]);
    host(repo.path(), &["check", "--staged"]).expect(1);
    repo.git(&["reset", "-q", "--hard"]);
    let replaced = PIN.replace("\"toy\"", "\"language-parsers\"");
    repo.write("guards.toml", format!("schema = 1\n{replaced}{GUARD}"));
    json_of(&repo, &["guard", "lock"]);
    repo.commit("in place of the parsers");
    repo.write("a.py", "def f(:\n");
    repo.git(&["add", "a.py"]);
    host(repo.path(), &["check", "--staged"]).expect(0);
    repo.git(&["reset", "-q", "--hard"]);
    check(&repo, BROKEN).expect(1);
}

/// The host's own languages can be locked too: a host that embeds others then says so.
#[test]
fn an_embedded_language_is_pinned_by_its_digest() {
    let repo = TestRepo::with(&[("a.py", "x = 1\n")]);
    let digest = guards::EMBEDDED.readers[0].digest;
    let rules =
        |digest: &str| format!("schema = 1\n[[language]]\nid = \"language-parsers\"\ndigest = \"{digest}\"\n{GUARD}");
    repo.write("guards.toml", rules(digest));
    let locked = json_of(&repo, &["guard", "lock"]);
    let reads = change_of(&locked, "language-parsers")["reads"].as_str().unwrap();
    assert!(reads.starts_with("python (.py"), "{reads}");
    repo.commit("rules");
    repo.write("a.py", "x = 2\n");
    repo.stage_all();
    let judged = json_of(&repo, &["check", "--staged"]);
    assert_eq!(judged["guards"][0]["languages"]["language-parsers"], digest);
    let other = format!("sha256:{}", "0".repeat(64));
    repo.git(&["rm", "-q", "--cached", "guards.lock"]);
    repo.remove("guards.lock");
    repo.write("guards.toml", rules(&other));
    repo.commit("of another host");
    repo.write("a.py", "x = 3\n");
    repo.stage_all();
    refused(host(repo.path(), &["check", "--staged", "--format", "json"]), 3, &[digest, "language `language-parsers`"]);
    // What no host embeds needs a source.
    repo.write("guards.toml", "schema = 1\n[[language]]\nid = \"cobol\"\n");
    let told = host(repo.path(), &["guard", "lock", "--format", "json"]).expect(3).json();
    assert!(told["error"]["hint"].as_str().unwrap().contains("path:FILE"), "{told}");
}

#[test]
fn a_language_comes_from_a_registry_and_is_vendored() {
    let (Some(toy), Some(registry)) = (toy(), Registry::start(None)) else { return };
    let mut site = Site::new();
    let source = format!("oci://{}/team/toy", registry.host);
    site.repo.write("built.wasm", toy);
    let published = site.host(&["guard", "publish", "built.wasm", &source]).expect(0).json();
    let change = change_of(&published, "toy");
    assert_eq!((&change["to"]["version"], &change["reads"]), (&json!("0.1.0"), &json!("toy (.toy, #!toy)")));
    site.repo.remove("built.wasm");
    let pin = format!("[[language]]\nid = \"toy\"\nsource = \"{source}\"\nversion = \"^0.1\"\n");
    site.repo.write("guards.toml", format!("schema = 1\n{pin}allow-unsigned = true\n{GUARD}"));
    site.repo.write("a.toy", WHOLE);
    site.host(&["guard", "lock"]).expect(0);
    let named = format!("source = \"{source}:0.1.0@sha256:");
    assert!(site.lock().contains(&named), "tag and manifest are locked: {}", site.lock());
    site.host(&["guard", "vendor"]).expect(0);
    site.repo.commit("rules");
    drop(registry);
    // Another machine, without a network: the copy in the repository is read.
    site.forget();
    site.repo.write("a.toy", BROKEN);
    site.repo.stage_all();
    let judged = site.host(&["check", "--staged", "--offline"]).expect(1).json();
    assert_eq!(judged["guards"][0]["findings"][0]["line"], 1, "{judged}");
}

#[test]
fn a_language_has_no_keys_of_a_guard_and_no_id_of_one() {
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    for (rules, what) in [
        ("[[language]]\nid = \"toy\"\ngrants = [\"repo\"]\n", "unknown field `grants`"),
        ("[[language]]\nid = \"Toy\"\n", "language id `Toy`"),
        ("[[language]]\nid = \"toy\"\nsource = \"https://example.org/toy.wasm\"\n", "without a digest"),
        ("[[language]]\nid = \"a\"\n[[guard]]\nid = \"a\"\nsource = \"path:a.wasm\"\n", "pinned twice"),
    ] {
        repo.write("guards.toml", format!("schema = 1\n{rules}"));
        let told = host(repo.path(), &["guard", "lock", "--format", "json"]).expect(3).json();
        assert!(told["error"]["message"].as_str().unwrap().contains(what), "{what}: {told}");
    }
}
