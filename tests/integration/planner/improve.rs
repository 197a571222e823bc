//! `host improve`, with an agent whose replies were recorded: which one it gives depends on the question.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::cli::{Ran, command, host};
use crate::support::repo::TestRepo;

const COUNT: &str = "export function count(things) {\n  return things.length + 1;\n}\n";
const SHOW: &str = "export function show(n) {\n  return String(n);\n}\n";
const TEST: &str = "import test from 'node:test';\nimport assert from 'node:assert';\nimport { count } from '../lib/count.mjs';\ntest('counts one', () => assert.equal(count([1]), 1));\n";

struct Place {
    repo: TestRepo,
}

impl Place {
    fn new() -> Self {
        let repo = TestRepo::with(&[
            ("package.json", "{ \"name\": \"tally\", \"scripts\": { \"test\": \"node --test\" } }\n"),
            ("README.md", "# tally\n\nIt counts.\n"),
            ("lib/count.mjs", COUNT),
            ("lib/show.mjs", SHOW),
            ("test/count.test.mjs", TEST),
        ]);
        Place { repo }
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.repo.path().join("..").join(name)
    }

    /// `answers`: words of a question, and the recorded reply; the first that fits. `before` is shell code that runs first.
    fn agent(&self, before: &str, answers: &[(&str, &str)]) {
        let mut script = format!("cat > \"$0.prompt\"\necho asked >> \"$0.calls\"\n{before}\n");
        for (word, reply) in answers {
            script += &format!("if grep -q '{word}' \"$0.prompt\"; then cat <<'END'\n{reply}\nEND\nexit 0\nfi\n");
        }
        fs::write(self.beside("agent.sh"), script).unwrap();
    }

    fn asked(&self) -> usize {
        fs::read_to_string(self.beside("agent.sh.calls")).map_or(0, |calls| calls.lines().count())
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let agent = format!("command:sh {}", self.beside("agent.sh").display());
        let common = ["improve", "--provider", &agent, "--rounds", "2", "--format", "json"];
        common.iter().chain(more).map(ToString::to_string).collect()
    }

