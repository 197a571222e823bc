//! What guards say of a commit, as a statement of in-toto (Statement v1, <https://github.com/in-toto/attestation>): of the commit and its
//! tree, with the predicate for results of tests. It holds no time, so the same commit has the same statement wherever it is judged.

use guardhost_core::change::{Candidate, EvidenceSource, Judgement, Mode, Oid, VerdictKind};
use guardhost_gate::{judges_digest, receipt};
use guardhost_policy::Policy;
use guardhost_report::{ChangeProof, proofs};
use serde_json::{Value, json};

const STATEMENT: &str = "https://in-toto.io/Statement/v1";
const PREDICATE: &str = "https://in-toto.io/attestation/test-result/v0.1";

/// Fields of ours beside those that the predicate names have this prefix; who does not know them passes over them.
const RECEIPT: &str = "guardhost_receipt";
const BASE: &str = "guardhost_base";
const UNTOLD: &str = "guardhost_untold";
const PROOFS: &str = "guardhost_proofs";

/// The statement about a commit that was judged by itself, without a task.
///
/// Guards that were not concerned are in none of its lists. `guardhost_untold` names the guards that asked for what a commit does not tell.
/// `guardhost_proofs` is what running the change has shown, where a guard did that: each claim with the command that shows it again.
pub fn statement(commit: Oid, candidate: &Candidate, judgement: &Judgement, policy: &Policy) -> Value {
    let (mut passed, mut warned, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for evidence in &judgement.evidence {
        let list = match (VerdictKind::from(&evidence.verdict), evidence.mode) {
            (VerdictKind::NotApplicable, _) => continue,
            (VerdictKind::Pass, _) if evidence.verdict.findings().is_empty() => &mut passed,
            (VerdictKind::Pass, _) => &mut warned,
            (VerdictKind::Reject | VerdictKind::Error, Mode::Monitor) => &mut warned,
            (VerdictKind::Reject | VerdictKind::Error, Mode::Enforce) => &mut failed,
        };
        list.push(evidence.id.as_str());
    }
    let result = match (judgement.is_accepted(), warned.is_empty()) {
        (false, _) => "FAILED",
        (true, false) => "WARNED",
        (true, true) => "PASSED",
    };
    let hex = |digest: &str| digest.strip_prefix("sha256:").unwrap_or(digest).to_owned();
    let of_guards = judgement.evidence.iter().filter(|evidence| evidence.source == EvidenceSource::Guard);
    let components = of_guards.clone().filter_map(|evidence| {
        let digest = policy.guards.digest(&evidence.id)?;
        Some(json!({ "name": format!("guard {}", evidence.id), "digest": { "sha256": hex(digest) } }))
    });
    // The rules with the pins of all guards come first.
    let rules = json!({ "name": "rules", "digest": { "sha256": hex(&judges_digest(policy)) } });
    let untold = of_guards.filter_map(|evidence| {
        let basis = &evidence.basis;
        (basis.task || basis.commits || basis.not_recorded.is_some()).then_some(evidence.id.as_str())
    });
    let mut statement = json!({
        "_type": STATEMENT,
        "subject": [
            { "name": "commit", "digest": { "gitCommit": commit.to_string() } },
            { "name": "tree", "digest": { "gitTree": candidate.tree.to_string() } },
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "result": result,
            "configuration": std::iter::once(rules).chain(components).collect::<Vec<_>>(),
            "passedTests": passed,
            "warnedTests": warned,
            "failedTests": failed,
            BASE: { "gitTree": candidate.base_tree.to_string() },
            RECEIPT: receipt(candidate, judgement, None, policy),
            UNTOLD: untold.collect::<Vec<_>>(),
        },
    });
    let proof = |proof: &ChangeProof| json!({ "claim": proof.claim, "state": proof.state, "guard": proof.guard, "again": proof.command });
    let proofs: Vec<Value> = proofs(judgement).iter().map(proof).collect();
    if !proofs.is_empty() {
        statement["predicate"][PROOFS] = json!(proofs);
    }
    statement
}

/// Where two statements differ, as pointers of JSON: into the predicate, and no deeper.
pub fn differences(recorded: &Value, now: &Value) -> Vec<String> {
    let keys = |at: &str| {
        let fields = |value: &Value| value.pointer(at).and_then(Value::as_object).cloned().unwrap_or_default();
        let (recorded, now) = (fields(recorded), fields(now));
        recorded.keys().chain(now.keys()).map(|key| format!("{at}/{key}")).collect::<std::collections::BTreeSet<_>>()
    };
    let differs = |at: &String| recorded.pointer(at) != now.pointer(at);
    match (recorded.is_object(), now.is_object()) {
        (true, true) => {
            keys("").into_iter().filter(|at| at != "/predicate").chain(keys("/predicate")).filter(differs).collect()
        }
        _ if recorded == now => Vec::new(),
        _ => vec!["/".to_owned()],
    }
}
