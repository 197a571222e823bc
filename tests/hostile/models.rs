//! Guards that ask models too much, and what they may ask.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use guardhost_core::change::{Evidence, GuardVerdict, NullObserver};
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_engine::model::{ModelAnswer, ModelFailure, ModelQuestion, Models};
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, HostServices, JudgeContext, guard};
use guardhost_git::range;

use crate::support::guest::{Guest, ID};
use crate::support::judging::{component, machine};
use crate::support::repo::TestRepo;

/// Answers everything, and counts.
#[derive(Default)]
struct Counting {
    asked: AtomicUsize,
    by: Mutex<Vec<String>>,
}

impl Models for Counting {
    fn ask(
        &self,
        guard: &str,
        questions: &[ModelQuestion],
        _: &StopToken,
    ) -> Result<Vec<Result<ModelAnswer, ModelFailure>>, Stopped> {
        self.asked.fetch_add(questions.len(), Ordering::SeqCst);
        self.by.lock().unwrap().push(guard.to_owned());
        Ok(questions.iter().map(|_| Ok(ModelAnswer { json: "{}".into(), by: "nobody".into() })).collect())
    }
}

/// Where the list of questions lies: 28 bytes each, a pointer and a length for role, text and schema, and the member.
const QUESTIONS: u32 = 1_000_000;

/// Asks `count` questions, `times` times; `set` writes into the first.
fn asking(count: u32, times: u32, set: &str) -> Guest {
    let ask =
        format!("(call $ask (i32.const {QUESTIONS}) (i32.const {count}) (i32.const 4000))").repeat(times as usize);
    Guest {
        world: "import guardhost:model/model@0.1.0;",
        imports: r#"(import "guardhost:model/model@0.1.0" "ask" (func $ask (param i32 i32 i32)))"#,
        pages: 24,
        ..Guest::checking(&format!("{set} {ask}"))
    }
}

fn judged(guest: &Guest, grants: &[&str], models: Option<Arc<dyn Models>>) -> Evidence {
    let repo = TestRepo::with(&[("x.py", "x = 1\n")]);
    repo.write("x.py", "x = 2\n");
    repo.commit("after");
    let candidate = range(&repo.open(), "HEAD~1..HEAD").unwrap();
    let grants = grants.iter().map(ToString::to_string).collect();
    let spec = GuardSpec { grants, ..component(ID, guest.component()) };
    let machine = machine();
    let services = HostServices { models, ..machine.services.clone() };
    let set = GuardSet::new(vec![spec], &EngineContext { services, ..machine }).unwrap();
    guard(&candidate, &set, &JudgeContext { task: None, observer: &NullObserver }).evidence.remove(0)
}

fn message(evidence: &Evidence) -> &str {
    match &evidence.verdict {
        GuardVerdict::Error { message, .. } => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_judgement_asks_so_many_questions_and_no_more() {
    let counting = Arc::new(Counting::default());
    let evidence = judged(&asking(20, 50, ""), &["model"], Some(counting.clone()));
    assert!(matches!(evidence.verdict, GuardVerdict::Pass(_)), "{evidence:?}");
    assert_eq!(counting.asked.load(Ordering::SeqCst), 32);
    assert!(counting.by.lock().unwrap().iter().all(|by| *by == evidence.id));
}

#[test]
fn a_question_that_is_too_long_ends_the_call() {
    let long =
        |offset: u32, length: u32| format!("(i32.store (i32.const {}) (i32.const {length}))", QUESTIONS + offset);
    for (offset, length, what) in [(4, 20_000, "role"), (12, 600_000, "text"), (20, 20_000, "schema")] {
        let counting = Arc::new(Counting::default());
        let evidence = judged(&asking(1, 1, &long(offset, length)), &["model"], Some(counting.clone()));
        assert!(message(&evidence).contains(&format!("the {what} of a question has {length} bytes")), "{evidence:?}");
        assert_eq!(counting.asked.load(Ordering::SeqCst), 0);
    }
    // A list that no memory holds.
    let evidence = judged(&asking(u32::MAX / 32, 1, ""), &["model"], Some(Arc::new(Counting::default())));
    assert!(matches!(evidence.verdict, GuardVerdict::Error { .. }), "{evidence:?}");
}

#[test]
fn models_are_asked_only_where_it_is_granted_and_offered() {
    let evidence = judged(&asking(1, 1, ""), &[], Some(Arc::new(Counting::default())));
    assert!(message(&evidence).contains("add \"model\" to its grants"), "{evidence:?}");
    // Without a provider the guard is told so, and goes on.
    let evidence = judged(&asking(1, 1, ""), &["model"], None);
    assert!(matches!(evidence.verdict, GuardVerdict::Pass(_)), "{evidence:?}");
}
