//! The default set, and many judgements at once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use guardhost_core::change::{Candidate, Judgement, NullObserver, Task};
use guardhost_core::stop::StopToken;
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::outlines::Outlines;
use guardhost_engine::{EngineContext, GuardSet, HostServices, JudgeContext, default_set, guard};
use guardhost_pipeline::triage::objections::Objections;
use guardhost_pipeline::triage::{FileProof, proofs};

pub struct Court {
    set: GuardSet,
    outlines: Outlines,
}

impl Court {
    /// As a repository has them that pins nothing; nobody asks the web, and each judgement takes one thread. `only`: ids of the guards
    /// that judge, if not all.
    pub fn new(only: &[String]) -> Self {
        let services = HostServices::only(LinkChecker::offline());
        let machine = EngineContext {
            exe: "host".into(),
            cache_dir: None,
            modules_dir: None,
            measured_dir: None,
            verdicts: None,
            threads: 1,
            services,
            embedded: &guards::EMBEDDED,
            stop: Default::default(),
        };
        let mut specs = default_set(&guards::EMBEDDED, only).expect("the default set");
        specs.retain(|spec| only.is_empty() || only.contains(&spec.id));
        let outlines = Outlines::new(&guards::EMBEDDED, StopToken::default());
        Court { set: GuardSet::new(specs, &machine).expect("the default set"), outlines }
    }

    pub fn judge(&self, change: &Candidate, task: Option<&Task>) -> Judgement {
        guard(change, &self.set, &JudgeContext { task, observer: &NullObserver })
    }

    /// Whether every file of the change that was so judged is proved to be harmless, and by which classes.
    pub fn proved(&self, change: &Candidate, judgement: &Judgement) -> Option<BTreeSet<&'static str>> {
        let objections = Objections::of_judgement(change, judgement);
        let found = proofs(change, &objections, self.set.kinds(), &self.outlines).expect("texts that can be read");
        let classes = found.into_iter().map(|proof| match proof {
            FileProof::Proved(class, _) => Some(class.as_str()),
            FileProof::Unproved(_) | FileProof::Rejected(_) => None,
        });
        classes.collect::<Option<BTreeSet<_>>>().filter(|classes| !classes.is_empty())
    }
}

/// A guest's stack and the host's frames around it.
const STACK: usize = 8 << 20;

/// `work` on every number below `count`; each thread makes itself a `ctx`. Results in order.
pub fn spread<D, R: Send>(
    threads: usize,
    count: usize,
    ctx: impl Fn() -> D + Sync,
    work: impl Fn(&mut D, usize) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut ctx = ctx();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, work(&mut ctx, index)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).expect("a thread");
        let workers: Vec<_> = (0..threads.max(1)).map(spawn).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}
