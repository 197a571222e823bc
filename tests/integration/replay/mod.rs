//! `host replay`: what was recorded is judged again, byte for byte, or what differs is named.

mod answers;
mod attested;
mod bundles;
mod commits;
mod flips;
mod hundred;
mod reviews;
mod signed;
mod upgrades;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::cli::{Ran, host_with};
use crate::support::guest::{Answer, Found, Guest, PASS, REJECT};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const DOC: &str =
    "# x\n\nSome text.\n\n```console\n$ x --all --verbose --really-all-of-it\n$ x --help\n$ x --version | less\n```\n";
const CODE: &str = "def x():\n    return 1\n";
const GOOD: &str = "Two is better.\n\n```diff\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n```\n";
const BAD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
/// What guards give a fix for.
const FENCED: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\n```\n";
/// The same fence, and an error that only the author can fix.
const HALF: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";

/// Guards of the host, and one that asks every service that a run has.
const RULES: &str = "schema = 1\n\n[[guard]]\nid = \"docs-kept\"\n\n[[guard]]\nid = \"scope-kept\"\n\n[[guard]]\nid = \"syntax-holds\"\n\n\
                     [[guard]]\nid = \"test-guest\"\nsource = \"path:guards/asker.wasm\"\ngrants = [\"history\", \"commits\", \"net\", \"model\"]\n";

/// Imports `history`, `commits`, `net` and `model`, and reports a number that is made of all that they answer.
fn asker() -> Guest {
    let fold = "(call $fold)";
    let check = format!(
        "(call $outcomes (i32.const 10000) (i32.const 1000) (i32.const 4000)) {fold}
         (call $touching (i32.const 5000) (i32.const 4) (i32.const 10) (i32.const 4000)) {fold}
         (i32.store (i32.const 6000) (i32.const 5010)) (i32.store (i32.const 6004) (i32.const 22))
         (call $probe (i32.const 6000) (i32.const 1) (i32.const 4000)) {fold}
         (call $ask (i32.const 0) (i32.const 0) (i32.const 4000)) {fold}
         (call $metric (i32.const 5000) (i32.const 4) (f64.convert_i32_s (global.get $told)))"
    );
    Guest {
        world: "import guardhost:history/history@0.1.0; import guardhost:commits/commits@0.1.0; import guardhost:net/net@0.1.0; \
                import guardhost:model/model@0.1.0;",
        imports: r#"
            (import "guardhost:history/history@0.1.0" "outcomes" (func $outcomes (param i32 i32 i32)))
            (import "guardhost:commits/commits@0.1.0" "touching" (func $touching (param i32 i32 i32 i32)))
            (import "guardhost:net/net@0.1.0" "probe" (func $probe (param i32 i32 i32)))
            (import "guardhost:model/model@0.1.0" "ask" (func $ask (param i32 i32 i32)))
            (import "guardhost:guard/log@0.1.0" "metric" (func $metric (param i32 i32 f64)))"#,
        // The answer's tag, and the length of its list or text.
        items: r#"(data (i32.const 5000) "x.py")
            (data (i32.const 5010) "https://example.org/ab")
            (global $told (mut i32) (i32.const 0))
            (func $fold
                (global.set $told (i32.add (i32.mul (global.get $told) (i32.const 31)) (i32.load8_u (i32.const 4000))))
                (global.set $told (i32.add (i32.mul (global.get $told) (i32.const 31)) (i32.load (i32.const 4008)))))"#
            .to_owned(),
        check,
        ..Guest::default()
    }
}

/// Another build of it, which asks nothing.
fn other_build(verdict: u8) -> Vec<u8> {
    let found = if verdict == REJECT { vec![Found::default()] } else { Vec::new() };
    let answer = Answer::Verdict(verdict, found);
    let asker = asker();
    let (world, imports) = (asker.world, asker.imports);
    assert!([PASS, REJECT].contains(&verdict));
    Guest { world, imports, items: asker.items, answer, version: "0.2.0", ..Guest::default() }.component()
}

/// A repository whose guards ask.
fn repo() -> TestRepo {
    let repo = TestRepo::with(&[("README.md", DOC), ("x.py", CODE), ("guards.toml", RULES)]);
    repo.write("guards/asker.wasm", asker().component());
    repo.commit("guards");
    repo
}

/// A repository with a lock, whose component git does not have.
fn repo_with_built_component() -> TestRepo {
    let repo =
        TestRepo::with(&[("README.md", DOC), ("x.py", CODE), ("guards.toml", RULES), (".gitignore", "guards/\n")]);
    repo.write("guards/asker.wasm", asker().component());
    host_with(repo.path(), &["guard", "lock"], b"", &[]).expect(0);
    repo.commit("guards");
    repo
}

/// A run that is answered with these replies, one a round; its report.
fn run(repo: &TestRepo, replies: &[&str], more: &[&str]) -> Value {
    let line =
        |(reply, round)| json!({ "round": round, "provider": "test", "model": "m-1", "reply": reply }).to_string();
    let lines: Vec<String> = replies.iter().zip(1..).map(line).collect();
    let file = repo.path().join(format!("../replies-{}.jsonl", uuid()));
    std::fs::write(&file, lines.join("\n")).expect("written");
    let (provider, rounds) = (format!("replay:{}", file.display()), replies.len().to_string());
    let args = [
        "run",
        "--task",
        "Let x return 2",
        "--offline",
        "--format",
        "json",
        "--rounds",
        &rounds,
        "--provider",
        &provider,
    ];
    let ran = host_with(repo.path(), &[&args[..], more].concat(), b"", &[]);
    assert!([0, 1, 7].contains(&ran.code), "{ran:?}");
    ran.json()
}

fn uuid() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// Another process, with another cache.
fn replay(dir: &Path, args: &[&str]) -> Ran {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path().to_str().expect("a path");
    host_with(dir, &[&["replay", "--format", "json"], args].concat(), b"", &[("HOME", home)])
}

/// The same with the cache of the other tests, where it is another thing that is tested.
fn replay_warm(dir: &Path, args: &[&str]) -> Ran {
    host_with(dir, &[&["replay", "--format", "json"], args].concat(), b"", &[])
}

fn folder(repo: &TestRepo, run: &str) -> PathBuf {
    repo.path().join(".git/guardhost/runs").join(run)
}

/// The outcome of a guard in the change of this number.
fn outcome<'r>(report: &'r Value, change: usize, id: &str) -> &'r str {
    let guards = report["runs"][0]["changes"][change]["guards"].as_array().expect("guards");
    let guard = guards.iter().find(|guard| guard["id"] == id).unwrap_or_else(|| panic!("{id}: {report:#}"));
    guard["outcome"].as_str().expect("a word")
}

/// Every problem of the report: kind and what.
fn problems(report: &Value) -> Vec<(String, String)> {
    let of = |value: &Value| value["problems"].as_array().cloned().unwrap_or_default();
    let runs = report["runs"].as_array().expect("runs").iter();
    let all = runs.flat_map(|run| {
        let changes = run["changes"].as_array().expect("changes").iter().flat_map(of);
        of(run).into_iter().chain(changes).collect::<Vec<_>>()
    });
    all.map(|problem| {
        let text = |key: &str| problem[key].as_str().expect("a text").to_owned();
        (text("kind"), text("what"))
    })
    .collect()
}

#[test]
fn every_round_is_judged_again_byte_for_byte() {
    let repo = repo();
    let report = run(&repo, &[BAD, HALF, GOOD], &[]);
    assert_eq!(report["outcome"], "committed", "{report:#}");
    let id = report["run"].as_str().expect("a run");
    let before = (repo.snapshot(), repo.git(&["for-each-ref"]));
    let again = replay(repo.path(), &[id]).expect(0).json();
    assert_eq!(again["same"], true, "{again:#}");
    let changes = again["runs"][0]["changes"].as_array().expect("changes");
    let shown: Vec<_> = changes.iter().map(|change| (change["round"].as_u64(), change["fixed"] == true)).collect();
    assert_eq!(shown, [(Some(1), false), (Some(2), false), (Some(3), false)], "{again:#}");
    for change in changes {
        let guards = change["guards"].as_array().expect("guards");
        let ids: Vec<_> = guards.iter().map(|guard| guard["id"].as_str().expect("an id")).collect();
        assert_eq!(ids, ["docs-kept", "scope-kept", "syntax-holds", "test-guest"]);
        assert_eq!(guards[3]["answers"], 4, "{change:#}");
        assert_eq!(change["receipt"]["same"], true, "{change:#}");
    }
    assert_eq!(before, (repo.snapshot(), repo.git(&["for-each-ref"])), "a replay writes nothing");
    // Without an id: the newest run that judged a change, not the audit behind it; and for people.
    host_with(repo.path(), &["audit", "--no-builds"], b"", &[]).expect(0);
    assert_eq!(replay_warm(repo.path(), &[]).expect(0).json()["runs"][0]["run"], id);
    let human = host_with(repo.path(), &["replay", id], b"", &[]).expect(0).stdout;
    assert!(human.contains("same: 12 verdicts of 3 changes judged again, byte for byte"), "{human}");
}

#[test]
fn a_change_with_the_guards_fixes_is_judged_in_both_forms() {
    let repo = repo();
    let report = run(&repo, &[FENCED], &[]);
    assert_eq!(report["outcome"], "committed", "{report:#}");
    let again = replay(repo.path(), &[report["run"].as_str().expect("a run")]).expect(0).json();
    let changes = again["runs"][0]["changes"].as_array().expect("changes");
    let shown: Vec<_> = changes.iter().map(|change| (change["fixed"] == true, change["rebuilt"].as_str())).collect();
    // Git has the tree with the fixes, and the diff of the other.
    assert_eq!(shown, [(false, Some("from-diff")), (true, Some("from-git"))], "{again:#}");
}

/// History has grown, the network is another, and git's log too: the recorded answers count.
#[test]
fn services_are_not_asked_again() {
    let repo = repo();
    let first = run(&repo, &[GOOD], &[]);
    for _ in 0..3 {
        run(&repo, &[BAD], &[]);
    }
    repo.write("x.py", "def x():\n    return 7\n");
    repo.commit("later");
    let again = replay(repo.path(), &[first["run"].as_str().expect("a run")]).expect(0).json();
    assert_eq!(again["same"], true, "{again:#}");
}

#[test]
fn a_plan_is_replayed_with_its_steps() {
    let repo = repo();
    let step = |id: &str| json!({ "id": id, "title": format!("Step {id}"), "description": "Let x return 2", "file_hints": ["x.py"] });
    let plan = json!({ "tasks": [{ "id": "T1", "title": "Both", "subtasks": [step("T1-S1"), step("T1-S2")] }] });
    repo.write("../plan.json", plan.to_string());
    let next = GOOD.replace("return 2", "return 3").replace("return 1", "return 2");
    let beside = repo.path().parent().expect("a folder").display().to_string();
    let again = format!("if [ -e {beside}/again ]; then cat <<'END'\n");
    let first = format!("else touch {beside}/again; cat <<'END'\n");
    repo.write("../agent.sh", format!("cat >/dev/null\n{again}{next}END\n{first}{GOOD}END\nfi\n"));
    let provider = format!("command:sh {beside}/agent.sh");
    let args = ["run", "--plan", "../plan.json", "--offline", "--format", "json", "--provider", &provider];
    let report = host_with(repo.path(), &args, b"", &[]).expect(0).json();
    let id = report["plan"].as_str().expect("a run");
    let again = replay_warm(repo.path(), &[id]).expect(0).json();
    let runs = again["runs"].as_array().expect("runs");
    assert_eq!(runs[0]["command"], "plan");
    assert!(runs.len() > 1 && runs[1..].iter().all(|run| run["same"] == true), "{again:#}\n{report:#}");
    assert!(runs[1]["changes"].as_array().is_some_and(|changes| !changes.is_empty()), "{again:#}");
}

#[test]
fn nothing_to_replay_is_no_success() {
    let repo = repo();
    let args = ["run", "--task", "x", "--provider", "command:false", "--format", "json"];
    host_with(repo.path(), &args, b"", &[]).expect(6);
    let ran = replay_warm(repo.path(), &[]);
    assert_eq!(ran.code, 8, "{ran:?}");
    assert_eq!(replay_warm(repo.path(), &["ffffff"]).code, 2);
}

/// What a toolchain said is recorded: the replay has neither Python nor a sandbox.
#[test]
fn builds_are_not_run_again() {
    let Some(_) = needs(Tool::Python) else { return };
    let repo = TestRepo::with(&[("pyproject.toml", "[project]\nname = \"x\"\n"), ("x.py", CODE)]);
    let report = run(&repo, &[GOOD], &["--guard", "builds", "--guard", "syntax-holds"]);
    let id = report["run"].as_str().expect("a run");
    let answers = std::fs::read_to_string(folder(&repo, id).join("1/answers.json")).expect("answers");
    assert!(answers.contains("\"service\":\"toolchain\"") && answers.contains("\"reports\""), "{answers}");
    let args = ["replay", "--format", "json", id];
    let env = [("PATH", "/nonexistent"), ("GUARDHOST_SANDBOX", "none-of-them")];
    let again = host_with(repo.path(), &args, b"", &env).expect(0).json();
    assert_eq!(again["same"], true, "{again:#}");
}
