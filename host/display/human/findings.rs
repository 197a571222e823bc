//! Findings in the style of a compiler, file by file.

use guardhost_core::change::{Evidence, Failed, Finding, GuardVerdict, Mode, Severity};

use super::super::{format_units, text};
use super::MAX_TEXT;
use super::writer::{BOLD, CYAN, DIM, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::CheckReport;
use guardhost_report::escape;

/// Maximum number of findings; the other formats have them all.
const MAX_SHOWN: usize = 100;
/// Maximum characters of a quoted line.
const MAX_QUOTE: usize = 160;
/// Maximum lines of [`headlines`], and characters of a message there.
const MAX_HEADLINES: usize = 8;
const MAX_HEADLINE: usize = 200;

pub fn findings(page: &mut PageWriter, check: &CheckReport) {
    for evidence in &check.judgement.evidence {
        failed(page, evidence);
    }
    let all = check.judgement.evidence.iter().flat_map(|e| e.verdict.findings().iter().map(move |f| (e, f)));
    let mut all: Vec<(&Evidence, &Finding)> = all.collect();
    // A stable sort, so that guards keep their order within a line. Findings about the whole change come last.
    all.sort_by(|(_, a), (_, b)| (a.path.is_none(), &a.path, a.line).cmp(&(b.path.is_none(), &b.path, b.line)));
    for (evidence, finding) in all.iter().take(MAX_SHOWN) {
        page.gap();
        let guard = &evidence.id;
        let quote = finding.path.as_deref().zip(finding.line);
        let quote = quote.and_then(|(path, line)| Some((line, check.quotes.line(path, line)?)));
        match evidence.mode {
            Mode::Enforce => self::finding(page, guard, finding, quote),
            Mode::Monitor => {
                let message = format!("monitored, does not count: {}", finding.message);
                self::finding(page, guard, &Finding { message, ..(*finding).clone() }, quote);
            }
        }
    }
    if all.len() > MAX_SHOWN {
        page.gap();
        page.line(&format!(
            "{} more; `--format json` lists them all",
            format_units::count(all.len() - MAX_SHOWN, "finding")
        ));
    }
}

/// A line for each finding and each guard that failed, for a round that a later one has superseded.
pub fn headlines(page: &mut PageWriter, check: &CheckReport) {
    let enforced = || check.judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce);
    let failed = enforced().filter_map(|evidence| match &evidence.verdict {
        GuardVerdict::Error { code, message, .. } => {
            Some(format!("{} error[{code}]: {}", evidence.id, escape::inline(message, MAX_HEADLINE)))
        }
        GuardVerdict::Pass(_) | GuardVerdict::Reject(_) | GuardVerdict::NotApplicable(_) => None,
    });
    let found = enforced().flat_map(|evidence| {
        evidence.verdict.findings().iter().map(|finding| {
            let message = escape::inline(&finding.message, MAX_HEADLINE);
            format!("{} {}/{}: {message}", text::location(finding), evidence.id, finding.rule)
        })
    });
    let lines: Vec<String> = failed.chain(found).collect();
    for line in lines.iter().take(MAX_HEADLINES) {
        page.line(&escape::inline(line.trim_start(), MAX_TEXT));
    }
    if lines.len() > MAX_HEADLINES {
        page.line(&format!("{} more", format_units::count(lines.len() - MAX_HEADLINES, "finding")));
    }
}

/// A guard that failed has a message and no findings.
fn failed(page: &mut PageWriter, evidence: &Evidence) {
    let GuardVerdict::Error { code, message, failed } = &evidence.verdict else { return };
    page.gap();
    let how = match failed {
        Failed::Load => "could not be loaded",
        Failed::Run => "failed",
        Failed::Machine | Failed::PartialClone => "could not be run here",
    };
    let label = page.paint(RED, &format!("error[{code}]"));
    let id = escape::inline(&evidence.id, 100);
    let monitored = match evidence.mode {
        Mode::Enforce => "",
        Mode::Monitor => "monitored, does not count: ",
    };
    page.labelled(&label, &format!("{monitored}the guard {id} {how}: {message}"), BOLD);
    last_words(page, evidence);
}

/// What a failed guard wrote to its log last: the text of a panic is there.
pub fn last_words(page: &mut PageWriter, evidence: &Evidence) {
    for line in evidence.last_words() {
        let label = page.paint(DIM, &format!("log ({})", line.level));
        page.line(&format!("  {label}: {}", escape::inline(&line.text, 400)));
    }
}

/// `quote` is the source line and its number.
pub fn finding(page: &mut PageWriter, guard: &str, finding: &Finding, quote: Option<(u32, &str)>) {
    let style = match finding.severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Info => CYAN,
    };
    let rule = escape::inline(&format!("{guard}/{}", finding.rule), 120);
    let label = page.paint(style, &format!("{}[{rule}]", text::severity(finding.severity)));
    page.labelled(&label, &finding.message, BOLD);

    let margin = quote.map_or(1, |(line, _)| line.to_string().len());
    let margin = " ".repeat(margin);
    let place = text::location(finding);
    if !place.is_empty() {
        page.line(&format!("{margin}{} {place}", page.paint(DIM, page.sign("──▸", "-->"))));
    }
    let bar = page.paint(DIM, page.sign("│", "|"));
    if let Some((line, text)) = quote {
        let number = page.paint(DIM, &line.to_string());
        // Indentation is kept; a tab is shown as four spaces.
        let text = escape::block(&text.replace('\t', "    "), MAX_QUOTE);
        page.verbatim(&format!("{number} {bar} {}", text.lines().next().unwrap_or_default()));
    }
    for related in &finding.related {
        let label = page.paint(CYAN, "see");
        let place = escape::inline(&format!("{}:{}", related.path, related.line), 200);
        let message = escape::inline(&related.message, 400);
        let line = format!("{margin} {} {label}: {place}: {message}", page.paint(DIM, "="));
        page.hanging(&line, &format!("{margin}   "));
    }
    if let Some(help) = &finding.help {
        let help = escape::block(help, MAX_TEXT);
        let mut lines = help.lines();
        let label = page.paint(CYAN, "help");
        let line = format!("{margin} {} {label}: {}", page.paint(DIM, "="), lines.next().unwrap_or_default());
        page.hanging(&line, &format!("{margin}   "));
        page.barred(&format!("{margin} "), lines);
    }
    if let Some(url) = &finding.help_url {
        let label = page.paint(CYAN, "rule");
        page.verbatim(&format!("{margin} {} {label}: {}", page.paint(DIM, "="), escape::inline(url, 500)));
    }
    if let Some(fix) = &finding.fix {
        let label = page.paint(CYAN, "fix");
        let title = page.paint(PLAIN, &escape::inline(&fix.title, 200));
        page.line(&format!("{margin} {} {label}: {title}", page.paint(DIM, "=")));
    }
}
