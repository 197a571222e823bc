//! Verdicts of every kind, accepted, rejected and refused changes, and fixes.

use std::collections::BTreeMap;

use guardhost_core::change::{
    Allowance, AllowedFinding, AppliedFix, ChangeType, Edit, Evidence, EvidenceSource, Failed, Finding, Fix,
    GuardVerdict, Inapplicable, Judgement, Misfit, MisfitAt, Mode, Note, Oid, Refused, RefusedKind, Severity, Strategy,
    Touched,
};
use guardhost_report::{
    ApplyReport, CheckReport, FixReport, LookReason, RefusalReport, TriageClass, TriageReport, TriagedFile,
};

pub fn oid(byte: u8) -> Oid {
    Oid::from_bytes(&[byte; 20]).unwrap()
}

pub fn finding(rule: &str, severity: Severity, place: Option<(&str, u32, u32)>, message: &str) -> Finding {
    Finding {
        path: place.map(|(path, ..)| path.to_owned()),
        line: place.map(|(_, line, _)| line),
        end_line: place.map(|(.., end)| end),
        ..Finding::new(rule, severity, message)
    }
}

pub fn evidence(id: &str, mark: &str, verdict: GuardVerdict) -> Evidence {
    Evidence {
        id: id.to_owned(),
        mark: mark.to_owned(),
        version: "0.1.0".to_owned(),
        digest: "sha256:00".to_owned(),
        mode: Mode::Enforce,
        source: EvidenceSource::Guard,
        verdict,
        event: String::new(),
        micros: 812,
        fuel: 193_022,
        reused: false,
        cached: true,
        metrics: BTreeMap::new(),
        log: Vec::new(),
        allowed: Vec::new(),
        basis: Default::default(),
    }
}

/// One guard of every kind.
pub fn judgement() -> Judgement {
    let mut lost = finding("code-loss", Severity::Error, Some(("docs/use me.md", 12, 19)), "2 of 3 examples are gone");
    lost.help = Some("put the examples back:\nthe task does not ask for their removal".to_owned());
    let mut comma = finding("syntax", Severity::Error, Some(("pyproject.toml", 3, 3)), "expected `=` after a key");
    comma.fix = Some(Fix {
        title: "remove the comma".to_owned(),
        edits: vec![Edit { path: "pyproject.toml".to_owned(), start: 40, end: 41, replacement: Vec::new() }],
    });
    let warning = finding("shrunk", Severity::Warning, None, "the change is mostly deletions");
    let mut kept = evidence("docs-kept", "G13", GuardVerdict::Reject(vec![lost, warning]));
    kept.event = "critic_doc_preservation.fail".to_owned();
    let mut score = evidence("quality-scored", "GΨ", GuardVerdict::Pass(Vec::new()));
    score.metrics.insert("psi".to_owned(), 0.83);
    let excused = finding("too-long", Severity::Error, Some(("src/table.rs", 7, 7)), "the line has 400 characters");
    let by = Allowance::Comment { line: 6, reason: "a table reads better in one line".to_owned() };
    score.allowed.push(AllowedFinding { finding: excused.clone(), by });
    score.allowed.push(AllowedFinding { finding: excused, by: Allowance::Baseline });
    let mut watched = evidence(
        "links-resolve",
        "G14",
        GuardVerdict::Reject(vec![finding(
            "gone",
            Severity::Error,
            Some(("docs/use me.md", 2, 2)),
            "no file `guide.md`",
        )]),
    );
    watched.mode = Mode::Monitor;
    let broken =
        GuardVerdict::Error { code: "out-of-fuel", message: "burnt 200000000 units".to_owned(), failed: Failed::Run };
    Judgement {
        evidence: vec![
            evidence(
                "scope-kept",
                "G1",
                GuardVerdict::NotApplicable(Inapplicable::NothingHere("no task is known".to_owned())),
            ),
            evidence("syntax-holds", "G2", GuardVerdict::Reject(vec![comma])),
            kept,
            watched,
            score,
            evidence("schema-holds", "G10", broken),
        ],
    }
}

pub fn check() -> CheckReport {
    let mut check = CheckReport {
        base: Some(oid(0xaa)),
        candidate: Some(oid(0xbb)),
        judgement: judgement(),
        notices: vec!["2 untracked files are not part of the change".to_owned()],
        ..CheckReport::default()
    };
    check.fixed = Some(FixReport {
        reason: Some("1 of 2 errors cannot be fixed without their author".to_owned()),
        ..FixReport::default()
    });
    check.quotes.add("docs/use me.md", 12, "\t$ tool run");
    check
}

