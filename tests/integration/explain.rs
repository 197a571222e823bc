//! `host explain`: what it shows is what the components do.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use guardhost_authoring::cases;
use guardhost_core::change::NullObserver;
use guardhost_engine::{GuardInput, GuardSet, GuardSpec, JudgeContext, default_set};
use guardhost_git::ScratchRepository;
use serde_json::{Value, json};

use crate::support::cli::{home, host};
use crate::support::judging::machine;
use crate::support::repo::TestRepo;

fn folder(id: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("guards").join(id)
}

/// Outside of any repository.
fn explained(what: &[&str]) -> Value {
    let arguments = [&["explain"], what, &["--format", "json"]].concat();
    host(home(), &arguments).expect(0).json()
}

/// By the engine, with the facts that the host computes itself. Those that want builds, tests, models or earlier commits, and the one of
/// plans, are held to their words by their own tests.
#[test]
fn examples_are_rejected_and_accepted_with_the_findings_that_are_shown() {
    let scratch = ScratchRepository::new(&std::env::temp_dir()).unwrap();
    let mut judged = Vec::new();
    for guard in guards::builtin() {
        let explained = explained(&[guard.id]);
        let shown = explained["guard"]["examples"].as_array().unwrap();
        assert_eq!([&shown[0]["verdict"], &shown[1]["verdict"]], ["reject", "pass"], "{}", guard.id);
        assert_ne!(shown[0]["findings"], json!([]), "{}", guard.id);
        if shown.iter().any(|example| {
            ["tools", "web", "registries", "plan", "answers"].iter().any(|told| !example["given"][told].is_null())
        }) || guard.description.get().needs.iter().any(|need| need.name == "commits")
        {
            continue;
        }
        let spec = default_set(&guards::EMBEDDED, &[guard.id.to_owned()])
            .unwrap()
            .into_iter()
            .find(|spec| spec.id == guard.id)
            .unwrap();
        let cases = cases(&folder(guard.id).join("cases/example")).unwrap();
        for (case, shown) in cases.iter().rev().zip(shown) {
            let GuardInput { candidate, task, settings } = case.input(&scratch).unwrap();
            let set = GuardSet::new(vec![GuardSpec { settings, ..spec.clone() }], &machine()).unwrap();
            let context = JudgeContext { task: task.as_ref(), observer: &NullObserver };
            let said = guardhost_engine::guard(&candidate, &set, &context).evidence.remove(0).verdict;
            let mut findings = json!(said.findings());
            for finding in findings.as_array_mut().unwrap() {
                if let Some(title) = finding.get("fix").map(|fix| fix["title"].clone()) {
                    finding["fix"] = title;
                }
                // Cases do not expect a word about secrets.
                finding.as_object_mut().unwrap().shift_remove("secret");
            }
            assert_eq!(
                (json!(said.as_str()), findings),
                (shown["verdict"].clone(), shown["findings"].clone()),
                "{}",
                guard.id
            );
            assert_ne!(shown["diff"], "", "{}", guard.id);
        }
        judged.push(guard.id);
    }
    assert!(judged.len() >= guards::COUNT - 13, "only {judged:?}");
}

#[test]
fn every_rule_that_a_case_expects_is_described() {
    for guard in guards::builtin() {
        let description = guard.description.get();
        let known: BTreeSet<&str> = description.rules.iter().map(|rule| rule.rule.as_str()).collect();
        for location in guard_cases::find(&folder(guard.id).join("cases"), &["expect.json"]).unwrap() {
            let case = guard_cases::Case::read(&location.path).unwrap();
            let expected: Value = serde_json::from_str(case.text("expect.json").unwrap().unwrap()).unwrap();
            for finding in expected["findings"].as_array().into_iter().flatten() {
                let rule = finding["rule"].as_str().unwrap_or_default();
                assert!(known.contains(rule), "{}: `{rule}` is not among the rules that it describes", guard.id);
            }
        }
    }
}

