//! A guard of the plan stage that a repository pins: a team's own layer, at every door.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::author::{NAME, TemplateProject, host, root};
use crate::support::repo::TestRepo;

const FILES: [(&str, &str); 6] = [
    ("src/count.py", "def count(things):\n    return len(things)\n"),
    ("src/show.py", "def show(n):\n    return str(n)\n"),
    ("migrations/0001.py", "STEPS = []\n"),
    ("docs/old.md", "# Old\n"),
    ("docs/guide.md", "# Guide\n"),
    ("old/README.txt", "Moved to src.\n"),
];

/// The example as an author builds it.
fn component() -> Option<std::path::PathBuf> {
    let project = TemplateProject::build_template("rust")?;
    let source = fs::read_to_string(root().join("sdk/examples/plan-layer/lib.rs")).unwrap();
    project.build("plan-layer", |folder| {
        fs::write(folder.join("src/lib.rs"), source.replace("{{name}}", NAME)).unwrap();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let plain = "guard-sdk = { path = \"guard-sdk\" }";
        assert!(manifest.contains(plain), "{manifest}");
        let with_plan = manifest.replace(plain, "guard-sdk = { path = \"guard-sdk\", features = [\"plan\"] }");
        fs::write(folder.join("Cargo.toml"), with_plan).unwrap();
    })
}

/// A repository that pins it with these settings.
fn pinned(component: &Path, settings: &Value) -> TestRepo {
    let repo = TestRepo::with(&FILES);
    fs::create_dir_all(repo.path().join("guards")).unwrap();
    fs::copy(component, repo.path().join("guards/own.wasm")).unwrap();
    let pin = json!({ "id": NAME, "source": "path:guards/own.wasm", "settings": settings });
    repo.write("guards.toml", toml::to_string(&json!({ "schema": 1, "guard": [pin] })).unwrap());
    host(repo.path(), &["guard", "lock"]).expect(0);
    assert!(String::from_utf8(repo.read("guards.lock")).unwrap().contains("path:guards/own.wasm"));
    repo.commit("pinned");
    repo
}

fn plan() -> Value {
    let step =
        |title: &str, action: &str, hint: &str| json!({ "title": title, "action": action, "file_hints": [hint] });
    json!({ "tasks": [
        { "title": "first", "subtasks": [
            step("Count", "modify", "src/count.py"),
            step("Migrate", "modify", "migrations/0001.py"),
            step("Look at it", "verify", "migrations/0001.py"),
        ] },
        { "title": "second", "subtasks": [
            step("Show more", "create", "old/view.py"),
            step("Remove the page", "delete", "docs/old.md"),
            step("Remove the code", "delete", "src/show.py"),
        ] },
    ] })
}

/// The plan is what `host plan` answers, `host run --plan` and `--resume` run, and the tool `plan` says.
struct Doors {
    repo: TestRepo,
}

impl Doors {
    fn new(repo: TestRepo) -> Self {
        let beside = |name: &str, text: &str| fs::write(repo.path().join("..").join(name), text).unwrap();
        beside("plan.json", &plan().to_string());
        let reply = |round: u32| json!({ "round": round, "provider": "planner", "reply": plan().to_string() });
        beside("replies.jsonl", &format!("{}\n{}\n", reply(1), reply(2)));
        Doors { repo }
    }

    fn json(&self, arguments: &[&str], code: i32) -> Value {
        host(self.repo.path(), &[arguments, &["--format", "json"]].concat()).expect(code).json()
    }

    fn model(&self, code: i32) -> Value {
        self.json(&["plan", "--task", "Count right", "--provider", "replay:../replies.jsonl"], code)
    }

    fn file(&self, code: i32) -> Value {
        self.json(&["run", "--plan", "../plan.json", "--provider", "command:exit 1", "--rounds", "1"], code)
    }

    fn resumed(&self, run: &Value, code: i32) -> Value {
        let run = run.as_str().unwrap();
        self.json(&["run", "--resume", run, "--provider", "command:exit 1", "--rounds", "1"], code)
    }

    #[cfg(feature = "mcp")]
    fn tool(&self) -> Value {
        super::doors::called(self.repo.path(), &[plan()]).remove(0)
    }

    fn kept(&self, run: &Value, name: &str) -> String {
        let folder = self.repo.path().join(".git/guardhost/runs").join(run.as_str().unwrap());
        fs::read_to_string(folder.join(name)).unwrap_or_default()
    }
}

