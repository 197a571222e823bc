//! What the past says of guards that are off and of other settings.

use guardhost_report::{GuardSuggestion, StoppedChange, SuggestReport, escape};

use super::super::format_units::{self, count};
use super::backtest::{change_name, unfinished};
use super::notes::notices;
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, YELLOW};
use crate::text;

/// Changes of each kind that are shown of one guard; the JSON has all.
const SHOWN: usize = 5;

pub fn suggest(page: &mut PageWriter, report: &SuggestReport) {
    let noun = if report.pulls { "pull request" } else { "commit" };
    let took = format_units::time(report.micros, page.look.unicode);
    let passed = format!("of those accepted, {} were reverted or fixed later and {} kept", report.undone, report.kept);
    page.line(&format!("judged {} in {took}: {passed}", count(report.judged, noun)));
    for found in &report.suggestions {
        page.gap();
        let label = page.paint(GREEN, "suggest");
        page.labelled(&label, &headline(found, report), PLAIN);
        found.caught.iter().take(SHOWN).for_each(|change| line(page, change));
        for change in found.alarmed.iter().take(SHOWN) {
            page.line(&page.paint(YELLOW, "  alarm:"));
            line(page, change);
        }
        page.line("  in guards.toml, before `host guard lock`:");
        found.toml.lines().for_each(|text| page.line(&format!("    {}", escape::inline(text, 300))));
    }
    for quiet in &report.quiet {
        page.gap();
        let label = page.paint(YELLOW, "quiet");
        let guard = escape::inline(&quiet.overridden.guard, 64);
        let alarms = count(quiet.overridden.raised, "alarm");
        let stopped = count(quiet.stopped, noun);
        let what = format!(
            "people overrode {} of {alarms} of {guard}, and none of the {stopped} that it alone would have stopped was reverted or fixed later:",
            quiet.overridden.overridden
        );
        page.labelled(&label, &what, PLAIN);
        quiet.overridden.setting.lines().for_each(|text| page.line(&format!("    {}", escape::inline(text, 200))));
    }
    page.gap();
    if report.suggestions.is_empty() {
        page.line("nothing is suggested: no other guard or setting caught more than it wrongly rejected");
    }
    for found in report.others.iter().filter(|found| !found.caught.is_empty()) {
        let what = format!("not suggested: {}", headline(found, report));
        page.line(&page.paint(DIM, &what));
    }
    unfinished(page, report.ended_by, report.judged, report.changes);
    notices(page, &report.notices);
}

fn headline(found: &GuardSuggestion, report: &SuggestReport) -> String {
    let failed = match found.failed {
        0 => String::new(),
        number => format!(", and could not judge {number}"),
    };
    format!(
        "{} ({}) would have caught {} of {} that were reverted or fixed later, and rejected {} of {} that were kept{failed}",
        escape::inline(&found.guard, 64),
        escape::inline(&found.why, 100),
        found.caught.len(),
        report.undone,
        found.alarmed.len(),
        report.kept,
    )
}

fn line(page: &mut PageWriter, change: &StoppedChange) {
    let subject = escape::inline(&change.subject, 100);
    let name = page.paint(BOLD, &change_name(change));
    page.line(&format!("  {name} {} {subject}", change.outcome.as_str()));
    if let Some(url) = &change.url {
        page.line(&format!("    {}", page.paint(DIM, &escape::inline(url, 300))));
    }
    if let Some(found) = change.findings.first() {
        let message = escape::inline(&found.finding.message, 300);
        page.line(&format!("    {} {message}", text::location(&found.finding)));
    }
}
