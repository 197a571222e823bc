//! `host init` in a repository with a past, and in one without.

use guardhost_core::change::Severity;
use guardhost_report::{FilesOfLanguage, InitReport, OutcomeCounts, PastFinding, PastOfGuard};

use super::check::{finding, oid};

pub fn written() -> InitReport {
    let past = |id: &str, mark: &str, passed, rejected| PastOfGuard {
        id: id.to_owned(),
        mark: mark.to_owned(),
        passed,
        rejected,
        not_applicable: 50 - passed - rejected,
        ..PastOfGuard::default()
    };
    let lost = PastFinding {
        commit: oid(0xcc),
        subject: "Shorten the README".to_owned(),
        finding: finding("code-loss", Severity::Error, Some(("README.md", 3, 3)), "README.md lost 100 % of its code"),
    };
    let docs = PastOfGuard { failed: 1, examples: vec![lost], ..past("docs-kept", "G13", 11, 2) };
    InitReport {
        rules: "schema = 1\n".to_owned(),
        written: vec!["guards.toml".to_owned(), "guards.lock".to_owned()],
        languages: [("Python", 34), ("Markdown", 5)]
            .map(|(name, files)| FilesOfLanguage { name: name.to_owned(), files })
            .to_vec(),
        manifests: vec!["pyproject.toml".to_owned()],
        commits: 50,
        rejected: OutcomeCounts { kept: 1, mended: 1, ..OutcomeCounts::default() },
        guards: vec![docs, past("syntax-holds", "G2", 40, 0), past("texts-parse", "", 0, 0)],
        notices: vec!["0123456789 was left out: its parent is missing".to_owned()],
        next: vec!["git add guards.toml guards.lock".to_owned()],
        ..InitReport::default()
    }
}

pub fn dry_run() -> InitReport {
    InitReport { dry_run: true, rules: "schema = 1\n\n[policy]\nrounds = 3\n".to_owned(), ..InitReport::default() }
}
