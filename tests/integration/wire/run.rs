//! `host run`, `host patch`, `host log` and `host demo`, with what they write to the repository.

use serde_json::{Value, json};

use super::place::Place;
use super::{CODE, DOC, RULES};

const GOOD: &str = "Two is better.\n\n<<<AI_DIFF_START>>>\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return 2\n<<<AI_DIFF_END>>>\n";
const BAD: &str = "```diff\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
const MISFIT: &str =
    "*** Begin Patch\n*** Update File: x.py\n@@ def y():\n-    return 7\n+    return 2\n*** End Patch\n";
const FENCED: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\n```\n";
/// The same fence, and an error that only the author can fix.
const HALF: &str = "```diff\ndiff --git a/tool.py b/tool.py\nnew file mode 100644\n--- /dev/null\n+++ b/tool.py\n@@ -0,0 +1,4 @@\n+```python\n+def tool():\n+    return 1\n+```\ndiff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n def x():\n-    return 1\n+    return (2\n```\n";
const PROSE: &str = "I had a look at x.py and would return 2 there.";
const ESCAPE: &str = "```diff\n--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n```\n";

fn place() -> Place {
    Place::new(&[("guards.toml", RULES), ("x.py", CODE), ("README.md", DOC)])
}

/// Arguments of a run that is answered with these replies, one a round.
fn answered(place: &Place, replies: &[&str]) -> [String; 7] {
    let line = |(reply, round)| {
        let usage = json!({ "input_tokens": 900, "output_tokens": 100, "cost_usd": 0.25 });
        json!({ "round": round, "provider": "test", "model": "m-1", "usage": usage, "reply": reply }).to_string()
    };
    let lines: Vec<String> = replies.iter().zip(1..).map(line).collect();
    place.beside("replies.jsonl", lines.join("\n"));
    ["run", "--task", "Let x return 2", "--provider", "replay:../replies.jsonl", "--rounds", &replies.len().to_string()]
        .map(str::to_owned)
}

/// Records a run in a repository of its own.
fn run(name: &str, replies: &[&str], more: &[&str]) -> (Place, Value) {
    let place = place();
    let args = answered(&place, replies);
    let args = [args.each_ref().map(String::as_str).as_slice(), more].concat();
    let report = place.record_runs(name, &args).json();
    (place, report)
}

#[test]
fn committed_after_every_setback() {
    let (place, report) = run("run-committed", &[PROSE, ESCAPE, MISFIT, BAD, GOOD], &["--file-hint", "x.py"]);
    let id = report["run"].as_str().unwrap();
    place.record("log", &["log"]);
    place.record("log-run", &["log", id]);
    place.record("replay", &["replay", id]);
    place.record("replay-commit", &["replay", report["commit"].as_str().unwrap()]);
    // How many bytes it has depends on the digits of times.
    place.host(&["replay", id, "--export", "../run.json"], "").expect(0);
    place.record("replay-bundle", &["replay", "--bundle", "../run.json"]);
    place.record("replay-unknown", &["replay", "ffff"]);
    place.record("log-unknown", &["log", "ffff"]);
    place.record("run-resumed-in-vain", &["run", "--resume", id]);
    place.record("diff", &["show", "--diff"]);
    place.record("accept", &["accept"]);
    place.record("accept-again", &["accept", id]);
    place.record("discard", &["discard", id]);
}

#[test]
fn rejected() {
    let (place, report) = run("run-rejected", &[BAD, HALF], &["--no-fix"]);
    place.record("log-run-rejected", &["log", report["run"].as_str().unwrap()]);
    let again = run("run-cycle", &[BAD, BAD, BAD], &[]);
    again.0.record("log-run-cycle", &["log", again.1["run"].as_str().unwrap()]);
    run("run-misfit", &[MISFIT], &[]);
    run("run-no-patch", &[PROSE], &[]);
}

#[test]
fn fixed() {
    let (place, report) = run("run-fixed", &[HALF, FENCED], &["--onto-worktree"]);
    place.record("log-run-fixed", &["log", report["run"].as_str().unwrap()]);
}

#[test]
fn ends() {
    run("run-no-change", &["NO_CHANGES_NEEDED"], &[]);
    run("run-over-budget", &[PROSE, PROSE, PROSE], &["--max-tokens", "1500", "--max-cost", "9"]);
    let place = place();
    place.record_runs("run-provider-failed", &["run", "--task", "Let x return 2", "--provider", "command:false"]);
    place.record("log-provider-failed", &["log"]);
    let place = self::place();
    place.record("run-no-such-provider", &["run", "--task", "x", "--provider", "clod"]);
    place.record("run-empty-task", &["run", "--task", " ", "--provider", "command:cat"]);
}

#[test]
fn limits() {
    run("run-limits", &[GOOD], &["--compile-fix", "--guard", "syntax-holds", "--max-time", "600", "--max-cost", "5"]);
    let quiet = place();
    let agent = quiet.beside("agent.sh", "cat >/dev/null\necho NO_CHANGES_NEEDED\n");
    let provider = format!("command:sh {agent}");
    let run = ["run", "--task", "Let x return 2", "--provider", &provider, "--max-cost", "1"];
    quiet.record("run-cost-not-told", &run);
}

/// The agent itself stops the run.
#[test]
fn interrupted() {
    let place = place();
    let agent = place.beside("agent.sh", "cat >/dev/null\nkill -INT $PPID\nsleep 30\n");
    let provider = format!("command:sh {agent}");
    place.record_runs("run-interrupted", &["run", "--task", "Let x return 2", "--provider", &provider]);
}

/// A rejected run, resumed with its feedback.
#[test]
fn resumed() {
    let place = place();
    let args = answered(&place, &[BAD]);
    let report = place.host(&[&args.each_ref().map(String::as_str)[..], &["--format", "json"]].concat(), "").expect(1);
    let agent = place.beside("agent.sh", format!("cat >/dev/null\ncat <<'END'\n{GOOD}END\n"));
    let provider = format!("command:sh {agent}");
    let id = report.json()["run"].as_str().unwrap().to_owned();
    place.record_runs("run-resumed", &["run", "--resume", &id, "--provider", &provider]);
    place.record("log-run-resumed", &["log", "-n", "1"]);
}

/// The first provider of the chain is overloaded, the second answers; their replies are recorded.
#[test]
fn chain() {
    let place = Place::new(&[("guards.toml", RULES), ("x.py", CODE)]);
    let busy = place.beside("busy.sh", "cat >/dev/null\necho 'API Error: 529 Overloaded' >&2\nexit 1\n");
    let able = place.beside("able.sh", format!("cat >/dev/null\ncat <<'END'\n{GOOD}END\n"));
    let settings = format!("command_chain = [\"command:sh {busy}\", \"command:sh {able}\"]\n");
    place.settings(&settings);
    place.record_runs("run-chain", &["run", "--task", "Let x return 2", "--record", "../kept.jsonl"]);
    place.record_checks(
        "provider-list",
        &["provider", "list"],
        &["claude", "codex", "gemini", "lmstudio", "ollama", "vllm", "llamacpp"],
    );
    place.record_lines("run-record", "kept.jsonl");
}

#[test]
fn patch() {
    let patch = |name: &str, reply: &str| {
        let place = Place::new(&[("guards.toml", RULES), ("x.py", CODE), ("y.py", "def y():\n    return 0\n")]);
        place.stage("y.py", "def y():\n    return 2\n");
        let agent = place.beside("agent.sh", format!("cat >/dev/null\ncat <<'END'\n{reply}END\n"));
        let what = ["patch", "--source", "y.py", "--target", "x.py", "--instruction", "Return what y does"];
        let asked = ["--provider", &format!("command:sh {agent}"), "--rounds", "1"];
        place.record_runs(name, &[&what[..], &asked].concat());
    };
    patch("patch-staged", GOOD);
    patch("patch-rejected", BAD);
    patch("patch-no-change", "NO_CHANGES_NEEDED\n");
    patch("patch-no-diff", PROSE);
    patch("patch-empty", "<<<AI_DIFF_START>>>\n\n<<<AI_DIFF_END>>>\n");
    patch("patch-misfit", MISFIT);
    patch(
        "patch-refused",
        "```diff\n--- a/y.py\n+++ b/y.py\n@@ -1,2 +1,2 @@\n def y():\n-    return 2\n+    return 3\n```\n",
    );
    patch("patch-provider-failed", "");
    let place = place();
    answered(&place, &[PROSE, PROSE]);
    let what = ["patch", "--source", "x.py", "--target", "x.py", "--instruction", "Return 2", "--max-tokens", "500"];
    place.record("patch-over-budget", &[&what[..], &["--provider", "replay:../replies.jsonl"]].concat());
}

#[test]
fn init() {
    Place::new(&[("x.py", CODE), ("README.md", DOC)]).record("init", &["init", "--dry-run", "--test-seconds", "0"]);
}

#[test]
fn demo() {
    place().record("demo", &["demo", "--dir", "../demo"]);
}
