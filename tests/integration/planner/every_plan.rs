//! Each of the 120 plans through every door: from a model, from a file, resumed, over MCP. What is left of it is the same to the byte.

use std::fs;
use std::path::Path;
use std::thread;

use guardhost_core::change::{
    ChangeType, Mode, PastRun, PatchFormat, RunEnd, RunEnding, RunOutcome, Touched, step_digest,
};
use guardhost_report::VerdictKind;
use guardhost_report::journal::{
    Actor, Decision, DiffFormat, Object, ObjectBody, Origin, PatchSet, Records, Run, RunCommand, Secrets,
    StoredEvidence,
};
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

use super::layers::{Case, Expected, audit, clean, faults};
use super::projects::{PROJECTS, Project};
use crate::support::cli::host;
use crate::support::repo::TestRepo;

/// Steps are not run: nobody answers.
const NOBODY: [&str; 4] = ["--provider", "command:exit 1", "--rounds", "1"];

#[test]
fn every_plan_is_the_same_at_every_door() {
    let count: usize = thread::scope(|scope| {
        let of_projects: Vec<_> = PROJECTS.iter().map(|project| scope.spawn(move || project_cases(project))).collect();
        of_projects.into_iter().map(|of_project| of_project.join().expect("no door differs")).sum()
    });
    assert_eq!(count, 120);
}

fn project_cases(project: &'static Project) -> usize {
    // Cases without a past share a repository: no door of theirs records a change.
    let (with_past, plain): (Vec<Case>, Vec<Case>) =
        faults(project).into_iter().chain(clean(project)).partition(|case| !case.past.is_empty());
    let shared = TestRepo::with(project.files);
    same_at_every_door(&shared, project, &plain.iter().collect::<Vec<_>>());
    for case in &with_past {
        let repo = TestRepo::with(project.files);
        case.past.iter().for_each(|past| record(&repo, past));
        same_at_every_door(&repo, project, &[case]);
    }
    plain.len() + with_past.len()
}

fn same_at_every_door(repo: &TestRepo, project: &Project, cases: &[&Case]) {
    let asked: Vec<Asked> = cases.iter().map(|case| Asked::new(case, project)).collect();
    let over_mcp = over_mcp(repo.path(), &asked);
    for (number, (asked, over_mcp)) in asked.iter().zip(over_mcp).enumerate() {
        let folder = repo.path().join("..").join(number.to_string());
        let name = format!("{}, {}", project.name, asked.case.name);
        let made = from_model(repo.path(), &folder, asked);
        is_as_expected(&made, asked.case, &name);
        let run = from_file(repo.path(), &folder);
        let resumed = host_json(repo.path(), &[&["run", "--resume", &run], &NOBODY[..]].concat());
        let resumed = resumed["plan"].as_str().expect("a plan's run").to_owned();
        let layered = |run: &str| plan_of(&kept(repo.path(), run, "plan-layered.json"));
        assert_eq!(layered(&run), made, "{name}: from a file");
        assert_eq!(layered(&resumed), made, "{name}: resumed");
        if let Some(told) = over_mcp {
            assert_eq!(plan_of(&told["structuredContent"].to_string()), made, "{name}: over MCP: {told:#}");
        }
    }
}

/// A plan as it is asked for.
struct Asked<'a> {
    case: &'a Case,
    tasks: Value,
    task: &'a str,
    audit: Value,
}

impl<'a> Asked<'a> {
    fn new(case: &'a Case, project: &Project) -> Self {
        let tasks = json!([{ "title": "it", "subtasks": case.steps }]);
        Asked { case, tasks, task: case.task.unwrap_or("Let it count right"), audit: audit(case, project) }
    }

    fn scope(&self) -> Vec<&'a str> {
        self.case.scope.map_or(Vec::new(), |scope| vec!["--scope", scope])
    }
}

fn from_model(repo: &Path, folder: &Path, asked: &Asked) -> String {
    fs::create_dir_all(folder).unwrap();
    let tasks = json!({ "tasks": asked.tasks });
    let reply = |round: u32| json!({ "round": round, "provider": "planner", "reply": tasks.to_string() });
    fs::write(folder.join("replies.jsonl"), format!("{}\n{}\n", reply(1), reply(2))).unwrap();
    fs::write(folder.join("audit.json"), asked.audit.to_string()).unwrap();
    let of_file = json!({ "tasks": asked.tasks, "context": { "task": asked.task, "scope": asked.case.scope } });
    fs::write(folder.join("plan.json"), of_file.to_string()).unwrap();
    let (replies, audit) = (beside(folder, "replies.jsonl"), beside(folder, "audit.json"));
    let provider = format!("replay:{replies}");
    let arguments = ["plan", "--task", asked.task, "--from-audit", &audit, "--provider", &provider];
    let made = host_json(repo, &[&arguments[..], &asked.scope()].concat());
    plan_of(&kept(repo, made["run"].as_str().expect("a run"), "plan.json"))
}

/// The id of the run.
fn from_file(repo: &Path, folder: &Path) -> String {
    let (plan, audit) = (beside(folder, "plan.json"), beside(folder, "audit.json"));
    let made = host_json(repo, &[&["run", "--plan", &plan, "--from-audit", &audit], &NOBODY[..]].concat());
    made["plan"].as_str().unwrap_or_else(|| panic!("{made:#}")).to_owned()
}

