//! The reports for authors of guards.

use guardhost_core::change::{Failed, GuardVerdict, Inapplicable, Severity};
use guardhost_core::limits::Limits;
use guardhost_report::{
    BenchFigures, BenchResult, BuiltReport, CaseFigures, CaseResult, CaseResults, Certificate, CertificateCheck,
    CheckOutcome, FuelPoint, Growth, JudgedChange, NewGuard, RangeReport, RangeVerdicts, VerdictKind,
};

use super::check::{evidence, finding, oid};

pub fn new_guard() -> NewGuard {
    NewGuard {
        name: "no-todo".to_owned(),
        language: "rust".to_owned(),
        folder: "guards/no-todo".into(),
        files: vec!["Cargo.toml".to_owned(), "src/lib.rs".to_owned()],
    }
}

pub fn built() -> BuiltReport {
    BuiltReport {
        id: "no-todo".to_owned(),
        version: "0.1.0".to_owned(),
        component: "guards/no-todo/no-todo.wasm".into(),
        digest: "sha256:00".to_owned(),
        size: 90_000,
        imports: vec!["change".to_owned(), "log".to_owned()],
        micros: 1_100_000,
    }
}

/// A case that passes, one that does not, and one whose expectation was rewritten.
pub fn case_results() -> CaseResults {
    let case = |name: &str, verdict, wrong: &[&str], updated| CaseResult {
        name: name.to_owned(),
        verdict,
        wrong: wrong.iter().map(|text| (*text).to_owned()).collect(),
        updated,
        changes: if updated {
            vec!["verdict: \"pass\" is expected, it is \"not-applicable\"".to_owned()]
        } else {
            Vec::new()
        },
        micros: 812,
        fuel: 193_022,
    };
    CaseResults {
        id: "no-todo".to_owned(),
        version: "0.1.0".to_owned(),
        digest: "sha256:00".to_owned(),
        cases: vec![
            case("accepted", VerdictKind::Pass, &[], false),
            case("rejected", VerdictKind::Pass, &["verdict is pass, expected reject"], false),
            case("renamed", VerdictKind::NotApplicable, &[], true),
        ],
    }
}

/// A verdict of every kind.
pub fn range() -> RangeReport {
    let change = |byte, subject: &str, verdict| JudgedChange {
        commit: Some(oid(byte)),
        subject: subject.to_owned(),
        evidence: evidence("no-todo", "", verdict),
    };
    let todo = finding("todo", Severity::Error, Some(("src/a.py", 4, 4)), "a TODO without an owner");
    let old = finding("todo", Severity::Info, Some(("src/b.py", 9, 9)), "an old TODO");
    let trap = GuardVerdict::Error { code: "trap", message: "unreachable".to_owned(), failed: Failed::Run };
    RangeReport {
        id: "no-todo".to_owned(),
        past: RangeVerdicts {
            range: "main~5..main".to_owned(),
            changes: vec![
                change(0x11, "Begin", GuardVerdict::Pass(Vec::new())),
                change(0x22, "Add a parser", GuardVerdict::Reject(vec![todo])),
                change(0x33, "Tidy", GuardVerdict::Pass(vec![old])),
                change(
                    0x44,
                    "Move files",
                    GuardVerdict::NotApplicable(Inapplicable::NothingHere("no source is touched".to_owned())),
                ),
                change(0x55, "Add a table", trap),
            ],
        },
    }
}

fn figures(version: &str, fuel: u64) -> BenchFigures {
    let case =
        |name: &str, verdict, fuel| CaseFigures { name: name.to_owned(), verdict, fuel, micros: 812, memory: 1 << 20 };
    BenchFigures {
        version: version.to_owned(),
        digest: "sha256:00".to_owned(),
        size: 90_000,
        cases: vec![case("accepted", VerdictKind::Pass, fuel), case("rejected", VerdictKind::Reject, fuel * 2)],
    }
}

pub fn bench() -> BenchResult {
    BenchResult { id: "no-todo".to_owned(), now: figures("0.2.0", 100_000), before: Some(figures("0.1.0", 80_000)) }
}

/// Not granted, with a check of every outcome.
pub fn certificate() -> Certificate {
    let check = |name, outcome, detail: &str, examples: &[&str]| CertificateCheck {
        name,
        outcome,
        detail: detail.to_owned(),
        examples: examples.iter().map(|text| (*text).to_owned()).collect(),
    };
    let growth = Growth {
        shape: "many lines".to_owned(),
        path: "src/a.py".to_owned(),
        points: vec![FuelPoint { bytes: 1_024, fuel: 10_000 }, FuelPoint { bytes: 4_096, fuel: 160_000 }],
        exponent: Some(2.0),
    };
    Certificate {
        id: "no-todo".to_owned(),
        version: "0.1.0".to_owned(),
        promise: "Every TODO has an owner.".to_owned(),
        digest: "sha256:00".to_owned(),
        size: 90_000,
        imports: vec!["change".to_owned()],
        toolchain: vec!["rustc 1.95.0".to_owned()],
        limits: Limits::default(),
        seed: 7,
        shown: 120,
        called: 90,
        verdicts: [60, 29, 30, 1],
        fuel: 160_000,
        memory: 2 << 20,
        micros: 900,
        looks: vec![
            check("unbroken", CheckOutcome::Fail, "the guard failed on 1 change", &["empty file: trap"]),
            check("scaling", CheckOutcome::Warn, "fuel grows as the square of the size", &[]),
            check("deterministic", CheckOutcome::Pass, "the same change gave the same bytes", &[]),
        ],
        growth: vec![growth],
    }
}
