//! `host plan`: what a provider is asked, what is done with its reply, and hostile replies.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::projects::PROJECTS;
use crate::support::cli::{Ran, host};
use crate::support::repo::TestRepo;

/// A repository, and a recording of replies beside it.
struct Place {
    repo: TestRepo,
}

impl Place {
    fn new() -> Self {
        Place { repo: TestRepo::with(PROJECTS[0].files) }
    }

    fn replies(&self, replies: &[&str]) {
        let line = |(round, reply): (usize, &&str)| {
            json!({ "round": round + 1, "provider": "planner", "reply": reply }).to_string() + "\n"
        };
        let lines: String = replies.iter().enumerate().map(line).collect();
        fs::write(self.repo.path().join("../replies.jsonl"), lines).unwrap();
    }

    fn plan(&self, more: &[&str]) -> Ran {
        let common = ["plan", "--provider", "replay:../replies.jsonl", "--format", "json"];
        host(self.repo.path(), &[&common[..], more].concat())
    }

    /// A file of the newest run.
    fn kept(&self, run: &Value, name: &str) -> String {
        let folder: PathBuf = [".git/guardhost/runs", run.as_str().unwrap(), name].iter().collect();
        fs::read_to_string(self.repo.path().join(folder)).unwrap_or_default()
    }
}

fn good() -> Value {
    json!({ "tasks": [{ "title": "Count right", "subtasks": [
        { "title": "Count without one too many", "file_hints": ["src/tally/count.py"], "action": "modify" },
    ] }] })
}

const TASK: [&str; 2] = ["--task", "Let count() be right"];

#[test]
fn a_plan_is_asked_for_and_can_be_run() {
    let place = Place::new();
    let before = (place.repo.snapshot(), place.repo.status());
    place.replies(&[&format!(
        "Here is the plan:\n```json\n{}\n```\nGood luck!\n",
        good().to_string().replace("]}]}", "],}]}")
    )]);
    let made = place.plan(&TASK).expect(0).json();
    assert_eq!((&made["layers"], &made["questions"]), (&json!([]), &json!(1)));
    assert_eq!(made["tasks"][0]["subtasks"][0]["file_hints"], json!(["src/tally/count.py"]));
    assert_eq!(made["context"], json!({ "task": TASK[1] }));
    let asked = place.kept(&made["run"], "1/prompt.txt");
    for part in [TASK[1], "src/tally/show.py", "- pyproject.toml: no dependency", "> # it", "\"maxItems\": 8"] {
        assert!(asked.contains(part), "{part} is not in:\n{asked}");
    }
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()));
    let log = host(place.repo.path(), &["log", "--format", "json"]).expect(0).json();
    assert_eq!((&log["runs"][0]["command"], &log["runs"][0]["outcome"]), (&json!("planner"), &json!("no-change")));
    let resumed = host(place.repo.path(), &["run", "--resume", made["run"].as_str().unwrap()]).expect(2);
    assert!(resumed.stderr.contains("made a plan"), "{resumed:?}");

    // What was written is what `host run --plan` reads.
    fs::write(place.repo.path().join("../plan.json"), made.to_string()).unwrap();
    place.replies(&["--- a/src/tally/count.py\n+++ b/src/tally/count.py\n@@ -1,2 +1,2 @@\n def count(things):\n-    return len(things) + 1\n+    return len(things)\n"]);
    let run = ["run", "--plan", "../plan.json", "--provider", "replay:../replies.jsonl", "--format", "json"];
    let ran = host(place.repo.path(), &run).expect(0).json();
    assert_eq!(ran["steps"][0]["outcome"], "committed", "{ran:#}");
}

#[test]
fn what_was_wrong_goes_back_once() {
    let place = Place::new();
    let mut invented = good();
    invented["tasks"][0]["subtasks"][0]["file_hints"] = json!(["tally/count.py"]);
    place.replies(&[&invented.to_string(), &good().to_string()]);
    let made = place.plan(&TASK).expect(0).json();
    assert_eq!((&made["layers"], &made["questions"]), (&json!([]), &json!(2)));
    let again = place.kept(&made["run"], "2/prompt.txt");
    assert!(again.contains("tally/count.py does not exist; the nearest is src/tally/count.py"), "{again}");

    // A planner that does not learn loses the step, and an empty plan is no failure.
    place.replies(&[&invented.to_string(), &invented.to_string()]);
    let made = place.plan(&TASK).expect(0).json();
    assert_eq!(made["tasks"], json!([]));
    assert_eq!((&made["layers"][0]["name"], &made["layers"][0]["event"]), (&json!("ground"), &json!("plan.grounded")));
    let trace = place.kept(&made["run"], "trace.jsonl");
    assert!(trace.contains("\"event\":\"plan.grounded\""), "{trace}");
    fs::write(place.repo.path().join("../plan.json"), made.to_string()).unwrap();
    let ran = host(place.repo.path(), &["run", "--plan", "../plan.json", "--format", "json"]).expect(0).json();
    assert_eq!((&ran["steps"], &ran["commit"]), (&json!([]), &Value::Null));
    let human = host(place.repo.path(), &["plan", "--provider", "replay:../replies.jsonl", TASK[0], TASK[1]]).expect(0);
    assert!(human.stdout.contains("nothing to do"), "{human:?}");
}

