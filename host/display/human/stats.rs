//! What the gate did, by week, agent and guard.

use guardhost_report::rulings::PastRuling;
use guardhost_report::{AlarmFigures, GateFigures, StatsReport, StoppedFigures, escape};

use super::log::unread;
use super::table::{self, Cell, cell};
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use crate::format_units::{count, time, when};

/// Rows of the table of rules.
const RULES: usize = 20;
/// Files of a ruling that a row names.
const FILES: usize = 3;

pub fn stats(page: &mut PageWriter, report: &StatsReport) {
    if report.total.rulings == 0 {
        page.line(&format!("the gate ruled on nothing here since {}", report.since));
        unread(page, report.unread);
        return;
    }
    let weeks = report.weeks.iter().map(|week| (week.week.as_str(), &week.figures));
    rows(page, "week of", weeks);
    page.gap();
    let agents = report.agents.iter().map(|row| (row.agent.as_str(), &row.figures));
    rows(page, "by", agents);
    if !report.rules.is_empty() {
        page.gap();
        let head = ["rule", "alarms", "fixed", "heeded", "overridden", "open"];
        let mut lines = vec![Vec::from(head.map(|text| cell(DIM, text)))];
        for row in report.rules.iter().take(RULES) {
            let name = escape::inline(&format!("{}/{}", row.guard, row.rule), 80);
            lines.push(std::iter::once(cell(BOLD, name)).chain(alarm_cells(&row.alarms)).collect());
        }
        table::table(page, &lines);
        let left = report.rules.len().saturating_sub(RULES);
        if left > 0 {
            page.line(&format!("{} with fewer alarms; `--format json` lists them all", count(left, "rule")));
        }
    }
    for guard in &report.quiet {
        page.gap();
        let label = page.paint(YELLOW, "quiet");
        let alarms = count(guard.raised, "alarm");
        let text = format!(
            "people overrode {} of {alarms} of {}; this in guards.toml would quiet it:",
            guard.overridden,
            escape::inline(&guard.guard, 64)
        );
        page.labelled(&label, &text, PLAIN);
        guard.setting.lines().for_each(|line| page.line(&format!("    {}", escape::inline(line, 200))));
    }
    page.gap();
    let total = &report.total;
    let line = format!(
        "since {}: {}, {} stopped, {} fixed; {}, {} overridden; {} for {}",
        report.since,
        count(total.changes, "change"),
        total.stopped,
        total.mended,
        count(total.alarms.raised, "alarm"),
        total.alarms.overridden,
        time(total.micros, page.look.unicode),
        count(total.rulings, "ruling"),
    );
    page.line(&line);
    if total.stopped > 0 {
        let StoppedFigures { repaired, overruled, unknown } = &total.after_stop;
        page.line(&format!(
            "of the {} stopped: {repaired} {} repaired and accepted, {overruled} {} overruled by a person, {unknown} unknown so far",
            total.stopped,
            was(*repaired),
            was(*overruled),
        ));
    }
    unread(page, report.unread);
}

fn was(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

fn rows<'a>(page: &mut PageWriter, name: &str, rows: impl Iterator<Item = (&'a str, &'a GateFigures)>) {
    let head = [name, "changes", "stopped", "auto-fixed", "alarms", "fixed", "heeded", "overridden", "open", "time"];
    let mut lines = vec![Vec::from(head.map(|text| cell(DIM, text)))];
    for (name, figures) in rows {
        let number = |style, number: usize| cell(style, number.to_string());
        let mut line = vec![
            cell(BOLD, escape::inline(name, 64)),
            number(PLAIN, figures.changes),
            number(RED, figures.stopped),
            number(GREEN, figures.mended),
        ];
        line.extend(alarm_cells(&figures.alarms));
        line.push(cell(DIM, time(figures.micros, page.look.unicode)));
        lines.push(line);
    }
    table::table(page, &lines);
}

fn alarm_cells(alarms: &AlarmFigures) -> Vec<Cell> {
    let AlarmFigures { raised, mended, heeded, overridden, open, .. } = alarms;
    let number = |number: &usize| cell(PLAIN, number.to_string());
    vec![number(raised), number(mended), number(heeded), cell(YELLOW, overridden.to_string()), number(open)]
}

/// What is remembered of rulings, a line each.
pub fn rulings(page: &mut PageWriter, rulings: &[PastRuling]) {
    if rulings.is_empty() {
        page.line("no such rulings are remembered here");
    }
    let rows: Vec<Vec<Cell>> = rulings.iter().map(|past| row(page, past)).collect();
    table::table(page, &rows);
}

fn row(page: &PageWriter, PastRuling { time: made, ruling }: &PastRuling) -> Vec<Cell> {
    let by = ruling.agent.as_deref().unwrap_or(&ruling.author);
    let (style, said) = match (ruling.verdict.is_accepted(), ruling.mended) {
        (true, true) => (GREEN, "auto-fixed".to_owned()),
        (true, false) => (GREEN, ruling.verdict.as_str().to_owned()),
        (false, _) => (RED, ruling.verdict.as_str().to_owned()),
    };
    let mut against: Vec<String> =
        ruling.findings.iter().map(|finding| format!("{}/{}", finding.guard, finding.rule)).collect();
    against.dedup();
    let mut files = ruling.files.iter().take(FILES).cloned().collect::<Vec<_>>().join(", ");
    let more = ruling.files.len().saturating_sub(FILES) + ruling.more_files;
    if more > 0 {
        files += &format!(" and {more} more");
    }
    vec![
        cell(DIM, when(made)),
        cell(PLAIN, escape::inline(&ruling.door, 20)),
        cell(CYAN, escape::inline(by, 20)),
        cell(style, said),
        cell(DIM, time(ruling.micros, page.look.unicode)),
        cell(PLAIN, escape::inline(&files, 200)),
        cell(PLAIN, escape::inline(&against.join(", "), 300)),
    ]
}
