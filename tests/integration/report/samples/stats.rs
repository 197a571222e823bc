use std::collections::BTreeMap;

use guardhost_core::change::{AllowedBy, RememberedAllowance, RememberedFinding, RememberedRuling, RememberedVerdict};
use guardhost_report::rulings::PastRuling;
use guardhost_report::{
    AgentFigures, AlarmFigures, GateFigures, GuardAlarms, LogReport, QuietGuard, RuleAlarms, StatsReport,
    StoppedFigures, WeekFigures,
};

fn figures(changes: usize, overridden: usize) -> GateFigures {
    GateFigures {
        rulings: changes * 2,
        changes,
        stopped: 5,
        after_stop: StoppedFigures { repaired: 2, overruled: 2, unknown: 1 },
        mended: 1,
        alarms: AlarmFigures {
            raised: overridden + 3,
            mended: 1,
            heeded: 1,
            overridden,
            overridden_by: BTreeMap::from([("comment", overridden)]),
            open: 1,
        },
        micros: 81_200,
        fuel: 12_000_000,
    }
}

/// With every part.
pub fn stats() -> StatsReport {
    let all = figures(12, 9);
    StatsReport {
        since: "2026-09-07".to_owned(),
        total: all.clone(),
        weeks: vec![WeekFigures { week: "2026-11-23".to_owned(), figures: all.clone() }],
        agents: vec![
            AgentFigures { agent: "claude".to_owned(), figures: figures(8, 0) },
            AgentFigures { agent: "person".to_owned(), figures: figures(4, 9) },
        ],
        guards: vec![GuardAlarms {
            guard: "docs-kept".to_owned(),
            alarms: all.alarms.clone(),
            rules: BTreeMap::from([("code-loss".to_owned(), 12)]),
        }],
        rules: vec![RuleAlarms { guard: "docs-kept".to_owned(), rule: "code-loss".to_owned(), alarms: all.alarms }],
        quiet: vec![QuietGuard {
            guard: "docs-kept".to_owned(),
            raised: 12,
            overridden: 9,
            setting: "[[guard]]\nid = \"docs-kept\"\nmode = \"monitor\"".to_owned(),
        }],
        unread: 1,
    }
}

pub fn nothing() -> StatsReport {
    StatsReport { since: "2026-09-07".to_owned(), ..StatsReport::default() }
}

/// `host log --rulings`.
pub fn remembered() -> LogReport {
    let finding = RememberedFinding {
        guard: "docs-kept".to_owned(),
        rule: "code-loss".to_owned(),
        file: Some("docs/a\u{1b}.md".to_owned()),
        count: 2,
    };
    let rejected = RememberedRuling {
        door: "pre-commit".to_owned(),
        author: "person".to_owned(),
        rules: format!("sha256:{}", "0".repeat(64)),
        base: "b".repeat(40),
        tree: "c".repeat(40),
        files: ["docs/a\u{1b}.md", "b.md", "c.md", "d.md"].map(str::to_owned).to_vec(),
        more_files: 2,
        verdict: RememberedVerdict::Rejected,
        findings: vec![finding.clone()],
        passed: vec!["syntax-holds".to_owned()],
        micros: 2_100,
        fuel: 900_000,
        ..RememberedRuling::default()
    };
    let mended = RememberedRuling {
        door: "agent-edit".to_owned(),
        author: "model".to_owned(),
        agent: Some("claude".to_owned()),
        verdict: RememberedVerdict::Accepted,
        mended: true,
        allowed: vec![RememberedAllowance { finding, by: AllowedBy::Baseline }],
        skipped: vec!["no-secrets".to_owned()],
        rule_change_allowed: true,
        ..rejected.clone()
    };
    let at = |time: &str, ruling| PastRuling { time: time.to_owned(), ruling };
    LogReport {
        rulings: Some(vec![at("2026-11-23T10:15:30.123Z", mended), at("2026-11-23T10:15:00.000Z", rejected)]),
        unread_rulings: 1,
        ..LogReport::default()
    }
}
