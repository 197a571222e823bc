//! Judging in a test: the real engine, the real compile child, a cache of its own.

use std::path::PathBuf;
use std::sync::Mutex;

use guardhost_core::change::{Candidate, Event, Evidence, Judgement, Observer};
use guardhost_engine::link_check::LinkChecker;

use guardhost_policy::Policy;
use guardhost_policy::config::{Config, Rules};
use guardhost_engine::{Context, EngineContext, GuardSet, GuardSource, GuardSpec, HostServices, guard};

/// Keeps what it is told.
#[derive(Default)]
pub struct Told(pub Mutex<Vec<Event>>);

impl Observer for Told {
    fn see(&self, event: &Event) {
        self.0.lock().unwrap().push(event.clone());
    }
}

impl Told {
    pub fn notices(&self) -> Vec<String> {
        let events = self.0.lock().unwrap();
        let notices = events.iter().filter_map(|event| match event {
            Event::Notice { text } => Some(text.clone()),
            _ => None,
        });
        notices.collect()
    }
}

pub fn machine() -> EngineContext {
    EngineContext {
        exe: PathBuf::from(env!("CARGO_BIN_EXE_host")),
        cache_dir: None,
        threads: 2,
        services: HostServices::only(LinkChecker::offline()),
    }
}

pub fn component(id: &str, wasm: Vec<u8>) -> GuardSpec {
    GuardSpec {
        source: GuardSource::Bytes { bytes: wasm.into(), origin: "a test".to_string() },
        ..GuardSpec::builtin(id)
    }
}

/// A policy of these guards, with the default rules.
pub fn policy(specs: Vec<GuardSpec>) -> Policy {
    Policy {
        config: Config { rules: Rules::parse(b"schema = 1\n", "a test").unwrap(), origin: "a test".to_owned() },
        guards: GuardSet::new(specs, &machine()).unwrap(),
        rules: guardhost_patch::sanitize::Rules::default(),
        notice: None,
    }
}

pub fn judge(candidate: &Candidate, specs: Vec<GuardSpec>) -> Judgement {
    let set = GuardSet::new(specs, &machine()).unwrap();
    guard(candidate, &set, &Context { task: None, observer: &Told::default() })
}

/// One guard alone.
pub fn evidence(candidate: &Candidate, spec: GuardSpec) -> Evidence {
    judge(candidate, vec![spec]).evidence.remove(0)
}