/// None without the feature.
fn over_mcp(repo: &Path, asked: &[Asked]) -> Vec<Option<Value>> {
    #[cfg(feature = "mcp")]
    {
        let call = |asked: &Asked| {
            let mut call =
                json!({ "tasks": asked.tasks, "task": asked.task, "audit": { "metrics": asked.audit["metrics"] } });
            if let Some(scope) = asked.case.scope {
                call["scope"] = json!(scope);
            }
            call
        };
        let calls: Vec<Value> = asked.iter().map(call).collect();
        super::doors::called(repo, &calls).into_iter().map(Some).collect()
    }
    #[cfg(not(feature = "mcp"))]
    {
        let _ = repo;
        asked.iter().map(|_| None).collect()
    }
}

fn beside(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("a path of UTF-8").to_owned()
}

fn host_json(repo: &Path, arguments: &[&str]) -> Value {
    host(repo, &[arguments, &["--format", "json"]].concat()).json()
}

fn kept(repo: &Path, run: &str, name: &str) -> String {
    let path = repo.join(".git/guardhost/runs").join(run).join("0").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Tasks, context and layers, each key where it was written.
fn plan_of(text: &str) -> String {
    let plan: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let part = |key: &str| format!("{key} {}\n", plan[key]);
    ["tasks", "context", "layers"].map(part).concat()
}

/// A fault is caught by its layer alone, and a clean plan by none.
fn is_as_expected(made: &str, case: &Case, name: &str) {
    let layers = made.lines().last().and_then(|line| line.strip_prefix("layers ")).expect("layers");
    let layers: Value = serde_json::from_str(layers).unwrap();
    let names: Vec<&str> = layers.as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    let expected = match &case.expected {
        Expected::Nothing => None,
        Expected::Drops(layer, _) | Expected::Rewrites(layer, _) => Some(layer.name()),
        Expected::Inserts(_) => Some("failing-tests"),
    };
    assert_eq!(names, expected.into_iter().collect::<Vec<_>>(), "{name}: {made}");
}

/// The words that the digest of the case is of.
fn title(past: &PastRun) -> String {
    let titles = ["Speed it up", "Slow it down", "Other"];
    let title = titles.into_iter().find(|title| step_digest(title, &past.touched) == past.digest);
    title.expect("a title of the cases").to_owned()
}

/// A run of the past, as its own process would have recorded it.
fn record(repo: &TestRepo, past: &PastRun) {
    let began = Timestamp::now().checked_sub(i64::from(past.age_hours).hours()).unwrap() - 1.minute();
    // Ids begin with the time, in milliseconds.
    let millis = began.as_millisecond();
    let id = format!("{:08x}-{:04x}-7000-8000-00000000{:04x}", millis >> 16, millis & 0xffff, past.age_hours);
    let records = Records::create(&repo.path().join(".git/guardhost"), &id, Secrets::default()).unwrap();
    let object = |id: String, body: ObjectBody| Object {
        created_at: began.to_string(),
        ..Object::named(id, body, Actor::host())
    };
    let run = Run {
        command: RunCommand::Run,
        task: title(past),
        hints: past.touched.clone(),
        origin: Origin { step: Some(past.step.clone()), ..Origin::default() },
        ..Run::default()
    };
    records.record(&object(id.clone(), ObjectBody::Run(run))).unwrap();
    let touched = past.touched.iter().map(|path| Touched {
        path: path.clone(),
        old_path: None,
        change_type: ChangeType::Modify,
        lines_added: 1,
        lines_deleted: 1,
    });
    let patch_set = format!("{id}-p");
    let proposed = PatchSet {
        run: id.clone(),
        sequence: 0,
        round: 1,
        prompt: None,
        commit: None,
        base_tree: None,
        message: None,
        format: DiffFormat::GitDiff,
        written_as: PatchFormat::UnifiedDiff,
        artifact: None,
        tree: None,
        touched: touched.collect(),
        rationale: None,
        mends: None,
        fixes: Vec::new(),
    };
    records.record(&object(patch_set.clone(), ObjectBody::PatchSet(proposed))).unwrap();
    for guard in &past.rejected_by {
        let evidence = StoredEvidence {
            run_id: id.clone(),
            patchset_id: Some(patch_set.clone()),
            kind: "guard".into(),
            tool: guard.clone(),
            g: String::new(),
            tool_version: "0.1.0".into(),
            digest: "sha256:00".into(),
            mode: Mode::Enforce,
            verdict: VerdictKind::Reject,
            code: None,
            summary: None,
            findings: 1,
            micros: 1,
            fuel: 1,
            report_artifacts: Vec::new(),
        };
        records.record(&object(format!("{id}-e"), ObjectBody::Evidence(evidence))).unwrap();
    }
    let outcome = match past.kind {
        RunEnding::Accepted => RunOutcome::Committed,
        RunEnding::Rejected => RunOutcome::Rejected,
        RunEnding::Failed | RunEnding::Abandoned => unreachable!("no case has one"),
    };
    let end = Decision::end_of(&id, RunEnd::Result(outcome), 1);
    records.record(&object(format!("{id}-d"), ObjectBody::Decision(end))).unwrap();
}
