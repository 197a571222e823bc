//! `propose`: the order of the stages, what each failure becomes, and an error of the log.

use anyhow::anyhow;
use guardhost_core::change::{FileMode, RepoPath, RoundFailure};
use guardhost_core::error::Result;
use guardhost_core::stop::StopToken;
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, StageLog, StageResult, propose, propose_patch};
use guardhost_patch::sanitize::Rules;

use crate::support::objects::tree;
use crate::support::text::{read, reply};

const DIFF: &str = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";

/// Notes the stages; fails at one of them.
#[derive(Default)]
struct Stages {
    seen: Vec<&'static str>,
    fails_at: &'static str,
}

impl Stages {
    fn note(&mut self, stage: &'static str) -> Result<()> {
        self.seen.push(stage);
        if stage == self.fails_at { Err(anyhow!("the log is full")) } else { Ok(()) }
    }
}

impl StageLog for Stages {
    fn see(&mut self, made: StageResult<'_>) -> Result<()> {
        self.note(match made {
            StageResult::Repaired { .. } => "repaired",
            StageResult::Extracted(_) => "extracted",
            StageResult::Sanitized(_) => "sanitized",
            StageResult::Applied(_) => "applied",
        })
    }
}

fn base() -> ApplyBase {
    ApplyBase { base: None, tree: tree(&[("f", FileMode::File, "a\n")]), seen_by_provider: None }
}

fn stop(text: &str, log: &mut Stages) -> ProposalStop {
    propose(&reply(text), &[], &base(), &Rules::default(), log, &StopToken::default()).err().expect("no candidate")
}

#[test]
fn every_stage_is_seen_in_order() {
    let mut log = Stages::default();
    let candidate = propose(&reply(DIFF), &[], &base(), &Rules::default(), &mut log, &StopToken::default()).unwrap();
    assert_eq!(candidate.files[0].path, RepoPath::from("f"));
    assert_eq!(log.seen, ["repaired", "extracted", "sanitized", "applied"]);
    let same = propose(&reply(DIFF), &[], &base(), &Rules::default(), &mut (), &StopToken::default()).unwrap();
    assert_eq!(same.files, candidate.files);

    let mut log = Stages::default();
    propose_patch(read(DIFF, &[]).unwrap(), &base(), &Rules::default(), &mut log, &StopToken::default()).unwrap();
    assert_eq!(log.seen, ["sanitized", "applied"]);
}

#[test]
fn each_failure_is_told_from_the_others_and_from_an_error() {
    let failure = |text: &str, log: &mut Stages| stop(text, log).into_failure().unwrap();
    let mut log = Stages::default();
    assert!(matches!(failure("only words", &mut log), RoundFailure::NoPatch(_)));
    assert_eq!(log.seen, ["repaired"]);

    let mut log = Stages::default();
    assert!(matches!(failure(&DIFF.replace("/f", "/.git/config"), &mut log), RoundFailure::Refused(_)));
    assert_eq!(log.seen, ["repaired", "extracted"]);

    let mut log = Stages::default();
    assert!(matches!(failure(&DIFF.replace("-a", "-other"), &mut log), RoundFailure::Misfit(_)));
    assert_eq!(log.seen, ["repaired", "extracted", "sanitized"]);

    for (stage, count) in [("repaired", 1), ("extracted", 2), ("sanitized", 3), ("applied", 4)] {
        let mut log = Stages { fails_at: stage, ..Stages::default() };
        assert_eq!(stop(DIFF, &mut log).into_failure().unwrap_err().to_string(), "the log is full");
        assert_eq!(log.seen.len(), count);
    }
}
