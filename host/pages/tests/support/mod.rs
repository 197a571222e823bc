//! Recorded runs as the program writes them, and a browser.

// Tests of other crates use the rest of it.
#[allow(dead_code)]
pub mod browser;
pub mod issues;

use std::path::Path;

use guardhost_core::change::{
    AppliedFix, Budget, ChangeType, Evidence, EvidenceSource, Failed, Finding, GuardVerdict, Inapplicable, Judgement,
    Mode, PatchFormat, RecordedEnd, RepoPath, RunEnd, RunOutcome, Severity, Touched, Usage,
};
use guardhost_pages::Bundle;
use guardhost_report::CheckReport;
use guardhost_report::journal::{
    Actor, ActorKind, Artifact, Decision, DecisionType, DiffFormat, Object, ObjectBody, PatchSet, Records, Run,
    RunCommand, Secrets, latest,
};

/// One round of a made run.
#[derive(Debug, Clone, Default)]
pub struct Round {
    pub reply: String,
    pub mended: Option<String>,
    pub account: Option<String>,
    pub diff: String,
    pub around: Option<String>,
    pub evidence: Vec<Evidence>,
    pub fixes: Option<String>,
    pub accepted: bool,
}

/// A finding at a line.
pub fn finding(rule: &str, path: &str, line: u32, message: &str) -> Finding {
    let mut finding = Finding::new(rule, Severity::Error, message);
    (finding.path, finding.line) = (Some(path.to_owned()), Some(line));
    finding.help = Some(format!("Fix line {line}."));
    finding
}

pub fn evidence(id: &str, verdict: GuardVerdict) -> Evidence {
    Evidence {
        id: id.to_owned(),
        mark: "G1".to_owned(),
        version: "0.1.0".to_owned(),
        digest: format!("sha256:{}", "0".repeat(64)),
        mode: Mode::Enforce,
        source: EvidenceSource::Guard,
        verdict,
        event: String::new(),
        micros: 1_500,
        fuel: 20_000,
        cached: true,
        reused: false,
        metrics: Default::default(),
        log: Vec::new(),
        allowed: Vec::new(),
        basis: Default::default(),
    }
}

/// A guard that failed.
pub fn failure(id: &str, message: &str) -> Evidence {
    evidence(id, GuardVerdict::Error { code: "trap", message: message.to_owned(), failed: Failed::Run })
}

