//! `host run --plan` and `--resume`, with an agent whose answer depends on the prompt.

use std::fs;

use serde_json::{Value, json};

use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

const HINTED: &[(&str, &str)] = &[("a.py", "a"), ("b.py", "b"), ("c.py", "c")];

struct Place {
    repo: TestRepo,
}

impl Place {
    fn new() -> Self {
        let files: Vec<(&str, String)> =
            HINTED.iter().map(|(path, name)| (*path, format!("def {name}():\n    return 1\n"))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        Place { repo: TestRepo::with(&files) }
    }

    /// Which body the agent gives each function. It gives no answer for any other.
    fn agent(&self, makes: &[(&str, &str)]) {
        let mut script = String::from("cat > \"$0.prompt\"\necho asked >> \"$0.calls\"\n");
        for (name, to) in makes {
            script += &format!(
                "if grep -q 'Change {name} now' \"$0.prompt\"; then cat <<'END'\n--- a/{name}.py\n+++ b/{name}.py\n@@ -1,2 +1,2 @@\n def {name}():\n-    return 1\n+    return {to}\nEND\nfi\n"
            );
        }
        fs::write(self.repo.path().join("../agent.sh"), script).unwrap();
    }

    fn asked(&self) -> usize {
        fs::read_to_string(self.repo.path().join("../agent.sh.calls")).map_or(0, |calls| calls.lines().count())
    }

    fn prompt(&self) -> String {
        fs::read_to_string(self.repo.path().join("../agent.sh.prompt")).unwrap()
    }

    fn run(&self, more: &[&str]) -> Ran {
        let agent = format!("command:sh {}", self.repo.path().join("../agent.sh").display());
        let common = ["run", "--provider", &agent, "--rounds", "1", "--format", "json"];
        host(self.repo.path(), &[&common[..], more].concat())
    }

    fn plan(&self, plan: &Value) -> Ran {
        let file = self.repo.path().join("../plan.json");
        fs::write(&file, plan.to_string()).unwrap();
        self.run(&["--plan", &file.display().to_string()])
    }
}

/// A step for each function.
fn plan() -> Value {
    let subtask = |(path, name): &(&str, &str)| json!({ "title": format!("Change {name} now"), "file_hints": [path], "action": "modify" });
    json!({ "tasks": [
        { "id": "T2", "title": "later", "priority": 2, "metric": "docs", "subtasks": [subtask(&HINTED[2])] },
        { "id": "T1", "title": "first", "priority": 1, "subtasks": [subtask(&HINTED[0]), subtask(&HINTED[1])] },
    ] })
}

fn outcomes(report: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    report["steps"].as_array().unwrap().iter().map(|step| (text(&step["id"]), text(&step["outcome"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(id, outcome)| (id.to_string(), outcome.to_string())).collect()
}

#[test]
fn one_commit_a_step_and_a_failed_step_does_not_end_the_others() {
    let place = Place::new();
    let before = (place.repo.snapshot(), place.repo.status());
    // The second step does not parse: syntax-holds rejects it.
    place.agent(&[("a", "2"), ("b", "(2"), ("c", "2")]);
    let report = place.plan(&plan()).expect(1).json();
    assert_eq!(outcomes(&report), pairs(&[("T1-S01", "committed"), ("T1-S02", "rejected"), ("T2-S01", "committed")]));
    let branch = report["branch"].as_str().unwrap();
    let base = report["base"].as_str().unwrap();
    let touched = |range: &str| place.repo.git(&["log", "--reverse", "--format=", "--name-only", range]);
    assert_eq!(touched(&format!("{base}..{branch}")).split_whitespace().collect::<Vec<_>>(), ["a.py", "c.py"]);
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()), "what the user has stays");

    // Resumed: finished steps are not repeated, and the rest is committed on top.
    place.agent(&[("b", "2")]);
    let asked = place.asked();
    let resumed = place.run(&["--resume", report["plan"].as_str().unwrap()]).expect(0).json();
    assert_eq!(outcomes(&resumed), pairs(&[("T1-S01", "done"), ("T2-S01", "done"), ("T1-S02", "committed")]));
    assert_eq!(place.asked(), asked + 1);
    let branch = resumed["branch"].as_str().unwrap();
    assert_eq!(touched(&format!("{base}..{branch}")).split_whitespace().collect::<Vec<_>>(), ["a.py", "c.py", "b.py"]);

    // Nothing is left.
    let again = place.run(&["--resume", resumed["plan"].as_str().unwrap()]).expect(0).json();
    assert_eq!(outcomes(&again).iter().filter(|(_, outcome)| outcome == "done").count(), 3);
}

#[test]
fn a_step_that_failed_repeatedly_in_this_repository_is_dropped() {
    let place = Place::new();
    place.agent(&[("a", "2"), ("b", "(2"), ("c", "2")]);
    let step = |title: &str| json!({ "tasks": [{ "subtasks": [{ "title": title, "file_hints": ["./b.py"] }] }] });
    let only = step("Change b now");
    for title in ["Change b now", "Change b now, again", "Change b now, for the third time"] {
        assert_eq!(outcomes(&place.plan(&step(title)).expect(1).json()), pairs(&[("T001-S01", "rejected")]));
    }
    let asked = place.asked();
    let report = place.plan(&only).expect(0).json();
    // No step of the three was the same, so that no layer of the host's own drops it.
    let layers = report["layers"].as_array().unwrap();
    assert_eq!((layers.len(), &layers[0]["guard"]), (1, &json!("no-repeated-failures")), "{layers:#?}");
    assert_eq!(layers[0]["event"], "critic_history_filter.drop");
    assert_eq!(outcomes(&report), pairs(&[("T001-S01", "dropped")]));
    assert_eq!(place.asked(), asked, "the agent is not asked for a dropped step");
    let guard = report["guards"].as_array().unwrap().iter().find(|guard| guard["id"] == "no-repeated-failures").unwrap();
    assert_eq!((&guard["g"], &guard["verdict"]), (&json!("G9"), &json!("reject")));
    // Records of another repository do not count.
    let other = Place::new();
    other.agent(&[("b", "2")]);
    assert_eq!(outcomes(&other.plan(&only).expect(0).json()), pairs(&[("T001-S01", "committed")]));
}

/// The limits are those of the whole plan: no step begins anew.
#[test]
fn a_plan_that_has_used_up_its_time_ends() {
    let place = Place::new();
    fs::write(place.repo.path().join("../agent.sh"), "echo asked >> \"$0.calls\"\nsleep 30\n").unwrap();
    let file = place.repo.path().join("../plan.json");
    fs::write(&file, plan().to_string()).unwrap();
    let report = place.run(&["--plan", &file.display().to_string(), "--max-time", "1"]).expect(6).json();
    let expected = [("T1-S01", "over-budget"), ("T1-S02", "over-budget"), ("T2-S01", "not-reached")];
    assert_eq!(outcomes(&report), pairs(&expected));
    assert!(report["steps"][1]["why"].as_str().unwrap().contains("--max-time"), "{report:#}");
    assert_eq!(place.asked(), 1);
}

/// The layer of the history wants a different step: it closes no file.
#[test]
fn a_step_that_was_rejected_twice_is_dropped_and_a_different_one_is_not() {
    let place = Place::new();
    place.agent(&[("b", "(2")]);
    let step = |title: &str| json!({ "tasks": [{ "subtasks": [{ "title": title, "file_hints": ["b.py"] }] }] });
    for _ in 0..2 {
        assert_eq!(outcomes(&place.plan(&step("Change b now")).expect(1).json()), pairs(&[("T001-S01", "rejected")]));
    }
    let asked = place.asked();
    let report = place.plan(&step("Change b now")).expect(0).json();
    assert_eq!(outcomes(&report), pairs(&[("T001-S01", "dropped")]));
    assert_eq!(
        (&report["layers"][0]["name"], &report["layers"][0]["event"]),
        (&json!("history"), &json!("plan.occam_filter"))
    );
    assert!(report["steps"][0]["why"].as_str().unwrap().contains("syntax-holds"), "{report:#}");
    assert_eq!(place.asked(), asked, "the agent is not asked for a dropped step");
    place.agent(&[("b", "2")]);
    assert_eq!(
        outcomes(&place.plan(&step("Change b now, with care")).expect(0).json()),
        pairs(&[("T001-S01", "committed")])
    );
    // Since a change of its file was accepted, the first step may be tried again.
    assert_eq!(outcomes(&place.plan(&step("Change b now")).expect(0).json()), pairs(&[("T001-S01", "committed")]));
}

#[test]
fn a_run_is_resumed_with_its_feedback_and_on_its_base() {
    let place = Place::new();
    place.agent(&[("a", "(2")]);
    let first = place.run(&["--task", "Change a now", "--file-hint", "a.py"]).expect(1).json();
    place.repo.write("d.py", "D = 1\n");
    place.repo.stage_all();
    place.repo.git(&["commit", "-qm", "meanwhile"]);
    place.agent(&[("a", "2")]);
    let id = first["run"].as_str().unwrap();
    let resumed = place.run(&["--resume", id]).expect(0).json();
    assert_eq!((&resumed["base"], &resumed["task"]), (&first["base"], &first["task"]));
    assert!(
        place.prompt().contains("syntax-holds"),
        "the first round gets the last round's feedback:\n{}",
        place.prompt()
    );

    let done = place.run(&["--resume", resumed["run"].as_str().unwrap()]).expect(2);
    assert!(done.stdout.contains("nothing of it is left to do"), "{}", done.stdout);
    place.run(&["--resume", "ffff"]).expect(2);
}

/// A commit of its own branch would be on none that the plan goes on with.
#[test]
fn a_step_that_is_resumed_resumes_its_plan() {
    let place = Place::new();
    place.agent(&[("a", "2"), ("b", "(2"), ("c", "2")]);
    let report = place.plan(&plan()).expect(1).json();
    let step = |at: usize| report["steps"][at]["run"].as_str().unwrap();
    let done = place.run(&["--resume", step(0)]).expect(2);
    assert!(done.stdout.contains(&format!("host run --resume {}", report["plan"].as_str().unwrap())), "{done:?}");
    place.agent(&[("b", "2")]);
    let resumed = place.run(&["--resume", step(1)]).expect(0).json();
    assert_eq!(outcomes(&resumed), pairs(&[("T1-S01", "done"), ("T2-S01", "done"), ("T1-S02", "committed")]));
    assert!(resumed["notices"].to_string().contains("is step T1-S02 of the plan"), "{resumed:#}");
    let base = report["base"].as_str().unwrap();
    let range = format!("{base}..{}", resumed["branch"].as_str().unwrap());
    assert_eq!(place.repo.git(&["rev-list", "--count", &range]), "3");
    // People read how many steps are done, and no number of rounds of what has none.
    let people = |args: &[&str]| host(place.repo.path(), args).expect(0).stdout;
    let again = people(&["run", "--provider", "command:false", "--resume", resumed["plan"].as_str().unwrap()]);
    assert!(again.contains("done before: 3 of 3 steps on guardhost/"), "{again}");
    let log = people(&["log"]);
    let plans: Vec<&str> = log.lines().filter(|line| line.contains("a plan of")).collect();
    assert!(plans.len() == 3 && plans.iter().all(|line| !line.contains("round")), "{log}");
    let of_plan = people(&["log", report["plan"].as_str().unwrap()]);
    assert!(!of_plan.contains("0 rounds"), "{of_plan}");
}

/// The plan's own branch does not choose the rules for what is resumed: neither a plan nor a single step of it.
#[test]
fn what_is_resumed_is_judged_by_the_rules_of_the_first_base() {
    let place = Place::new();
    place.repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n");
    place.repo.commit("rules");
    place.agent(&[("a", "2"), ("b", "(2"), ("c", "2")]);
    let report = place.plan(&plan()).expect(1).json();
    assert_eq!(outcomes(&report)[1], ("T1-S02".to_owned(), "rejected".to_owned()));

    // The branch gets other rules, as a step would bring them in past every check of its patch.
    let branch = report["branch"].as_str().unwrap();
    let relax = |branch: &str| {
        place.repo.git(&["checkout", "-q", branch]);
        place.repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"docs-kept\"\n[policy]\nunjudged = \"accept\"\n");
        place.repo.commit("other rules");
        place.repo.git(&["checkout", "-q", "main"]);
    };
    relax(branch);
    let resumed = place.run(&["--resume", report["plan"].as_str().unwrap()]).expect(1).json();
    assert_eq!(outcomes(&resumed)[2], ("T1-S02".to_owned(), "rejected".to_owned()));
    // Once more: the plan that is resumed now stood on the other rules itself.
    let again = place.run(&["--resume", resumed["plan"].as_str().unwrap()]).expect(1).json();
    assert_eq!(outcomes(&again)[2], ("T1-S02".to_owned(), "rejected".to_owned()));
    let step = again["steps"][2]["run"].as_str().unwrap();
    let of_step = place.run(&["--resume", step]).expect(1).json();
    assert_eq!(outcomes(&of_step)[2], ("T1-S02".to_owned(), "rejected".to_owned()));

    // Records that do not say by which rules are no reason to take others.
    let folder = place.repo.path().join(".git/guardhost/runs").join(again["plan"].as_str().unwrap());
    let records = fs::read_to_string(folder.join("records.jsonl")).unwrap();
    fs::write(folder.join("records.jsonl"), records.replace("rules_tree", "rules_gone")).unwrap();
    let ran = place.run(&["--resume", again["plan"].as_str().unwrap()]).expect(2);
    assert!(ran.stdout.contains("by which rules"), "{ran:?}");
}

#[test]
fn an_invalid_plan_is_refused_before_a_provider_is_asked() {
    let place = Place::new();
    place.agent(&[("a", "2")]);
    let step = |step: Value| json!({ "tasks": [{ "subtasks": [step] }] });
    let many: Vec<Value> = (0..33).map(|n| json!({ "title": format!("step {n}") })).collect();
    let cases = [
        (json!([]), "expected an object with `tasks`"),
        (json!({ "tasks": [] }), "tasks: there is none"),
        (json!({ "tasks": [{ "subtasks": [] }] }), "tasks[0].subtasks: there is none"),
        (json!({ "tasks": [{ "priority": "high", "subtasks": [{ "title": "x" }] }] }), "line 1 column"),
        (step(json!({ "title": " " })), "tasks[0].subtasks[0].title"),
        (step(json!({ "title": "x", "file_hints": ["../x"] })), "tasks[0].subtasks[0].file_hints"),
        (step(json!({ "title": "x", "hints": ["x"] })), "unknown field `hints`"),
        (step(json!({ "title": "x", "action": "rename" })), "unknown variant `rename`"),
        (step(json!({ "title": "x", "id": "a b" })), "tasks[0].subtasks[0].id"),
        (
            json!({ "tasks": [{ "subtasks": [{ "id": "S", "title": "x" }, { "id": "S", "title": "y" }] }] }),
            "the id of two steps",
        ),
        (json!({ "tasks": [{ "subtasks": many }] }), "33 steps"),
    ];
    for (plan, says) in cases {
        let error = place.plan(&plan).expect(2).json();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(says) && message.contains("plan.json"), "{plan}: {message}");
    }
    assert_eq!(place.asked(), 0);
    place.run(&[]).expect(2);
}
