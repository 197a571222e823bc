//! Judging in a test: the real engine, the real compile child, a cache of its own.

use std::path::PathBuf;

use guardhost_core::change::{Candidate, Evidence, Judgement, NullObserver};
use guardhost_engine::link_check::LinkChecker;

use guardhost_engine::{EngineContext, GuardSet, GuardSource, GuardSpec, HostServices, JudgeContext, guard};
use guardhost_gate::{Door, Gate, RulesAt, Terms};
use guardhost_policy::config::{Config, nothing_shared};
use guardhost_policy::{Disclosure, Policy};

pub fn machine() -> EngineContext {
    EngineContext {
        exe: PathBuf::from(env!("CARGO_BIN_EXE_host")),
        cache_dir: None,
        modules_dir: None,
        measured_dir: None,
        verdicts: None,
        threads: 2,
        services: HostServices::only(LinkChecker::offline()),
        embedded: &guards::EMBEDDED,
        stop: Default::default(),
    }
}

pub fn component(id: &str, wasm: Vec<u8>) -> GuardSpec {
    GuardSpec {
        source: GuardSource::Bytes { bytes: wasm.into(), origin: "a test".to_string() },
        ..GuardSpec::builtin(id)
    }
}

/// A policy of these guards, with the default rules.
pub fn policy(guards: GuardSet) -> Policy {
    Policy {
        config: Config::parse(b"schema = 1\n", "a test", &nothing_shared).unwrap(),
        guards,
        rules: guardhost_patch::sanitize::Rules::default(),
        asked: Vec::new(),
        unjudged: None,
        disclosure: Disclosure::default(),
        notices: Vec::new(),
        memory: None,
    }
}

/// A gate of these guards, with the default rules, for changes of what models write.
pub fn gate_of(guards: GuardSet, rules: RulesAt) -> Gate {
    Gate::new(policy(guards), rules, &Terms::at(Door::Library))
}

/// The same for changes on the base of `candidate`.
pub fn gate(specs: Vec<GuardSpec>, candidate: &Candidate) -> Gate {
    gate_of(GuardSet::new(specs, &machine()).unwrap(), RulesAt::base_of(candidate))
}

pub fn judge(candidate: &Candidate, specs: Vec<GuardSpec>) -> Judgement {
    let set = GuardSet::new(specs, &machine()).unwrap();
    guard(candidate, &set, &JudgeContext { task: None, observer: &NullObserver })
}

/// One guard alone.
pub fn evidence(candidate: &Candidate, spec: GuardSpec) -> Evidence {
    judge(candidate, vec![spec]).evidence.remove(0)
}
