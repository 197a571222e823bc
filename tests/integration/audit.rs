//! `host audit`: what a tree scores, by analyzers in the sandbox.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use guardhost_core::change::{Candidate, Objects, Oid, RepoPath, TreeEntry};
use guardhost_core::error::Result;
use guardhost_engine::analysis::{MetricRequest, measure};
use guardhost_engine::{EngineContext, GuardSet, analyzers};
use guardhost_git::candidate;
use serde_json::Value;

use crate::support::cli::{Ran, host};
use crate::support::guest::{DATA, Guest, ID};
use crate::support::judging::machine;
use crate::support::repo::TestRepo;

const ALL: MetricRequest<'static> = MetricRequest { metrics: &[], no_builds: None };

const IDS: [&str; 11] = [
    "readme",
    "ci",
    "tests",
    "security",
    "code_quality",
    "deps",
    "docs",
    "license",
    "structure",
    "build",
    "test_results",
];

fn audit(repo: &TestRepo, arguments: &[&str]) -> Ran {
    host(repo.path(), &[&["audit", "--format", "json"], arguments].concat())
}

fn metric<'r>(report: &'r Value, id: &str) -> &'r Value {
    let metrics = report["metrics"].as_array().expect("metrics");
    metrics.iter().find(|metric| metric["id"] == id).unwrap_or_else(|| panic!("{id} is not in {report:#}"))
}

fn repo() -> TestRepo {
    TestRepo::with(&[
        ("README.md", "# counted\n\n## Usage\n\nCount.\n"),
        ("LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n"),
        ("pyproject.toml", "[project]\nname = \"counted\"\nrequires-python = \">=3.10\"\n"),
        ("counted.py", "def count(things):\n    \"\"\"How many.\"\"\"\n    return len(things)\n"),
        ("test_counted.py", "from counted import count\n\n\ndef test_count():\n    assert count([1]) == 1\n"),
    ])
}