/// Each hostile reply comes twice: it is an error by name, and nothing is lost.
#[test]
fn hostile_replies_are_errors_by_name() {
    let place = Place::new();
    let with = |field: &str, value: Value| {
        let mut plan = good();
        plan["tasks"][0]["subtasks"][0][field] = value;
        plan.to_string()
    };
    let mut twins = good();
    let twin = json!({ "id": "S", "title": "x", "file_hints": [], "action": "modify" });
    twins["tasks"][0]["subtasks"] = json!([twin, twin]);
    let cases = [
        ("x".repeat(10 << 20), "1048576 are the most"),
        (format!("{}{}", "{\"tasks\":[".repeat(50_000), "]"), "no JSON object"),
        ("I would rather not.".to_owned(), "no JSON object"),
        (with("file_hints", json!(["../../etc/passwd"])), "no path inside of the repository"),
        (with("file_hints", json!(["/etc/passwd"])), "no path inside of the repository"),
        (with("file_hints", json!(["a\u{0}b"])), "no path inside of the repository"),
        (with("id", json!("a b")), "is no id"),
        (with("title", json!("two\nlines")), "one line"),
        (with("action", json!("rename")), "must be one of"),
        (twins.to_string(), "the id of two steps"),
        ("{\"tasks\":\"all\"}".to_owned(), "must be array"),
    ];
    let before = (place.repo.snapshot(), place.repo.status());
    for (reply, word) in cases {
        place.replies(&[&reply, &reply]);
        let error = place.plan(&TASK).expect(6).json();
        assert_eq!(error["error"]["code"], "plan-invalid", "{word}: {error}");
        assert!(error["error"]["message"].as_str().unwrap().contains(word), "{word}: {error}");
    }
    assert_eq!(before, (place.repo.snapshot(), place.repo.status()));
    let log = host(place.repo.path(), &["log", "-n", "1", "--format", "json"]).expect(0).json();
    assert_eq!((&log["runs"][0]["outcome"], &log["runs"][0]["command"]), (&json!("provider"), &json!("planner")));
}

/// None of it costs a second question, and none is left out in silence.
#[test]
fn what_a_plan_has_too_much_is_left_out_with_a_notice() {
    let place = Place::new();
    let made = |reply: &Value| {
        place.replies(&[&reply.to_string()]);
        let made = place.plan(&TASK).expect(0).json();
        assert_eq!(made["questions"], 1, "{made}");
        made
    };
    let clean = made(&good());
    assert_eq!(clean["notices"], json!([]));

    let mut unknown = good();
    unknown["thoughts"] = json!("First I looked at …");
    unknown["tasks"][0]["effort"] = json!({ "hours": 2 });
    unknown["tasks"][0]["subtasks"][0]["shell\n"] = json!("rm -rf /");
    let said = "of the planner's reply, keys that plans do not have were left out: thoughts, tasks[0].effort, tasks[0].subtasks[0].shell\\n";
    let known = made(&unknown);
    assert_eq!((&known["notices"], &known["tasks"]), (&json!([said]), &clean["tasks"]));

    let mut hundred = good();
    hundred["tasks"] = (0..100)
        .map(|nth| {
            let mut task = good()["tasks"][0].clone();
            (task["id"], task["priority"]) = (json!(format!("T{nth}")), json!(100 - nth));
            task
        })
        .collect();
    let eight = made(&hundred);
    assert_eq!(eight["notices"], json!(["92 of the planner's 100 tasks were left out: a plan has at most 8"]));
    let ids = eight["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap());
    assert_eq!(ids.collect::<Vec<_>>(), ["T99", "T98", "T97", "T96", "T95", "T94", "T93", "T92"]);

    let nothing = made(&json!({ "tasks": [] }));
    assert_eq!((&nothing["tasks"], &nothing["notices"]), (&json!([]), &json!([])));
}

#[test]
fn usage() {
    let place = Place::new();
    place.replies(&[&good().to_string()]);
    place.plan(&[]).expect(2);
    place.plan(&["--task", " "]).expect(2);
    let ran = place.plan(&["--task", "x", "--scope", "doc"]).expect(2);
    assert!(ran.stdout.contains("did you mean `docs`"), "{ran:?}");
    place.plan(&["--from-audit", "gone.json"]).expect(2);
    fs::write(place.repo.path().join("../audit.json"), "{}").unwrap();
    place.plan(&["--from-audit", "../audit.json"]).expect(2);
    let rules = "schema = 1\n[[guard]]\nid = \"syntax-holds\"\n[[scope]]\nname = \"counting\"\npaths = { include = [\"src/tally/show.py\"] }\n";
    place.repo.write("guards.toml", rules);
    place.repo.commit("rules");
    let made = place.plan(&["--task", "x", "--scope", "counting"]).expect(0).json();
    assert_eq!((&made["tasks"], &made["layers"][0]["name"]), (&json!([]), &json!("scope")));
    place.repo.write("guards.toml", rules.replace("counting", "Counting it"));
    place.repo.commit("wrong rules");
    place.plan(&["--task", "x"]).expect(3);
}
