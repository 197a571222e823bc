//! A commit by itself: its run is not recorded here, so only its trees are known.

use guardhost_core::change::{Candidate, CommitInfo, EvidenceSource, Judgement, NullObserver, Oid, RecordedAnswers};
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_engine::JudgeContext;
use guardhost_git::candidate;
use guardhost_policy::{Policy, RecordedGuards};
use guardhost_report::{CommitGuard, CommitReplay, ReceiptReplay, SignedReceipt};

use super::Replaying;
use super::compare::side_now;
use crate::receipt::{AllowedSigners, Statement, statement};
use guardhost_gate::{judge_again, receipt};
use serde_json::Value;

/// The trailers of a commit that the host made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trailers {
    pub run: Option<String>,
    pub receipt: Option<String>,
    pub signature: Option<String>,
}

impl Trailers {
    pub fn from_message(message: &str) -> Self {
        let trailers = CommitInfo::proposed(message).trailers();
        let named = |name: &str| {
            let found = trailers.iter().rev().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.trim().to_owned())
        };
        Trailers {
            run: named("Guardhost-Run"),
            receipt: named("Guardhost-Receipt"),
            signature: named("Guardhost-Receipt-Signature"),
        }
    }
}

/// What the signature in a commit is worth: who signed that guards judged the change from its parent's tree to its own.
///
/// # Errors
/// The objects of the commit cannot be read.
pub fn signature(commit: Oid, trailers: &Trailers, replaying: &Replaying) -> Result<SignedReceipt> {
    let repo = replaying.repo;
    let (parents, _) = repo.parents_and_message(commit)?;
    let base_tree = parents.first().map_or_else(|| repo.empty_tree(), |parent| repo.tree_of(*parent))?;
    let statement =
        Statement { base_tree, tree: repo.tree_of(commit)?, receipt: trailers.receipt.as_deref().unwrap_or_default() };
    let signature = match &replaying.signers {
        Some(signers) => statement.verify(trailers.signature.as_deref(), signers),
        None => statement.verify(trailers.signature.as_deref(), &AllowedSigners::default()),
    };
    Ok(SignedReceipt { signature, is_demanded: replaying.signers.is_some() })
}

/// A commit that was judged by itself.
struct JudgedCommit {
    change: Candidate,
    judgement: Judgement,
    policy: Policy,
}

/// By the rules and guards of its parent, without what a commit does not tell: the task, and answers.
fn judged(commit: Oid, replaying: &Replaying) -> Result<JudgedCommit> {
    let repo = replaying.repo;
    let (parents, _) = repo.parents_and_message(commit)?;
    let base = match parents.as_slice() {
        [] => None,
        [parent] => Some(*parent),
        _ => return Err(Fault::new(FaultKind::Usage, format!("{commit} is a merge, which no run makes")).into()),
    };
    let own = repo.tree_of(commit)?;
    for tree in base.map(|base| repo.tree_of(base)).transpose()?.into_iter().chain([own]) {
        if let Some(problem) = replaying.damaged(tree) {
            return Err(Fault::new(FaultKind::Git, problem.message).hint("fetch it again, or replay elsewhere").into());
        }
    }
    let base_tree = base.map_or_else(|| repo.empty_tree(), |base| repo.tree_of(base))?;
    let change = candidate(repo, base, base_tree, own)?;
    // Which guards judged is in the records; by default all that the rules have.
    let guards = RecordedGuards { all: true, components: replaying.components.clone(), ..RecordedGuards::default() };
    let mut policy = replaying.policies.resolve_recorded(repo, base, base_tree, &guards)?.policy;
    policy.guards.answer_from(RecordedAnswers::default());
    let judgement = judge_again(&change, &policy, &JudgeContext { task: None, observer: &NullObserver });
    policy.guards.stop().check().map_err(|stopped| stopped.into_error("judging the commit again"))?;
    Ok(JudgedCommit { change, judgement, policy })
}

/// What guards say of a commit by itself, as a statement of in-toto.
///
/// # Errors
/// As [`replay_commit`].
pub fn statement_of(commit: Oid, replaying: &Replaying) -> Result<Value> {
    let JudgedCommit { change, judgement, policy } = judged(commit, replaying)?;
    Ok(statement(commit, &change, &judgement, &policy))
}

/// Judges a commit by the rules and guards of its parent, and compares the receipt. What guards ask for beyond the trees is not known; the
/// receipt is the same all the same if none of them asked.
///
/// # Errors
/// [`FaultKind::Usage`]: a merge, which no run makes; of the repository and the rules.
pub fn replay_commit(commit: Oid, replaying: &Replaying) -> Result<CommitReplay> {
    let JudgedCommit { change, judgement, policy } = judged(commit, replaying)?;
    let (_, message) = replaying.repo.parents_and_message(commit)?;
    let trailers = Trailers::from_message(&message);
    let of_guards = judgement.evidence.iter().filter(|evidence| evidence.source == EvidenceSource::Guard);
    let guards = of_guards.map(|evidence| {
        let basis = &evidence.basis;
        let needs = [(basis.task, "task"), (basis.commits, "commits"), (basis.not_recorded.is_some(), "answers")];
        let needs = needs.into_iter().filter(|(needed, _)| *needed).map(|(_, what)| what.to_owned());
        CommitGuard {
            id: evidence.id.clone(),
            replayed: side_now(evidence, policy.guards.digest(&evidence.id).unwrap_or_default()),
            needs: needs.collect(),
        }
    });
    let signed = signature(commit, &trailers, replaying)?;
    Ok(CommitReplay {
        signed,
        commit: commit.to_string(),
        run: trailers.run,
        is_recorded: false,
        guards: guards.collect(),
        receipt: trailers
            .receipt
            .map(|recorded| ReceiptReplay { recorded, replayed: receipt(&change, &judgement, None, &policy) }),
    })
}