/// The sum of what the points earned is the score, what was not measured has no weight, and the same tree scores the same.
#[test]
fn every_score_is_the_sum_of_its_points() {
    let repo = repo();
    let report = audit(&repo, &["--no-builds"]).expect(0).json();
    let ids: Vec<&str> =
        report["metrics"].as_array().unwrap().iter().map(|metric| metric["id"].as_str().unwrap()).collect();
    assert_eq!(ids, IDS);
    let (mut sum, mut weights) = (0.0, 0.0);
    for metric in report["metrics"].as_array().unwrap() {
        let earned: f64 =
            metric["points"].as_array().unwrap().iter().map(|point| point["earned"].as_f64().unwrap()).sum();
        let Some(score) = metric["score"].as_f64() else {
            assert_eq!((&metric["status"], metric["points"].as_array().unwrap().len()), (&"not-measured".into(), 0));
            assert!(metric["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{metric}");
            continue;
        };
        assert!((score - earned).abs() < 1e-9, "{metric:#}");
        let status = if score >= 0.75 {
            "pass"
        } else if score >= 0.4 {
            "warn"
        } else {
            "fail"
        };
        assert_eq!(metric["status"], status, "{metric:#}");
        sum += score * metric["weight"].as_f64().unwrap();
        weights += metric["weight"].as_f64().unwrap();
    }
    assert!((report["overall"].as_f64().unwrap() - sum / weights).abs() < 0.001, "{report:#}");
    assert_eq!(metric(&report, "license")["score"], 1.0);
    assert_eq!(metric(&report, "deps")["points"][2]["line"], 3, "requires-python");
    let mut again = audit(&repo, &["--no-builds"]).expect(0).json();
    again["micros"] = report["micros"].clone();
    assert_eq!(again, report);
}

/// The work tree does not count, and the revision does.
#[test]
fn a_revision_is_measured_as_it_was_committed() {
    let repo = repo();
    repo.git(&["rm", "-q", "LICENSE"]);
    repo.git(&["commit", "-q", "-m", "no licence"]);
    repo.write("LICENSE", "Permission is hereby granted, free of charge\n");
    let only = ["--no-builds", "--metric", "license"];
    let now = audit(&repo, &only).expect(0).json();
    assert_eq!((now["metrics"].as_array().unwrap().len(), &metric(&now, "license")["score"]), (1, &0.0.into()));
    let before = audit(&repo, &[&only[..], &["--ref", "HEAD~1"]].concat()).expect(0).json();
    assert_eq!(metric(&before, "license")["score"], 1.0);
    audit(&repo, &["--ref", "gone"]).expect(2);
    audit(&repo, &["--metric", "gone"]).expect(2);
    let empty = TestRepo::new();
    host(empty.path(), &["audit"]).expect(8);
}

/// Builds and tests run in the sandbox; where there is none, or no tool, nothing passes.
#[test]
fn builds_and_tests_are_run() {
    let repo = TestRepo::with(&[
        ("package.json", "{ \"name\": \"counted\", \"scripts\": { \"test\": \"node --test\" } }\n"),
        ("counted.mjs", "export function count(things) {\n  return things.length;\n}\n"),
        (
            "counted.test.mjs",
            "import test from 'node:test';\nimport assert from 'node:assert';\nimport { count } from './counted.mjs';\ntest('counts', () => assert.equal(count([1]), 1));\n",
        ),
        ("broken.py", "def f(:\n"),
    ]);
    let report = audit(&repo, &[]).expect(0).json();
    let build = metric(&report, "build");
    if build["status"] == "not-measured" {
        println!("SKIPPED audit::builds_and_tests_are_run: {}", build["reason"]);
        return;
    }
    assert_eq!((&build["status"], &build["score"]), (&"fail".into(), &0.0.into()), "{build:#}");
    let error =
        build["points"].as_array().unwrap().iter().find(|point| point["rule"] == "build-error").expect("an error");
    assert_eq!((&error["path"], &error["line"]), (&"broken.py".into(), &1.into()), "{error:#}");
    assert!(error["message"].as_str().unwrap().starts_with("[syntax_error]"), "{error:#}");
    let results = metric(&report, "test_results");
    if results["status"] == "not-measured" {
        println!("SKIPPED audit::builds_and_tests_are_run (tests): {}", results["reason"]);
        return;
    }
    assert_eq!(results["status"], "pass", "{results:#}");
    repo.write("counted.mjs", "export function count(things) {\n  return things.length + 1;\n}\n");
    repo.commit("wrong");
    let report = audit(&repo, &["--metric", "test_results"]).expect(0).json();
    let results = metric(&report, "test_results");
    assert_eq!(results["status"], "fail", "{results:#}");
    assert!(results["points"].to_string().contains("counts"), "{results:#}");
}

/// A failing analyzer is an error by name: no score, exit code 5, and the other metrics are there.
#[test]
fn an_analyzer_that_fails_is_named_and_costs_no_other_metric() {
    let repo = repo();
    // It says that it measures, and exports nothing that does.
    let guest = Guest { stage: "analysis", ..Guest::default() };
    fs::write(repo.path().join("analyzer.wasm"), guest.component()).unwrap();
    repo.write("guards.toml", format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:analyzer.wasm\"\n"));
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "analyzer"]);
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.commit("lock");
    let report = audit(&repo, &["--no-builds"]).expect(5).json();
    let failed = metric(&report, ID);
    assert_eq!(
        (&failed["status"], &failed["error"], &failed["score"]),
        (&"not-measured".into(), &"bad-export".into(), &Value::Null)
    );
    assert_eq!(metric(&report, "license")["score"], 1.0);
    // It judges no change.
    repo.write("counted.py", "x = 1\n");
    repo.stage_all();
    let check = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(0).json();
    assert_eq!(check["guards"][0]["verdict"], "not-applicable", "{check:#}");
}