pub fn accepted() -> CheckReport {
    let evidence = vec![
        evidence("syntax-holds", "G2", GuardVerdict::Pass(Vec::new())),
        evidence(
            "docs-kept",
            "G13",
            GuardVerdict::NotApplicable(Inapplicable::NothingHere("no document is touched".to_owned())),
        ),
    ];
    CheckReport { judgement: Judgement { evidence }, base: Some(oid(0xaa)), ..CheckReport::default() }
}

pub fn fixes() -> Vec<AppliedFix> {
    let fixed = |line, title: &str| AppliedFix {
        guard: "syntax-holds".to_owned(),
        rule: "json-syntax".to_owned(),
        path: Some("a.json".to_owned()),
        line: Some(line),
        title: title.to_owned(),
    };
    vec![fixed(3, "Remove the trailing commas"), fixed(9, "Remove\n::error::nothing")]
}

/// Accepted with its fixes.
pub fn fixed() -> CheckReport {
    let found = finding("json-syntax", Severity::Error, Some(("a.json", 3, 3)), "trailing comma");
    let judgement = Judgement { evidence: vec![evidence("syntax-holds", "G2", GuardVerdict::Reject(vec![found]))] };
    let before = CheckReport { candidate: Some(oid(0xbb)), judgement, ..CheckReport::default() };
    let report = FixReport { applied: true, fixes: fixes(), reason: None, before: Some(Box::new(before)) };
    CheckReport { candidate: Some(oid(0xdd)), fixed: Some(report), ..accepted() }
}

pub fn refused() -> RefusalReport {
    let path = Some(".git/config".into());
    let message = "a patch cannot write below `.git`".to_owned();
    (&Refused { kind: RefusedKind::GitInternals, path, message }).into()
}

pub fn misfit() -> RefusalReport {
    let at =
        |path: &str, hunk, code, message: &str| MisfitAt { path: path.into(), hunk, code, message: message.to_owned() };
    (&Misfit {
        at: vec![
            at("src/a.py", Some(2), "ambiguous", "fits at lines 4 and 40"),
            at("src/b.py", None, "no-such-file", "there is no such file;\nnearest is src/bb.py"),
        ],
    })
        .into()
}

pub fn touched() -> Vec<Touched> {
    let file = |path: &str, change_type, lines_added, lines_deleted| Touched {
        path: path.into(),
        old_path: None,
        change_type,
        lines_added,
        lines_deleted,
    };
    let mut moved = file("docs/new.md", ChangeType::Rename, 0, 0);
    moved.old_path = Some("docs/old.md".into());
    vec![file("README.md", ChangeType::Modify, 3, 120), moved]
}

pub fn check_refused() -> CheckReport {
    CheckReport { base: Some(oid(0xaa)), refusal: Some(refused()), ..CheckReport::default() }
}

pub fn apply() -> ApplyReport {
    ApplyReport {
        applied: true,
        strategy: Some(Strategy::Exact),
        touched: touched(),
        notes: vec![Note::new("recount", "hunk 1 of README.md")],
        check: Some(accepted()),
        ..ApplyReport::default()
    }
}

pub fn apply_misfit() -> ApplyReport {
    ApplyReport { refusal: Some(misfit()), ..ApplyReport::default() }
}

/// Two files have a proof, and one must be read.
pub fn triaged() -> CheckReport {
    let file = |path: &str, class, why: &str, reasons: &[LookReason]| TriagedFile {
        path: path.into(),
        class,
        why: why.to_owned(),
        reasons: reasons.to_vec(),
    };
    let reasons = [LookReason::NewDependency, LookReason::Configuration];
    let files = vec![
        file("pyproject.toml", None, "no class has a proof for a file of this kind (configuration)", &reasons),
        file("README.md", Some(TriageClass::Documents), "links, code, headings and other markup are the same", &[]),
        file("src/x.py", Some(TriageClass::Comments), "the same tokens, and only words in comments differ", &[]),
    ];
    let triage = TriageReport {
        proved: false,
        classes: vec![TriageClass::Comments, TriageClass::Documents],
        wanted: vec![TriageClass::Comments],
        allowed: vec![TriageClass::Comments],
        by_rules: false,
        needs_person: true,
        files,
    };
    CheckReport { triage: Some(triage), ..accepted() }
}
