//! Judgements that were repeated.

use guardhost_report::journal::RunCommand;
use guardhost_report::{
    AttestationReplay, ChangeReplay, CommitGuard, CommitReplay, ExportedRuns, GuardOutcome, GuardReplay, GuardSide,
    ProblemKind, Rebuilt, ReceiptReplay, ReceiptSignature, RecordProblem, ReplayReport, RunReplay, SignedReceipt,
};

fn side(version: &str, verdict: &str) -> GuardSide {
    let digest = format!("sha256:{}", version.replace('.', "a").repeat(64).chars().take(64).collect::<String>());
    GuardSide { version: version.to_owned(), digest, verdict: verdict.to_owned() }
}

fn guard(id: &str, outcome: GuardOutcome) -> GuardReplay {
    let (recorded, replayed) = (Some(side("0.1.0", "pass")), Some(side("0.1.0", "pass")));
    GuardReplay { id: id.to_owned(), outcome, recorded, replayed, answers: 0 }
}

fn change(round: u32, guards: Vec<GuardReplay>) -> ChangeReplay {
    ChangeReplay {
        patchset: format!("01a2010e-95f8-735b-8d43-00000000000{round}"),
        round,
        tree: "aa".repeat(20),
        rebuilt: Some(Rebuilt::FromGit),
        guards,
        ..ChangeReplay::default()
    }
}

fn receipt(recorded: &str, replayed: &str) -> ReceiptReplay {
    let digest = |byte: &str| format!("sha256:{}", byte.repeat(32));
    ReceiptReplay { recorded: digest(recorded), replayed: digest(replayed) }
}

fn run(changes: Vec<ChangeReplay>) -> RunReplay {
    RunReplay {
        run: "01a2010e-95f8-735b-8d43-0b1f3a9c2e44".to_owned(),
        command: RunCommand::Run,
        host_then: "guardhost/0.1.0".to_owned(),
        host_now: "guardhost/0.1.0".to_owned(),
        problems: Vec::new(),
        changes,
    }
}

pub fn same() -> ReplayReport {
    let told = GuardReplay { answers: 2, ..guard("links-alive", GuardOutcome::Same) };
    let first = change(1, vec![guard("docs-kept", GuardOutcome::Same), told]);
    let second = ChangeReplay { receipt: Some(receipt("ab", "ab")), ..first.clone() };
    let second = ChangeReplay { round: 2, fixed: true, rebuilt: Some(Rebuilt::FromDiff), ..second };
    ReplayReport { runs: vec![run(vec![first, second])], ..ReplayReport::default() }
}

pub fn different() -> ReplayReport {
    let component = GuardReplay {
        replayed: Some(side("0.2.0", "reject")),
        ..guard("docs-kept", GuardOutcome::ComponentDiffers { says_same: Some(false) })
    };
    let fields = vec!["findings".to_owned(), "verdict".to_owned()];
    let verdict = GuardReplay {
        replayed: Some(side("0.1.0", "reject")),
        ..guard("syntax-holds", GuardOutcome::VerdictDiffers { fields })
    };
    let why = |text: &str| text.to_owned();
    let new = GuardReplay { recorded: None, ..guard("host:files-readable", GuardOutcome::New) };
    let missing = GuardReplay { replayed: None, ..guard("old-guard", GuardOutcome::Missing) };
    let guards = vec![
        guard("scope-kept", GuardOutcome::Same),
        component,
        guard("license-kept", GuardOutcome::ComponentDiffers { says_same: None }),
        verdict,
        guard("links-alive", GuardOutcome::AnswersMissing(why("question 1, to `net`, was not asked then"))),
        guard("my-guard", GuardOutcome::CannotLoad(why("cannot read the guard guards/my.wasm"))),
        guard("whole-files", GuardOutcome::CannotJudge(why("the repository could not be read: object \u{1b}[1m"))),
        missing,
        new,
    ];
    let problem =
        |kind, what: &str, message: &str| RecordProblem { kind, what: what.to_owned(), message: message.to_owned() };
    let changed = problem(ProblemKind::ArtifactChanged, "1/final.diff", "it is not sha256:00");
    let gone = problem(ProblemKind::TreeMissing, &"bb".repeat(20), "git does not have it, and no diff is recorded");
    let lost = ChangeReplay { rebuilt: None, problems: vec![gone], ..change(2, Vec::new()) };
    let first = ChangeReplay { receipt: Some(receipt("ab", "cd")), ..change(1, guards) };
    let run = RunReplay { problems: vec![changed], host_now: "guardhost/0.2.0".to_owned(), ..run(vec![first, lost]) };
    ReplayReport { runs: vec![run], notices: vec!["a judgement has no receipt".to_owned()], ..ReplayReport::default() }
}

pub fn commit() -> ReplayReport {
    let guard = |id: &str, needs: &[&str]| CommitGuard {
        id: id.to_owned(),
        replayed: side("0.1.0", "pass"),
        needs: needs.iter().map(|need| (*need).to_owned()).collect(),
    };
    let commit = CommitReplay {
        commit: "cc".repeat(20),
        run: Some("01a2010e-95f8-735b-8d43-0b1f3a9c2e44".to_owned()),
        is_recorded: false,
        guards: vec![guard("docs-kept", &[]), guard("scope-kept", &["task", "answers"])],
        receipt: Some(receipt("ab", "cd")),
        signed: SignedReceipt {
            signature: ReceiptSignature::UnknownKey { key: format!("SHA256:{}", "k".repeat(43)) },
            is_demanded: true,
        },
    };
    ReplayReport { commit: Some(commit), ..ReplayReport::default() }
}

pub fn attestation() -> ReplayReport {
    let attestation = AttestationReplay {
        path: "head.json".into(),
        commit: "cc".repeat(20),
        is_written: false,
        result: "WARNED".to_owned(),
        signed: SignedReceipt {
            signature: ReceiptSignature::Good {
                signer: "ada@example.org".to_owned(),
                key: format!("SHA256:{}", "k".repeat(43)),
            },
            is_demanded: true,
        },
        differs: vec!["/subject".to_owned(), "/predicate/passedTests".to_owned()],
    };
    ReplayReport { attestation: Some(attestation), ..ReplayReport::default() }
}

pub fn exported() -> ReplayReport {
    let exported = ExportedRuns { path: "run.json".into(), bytes: 123_456, components: 1 };
    ReplayReport { exported: Some(exported), ..ReplayReport::default() }
}
