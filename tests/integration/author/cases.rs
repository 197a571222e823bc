//! `host guard build`, `test` and `bench` on a guard that needs no language.

use std::fs;

use serde_json::{Value, json};

use super::Home;
use crate::support::cli::host;
use crate::support::guest::{DATA, Found, Guest, REJECT, verdict};
use crate::support::repo::TestRepo;

fn rejecting() -> Guest {
    Guest::answering(verdict(REJECT, &[Found::at("a.md", 2)]))
}

#[test]
fn no_cases_are_no_test() {
    let home = Home::with_guest(&Guest::default());
    let ran = host(home.path(), &["guard", "test"]).expect(8);
    assert!(ran.stderr.contains("there are no cases"), "{ran:?}");
    assert!(home.path().join("guard.wasm").is_file(), "it was not built");
}

#[test]
fn a_case_without_expectation_fails_until_it_is_written() {
    let home = Home::with_guest(&rejecting());
    home.case("kept/one");
    let ran = host(home.path(), &["guard", "test", "--format", "json"]).expect(1);
    let case = &ran.json()["cases"][0];
    assert_eq!((&case["name"], &case["ok"]), (&json!("kept/one"), &json!(false)));
    assert!(case["wrong"][0].as_str().unwrap().contains("there is no expect.json"), "{case}");

    let updated = host(home.path(), &["guard", "test", "--update", "--format", "json"]).expect(0).json();
    assert_eq!(updated["cases"][0]["updated"], true);
    let file = home.path().join("cases/kept/one/expect.json");
    let written: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let found = json!({ "rule": "a-rule", "severity": "error", "path": "a.md", "line": 2, "message": "wrong" });
    assert_eq!(written, json!({ "verdict": "reject", "findings": [found] }));
    host(home.path(), &["guard", "test"]).expect(0);
    let again = host(home.path(), &["guard", "test", "--update", "--format", "json"]).expect(0).json();
    assert_eq!(again["cases"][0]["updated"], false);
}

/// A case in one file: what is expected is written into it, and the rest of it stays.
#[test]
fn a_single_file_is_a_case() {
    let home = Home::with_guest(&rejecting());
    home.case("b/one");
    let text = "Why.\n\n-- before/a.md --\none\n-- settings.json --\n{}\n-- after/a.md --\none\ntwo\n";
    let file = home.write("cases/b/two.case", text);
    let updated = host(home.path(), &["guard", "test", "--update", "--format", "json"]).expect(0).json();
    let names: Vec<_> = updated["cases"].as_array().unwrap().iter().map(|case| &case["name"]).collect();
    assert_eq!(names, ["b/one", "b/two"]);
    let expected = fs::read_to_string(home.path().join("cases/b/one/expect.json")).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{text}-- expect.json --\n{expected}"));
    host(home.path(), &["guard", "test"]).expect(0);
    let again = host(home.path(), &["guard", "test", "--update", "--format", "json"]).expect(0).json();
    assert_eq!(again["cases"][1]["updated"], false);

    fs::write(&file, text.replace("{}", "{")).unwrap();
    let ran = host(home.path(), &["guard", "test"]).expect(2);
    assert!(ran.stderr.contains("two.case:6 (settings.json) is wrong"), "{ran:?}");
    fs::write(&file, text.replace("{}", "{}\r")).unwrap();
    let ran = host(home.path(), &["guard", "test"]).expect(2);
    assert!(ran.stderr.contains("two.case:6: a carriage return"), "{ran:?}");
    fs::write(&file, text).unwrap();
    home.case("b/two");
    let ran = host(home.path(), &["guard", "test"]).expect(2);
    assert!(ran.stderr.contains("the case `b/two` is a folder and a file at once"), "{ran:?}");
}

