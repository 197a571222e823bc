//! `host guard suggest` with every part, and where the past carries nothing.

use guardhost_report::{ChangeOutcome, GuardSuggestion, QuietSuggestion, SuggestReport};

use super::backtest::stopped;
use super::check::oid;
use super::stats::stats;
use guardhost_report::BacktestKind;

pub fn suggested() -> SuggestReport {
    let found = |guard: &str, why: &str, toml: &str| GuardSuggestion {
        guard: guard.to_owned(),
        why: why.to_owned(),
        toml: toml.to_owned(),
        ..GuardSuggestion::default()
    };
    SuggestReport {
        commit: Some(oid(0xbb)),
        pulls: true,
        changes: 320,
        judged: 318,
        undone: 12,
        kept: 306,
        suggestions: vec![GuardSuggestion {
            caught: vec![stopped(BacktestKind::Pull, Some(12), ChangeOutcome::Reverted)],
            alarmed: vec![stopped(BacktestKind::Pull, Some(14), ChangeOutcome::Kept)],
            failed: 1,
            ..found("syntax-holds", "the guard is off", "[[guard]]\nid = \"syntax-holds\"")
        }],
        others: vec![
            GuardSuggestion {
                caught: vec![stopped(BacktestKind::Pull, Some(11), ChangeOutcome::Mended)],
                alarmed: vec![stopped(BacktestKind::Pull, Some(9), ChangeOutcome::Kept); 3],
                ..found("docs-kept", "short documents", "[[guard]]\nid = \"docs-kept\"\nsettings = { min_text = 200 }")
            },
            found("no-leftovers", "the guard is off", "[[guard]]\nid = \"no-leftovers\""),
        ],
        quiet: stats().quiet.into_iter().map(|overridden| QuietSuggestion { overridden, stopped: 2 }).collect(),
        notices: vec!["2 pull requests were left out".to_owned()],
        micros: 61_000_000,
        ..SuggestReport::default()
    }
}

pub fn nothing() -> SuggestReport {
    SuggestReport {
        commit: Some(oid(0xbb)),
        changes: 500,
        judged: 10,
        kept: 10,
        ended_by: Some("over-budget"),
        micros: 900_000,
        ..SuggestReport::default()
    }
}