/// The build refuses a guard with a rule of which no case has a finding; only what is an information may have none, since it speaks of
/// changes that are too large to be shown.
#[test]
fn every_rule_is_shown_with_a_change_that_it_finds_and_one_that_its_guard_accepts() {
    for guard in guards::builtin() {
        for rule in &guard.description.get().rules {
            let explained = explained(&[&format!("{}/{}", guard.id, rule.rule)]);
            let examples = explained["rule"]["examples"].as_array().unwrap();
            let last = examples.last().unwrap();
            assert_eq!(last["verdict"], "pass", "{}/{}", guard.id, rule.rule);
            let may_lack =
                rule.summary.starts_with("info") || ["grown-too-large", "more"].contains(&rule.rule.as_str());
            let found = |example: &Value| {
                example["findings"].as_array().unwrap().iter().any(|finding| finding["rule"] == json!(rule.rule))
            };
            assert!(may_lack || found(&examples[0]), "{}/{}", guard.id, rule.rule);
        }
    }
}

#[test]
fn a_guard_is_found_by_its_id_its_mark_and_its_rules() {
    let by_id = explained(&["docs-kept"]);
    assert_eq!(by_id, explained(&["G13"]));
    assert_eq!(by_id, explained(&["g13"]));
    insta::assert_json_snapshot!(by_id["guard"], {
        ".version" => "[version]", ".digest" => "[digest]", ".size" => "[size]", ".toolchain" => "[toolchain]",
        ".globs" => "[globs]", ".settings_schema" => "[as in its folder]", ".rules" => "[as it describes them]"
    });
    let rule = &explained(&["G13/code-loss"])["rule"];
    assert_eq!(
        rule["meaning"],
        "less than 30 % of a document's code is left, and it went nowhere else. A warning in a document that is written anew"
    );
    assert_eq!(rule["examples"][0]["findings"][0]["rule"], "code-loss");
    assert_eq!(&explained(&["code-loss"])["rule"], rule);
    let list = explained(&[]);
    let ids: BTreeSet<&str> =
        list["guards"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), guards::COUNT);
}

#[test]
fn a_page_of_it() {
    let page = host(home(), &["explain", "scope-kept"]).expect(0).stdout;
    // The first line tells the version.
    let changes = |line: &&str| line.starts_with("digest") || line.starts_with("size");
    let page: Vec<&str> = page.lines().skip(1).filter(|line| !changes(line)).collect();
    insta::assert_snapshot!(page.join("\n"));
}

#[test]
fn what_is_unknown_is_a_mistake_of_usage() {
    let ran = host(home(), &["explain", "doc-kept"]).expect(2);
    assert!(ran.stderr.contains("no guard `doc-kept`") && ran.stderr.contains("did you mean `docs-kept`"), "{ran:?}");
    let ran = host(home(), &["explain", "docs-kept/code-lost"]).expect(2);
    assert!(ran.stderr.contains("did you mean `code-loss`"), "{ran:?}");
    host(home(), &["explain", "docs-kept", "--repo", "/nowhere"]).expect(7);
}

/// One that is not embedded says of itself what its component says; what the pin sets is told as it is set.
#[test]
fn a_pinned_guard_is_explained_as_it_is_pinned() {
    let component = guards::component("docs-kept").unwrap();
    let pin = "schema = 1\n[[guard]]\nid = \"docs-kept\"\nsource = \"path:own.wasm\"\nlimits = { fuel = 1_000_000 }\n";
    let repo = TestRepo::with(&[("guards.toml", pin), ("a.txt", "a\n")]);
    fs::write(repo.path().join("own.wasm"), component).unwrap();
    repo.commit("with its guard");
    let told = |what: &str| host(repo.path(), &["explain", what, "--format", "json"]).expect(0).json()["guard"].clone();
    let own = told("docs-kept");
    assert_eq!(own["source"], "path:own.wasm");
    assert_eq!(own["limits"]["fuel"], 1_000_000);
    assert_eq!((&own["examples"], &own["rules"]), (&json!([]), &explained(&["docs-kept"])["guard"]["rules"]));
    assert_eq!(own["settings"][0]["name"], "shrink_floor");
    assert_eq!((told("G2")["judges"].clone(), own["judges"].clone()), (json!("when-asked"), json!("here")));
    let list = host(repo.path(), &["explain", "--format", "json"]).expect(0).json();
    assert_eq!(list["guards"][0]["id"], "docs-kept");
    assert_eq!(list["guards"].as_array().unwrap().len(), guards::COUNT);
}
