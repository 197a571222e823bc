//! The engine with recorded answers: the same verdicts without any service, and no answer that was not recorded.

use std::path::Path;
use std::sync::Arc;

use guardhost_core::change::{
    Candidate, Evidence, GuardVerdict, NullObserver, PastRun, RecordedAnswers, RepoPath, RunEnding, RunHistory,
    Service, Task,
};
use guardhost_core::error::Result;
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::model::{ModelAnswer, ModelFailure, ModelQuestion, Models};
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, HostServices, JudgeContext, guard};
use guardhost_git::range;

use crate::hostile::host_calls;
use crate::support::guest::{Guest, ID};
use crate::support::judging::{component, machine};
use crate::support::random::Random;
use crate::support::repo::TestRepo;

/// Says something else each time.
struct Growing(std::sync::atomic::AtomicU32);

impl RunHistory for Growing {
    fn outcomes(&self, _: u32, limit: u32) -> Result<Vec<PastRun>> {
        let count = self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst).min(limit);
        let run = |number| PastRun {
            run: format!("r{number}"),
            step: String::new(),
            plan: None,
            digest: "d".to_owned(),
            age_hours: number,
            kind: RunEnding::Rejected,
            touched: vec![RepoPath::from("x.py"), RepoPath::new(b"odd-\xff.py".as_slice())],
            rejected_by: vec!["docs-kept".to_owned()],
        };
        Ok((0..count).map(run).collect())
    }
}

/// Answers each question in another way.
struct Odd;

impl Models for Odd {
    fn ask(
        &self,
        _: &str,
        questions: &[ModelQuestion],
        _: &StopToken,
    ) -> Result<Vec<Result<ModelAnswer, ModelFailure>>, Stopped> {
        let answer = |at: usize| match at % 4 {
            0 => Ok(ModelAnswer { json: "{\"a\": \"\u{1b}[1m\"}".into(), by: "m".into() }),
            1 => Err(ModelFailure::Unreadable("no".into())),
            2 => Err(ModelFailure::NoAnswer("no".into())),
            _ => Err(ModelFailure::Exhausted("no".into())),
        };
        Ok((0..questions.len()).map(answer).collect())
    }
}

const GRANTS: [&str; 7] = ["repo", "commits", "facts", "modules", "net", "history", "model"];

fn candidate(repo: &TestRepo) -> Candidate {
    repo.write("x.py", "x = 2\n");
    repo.commit("after");
    range(&repo.open(), "HEAD~1..HEAD").expect("a change")
}

fn judged(
    guest: &[u8],
    cache: &Path,
    services: HostServices,
    candidate: &Candidate,
    task: &Task,
    from: Option<RecordedAnswers>,
) -> Evidence {
    let grants = GRANTS.map(str::to_owned).to_vec();
    let spec = GuardSpec { grants, ..component(ID, guest.to_vec()) };
    let machine = EngineContext { services, cache_dir: Some(cache.to_owned()), ..machine() };
    let mut set = GuardSet::new(vec![spec], &machine).expect("a set");
    if let Some(recorded) = from {
        set.answer_from(recorded);
    }
    guard(candidate, &set, &JudgeContext { task: Some(task), observer: &NullObserver }).evidence.remove(0)
}

/// As the record has it.
fn shown(evidence: &Evidence) -> String {
    let mut value = serde_json::to_value(evidence).unwrap();
    let fields = value.as_object_mut().expect("an object");
    fields.retain(|name, _| !["micros", "cached", "reused"].contains(&name.as_str()));
    value.to_string()
}

/// Through JSON, as a file holds them.
fn written(evidence: &Evidence) -> RecordedAnswers {
    let text = serde_json::to_string(&RecordedAnswers::from_evidence([evidence])).expect("JSON");
    serde_json::from_str(&text).expect("the same")
}

fn is_not_recorded(evidence: &Evidence) -> bool {
    let code = matches!(evidence.verdict, GuardVerdict::Error { code: "not-recorded", .. });
    assert_eq!(code, evidence.basis.not_recorded.is_some());
    code
}