/// Three metrics: one traps, one never ends, one is fine.
#[test]
fn a_metric_that_traps_is_an_error_by_name_and_the_others_are_there() {
    let repo = repo();
    // Ids and weights of the metrics, as a `list<metric>`; then `ok(not-measured("no"))`.
    let items = format!(
        r#"(data (i32.const {DATA}) "\d0\0c\00\00\03\00\00\00")
        (data (i32.const 3280) "\40\0d\00\00\05\00\00\00\e8\03\00\00\48\0d\00\00\07\00\00\00\e8\03\00\00\50\0d\00\00\04\00\00\00\e8\03\00\00")
        (data (i32.const 3392) "traps")
        (data (i32.const 3400) "goes_on")
        (data (i32.const 3408) "fine")
        (data (i32.const 3456) "\00\00\00\00\01\00\00\00\a0\0d\00\00\02\00\00\00")
        (data (i32.const 3488) "no")
        (func (export "guardhost:analysis/measure@0.1.0#metrics") (result i32) (i32.const {DATA}))
        (func (export "guardhost:analysis/measure@0.1.0#measure") (param $id i32) (param $length i32) (param i32 i32) (result i32)
          (if (i32.eq (local.get $length) (i32.const 5)) (then (unreachable)))
          (if (i32.eq (local.get $length) (i32.const 7)) (then (loop $again (br $again))))
          (i32.const 3456))"#
    );
    let world = "export guardhost:analysis/measure@0.1.0;";
    let guest = Guest { stage: "analysis", world, items, ..Guest::default() };
    fs::write(repo.path().join("analyzer.wasm"), guest.component()).unwrap();
    let pin = format!(
        "schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:analyzer.wasm\"\nlimits = {{ fuel = 10_000_000 }}\n"
    );
    repo.write("guards.toml", pin);
    repo.stage_all();
    repo.commit("analyzer");
    host(repo.path(), &["guard", "lock"]).expect(0);
    repo.stage_all();
    repo.commit("lock");
    let before = (repo.snapshot(), repo.status());
    let report = audit(&repo, &["--no-builds"]).expect(5).json();
    for (id, code) in [("traps", Some("trap")), ("goes_on", Some("out-of-fuel")), ("fine", None)] {
        let metric = metric(&report, id);
        assert_eq!((&metric["status"], &metric["score"]), (&"not-measured".into(), &Value::Null), "{metric:#}");
        assert_eq!(metric["error"].as_str(), code, "{metric:#}");
        assert_eq!(metric["reason"].as_str() == Some("no"), code.is_none(), "{metric:#}");
    }
    assert_eq!(metric(&report, "license")["score"], 1.0);
    assert_eq!(report["metrics"].as_array().unwrap().len(), IDS.len() + 3);
    assert_eq!(before, (repo.snapshot(), repo.status()));
}

/// The objects of a repository, and how many blobs were read.
struct Counted(Arc<dyn Objects>, AtomicUsize);

impl Objects for Counted {
    fn blob(&self, oid: Oid) -> Result<Arc<[u8]>> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.blob(oid)
    }
    fn blob_size(&self, oid: Oid) -> Result<u64> {
        self.0.blob_size(oid)
    }
    fn entry(&self, tree: Oid, path: &RepoPath) -> Result<Option<TreeEntry>> {
        self.0.entry(tree, path)
    }
    fn is_dir(&self, tree: Oid, path: &RepoPath) -> Result<bool> {
        self.0.is_dir(tree, path)
    }
    fn blob_named(&self, prefix: &str) -> Result<Option<Oid>> {
        self.0.blob_named(prefix)
    }
    fn walk(&self, tree: Oid, visit: &mut dyn FnMut(&RepoPath, TreeEntry) -> bool) -> Result<()> {
        self.0.walk(tree, visit)
    }
    fn names(&self, tree: Oid, dir: &RepoPath) -> Result<Vec<Vec<u8>>> {
        self.0.names(tree, dir)
    }
    fn changed_lines(&self, before: &[u8], after: &[u8]) -> Result<(u32, u32)> {
        self.0.changed_lines(before, after)
    }
    fn put_blob(&self, bytes: &[u8]) -> Result<Oid> {
        self.0.put_blob(bytes)
    }
    fn edit_tree(&self, tree: Oid, edits: &[(RepoPath, Option<TreeEntry>)]) -> Result<Oid> {
        self.0.edit_tree(tree, edits)
    }
}

