//! The list of guards, one guard with examples, or one rule.

use super::super::format_units;
use super::MAX_TEXT;
use super::table::{self, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED};
use super::{diff, findings};
use guardhost_report::escape;
use guardhost_report::{
    Example, ExplainReport, ExplainRow, Explained, ExplainedRule, Judges, RuleMeaning, VerdictKind,
};

pub fn explain(page: &mut PageWriter, report: &ExplainReport) {
    match report {
        ExplainReport::All { guards } => list(page, guards),
        ExplainReport::Guard { guard: explained } => guard(page, explained),
        ExplainReport::Rule { rule: explained } => rule(page, explained),
    }
}

fn list(page: &mut PageWriter, guards: &[ExplainRow]) {
    let row = |ExplainRow { row, stages, judges }: &ExplainRow| {
        vec![
            cell(BOLD, escape::inline(&row.id, 64)),
            cell(DIM, escape::inline(&row.mark, 12)),
            cell(DIM, stages.join(", ")),
            match judges {
                Judges::Here => cell(GREEN, "runs here"),
                Judges::WhenAsked => cell(DIM, "on request"),
            },
            cell(PLAIN, escape::inline(&row.promise, 400)),
        ]
    };
    let rows: Vec<_> = guards.iter().map(row).collect();
    table::table(page, &rows);
    page.gap();
    let label = page.paint(CYAN, "next");
    page.line(&format!("{label}: host explain ID"));
}

fn guard(page: &mut PageWriter, guard: &Explained) {
    let row = &guard.info.row;
    let id = page.paint(BOLD, &escape::inline(&row.id, 64));
    page.line(&format!("{id} {} {}", escape::inline(&row.mark, 16), escape::inline(&row.version, 64)));
    page.labelled(&page.paint(CYAN, "promise"), &row.promise, PLAIN);
    page.gap();
    for each in &guard.examples {
        example(page, &row.id, each);
    }
    if guard.examples.is_empty() {
        page.line(&page.paint(DIM, "no examples: the guard is not built in"));
        page.gap();
    }
    rules(page, guard);
    settings(page, guard);
    facts(page, guard);
}

fn rules(page: &mut PageWriter, guard: &Explained) {
    let Some(rules) = &guard.rules else { return };
    page.line(&page.paint(BOLD, "rules"));
    page.inside(2, |page| {
        for RuleMeaning { rule, meaning } in rules {
            let label = page.paint(CYAN, &escape::inline(rule, 64));
            page.line(&format!("{label} {}", escape::inline(meaning, MAX_TEXT)));
        }
    });
    page.gap();
}

fn settings(page: &mut PageWriter, guard: &Explained) {
    if guard.settings.is_empty() {
        page.line(&format!("{}: none", page.paint(BOLD, "settings")));
        page.gap();
        return;
    }
    page.line(&page.paint(BOLD, "settings"));
    page.inside(2, |page| {
        for setting in &guard.settings {
            let name = page.paint(CYAN, &escape::inline(&setting.name, 64));
            let default = escape::inline(&setting.default.to_string(), 400);
            page.line(&format!("{name} ({}) = {default}", escape::inline(&setting.kind, 400)));
            page.inside(2, |page| page.line(&escape::inline(&setting.meaning, MAX_TEXT)));
        }
    });
    page.gap();
}

fn facts(page: &mut PageWriter, guard: &Explained) {
    let info = &guard.info;
    let needs: Vec<_> = info.rights.iter().map(|right| format!("{} ({})", right.name, right.why)).collect();
    let list = |texts: &[String], none: &str| if texts.is_empty() { none.to_owned() } else { texts.join(", ") };
    let judges = match guard.judges {
        Judges::Here => "here",
        Judges::WhenAsked => "only when guards.toml pins it or --guard names it",
    };
    let limits = format!(
        "{} fuel, {} of memory, {} s for a build or test run",
        format_units::number(guard.limits.fuel),
        format_units::size(guard.limits.memory),
        guard.limits.seconds
    );
    let rows = [
        ("runs", judges.to_owned()),
        ("stages", list(&info.stages, "none")),
        ("files", list(&info.globs, "all")),
        ("needs", list(&needs, "nothing but the change")),
        ("limits", limits),
        ("event", if guard.event.is_empty() { "none".to_owned() } else { guard.event.clone() }),
        ("source", info.row.source.clone()),
        ("size", format_units::size(info.row.size)),
        ("digest", info.row.digest.clone()),
    ];
    for (name, value) in rows {
        page.labelled(&page.paint(DIM, name), &value, PLAIN);
    }
}

fn rule(page: &mut PageWriter, rule: &ExplainedRule) {
    let name = escape::inline(&format!("{}/{}", rule.guard, rule.rule), 130);
    page.line(&format!("{} {}", page.paint(BOLD, &name), escape::inline(&rule.mark, 16)));
    page.line(&escape::inline(&rule.meaning, MAX_TEXT));
    page.gap();
    for each in &rule.examples {
        example(page, &rule.guard, each);
    }
}

fn example(page: &mut PageWriter, guard: &str, example: &Example) {
    let (style, word) = match example.verdict {
        VerdictKind::Reject | VerdictKind::Error => (RED, "rejected"),
        VerdictKind::Pass | VerdictKind::NotApplicable => (GREEN, "accepted"),
    };
    page.line(&page.paint(style, word));
    page.inside(2, |page| {
        for (name, value) in &example.given {
            page.labelled(&page.paint(DIM, name), &value.to_string(), PLAIN);
        }
        if !example.beside.is_empty() {
            page.labelled(&page.paint(DIM, "unchanged files"), &example.beside.join(", "), PLAIN);
        }
        diff::diff(page, &example.diff);
        for finding in &example.findings {
            findings::finding(page, guard, finding, None);
        }
    });
    page.gap();
}