/// Random programs of host calls; the guest's figure is made of all answers.
#[test]
fn any_sequence_of_questions_is_answered_from_the_record() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n"), ("package.json", "{}\n")]);
    let (candidate, open) = (candidate(&repo), repo.open());
    let cache = tempfile::tempdir().expect("a folder");
    let guest = host_calls::guest().component();
    let history: Arc<dyn RunHistory> = Arc::new(Growing(Default::default()));
    let live = || HostServices {
        past: Some(history.clone()),
        commits: Some(open.store()),
        ..HostServices::only(LinkChecker::offline())
    };
    let mut asked = 0;
    for seed in 0..80 {
        let task = Task { text: host_calls::program(&mut Random::new(seed)), ..Task::default() };
        let judge = |services, from| judged(&guest, cache.path(), services, &candidate, &task, from);
        let then = judge(live(), None);
        let recorded = written(&then);
        let now = judge(HostServices::default(), Some(recorded.clone()));
        assert_eq!(shown(&then), shown(&now), "seed {seed}");
        assert_eq!(then.basis, now.basis, "seed {seed}");
        let answers = &then.basis.answers.answers;
        if answers.is_empty() {
            continue;
        }
        asked += 1;
        // Live services are there, and are not asked for what the record lacks.
        let mut less = recorded.clone();
        less.guards.get_mut(ID).expect("its answers").answers.pop();
        assert!(is_not_recorded(&judge(live(), Some(less))), "seed {seed}");
        assert!(is_not_recorded(&judge(live(), Some(RecordedAnswers::default()))), "seed {seed}");
        let mut other = recorded;
        let first = &mut other.guards.get_mut(ID).expect("its answers").answers[0];
        first.question = serde_json::json!("something else");
        assert!(is_not_recorded(&judge(live(), Some(other))), "seed {seed}");
    }
    assert!(asked > 15, "{asked}");
}

#[test]
fn answers_of_models_are_recorded_in_order() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    let candidate = candidate(&repo);
    let cache = tempfile::tempdir().expect("a folder");
    let guest = Guest {
        world: "import guardhost:model/model@0.1.0; ",
        imports: r#"(import "guardhost:model/model@0.1.0" "ask" (func $ask (param i32 i32 i32)))"#,
        pages: 24,
        ..Guest::checking(&"(call $ask (i32.const 1000000) (i32.const 5) (i32.const 4000))".repeat(2))
    }
    .component();
    let task = Task::default();
    let live = || HostServices { models: Some(Arc::new(Odd)), ..HostServices::default() };
    let then = judged(&guest, cache.path(), live(), &candidate, &task, None);
    let services: Vec<Service> = then.basis.answers.answers.iter().map(|answer| answer.service).collect();
    assert_eq!(services, [Service::Model, Service::Model], "{then:?}");
    let now = judged(&guest, cache.path(), HostServices::default(), &candidate, &task, Some(written(&then)));
    assert_eq!(shown(&then), shown(&now));
    // A model that was not there is an answer too.
    let none = judged(&guest, cache.path(), HostServices::default(), &candidate, &task, None);
    let again = judged(&guest, cache.path(), live(), &candidate, &task, Some(written(&none)));
    assert_eq!(shown(&none), shown(&again));
    assert!(!is_not_recorded(&again));
}

/// A guard that asks for the task says so, and one that looks at the files alone does not: the receipt of a commit rests on it.
#[test]
fn what_a_verdict_rests_on_is_told() {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    let candidate = candidate(&repo);
    let cache = tempfile::tempdir().expect("a folder");
    let task = Task { text: "\u{0}".repeat(13), ..Task::default() };
    let judge = |guest: &Guest| {
        judged(&guest.component(), cache.path(), HostServices::default(), &candidate, &task, None).basis
    };
    assert_eq!(judge(&Guest::default()), Default::default());
    let asking = judge(&host_calls::guest());
    assert!(asking.task && !asking.commits && asking.answers.is_empty(), "{asking:?}");
}