    fn improve(&self, more: &[&str]) -> Ran {
        let arguments = self.arguments(more);
        host(self.repo.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn plan(steps: &[(&str, &str)]) -> String {
    let step = |(title, hint): &(&str, &str)| json!({ "title": title, "file_hints": [hint], "action": "modify" });
    json!({ "tasks": [{ "title": "Better", "subtasks": steps.iter().map(step).collect::<Vec<_>>() }] }).to_string()
}

fn diff(path: &str, before: &str, after: &str) -> String {
    format!("--- a/{path}\n+++ b/{path}\n@@ -2,1 +2,1 @@\n-{before}\n+{after}")
}

fn outcomes(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    report["plan"]["steps"].as_array().unwrap().iter().map(|step| (text(&step["id"]), text(&step["outcome"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, outcome)| (id.to_string(), outcome.to_string())).collect()
}

const PLANNER: &str = "You plan changes";

/// The planner passes the failing test over, so the host adds the task; the source is fixed and the tests pass.
#[test]
fn a_failing_test_is_mended_in_its_source() {
    let place = Place::new();
    let before = (place.repo.snapshot(), place.repo.status());
    let steps = plan(&[("Show with an explanation", "lib/show.mjs")]);
    place.agent(
        "",
        &[
            (PLANNER, &steps),
            ("Fix lib/count.mjs", &diff("lib/count.mjs", "  return things.length + 1;", "  return things.length;")),
            ("Show with an explanation", &diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;")),
        ],
    );
    let report = place.improve(&[]).expect(0).json();
    let score = |side: &str| {
        report["metrics"].as_array().unwrap().iter().find(|m| m["id"] == "test_results").unwrap()[side].clone()
    };
    if score("before").is_null() {
        println!("SKIPPED planner::improve::a_failing_test_is_mended_in_its_source: the tests cannot be run here");
        return;
    }
    assert_eq!(outcomes(&report), pairs(&[("T000-S01", "committed"), ("T001-S01", "committed")]), "{report:#}");
    assert_eq!((score("before"), score("after")), (json!(0.0), json!(1.0)));
    assert_eq!(report["plan"]["layers"][0]["event"], "plan.real_bug_synthesized");
    let range = format!("{}..{}", report["base"].as_str().unwrap(), report["branch"].as_str().unwrap());
    let touched = place.repo.git(&["log", "--reverse", "--format=", "--name-only", &range]);
    assert_eq!(touched.split_whitespace().collect::<Vec<_>>(), ["lib/count.mjs", "lib/show.mjs"], "a commit a step");
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()), "what the user has stays");
    // One run of the whole, with the audits, the question and the reply in its folder; and one of each step.
    let log = host(place.repo.path(), &["log", report["run"].as_str().unwrap(), "--format", "json"]).expect(0).json();
    assert_eq!((&log["run"]["command"], &log["run"]["outcome"]), (&json!("improve"), &json!("committed")));
    assert_eq!(log["run"]["steps"].as_array().unwrap().len(), 2);
    let folder = PathBuf::from(log["run"]["dir"].as_str().unwrap());
    for file in ["0/audit.json", "0/audit-after.json", "0/plan.json", "1/prompt.txt", "1/reply.txt", "trace.jsonl"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
}

/// The failing test is about two sources. The step on the first makes it pass, so that the one on the second has nothing to do.
#[test]
fn a_source_is_left_alone_once_the_tests_pass() {
    let place = Place::new();
    place.repo.write(
        "test/count.test.mjs",
        &(TEST.replace("count.mjs';", "count.mjs';\nimport { show } from '../lib/show.mjs';")
            + "test('shows one', () => assert.equal(show(count([1])), '1'));\n"),
    );
    place.repo.write("lib/name.mjs", "export function name() {\n  return 'tally';\n}\n");
    place.repo.commit("both");
    let mend = diff("lib/count.mjs", "  return things.length + 1;", "  return things.length;");
    let steps = plan(&[("Name it better", "lib/name.mjs")]);
    let name = diff("lib/name.mjs", "  return 'tally';", "  return 'a tally';");
    place.agent("", &[(PLANNER, &steps), ("Fix lib/count.mjs", &mend), ("Name it better", &name)]);
    let report = place.improve(&[]).expect(0).json();
    if report["metrics"].as_array().unwrap().iter().any(|m| m["id"] == "test_results" && m["before"].is_null()) {
        println!("SKIPPED planner::improve::a_source_is_left_alone_once_the_tests_pass: the tests cannot be run here");
        return;
    }
    let expected = [("T000-S01", "committed"), ("T000-S02", "skipped"), ("T001-S01", "committed")];
    assert_eq!(outcomes(&report), pairs(&expected), "{report:#}");
    assert_eq!(place.asked(), 3, "the planner and two steps");
    let why = report["plan"]["steps"][1]["why"].as_str().unwrap();
    assert!(why.starts_with("already passes: the tests were run again at "), "{why}");
    let log = host(place.repo.path(), &["log", report["run"].as_str().unwrap(), "--format", "json"]).expect(0).json();
    let trace = fs::read_to_string(PathBuf::from(log["run"]["dir"].as_str().unwrap()).join("trace.jsonl")).unwrap();
    assert!(trace.contains("step T000-S02 is skipped: already passes"), "{trace}");

    // Where the first step does not make them pass, the second is asked for.
    let place = Place::new();
    place.repo.write(
        "test/count.test.mjs",
        &(TEST.replace("count.mjs';", "count.mjs';\nimport { show } from '../lib/show.mjs';")
            + "test('shows one', () => assert.equal(show(count([1])), '1 things'));\n"),
    );
    place.repo.write("lib/name.mjs", "export function name() {\n  return 'tally';\n}\n");
    place.repo.commit("both");
    let show = diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;");
    let answers =
        [(PLANNER, &*steps), ("Fix lib/count.mjs", &mend), ("Fix lib/show.mjs", &show), ("Name it better", &name)];
    place.agent("", &answers);
    let report = place.improve(&[]).expect(0).json();
    let expected = [("T000-S01", "committed"), ("T000-S02", "committed"), ("T001-S01", "committed")];
    assert_eq!(outcomes(&report), pairs(&expected), "{report:#}");
}

/// The build fails, so every step fixes it and nothing else: the manifest stays as it is.
#[test]
fn a_broken_build_is_mended_and_the_manifest_stays() {
    let place = Place::new();
    place.repo.write("lib/size.py", "# Sizes.\ndef size(things:\n    return len(things)\n");
    place.repo.commit("broken");
    let steps = plan(&[("Skip the file", "package.json"), ("Close the bracket", "lib/size.py")]);
    let manifest = "{ \"name\": \"tally\", \"scripts\": { \"test\": \"node --test\" } }";
    let skip =
        format!("--- a/package.json\n+++ b/package.json\n@@ -1,1 +1,1 @@\n-{manifest}\n+{{ \"name\": \"tally\" }}");
    place.agent(
        "cat \"$0.prompt\" >> \"$0.prompts\"",
        &[
            (PLANNER, &steps),
            ("Close the bracket", &diff("lib/size.py", "def size(things:", "def size(things):")),
            ("Skip the file", &skip),
        ],
    );
    let ran = place.improve(&[]);
    let report = ran.json();
    let build = report["metrics"].as_array().unwrap().iter().find(|metric| metric["id"] == "build").unwrap().clone();
    if build["before"].is_null() {
        println!(
            "SKIPPED planner::improve::a_broken_build_is_mended_and_the_manifest_stays: nothing can be built here"
        );
        return;
    }
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!((&build["before"], &build["after"]), (&json!(0.0), &json!(1.0)), "{report:#}");
    let steps = outcomes(&report);
    let of = |id: &str| steps.iter().find(|(step, _)| step == id).map(|(_, outcome)| outcome.as_str());
    assert_eq!((of("T001-S01"), of("T001-S02")), (Some("rejected"), Some("committed")), "{report:#}");
    let range = format!("{}..{}", report["base"].as_str().unwrap(), report["branch"].as_str().unwrap());
    let touched = place.repo.git(&["log", "--format=", "--name-only", &range]);
    assert_eq!(touched.split_whitespace().collect::<Vec<_>>(), ["lib/size.py"]);
    // The planner was told what is broken, and where.
    let prompts = fs::read_to_string(place.beside("agent.sh.prompts")).unwrap();
    assert!(prompts.contains("[syntax_error]"), "{prompts}");
}

#[test]
fn a_step_that_guards_reject_to_the_end_is_reported_and_the_others_are_committed() {
    let place = Place::new();
    let steps = plan(&[("Break it", "lib/count.mjs"), ("Show with an explanation", "lib/show.mjs")]);
    place.agent(
        "",
        &[
            (PLANNER, &steps),
            ("Break it", &diff("lib/count.mjs", "  return things.length + 1;", "  return (things.length;")),
            ("Show with an explanation", &diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;")),
        ],
    );
    let report = place.improve(&["--no-builds"]).expect(1).json();
    assert_eq!(outcomes(&report), pairs(&[("T001-S01", "rejected"), ("T001-S02", "committed")]), "{report:#}");
    assert!(report["plan"]["steps"][0]["why"].as_str().is_some_and(|why| why.contains("syntax-holds")), "{report:#}");
    assert_eq!(report["after"]["metrics"].as_array().unwrap().len(), 11);
    let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
    let improve = log["runs"].as_array().unwrap().iter().find(|run| run["command"] == "improve").unwrap().clone();
    assert_eq!((&improve["outcome"], &improve["commit"]), (&json!("rejected"), &report["commit"]));

    // Taken up again, only what is left is tried, and the planner is not asked.
    place.agent("", &[("Break it", &diff("lib/count.mjs", "  return things.length + 1;", "  return things.length;"))]);
    let asked = place.asked();
    let resumed = place.improve(&["--no-builds", "--resume", report["run"].as_str().unwrap()]).expect(0).json();
    assert_eq!(outcomes(&resumed), pairs(&[("T001-S02", "done"), ("T001-S01", "committed")]), "{resumed:#}");
    assert_eq!(place.asked(), asked + 1);
    place.improve(&["--resume", "ffff"]).expect(2);
    let wrong = host(place.repo.path(), &["run", "--resume", report["run"].as_str().unwrap()]).expect(2);
    assert!(wrong.stderr.contains("host improve --resume"), "{wrong:?}");
}

/// A scope whose metrics are in order leaves nothing to do, and no provider is asked; neither is one whose plan is emptied.
#[test]
fn nothing_to_do_is_a_clean_end() {
    let place = Place::new();
    place.repo.write(
        "guards.toml",
        "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n[[scope]]\nname = \"built\"\nmetrics = [\"build\"]\n",
    );
    place.repo.commit("rules");
    place.agent("", &[(PLANNER, &plan(&[("Polish", "README.md")]))]);
    let report = place.improve(&["--no-builds", "--scope", "built"]).expect(0).json();
    assert_eq!((&report["plan"]["steps"], &report["commit"], place.asked()), (&json!([]), &Value::Null, 0));
    place.improve(&["--no-builds", "--scope", "gone"]).expect(2);
    let report = place.improve(&["--no-builds", "--scope", "quality"]).expect(0).json();
    assert_eq!((outcomes(&report), place.asked()), (pairs(&[("T001-S01", "dropped")]), 1));
    let run = report["run"].as_str().unwrap();
    let resumed = place.improve(&["--no-builds", "--scope", "quality", "--resume", run]).expect(0).json();
    assert_eq!((&resumed["plan"]["steps"], place.asked()), (&json!([]), 1), "an emptied plan is not planned anew");
    place.agent("", &[(PLANNER, "I would rather not.")]);
    let error = place.improve(&["--no-builds"]).expect(6).json();
    assert_eq!(error["error"]["code"], "plan-invalid", "{error}");
    let empty = TestRepo::new();
    host(empty.path(), &["improve"]).expect(8);
}

/// Killed while the planner is asked, and while the second step is: what was done is not done again.
#[test]
fn a_killed_run_is_taken_up_where_it_was() {
    let place = Place::new();
    let answers = [
        (PLANNER, plan(&[("Show with an explanation", "lib/show.mjs"), ("Count right", "lib/count.mjs")])),
        ("Show with an explanation", diff("lib/show.mjs", "  return String(n);", "  return `${n} things`;")),
        ("Count right", diff("lib/count.mjs", "  return things.length + 1;", "  return things.length;")),
    ];
    let answers: Vec<(&str, &str)> = answers.iter().map(|(word, reply)| (*word, reply.as_str())).collect();
    let mut resume: Option<String> = None;
    for word in [PLANNER, "Count right"] {
        let hang = format!("if grep -q '{word}' \"$0.prompt\"; then touch \"$0.hangs\"; sleep 60; exit 1; fi");
        place.agent(&hang, &answers);
        let arguments = place.arguments(
            &[&["--no-builds"][..], &resume.iter().flat_map(|run| ["--resume", run]).collect::<Vec<_>>()].concat(),
        );
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut child = command(place.repo.path(), &arguments, &[]).spawn().unwrap();
        let marker = place.beside("agent.sh.hangs");
        let begun = Instant::now();
        while !marker.exists() {
            assert!(begun.elapsed() < Duration::from_secs(120), "the agent was never asked for {word}");
            assert!(child.try_wait().unwrap().is_none(), "it ended before {word}");
            std::thread::sleep(Duration::from_millis(20));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        fs::remove_file(marker).unwrap();
        let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
        let run = log["runs"].as_array().unwrap().iter().find(|run| run["command"] == "improve").unwrap().clone();
        assert_eq!(run["state"], "interrupted", "{run:#}");
        resume = Some(run["run"].as_str().unwrap().to_owned());
    }
    place.agent("", &answers);
    let asked = place.asked();
    let report = place.improve(&["--no-builds", "--resume", &resume.unwrap()]).expect(0).json();
    assert_eq!(outcomes(&report), pairs(&[("T001-S01", "done"), ("T001-S02", "committed")]), "{report:#}");
    assert_eq!(place.asked(), asked + 1, "only the step that was left");
    let range = format!("main..{}", report["branch"].as_str().unwrap());
    let touched = place.repo.git(&["log", "--reverse", "--format=", "--name-only", &range]);
    assert_eq!(touched.split_whitespace().collect::<Vec<_>>(), ["lib/show.mjs", "lib/count.mjs"]);
}
