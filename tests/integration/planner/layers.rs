//! Twelve faults and twelve clean plans for each of five repositories. A fault is caught by its layer and no other one, a clean plan stays
//! as it is, and what the layers leave is left alone by them.

use guardhost_core::change::{LayerReport, PastRun, PlanEdit, PlanLayer, RunEnding, Tree, step_digest};
use guardhost_pipeline::plan::context::{AuditFile, PlanContext};
use guardhost_pipeline::plan::layers::{LayerInput, apply};
use guardhost_pipeline::plan::{json as write, plan as read};
use guardhost_policy::config::scope;
use serde_json::{Value, json};

use super::projects::{PROJECTS, Project};
use crate::support::repo::TestRepo;

/// What a layer is expected to do to the step `S1`.
#[derive(Debug, Clone)]
pub enum Expected {
    Nothing,
    /// With a word of the reason.
    Drops(PlanLayer, String),
    Rewrites(PlanLayer, Vec<&'static str>),
    /// A step on this source is added.
    Inserts(&'static str),
}

pub struct Case {
    pub name: &'static str,
    /// Of the one task: `S1`, `S2`, …
    pub steps: Vec<Value>,
    pub scope: Option<&'static str>,
    pub task: Option<&'static str>,
    /// Metrics that fail.
    pub fails: Vec<&'static str>,
    pub past: Vec<PastRun>,
    pub expected: Expected,
}

impl Case {
    fn new(name: &'static str, steps: Vec<Value>, expected: Expected) -> Self {
        Case { name, steps, scope: None, task: None, fails: Vec::new(), past: Vec::new(), expected }
    }
}

fn step(title: &str, action: &str, hints: &[&str]) -> Value {
    json!({ "title": title, "action": action, "file_hints": hints })
}

/// A run of a step of this title, so many hours ago.
fn ran(title: &str, hint: &str, age_hours: u32, kind: RunEnding) -> PastRun {
    PastRun {
        run: format!("r{age_hours}"),
        step: "S1".to_owned(),
        plan: None,
        digest: step_digest(title, &[hint.into()]),
        age_hours,
        kind,
        touched: vec![hint.into()],
        rejected_by: if kind == RunEnding::Rejected { vec!["no-test-regressions".to_owned()] } else { Vec::new() },
    }
}

use Expected::{Drops, Inserts, Nothing, Rewrites};

pub fn faults(p: &'static Project) -> Vec<Case> {
    let (invented, real) = p.invented;
    let ground = |word: &str| Drops(PlanLayer::Ground, word.to_owned());
    let twice = || {
        vec![ran("Speed it up", p.source, 1, RunEnding::Rejected), ran("Speed it up", p.source, 2, RunEnding::Rejected)]
    };
    vec![
        Case::new("a path that was invented", vec![step("Mend it", "modify", &[invented])], ground(real)),
        Case::new(
            "the deletion of what is not there",
            vec![step("Remove it", "delete", &[p.new])],
            ground("does not exist"),
        ),
        Case::new("a look at what is not there", vec![step("Look at it", "verify", &[invented])], ground(real)),
        Case::new(
            "the creation of what is there",
            vec![step("Write it", "create", &[p.source])],
            ground("exists: use the action `modify`"),
        ),
        Case::new(
            "one path of two invented",
            vec![step("Mend both", "modify", &[p.other, invented])],
            Rewrites(PlanLayer::Ground, vec![p.other]),
        ),
        Case {
            fails: vec!["test_results"],
            ..Case::new(
                "only the test",
                vec![step("Mend the test", "modify", &[p.test])],
                Rewrites(PlanLayer::TestsToSources, vec![p.source]),
            )
        },
        Case {
            fails: vec!["test_results"],
            ..Case::new("a failing test passed over", vec![step("Tidy", "modify", &[p.other])], Inserts(p.source))
        },
        Case::new(
            "only the README",
            vec![step("Polish", "modify", &["README.md"])],
            Drops(PlanLayer::ReadmeOnly, "README".into()),
        ),
        Case::new(
            "the README beside real work",
            vec![step("Polish", "modify", &["./README.md"]), step("Work", "modify", &[p.source])],
            Drops(PlanLayer::ReadmeOnly, "README".into()),
        ),
        Case {
            scope: Some("docs"),
            ..Case::new(
                "a source in the scope of documents",
                vec![step("Mend it", "modify", &[p.source, "docs/guide.md"])],
                Drops(PlanLayer::Scope, p.source.into()),
            )
        },
        Case {
            scope: Some("tests"),
            ..Case::new(
                "an edit where tests may only be added",
                vec![step("Loosen it", "modify", &[p.test])],
                Drops(PlanLayer::Scope, "modify".into()),
            )
        },
        Case {
            past: twice(),
            ..Case::new(
                "what was rejected twice here",
                vec![step("Speed it up!", "modify", &[p.source])],
                Drops(PlanLayer::History, "no-test-regressions".into()),
            )
        },
    ]
}

pub fn clean(p: &'static Project) -> Vec<Case> {
    let folder = p.source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let rejected = |age| ran("Speed it up", p.source, age, RunEnding::Rejected);
    let speed = || vec![step("Speed it up", "modify", &[p.source])];
    vec![
        Case::new("a source", vec![step("Mend it", "modify", &[p.source])], Nothing),
        Case::new(
            "a new file, and work on it",
            vec![step("Write", "create", &[p.new]), step("Use", "modify", &[p.new, p.source])],
            Nothing,
        ),
        Case::new(
            "a file goes, and comes back",
            vec![step("Remove", "delete", &[p.other]), step("Write", "create", &[p.other])],
            Nothing,
        ),
        Case::new(
            "no hint, and a folder",
            vec![step("Look around", "verify", &[]), step("Tidy", "modify", &[folder])],
            Nothing,
        ),
        Case::new("the README with its source", vec![step("Both", "modify", &["README.md", p.source])], Nothing),
        Case {
            fails: vec!["readme"],
            ..Case::new("the README, which fails", vec![step("Polish", "modify", &["README.md"])], Nothing)
        },
        Case {
            scope: Some("docs"),
            ..Case::new(
                "documents",
                vec![step("Guide", "modify", &["docs/guide.md"]), step("Polish", "modify", &["README.md"])],
                Nothing,
            )
        },
        Case {
            scope: Some("tests"),
            ..Case::new("a new test", vec![step("Test it", "create", &[p.new_test])], Nothing)
        },
        Case {
            fails: vec!["test_results"],
            ..Case::new(
                "the source under test, and a new test",
                vec![step("Mend it", "modify", &[p.source]), step("Test more", "create", &[p.new_test])],
                Nothing,
            )
        },
        Case {
            task: Some("the page of the issue: see `docs/guide.md`, please"),
            scope: Some("issue"),
            ..Case::new("what an issue cites", vec![step("Mend it", "modify", &["docs/guide.md"])], Nothing)
        },
        Case {
            past: vec![ran("Other", p.source, 1, RunEnding::Accepted), rejected(2), rejected(3)],
            ..Case::new("a file that was mended since", speed(), Nothing)
        },
        Case {
            past: vec![rejected(1), rejected(30), ran("Slow it down", p.source, 2, RunEnding::Rejected)],
            ..Case::new("one rejection today, one yesterday, one of another step", speed(), Nothing)
        },
    ]
}

/// The JSON of an audit in which the case's metrics fail.
pub fn audit(case: &Case, p: &Project) -> Value {
    let path = p.id_has_path.then_some(p.test);
    let point = json!({
        "rule": "test-fails", "earned": 0.0, "of": 0.0, "path": path, "line": null, "message": p.test_id, "help": "",
    });
    let metric = |id: &&str| {
        let points = if *id == "test_results" { vec![point.clone()] } else { Vec::new() };
        json!({ "id": id, "score": 0.0, "status": "fail", "reason": null, "weight": 1.0, "points": points })
    };
    json!({ "schema_version": 1, "tree": "x", "overall": 0.1, "metrics": case.fails.iter().map(metric).collect::<Vec<_>>() })
}

/// Plan and context as a file has them.
fn file(case: &Case, p: &Project, tree: &Tree) -> Vec<u8> {
    let audit = AuditFile::parse(audit(case, p).to_string().as_bytes(), "audit").unwrap();
    let context = PlanContext {
        task: case.task.map(str::to_owned),
        scope: case.scope.map(str::to_owned),
        ..PlanContext::default()
    };
    let context = context.with_audit(&audit, tree).unwrap();
    let steps: Vec<Value> = case
        .steps
        .iter()
        .enumerate()
        .map(|(number, step)| {
            let mut step = step.clone();
            step["id"] = json!(format!("S{}", number + 1));
            step
        })
        .collect();
    json!({ "tasks": [{ "id": "T1", "title": "it", "subtasks": steps }], "context": context }).to_string().into_bytes()
}

/// The layers' reports, and the plan that they leave as a file.
fn layered(file: &[u8], tree: &Tree, past: &[PastRun]) -> (Vec<LayerReport>, Vec<u8>) {
    let mut plan = read(file, "plan").unwrap();
    let scope = plan.context.scope.as_deref().map(|name| scope(name, &[]).unwrap());
    let input = LayerInput { tree, scope: scope.as_ref(), past };
    let reports = apply(&mut plan, &input).unwrap();
    assert_eq!(apply(&mut plan.clone(), &input).unwrap(), [], "a second time they find nothing");
    let written = write(&plan, &reports);
    (reports, written.to_string().into_bytes())
}

fn is_as_expected(reports: &[LayerReport], expected: &Expected) -> bool {
    let only = match reports {
        [] => return matches!(expected, Nothing),
        [LayerReport { layer, guard: None, edits }] => match edits.as_slice() {
            [edit] => (*layer, edit),
            _ => return false,
        },
        _ => return false,
    };
    match (only, expected) {
        ((layer, PlanEdit::Drop { step, reason }), Drops(by, word)) => {
            layer == *by && step == "S1" && reason.contains(word)
        }
        ((layer, PlanEdit::RewriteHints { step, after, .. }), Rewrites(by, hints)) => {
            layer == *by && step == "S1" && after.iter().map(ToString::to_string).collect::<Vec<_>>() == *hints
        }
        ((PlanLayer::FailingTests, PlanEdit::Insert { step, reason }), Inserts(source)) => {
            step == "T000-S01" && reason.contains(source)
        }
        _ => false,
    }
}

#[test]
fn sixty_faults_are_caught_and_sixty_clean_plans_stay_as_they_are() {
    let mut count = (0, 0);
    for project in &PROJECTS {
        let folder = TestRepo::with(project.files);
        let repo = folder.open();
        let tree = Tree { objects: repo.store(), oid: repo.head().unwrap().tree };
        for case in faults(project).iter().chain(&clean(project)) {
            let before = file(case, project, &tree);
            let (reports, after) = layered(&before, &tree, &case.past);
            assert!(is_as_expected(&reports, &case.expected), "{}, {}: {reports:#?}", project.name, case.name);
            assert_eq!(layered(&after, &tree, &case.past).0, [], "{}, {}: what is left", project.name, case.name);
            let left = read(&after, "plan").unwrap();
            match &case.expected {
                Nothing => {
                    count.1 += 1;
                    assert_eq!(left, read(&before, "plan").unwrap(), "{}, {}", project.name, case.name);
                }
                Drops(..) => count.0 += 1,
                Rewrites(..) => count.0 += 1,
                Inserts(source) => {
                    count.0 += 1;
                    let first = &left.requests()[0];
                    assert_eq!(first.hints, [(*source).into()]);
                    assert!(first.text.contains(project.test_id), "{}", first.text);
                }
            }
            let lost = read(&before, "plan").unwrap().requests().len()
                - left.requests().iter().filter(|step| step.id != "T000-S01").count();
            assert_eq!(
                lost,
                usize::from(matches!(case.expected, Drops(..))),
                "{}, {}: no other step is lost",
                project.name,
                case.name
            );
        }
    }
    assert_eq!(count, (60, 60));
}