#[test]
fn a_pinned_layer_drops_and_changes_steps_at_every_door() {
    let Some(component) = component() else { return };
    let settings = json!({ "frozen": ["migrations/"], "may_delete": ["docs/"], "moved": { "old/": "src/" } });
    let doors = Doors::new(pinned(&component, &settings));
    let made = doors.model(0);
    let layer = &made["layers"][0];
    assert_eq!(
        (&layer["name"], &layer["guard"], &layer["event"]),
        (&json!("guard"), &json!(NAME), &json!(format!("{NAME}.plan_layered"))),
        "{made:#}"
    );
    let expected = json!([
        { "step": "T001-S02", "reason": "migrations/0001.py is frozen" },
        { "step": "T002-S03", "reason": "no step of a plan deletes src/show.py" },
    ]);
    assert_eq!(layer["dropped"], expected);
    let moved = json!([{
        "step": "T002-S01", "before": ["old/view.py"], "after": ["src/view.py"], "reason": "the folder was moved",
    }]);
    assert_eq!(layer["rewritten"], moved);
    let tasks = made["tasks"].as_array().unwrap();
    let left = tasks.iter().flat_map(|task| task["subtasks"].as_array().unwrap());
    let left: Vec<(&str, &str)> =
        left.map(|step| (step["id"].as_str().unwrap(), step["file_hints"][0].as_str().unwrap())).collect();
    let expected = [
        ("T001-S01", "src/count.py"),
        ("T001-S03", "migrations/0001.py"),
        ("T002-S01", "src/view.py"),
        ("T002-S02", "docs/old.md"),
    ];
    assert_eq!(left, expected);

    let file = doors.file(6);
    assert_eq!(file["layers"], made["layers"]);
    let outcomes: Vec<&Value> = file["steps"].as_array().unwrap().iter().map(|step| &step["outcome"]).collect();
    assert_eq!(outcomes, ["provider", "dropped", "provider", "provider", "provider", "dropped"]);
    let guard = file["guards"].as_array().unwrap().iter().find(|guard| guard["id"] == NAME).unwrap();
    assert_eq!((&guard["verdict"], &guard["findings"][0]["rule"]), (&json!("reject"), &json!("step-dropped")));
    let resumed = doors.resumed(&file["plan"], 6);
    assert_eq!(resumed["layers"], made["layers"]);
    #[cfg(feature = "mcp")]
    {
        let told = doors.tool();
        assert_eq!(told["structuredContent"]["layers"], made["layers"], "{told:#}");
        assert_eq!(told["structuredContent"]["tasks"], made["tasks"], "{told:#}");
    }

    // The trace has it under the event that the guard names, and says which guard it was.
    for run in [&made["run"], &file["plan"], &resumed["plan"]] {
        let trace = doors.kept(run, "trace.jsonl");
        let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let event = format!("{NAME}.plan_layered");
        let found = lines.iter().find(|line| line["event"] == json!(event)).unwrap_or_else(|| panic!("{trace}"));
        assert!(found.to_string().contains(&format!("\"guard\":\"{NAME}\"")), "{found}");
        assert!(found.to_string().contains("migrations/0001.py is frozen"), "{found}");
    }
    let shown = host(doors.repo.path(), &["plan", "--task", "Count right", "--provider", "replay:../replies.jsonl"]);
    let shown = shown.expect(0).stdout;
    assert!(shown.contains(&format!("{NAME}: T002-S01: src/view.py instead of old/view.py")), "{shown}");
}

/// It is a guard like any other: pinned by its digest.
#[test]
fn a_layer_that_is_not_the_locked_one_lets_no_plan_through() {
    let Some(component) = component() else { return };
    let doors = Doors::new(pinned(&component, &json!({})));
    assert_eq!(doors.model(0)["layers"].as_array().map(Vec::len), Some(1), "a deletion is not allowed anywhere");
    let mut bytes = doors.repo.read("guards/own.wasm");
    // A custom section more: the same guard with another digest.
    bytes.extend(b"\x00\x02\x01x");
    doors.repo.write("guards/own.wasm", bytes);
    doors.repo.commit("another component");
    for refused in [doors.model(4), doors.file(4)] {
        assert!(refused.to_string().contains(NAME), "{refused:#}");
    }
}

/// What the guard answers is checked: a hint that leaves the repository is its failure, and no plan goes ahead at any door.
#[test]
fn a_layer_that_fails_stops_the_plan_by_name() {
    let Some(component) = component() else { return };
    let doors = Doors::new(pinned(&component, &json!({ "moved": { "old/": "../elsewhere/" } })));
    let told = "which leaves the repository";
    let refused = doors.model(5);
    assert!(refused.to_string().contains(told) && refused.to_string().contains(NAME), "{refused:#}");
    let file = doors.file(5);
    let outcomes: Vec<&Value> = file["steps"].as_array().unwrap().iter().map(|step| &step["outcome"]).collect();
    assert_eq!(outcomes, ["not-reached"; 6], "{file:#}");
    assert!(file["guards"].to_string().contains(told), "{file:#}");
    assert!(doors.resumed(&file["plan"], 5)["guards"].to_string().contains(told));
    #[cfg(feature = "mcp")]
    {
        let refused = doors.tool();
        assert!(refused["isError"] == true && refused.to_string().contains(told), "{refused:#}");
    }
}

/// The host's own layers look at what a guard makes of a step: it points no step to what does not exist.
#[test]
fn the_hosts_layers_come_again_behind_a_guard() {
    let Some(component) = component() else { return };
    let doors =
        Doors::new(pinned(&component, &json!({ "moved": { "src/": "lib/" }, "may_delete": ["docs/", "lib/"] })));
    let made = doors.model(0);
    let names: Vec<&str> =
        made["layers"].as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["guard", "ground"], "{made:#}");
    let dropped: Vec<&Value> =
        made["layers"][1]["dropped"].as_array().unwrap().iter().map(|edit| &edit["step"]).collect();
    assert_eq!(dropped, ["T001-S01", "T002-S03"], "there is no lib/count.py and no lib/show.py");
}