/// Writes a run as the program does, and leaves it ended, or at work where `alive` keeps the records open.
pub fn record(state: &Path, id: &str, task: &str, rounds: &[Round], ended: bool) -> Records {
    let records = Records::create(state, id, Secrets::default()).expect("a new run");
    let run = Run {
        command: RunCommand::Run,
        task: task.to_owned(),
        commit: Some("5437d16732a22b939d7e5c41ca00d4fb232cf74d".to_owned()),
        provider: "claude".to_owned(),
        guards: vec!["docs-kept".to_owned()],
        rounds: 3,
        budget: Budget::default(),
        branch: Some("guardhost/a-branch".to_owned()),
        ..Run::default()
    };
    let write = |object: Object| records.record(&object).expect("recorded");
    write(Object::named(id.to_owned(), ObjectBody::Run(run), Actor::host()));
    let (_, mut trace) = records.trace().expect("a trace");
    let (began, mut seq) = (jiff::Timestamp::now(), 0u64);
    let mut event = |round: usize, name: &str, data: serde_json::Value| {
        use std::io::Write;
        let mut line = serde_json::json!({
            "ts": (began + std::time::Duration::from_millis(seq * 100)).to_string(), "run": id, "round": round, "seq": seq, "event": name,
        });
        line.as_object_mut().expect("an object").extend(data.as_object().expect("an object").clone());
        writeln!(trace, "{line}").expect("written");
        seq += 1;
    };
    event(0, "run-started", serde_json::json!({ "task": task, "provider": "claude", "rounds": 3 }));
    for (number, round) in (1u32..).zip(rounds) {
        let at = number as usize;
        let keep = |artifact, text: &str| records.keep(number, artifact, text.as_bytes()).expect("kept");
        let usage = serde_json::json!({ "input_tokens": 1200, "output_tokens": 340, "cost_usd": 0.012 });
        event(at, "asking", serde_json::json!({ "provider": "claude", "prompt_bytes": 10 }));
        event(
            at,
            "replied",
            serde_json::json!({ "provider": "claude", "model": "a-model", "micros": 2_300_000, "usage": usage }),
        );
        keep(Artifact::Prompt, &format!("## Task\n\n{task}\n"));
        keep(Artifact::Reply, &round.reply);
        if let Some(mended) = &round.mended {
            keep(Artifact::Repaired, mended);
        }
        if let Some(account) = &round.account {
            keep(Artifact::Account, account);
        }
        event(at, "extracted", serde_json::json!({ "format": "git-diff" }));
        keep(Artifact::Extracted, &round.diff);
        keep(Artifact::Sanitized, &round.diff);
        let artifact = keep(Artifact::FinalDiff, &round.diff);
        if let Some(around) = &round.around {
            keep(Artifact::Around, around);
        }
        if let Some(fixes) = &round.fixes {
            keep(Artifact::FixDiffs, fixes);
        }
        event(at, "placed", serde_json::json!({ "strategy": "exact" }));
        let judgement = Judgement { evidence: round.evidence.clone() };
        let check = CheckReport { judgement, ..CheckReport::default() };
        records.keep_judgement(number, &check).expect("kept");
        for each in &round.evidence {
            event(
                at,
                "judged",
                serde_json::json!({ "id": each.id, "verdict": each.verdict.as_str(), "micros": each.micros }),
            );
        }
        let patch_set = PatchSet {
            run: id.to_owned(),
            sequence: number - 1,
            round: number,
            prompt: None,
            commit: None,
            format: DiffFormat::GitDiff,
            written_as: PatchFormat::GitDiff,
            artifact: Some(artifact),
            tree: None,
            touched: vec![Touched {
                path: RepoPath::from("README.md"),
                old_path: None,
                change_type: ChangeType::Modify,
                lines_added: 1,
                lines_deleted: 1,
            }],
            rationale: Some("I made it so.".to_owned()),
            base_tree: None,
            message: None,
            mends: None,
            fixes: Vec::<AppliedFix>::new(),
        };
        let author =
            Actor { kind: ActorKind::Agent, id: "claude".to_owned(), display_name: Some("a-model".to_owned()) };
        let patch_set = Object::new(ObjectBody::PatchSet(patch_set), author);
        let patchset_id = Some(patch_set.object_id.clone());
        write(patch_set);
        let is_last = number as usize == rounds.len();
        if is_last && !ended {
            return records;
        }
        let decision_type = if round.accepted {
            DecisionType::Commit
        } else if is_last {
            DecisionType::Abandon
        } else {
            keep(Artifact::Feedback, "Your patch was not accepted.\n");
            DecisionType::Retry
        };
        let outcome = match (is_last, round.accepted) {
            (false, _) => None,
            (true, true) => Some(RunOutcome::Committed),
            (true, false) => Some(RunOutcome::Rejected),
        };
        let decision = Decision {
            run_id: id.to_owned(),
            round: number,
            decision_type,
            patchset_id,
            rationale: (!round.accepted).then(|| "rejected: the guards say no".to_owned()),
            outcome: outcome.map(|outcome| RecordedEnd::Known(RunEnd::Result(outcome))),
            result_commit_sha: round.accepted.then(|| "28c42470ee4e7cda34d98c8e5128722bb594b2fe".to_owned()),
            micros: 5_000_000,
            spent: Usage::default(),
            receipt: None,
            pull_request: None,
            artifacts: Vec::new(),
        };
        write(Object::new(ObjectBody::Decision(decision), Actor::host()));
    }
    records
}

/// A rejected round and one that fixes it.
pub fn two_rounds() -> [Round; 2] {
    let diff = "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n # tally\n-Old words.\n+New words.\n end\n";
    let found = vec![finding("code-loss", "README.md", 2, "README.md lost its code")];
    let fixes = r#"[{"guard":"docs-kept","finding":0,"diff":"diff --git a/README.md b/README.md\n@@ -2 +2 @@\n-New words.\n+Old and new words.\n"}]"#;
    let first = Round {
        reply: format!("Here:\n```diff\n{diff}```\n"),
        account: None,
        around: None,
        mended: Some(diff.to_owned()),
        diff: diff.to_owned(),
        evidence: vec![
            evidence("docs-kept", GuardVerdict::Reject(found)),
            evidence("scope-kept", GuardVerdict::Pass(Vec::new())),
            evidence(
                "texts-parse",
                GuardVerdict::NotApplicable(Inapplicable::NoFile("no touched file matches *.css".to_owned())),
            ),
            failure("no-undefined-names", "it ran out of fuel"),
        ],
        fixes: Some(fixes.to_owned()),
        accepted: false,
    };
    let pass = |id: &str| evidence(id, GuardVerdict::Pass(Vec::new()));
    let second = Round {
        diff: diff.replace("New words.", "Old and new words."),
        evidence: vec![pass("docs-kept"), pass("scope-kept"), pass("no-undefined-names")],
        accepted: true,
        mended: None,
        fixes: None,
        ..first.clone()
    };
    [first, second]
}

/// All runs of a state folder.
pub fn bundle(state: &Path) -> Bundle {
    let mut bundle = Bundle::default();
    for history in latest(state, usize::MAX).expect("runs") {
        bundle.add_history(&history).expect("a run");
    }
    bundle
}

/// A bundle of one run with two rounds.
pub fn small() -> Bundle {
    let state = tempfile::tempdir().expect("a folder");
    record(state.path(), "01a2063f-adf8-7482-b33b-738ff412adf6", "Let counting ignore case", &two_rounds(), true);
    bundle(state.path())
}
