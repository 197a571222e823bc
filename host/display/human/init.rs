//! What `host init` found, what the guards say of the past, and what comes next.

use guardhost_report::{
    FilesOfLanguage, InitEvidence, InitLinter, InitReport, InitTests, OutcomeCounts, PastOfGuard, escape,
};

use super::super::{format_units, text};
use super::install;
use super::notes::notices;
use super::writer::{BOLD, DIM, GREEN, PageWriter, RED};

/// Maximum guards that passed whatever they judged, by name; the rest is counted.
const MAX_QUIET: usize = 40;

pub fn init(page: &mut PageWriter, report: &InitReport) {
    let languages: Vec<_> =
        report.languages.iter().map(|FilesOfLanguage { name, files }| format!("{name} ({files})")).collect();
    page.field("languages", &escape::inline(&or_none(&languages), 400));
    page.field("manifests", &escape::inline(&or_none(&report.manifests), 400));
    evidence(page, &report.evidence);
    page.gap();
    past(page, report);
    page.gap();
    if report.dry_run {
        page.inside(2, |page| page.barred("", escape::block(&report.rules, 20_000).lines()));
        page.gap();
        page.line("nothing was written: this is guards.toml as it would be");
        install::files(page, &report.installed);
    } else {
        let written = escape::inline(&report.written.join(", "), 400);
        page.line(&format!("{} {written}", page.paint(GREEN, page.sign("✓ wrote", "wrote"))));
        install::files(page, &report.installed);
        if report.committed {
            page.line(&page.paint(GREEN, page.sign("✓ committed", "committed")));
        }
    }
    notices(page, &report.notices);
    if !report.for_agents.is_empty() {
        page.line("add these lines to AGENTS.md, so that agents know what to do after a rejection:");
        page.inside(2, |page| page.barred("", report.for_agents.iter().map(String::as_str)));
    }
    for command in &report.next {
        page.command("next", &escape::inline(command, 400));
    }
}

/// Whether the guards that run builds and tests are on, and what they cost.
fn evidence(page: &mut PageWriter, evidence: &InitEvidence) {
    let of_runner = |tests: &InitTests| match &tests.not_run {
        Some(why) => format!("{}: {why}", tests.runner),
        None if tests.failed > 0 => format!("{}: {} passed, {} failed", tests.runner, tests.passed, tests.failed),
        None => format!("{}: {} passed", tests.runner, tests.passed),
    };
    let tests: Vec<String> = evidence.tests.iter().map(of_runner).collect();
    if !tests.is_empty() {
        page.field("tests", &escape::inline(&format!("{} ({})", tests.join(", "), took(evidence.seconds)), 400));
    }
    let of_linter = |linter: &InitLinter| match (&linter.not_run, linter.linter.as_str()) {
        (Some(why), "") => why.clone(),
        (Some(why), name) => format!("{name}: {why}"),
        (None, name) => format!("{name}: {} already", format_units::count(linter.objections, "objection")),
    };
    let linters: Vec<String> = evidence.linters.iter().map(of_linter).collect();
    if !linters.is_empty() {
        let state = if evidence.lints() { "on" } else { "off" };
        page.field("linters", &escape::inline(&format!("{state}: {}", linters.join(", ")), 400));
    }
    page.field(
        "execution",
        &match &evidence.reason {
            None => "on: guards build every change and run its tests".to_owned(),
            Some(why) => format!("off: {}", escape::inline(why, 400)),
        },
    );
}

fn took(seconds: u64) -> String {
    if seconds == 0 { "less than 1 s".to_owned() } else { format!("{seconds} s") }
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none found".to_owned() } else { names.join(", ") }
}

/// What each guard would have said, the loudest first.
fn past(page: &mut PageWriter, report: &InitReport) {
    let commits = format_units::count(report.commits, "commit");
    if report.commits == 0 {
        page.line("there is no commit yet that the guards could judge");
        return;
    }
    page.line(&page.paint(BOLD, &format!("the last {commits}, as these guards judge them")));
    let OutcomeCounts { kept, reverted, mended, .. } = report.rejected;
    if report.rejected.sum() > 0 {
        let stopped = format!("  would have stopped {}: {reverted} reverted", report.rejected.sum());
        page.line(&format!("{stopped}, {mended} fixed within a week, {kept} kept (`host backtest` shows each)"));
    }
    let mut loud: Vec<&PastOfGuard> = report.guards.iter().filter(|guard| guard.rejected + guard.failed > 0).collect();
    loud.sort_by_key(|guard| std::cmp::Reverse(guard.rejected + guard.failed));
    for guard in &loud {
        let failed = if guard.failed > 0 { format!(", failed on {}", guard.failed) } else { String::new() };
        let rejected = page.paint(RED, &format!("would have rejected {}", guard.rejected));
        let id = page.paint(BOLD, &escape::inline(&guard.id, 64));
        page.line(&format!("  {id} {rejected}{failed}, passed {}", guard.passed));
        for example in &guard.examples {
            let commit: String = example.commit.to_string().chars().take(10).collect();
            page.line(&format!("    {} {}", page.paint(DIM, &commit), escape::inline(&example.subject, 100)));
            let place = text::location(&example.finding);
            let said = escape::inline(&example.finding.message, 300);
            page.line(&format!("      {place} {}: {said}", escape::inline(&example.finding.rule, 64)));
        }
    }
    let quiet: Vec<_> = report.guards.iter().filter(|guard| guard.rejected + guard.failed == 0).collect();
    let judged: Vec<_> = quiet.iter().filter(|guard| guard.passed > 0).collect();
    if !judged.is_empty() {
        let names: Vec<_> =
            judged.iter().take(MAX_QUIET).map(|guard| format!("{} ({})", guard.id, guard.passed)).collect();
        page.field("passed", &escape::inline(&names.join(", "), 1_500));
    }
    let idle = quiet.len() - judged.len();
    if idle > 0 {
        page.field("idle", &format!("{} had nothing to judge", format_units::count(idle, "guard")));
    }
}
