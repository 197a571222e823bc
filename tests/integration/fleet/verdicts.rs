//! Verdicts that workers share: taken where a guard would see the same, whoever called it, and compared now and then.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use guardhost_core::change::{GuardVerdict, NullObserver, Oid};
use guardhost_engine::{SharedEntry, SharedVerdicts};
use guardhost_fleet::queue::Ended;
use guardhost_gate::{Case, Door, Gate, RulesAt, Terms};
use guardhost_git::{Repo, range};
use guardhost_policy::PolicySource;
use rustix::process::{Pid, Signal, kill_process};

use super::machines::{Machines, Server, source};
use crate::support::repo::TestRepo;

/// The same change on another base, judged by another worker.
#[test]
fn a_worker_takes_what_another_found() {
    let folder = tempfile::tempdir().unwrap();
    let Some((server, _running)) = Server::nats(folder.path()) else { return };
    let machines = Machines::new(server.address(), 1);
    let first = machines.commits(1).remove(0);
    // The same file on another base.
    machines.repo.git(&["checkout", "-q", "--detach", "HEAD~1"]);
    machines.repo.write("other/unrelated.txt", "something else\n");
    machines.repo.commit("unrelated");
    machines.repo.git(&["cherry-pick", &first]);
    let rebased = machines.repo.git(&["rev-parse", "HEAD"]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let judged_by = |name: &str, commit: &str| {
        let mut worker = machines.worker(name, &["--doubted", "0"]);
        let result = runtime.block_on(async {
            let queue = machines.queue().await;
            let job = machines.job(commit, &*queue).await;
            queue.submit(&job).await.unwrap();
            let ended = queue.wait(&job.id(), std::time::Duration::from_secs(120)).await.unwrap();
            let Some(Ended::Judged(result)) = ended else { panic!("{ended:?}: {}", machines.log(name)) };
            result
        });
        // It keeps verdicts beside its answer, and ends when that is done.
        kill_process(Pid::from_child(&worker.0), Signal::TERM).unwrap();
        assert!(worker.0.wait().unwrap().success(), "{}", machines.log(name));
        result
    };
    let one = judged_by("w0", &first);
    assert_eq!(one.about().unwrap().reused_from, Vec::<String>::new());
    let two = judged_by("w1", &rebased);
    assert_eq!(two.about().unwrap().reused_from, [one.named()], "{}", machines.log("w1"));
    assert_eq!(two.report, machines.local(&rebased), "and it is what a call says");
}

/// Verdicts in memory, for one program.
#[derive(Debug, Default)]
pub struct Shared {
    entries: Mutex<HashMap<String, Vec<Vec<u8>>>>,
    doubts: AtomicBool,
    differed: Mutex<Vec<String>>,
    took: Mutex<Vec<String>>,
}

impl SharedVerdicts for Shared {
    fn program(&self) -> &str {
        "program"
    }

    fn get(&self, name: &str) -> Vec<SharedEntry> {
        let entry = |bytes: &Vec<u8>| SharedEntry {
            bytes: bytes.clone(),
            author: Some("another".into()),
            sealed: bytes.clone(),
        };
        self.entries.lock().unwrap().get(name).into_iter().flatten().map(entry).collect()
    }

    fn put(&self, name: &str, new: &[Vec<u8>], kept: &[&SharedEntry]) {
        let all = new.iter().cloned().chain(kept.iter().map(|entry| entry.sealed.clone())).collect();
        self.entries.lock().unwrap().insert(name.to_owned(), all);
    }

    fn doubts(&self) -> bool {
        self.doubts.load(Ordering::Relaxed)
    }

    fn took(&self, tree: &str, _: &str) {
        self.took.lock().unwrap().push(tree.to_owned());
    }

    fn differs(&self, author: &str, guard: &str, _: &str) {
        self.differed.lock().unwrap().push(format!("{author}: {guard}"));
    }
}

#[test]
fn a_lie_is_found_when_it_is_doubted_and_replaced() {
    let repo = TestRepo::with(&[("a.json", "{}\n")]);
    repo.write("a.json", "{ \"broken\n");
    repo.commit("break it");
    let machines = Machines::new("memory:".to_owned(), 0);
    let process = machines.process();
    let shared = Arc::new(Shared::default());
    let judged =
        || verdict(&repo.open(), PolicySource { fresh: false, shared: Some(shared.clone()), ..source(&process) });
    assert_eq!(judged(), Some("reject"));
    assert!(shared.took.lock().unwrap().is_empty());
    assert_eq!(judged(), Some("reject"));
    assert!(!shared.took.lock().unwrap().is_empty(), "it was not taken from the cache");
    // Another worker lies about this guard.
    for entry in shared.entries.lock().unwrap().values_mut().flatten() {
        let text = String::from_utf8(entry.clone()).unwrap();
        let from = text.find("\"verdict\":{\"Reject\":[");
        if let Some(from) = from {
            let end = text.find("},\"fuel\"").expect("the end of the verdict");
            *entry = format!("{}\"verdict\":{{\"Pass\":[]{}", &text[..from], &text[end..]).into_bytes();
        }
    }
    assert_eq!(judged(), Some("pass"), "a lie that nobody doubts is believed");
    shared.doubts.store(true, Ordering::Relaxed);
    assert_eq!(judged(), Some("reject"), "what is doubted is found anew");
    assert_eq!(*shared.differed.lock().unwrap(), ["another: syntax-holds"]);
    shared.doubts.store(false, Ordering::Relaxed);
    assert_eq!(judged(), Some("reject"), "the lie is gone");
}

/// What the guard of syntax says of HEAD.
fn verdict(repo: &Repo, source: PolicySource<'_>) -> Option<&'static str> {
    let candidate = range(repo, "HEAD").unwrap();
    let (base, tree): (Option<Oid>, Oid) = (candidate.base, candidate.base_tree);
    let gate = Gate::open(&source, repo, RulesAt { commit: base, tree }, &Terms::at(Door::Library)).unwrap();
    let ruling = gate.rule(Case::report(candidate, None), &NullObserver).unwrap();
    let evidence = ruling.judged()?.judgement().evidence.iter().find(|evidence| evidence.id == "syntax-holds")?;
    match &evidence.verdict {
        GuardVerdict::Pass(_) => Some("pass"),
        GuardVerdict::Reject(_) => Some("reject"),
        GuardVerdict::NotApplicable(_) | GuardVerdict::Error { .. } => None,
    }
}