/// A tree that was measured is not read again; another tree, and an entry that was altered, are.
#[test]
fn what_was_said_of_a_tree_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("measured");
    let machine = EngineContext { measured_dir: Some(cache.clone()), ..machine() };
    let repo = repo();
    let measured = || {
        let set = GuardSet::new(analyzers(&guards::EMBEDDED), &machine).unwrap();
        let opened = repo.open();
        let tree = opened.head().unwrap().tree;
        let objects = Arc::new(Counted(opened.store(), AtomicUsize::new(0)));
        let candidate = Candidate { objects: objects.clone(), ..candidate(&opened, None, tree, tree).unwrap() };
        let metrics = measure(&candidate, &set, &ALL);
        (metrics, objects.1.load(Ordering::Relaxed))
    };
    let (first, read) = measured();
    assert!(read > 0 && first.iter().filter(|metric| metric.score().is_some()).count() >= 8, "{first:#?}");
    assert_eq!(measured(), (first.clone(), 0));
    let entries = || fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let entries = || entries().filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    let kept = entries().count();
    assert!(kept >= 8, "{kept}");
    for path in entries() {
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    let (again, read) = measured();
    assert_eq!(again, first);
    assert!(read > 0, "an altered entry does not count");
    repo.write("LICENSE", "none\n");
    repo.commit("other");
    let (other, read) = measured();
    assert!(other != first && read > 0);
    assert_eq!(entries().count(), 2 * kept);
}

/// With its report, and once: an audit that says the same again is no news.
#[test]
fn an_audit_that_says_something_new_is_recorded() {
    let repo = repo();
    let recorded = || -> Vec<Value> {
        let log = host(repo.path(), &["log", "--format", "json"]).expect(0).json();
        log["runs"].as_array().expect("runs").clone()
    };
    let report = audit(&repo, &["--no-builds"]).expect(0).json();
    audit(&repo, &["--no-builds"]).expect(0);
    let [only] = &recorded()[..] else { panic!("{:#?}", recorded()) };
    assert_eq!(only["command"], "audit", "{only:#}");
    let id = only["run"].as_str().expect("an id");
    let kept = repo.path().join(".git/guardhost/runs").join(id).join("0/audit.json");
    let kept: Value = serde_json::from_slice(&fs::read(kept).expect("the report is kept")).expect("JSON");
    assert_eq!(kept["metrics"], report["metrics"]);
    repo.write("README.md", "# counted\n");
    repo.commit("a shorter README");
    audit(&repo, &["--no-builds"]).expect(0);
    assert_eq!(recorded().len(), 2);
    let shown = host(repo.path(), &["show", id]).expect(0).stdout;
    assert!(shown.contains("overall"), "{shown}");
}

/// A clone without blobs: what cannot be read because nothing may be fetched is not measured, with the reason; and what git may fetch is measured.
#[test]
fn what_a_partial_clone_lacks_is_not_measured() {
    let origin = TestRepo::with(&[
        ("README.md", "# tally\n\nIt counts things.\n\n## Installation\n\n## Usage\n"),
        ("LICENSE", "MIT License\n"),
        ("pyproject.toml", "[project]\nname = \"tally\"\nversion = \"1\"\n"),
        ("src/tally.py", "def count(things):\n    return len(things)\n"),
    ]);
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let url = format!("file://{}", origin.path().display());
    origin.git(&["clone", "-q", "--no-checkout", "--filter=blob:none", &url, clone.to_str().unwrap()]);
    let audit = |more: &[&str]| host(&clone, &[&["audit", "--format", "json"], more].concat()).expect(0).json();
    let by_status = |report: &Value, status: &str| -> Vec<String> {
        let metrics = report["metrics"].as_array().unwrap().iter().filter(|metric| metric["status"] == status);
        metrics.map(|metric| metric["id"].as_str().unwrap().to_owned()).collect()
    };
    for more in [&["--offline", "--no-builds"][..], &["--offline"]] {
        let report = audit(more);
        let absent = by_status(&report, "not-measured");
        for id in ["readme", "license", "security", "docs"] {
            assert!(absent.iter().any(|metric| metric == id), "{id}: {report:#}");
        }
        for metric in report["metrics"].as_array().unwrap().iter().filter(|metric| metric["status"] == "not-measured") {
            let reason = metric["reason"].as_str().unwrap();
            let of_builds = ["build", "test_results"].contains(&metric["id"].as_str().unwrap()) && more.len() > 1;
            assert!(of_builds || reason.contains("not in this partial clone"), "{metric:#}");
            assert_eq!(metric["error"], Value::Null, "it is no analyzer's failure: {metric:#}");
        }
    }
    // Git brings them, and nothing that was said before is kept.
    let report = audit(&["--no-builds"]);
    assert!(!by_status(&report, "not-measured").iter().any(|id| id != "build" && id != "test_results"), "{report:#}");
}