/// A guest that fails with the message of the change's first commit.
#[test]
fn commits_of_a_case() {
    let home = Home::with_guest(&Guest {
        imports: r#"(import "guardhost:guard/change@0.1.0" "commits" (func $commits (param i32)))
            (import "guardhost:guard/change@0.1.0" "[method]commit.message" (func $message (param i32 i32)))"#,
        check: format!(
            "(call $commits (i32.const 4000))
             (call $message (i32.load (i32.load (i32.const 4000))) (i32.const 4016))
             (i32.store8 (i32.const {DATA}) (i32.const 1))
             (i32.store offset=4 (i32.const {DATA}) (i32.load (i32.const 4016)))
             (i32.store offset=8 (i32.const {DATA}) (i32.load (i32.const 4020)))
             (return (i32.const {DATA}))"
        ),
        ..Guest::default()
    });
    home.case("one");
    home.write("cases/one/expect.json", r#"{"verdict": "error", "reason": "Add a line"}"#);
    home.write("cases/one/commits.json", r#"{"commits": [{"message": "Add a line", "author": {"name": "Ana"}}]}"#);
    host(home.path(), &["guard", "test"]).expect(0);
    home.write("cases/one/commits.json", r#"{"commits": [{"message": "Add another"}]}"#);
    host(home.path(), &["guard", "test"]).expect(1);
    home.write("cases/one/commits.json", r#"{"commits": [{"message": "", "oid": "x"}]}"#);
    let ran = host(home.path(), &["guard", "test"]).expect(2);
    assert!(ran.stderr.contains("commits.json") && ran.stderr.contains("is no object id"), "{ran:?}");
}

#[test]
fn what_differs_is_told() {
    let home = Home::with_guest(&rejecting());
    home.case("one");
    let expectations = [
        (r#"{"verdict": "pass"}"#, "verdict: \"pass\" is expected, it is \"reject\""),
        (r#"{"verdict": "reject"}"#, "no finding is expected, it has: a-rule at a.md:2: wrong"),
        (r#"{"verdict": "reject", "findings": []}"#, "0 findings are expected, it has 1"),
        (r#"{"verdict": "reject", "findings": [{"line": 3}]}"#, "findings[0].line: 3 is expected, it is 2"),
        (r#"{"findings": []}"#, "expect.json names no verdict"),
    ];
    for (expectation, told) in expectations {
        home.write("cases/one/expect.json", expectation);
        let ran = host(home.path(), &["guard", "test", "--format", "json"]).expect(1);
        assert!(ran.json()["cases"][0]["wrong"].to_string().contains(&told.replace('"', "\\\"")), "{told}: {ran:?}");
    }
    home.write("cases/one/expect.json", r#"{"verdict": "reject", "findings": [{"message": "wro", "line": 2}]}"#);
    host(home.path(), &["guard", "test"]).expect(0);
}

/// Settings come from the case, and those that the guard does not have are its error.
#[test]
fn settings_of_a_case() {
    let home = Home::with_guest(&Guest::default());
    home.case("one");
    home.write("cases/one/settings.json", "[1]");
    home.write("cases/one/expect.json", r#"{"verdict": "pass"}"#);
    host(home.path(), &["guard", "test"]).expect(0);
    home.write("cases/one/settings.json", "{");
    let ran = host(home.path(), &["guard", "test"]).expect(2);
    assert!(ran.stderr.contains("settings.json"), "{ran:?}");
}

#[test]
fn a_tool_that_is_missing_is_named_with_its_remedy() {
    let home = Home::with_guest(&Guest::default());
    let recipe = fs::read_to_string(home.path().join("guard.toml")).unwrap();
    home.write("guard.toml", recipe.replace(r#"program = "cp""#, r#"program = "no-such-compiler""#));
    let ran = host(home.path(), &["guard", "build", "--format", "json"]).expect(4).json();
    assert_eq!(ran["error"]["code"], "tool-missing");
    let hint = ran["error"]["hint"].as_str().unwrap();
    assert!(hint.contains("no-such-installer cp"), "{hint}");
    host(home.path(), &["guard", "build", "--install"]).expect(4);

    home.write("guard.toml", recipe.replace("source.wasm", "nowhere.wasm"));
    let ran = host(home.path(), &["guard", "build", "--format", "json"]).expect(4).json();
    assert_eq!(ran["error"]["code"], "build-failed");
    assert!(ran["error"]["causes"][0].as_str().unwrap().contains("nowhere.wasm"), "{ran}");
}

#[test]
fn figures_beside_those_of_an_older_guard() {
    let home = Home::with_guest(&Guest::default());
    home.case("one");
    let older = home.write("old/older.wasm", Guest::checking("(memory.grow (i32.const 3)) drop").component());
    let arguments = ["guard", "bench", "--against", older.to_str().unwrap(), "--format", "json"];
    let benched = host(home.path(), &arguments).expect(0).json();
    let (now, before) = (&benched["now"], &benched["before"]);
    assert_eq!(now["cases"][0]["verdict"], "pass");
    assert!(now["fuel"].as_u64().unwrap() < before["fuel"].as_u64().unwrap(), "{benched}");
    assert_eq!(before["memory"].as_u64().unwrap() - now["memory"].as_u64().unwrap(), 3 * 65_536);
    let again = host(home.path(), &arguments).expect(0).json();
    assert_eq!(now["fuel"], again["now"]["fuel"]);
}

/// In a repository that has the guard pinned, that one is the older guard.
#[test]
fn figures_beside_those_of_what_is_pinned() {
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\nguards = []\n")]);
    repo.write("tools/guard.wasm", Guest::default().component());
    host(repo.path(), &["guard", "add", "path:tools/guard.wasm"]).expect(0);
    repo.commit("rules");
    repo.write("next/guard.wasm", Guest::checking("(memory.grow (i32.const 3)) drop").component());
    repo.write("next/cases/one/before/a.md", "one\n");
    repo.write("next/cases/one/after/a.md", "two\n");
    repo.write("next/cases/one/expect.json", r#"{"verdict": "pass"}"#);
    let benched =
        host(&repo.path().join("next"), &["guard", "bench", "guard.wasm", "--format", "json"]).expect(0).json();
    let memory = |side: &str| benched[side]["memory"].as_u64().unwrap();
    assert_eq!(memory("now") - memory("before"), 3 * 65_536, "{benched}");
}

#[test]
fn what_a_file_is_needs_no_repository() {
    let home = Home::with_guest(&Guest::default());
    let told = host(home.path(), &["guard", "info", "source.wasm", "--format", "json"]).expect(0).json();
    let guard = &told["guard"];
    assert_eq!(
        (&guard["id"], &guard["version"], &guard["pinned"]),
        (&json!("test-guest"), &json!("0.1.0"), &json!(false))
    );
    assert_eq!(guard["exports"], json!(["judge", "metadata"]));
    assert_eq!(guard["size"], fs::read(home.path().join("source.wasm")).unwrap().len());
    assert!(guard["toolchain"].to_string().contains("wit-component"), "{guard}");
    home.write("text.wasm", "no component");
    host(home.path(), &["guard", "info", "text.wasm"]).expect(4);
}

/// What a failed guard said stands beside the case that failed.
#[test]
fn a_guard_that_fails_says_why() {
    let home = Home::with_guest(&Guest {
        imports: r#"(import "guardhost:guard/log@0.1.0" "line" (func $line (param i32 i32 i32)))"#,
        items: format!(r#"(data (i32.const {DATA}) "last words")"#),
        ..Guest::checking(&format!("(call $line (i32.const 3) (i32.const {DATA}) (i32.const 10)) unreachable"))
    });
    home.case("one");
    home.write("cases/one/expect.json", r#"{"verdict": "pass"}"#);
    let ran = host(home.path(), &["guard", "test"]).expect(1);
    for words in ["the guard failed [trap]: ", "log (error): last words"] {
        assert!(ran.stdout.contains(words), "{words}: {ran:?}");
    }
    let json = host(home.path(), &["guard", "test", "--format", "json"]).expect(1).json();
    assert!(json["cases"][0]["wrong"].to_string().contains("the guard failed [trap]"), "{json}");
    // So it does wherever a guard fails.
    let certified = host(home.path(), &["guard", "certify", "guard.wasm", "--changes", "3"]).expect(1);
    assert!(certified.stdout.contains("log (error): last words"), "{certified:?}");
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let guard = format!(
        "schema = 1\n[[guard]]\nid = \"test-guest\"\nsource = \"path:{}\"\n",
        home.path().join("guard.wasm").display()
    );
    let rules = repo.path().join("../failing.toml");
    std::fs::write(&rules, guard).unwrap();
    let checked = host(repo.path(), &["check", "--staged", "--config", rules.to_str().unwrap()]).expect(5);
    assert!(checked.stdout.contains("log (error): last words"), "{checked:?}");
    repo.commit("two");
    let component = home.path().join("guard.wasm");
    let ran = host(repo.path(), &["guard", "run", component.to_str().unwrap(), "--range", "HEAD~1..HEAD"]);
    assert!(ran.stdout.contains("log (error): last words"), "{ran:?}");
}
