//! `host guard new`, `build`, `test`, `run`, `bench` and `certify`.

use guardhost_report::{BenchResult, CaseResults, Certificate, CheckOutcome, Growth, GuardFigures, NewGuard};

use super::super::format_units;
use super::page::{BOLD, CYAN, DIM, GREEN, PLAIN, Page, RED, YELLOW};
use super::table::{self, cell};
use guardhost_report::escape;
use guardhost_report::{AuthorReport, BuiltReport, RangeReport};

/// Commits without a finding are counted, not listed.
const QUIET: [&str; 2] = ["pass", "not-applicable"];

pub fn author(page: &mut Page, report: &AuthorReport) {
    match report {
        AuthorReport::NewGuard(made) => self::made(page, made),
        AuthorReport::Built(built) => self::built(page, built),
        AuthorReport::CaseResults(tested) => self::tested(page, tested),
        AuthorReport::Range(past) => self::past(page, past),
        AuthorReport::BenchResult(benched) => self::benched(page, benched),
        AuthorReport::Certificate(certificate) => self::certificate(page, certificate),
    }
}

fn made(page: &mut Page, NewGuard { name, language, folder, files }: &NewGuard) {
    let name = page.paint(BOLD, name);
    let folder = escape::inline(&folder.to_string_lossy(), 400);
    page.line(&format!("{name}: a guard in {language}, {} in {folder}", format_units::count(files.len(), "file")));
    let label = page.paint(CYAN, "next");
    page.line(&format!("{label}: cd there, then host guard build, host guard test"));
}

fn built(page: &mut Page, built: &BuiltReport) {
    let id = page.paint(BOLD, &escape::inline(&built.id, 64));
    let (size, time) = (format_units::size(built.size), format_units::time(built.micros, page.look.unicode));
    page.line(&format!("{id} {}: {size}, built in {time}", escape::inline(&built.version, 64)));
    page.inside(2, |page| {
        let file = built.component.to_string_lossy();
        for (name, value) in [("component", &*file), ("digest", &built.digest), ("imports", &built.imports.join(", "))]
        {
            let label = page.paint(DIM, name);
            page.labelled(&label, value, PLAIN);
        }
    });
}

fn tested(page: &mut Page, tested: &CaseResults) {
    for case in &tested.cases {
        let name = escape::inline(&case.name, 200);
        if !case.wrong.is_empty() {
            let sign = page.paint(RED, page.sign("✗", "fail"));
            page.line(&format!("{sign} {}", page.paint(BOLD, &name)));
            page.inside(3, |page| case.wrong.iter().for_each(|wrong| page.line(&escape::inline(wrong, 1_000))));
        } else if case.updated {
            page.line(&format!(
                "{} {name}: expects {} now",
                page.paint(YELLOW, page.sign("✎", "written")),
                case.verdict
            ));
        }
    }
    let (all, failed) = (format_units::count(tested.cases.len(), "case"), tested.failed());
    let id = format!("{} {}", escape::inline(&tested.id, 64), escape::inline(&tested.version, 64));
    match failed {
        0 => page.line(&format!("{} {id}: {all} as expected", page.paint(GREEN, page.sign("✓", "ok")))),
        failed => page.line(&format!("{} {id}: {failed} of {all} not as expected", page.paint(RED, "failed"))),
    }
}

fn past(page: &mut Page, RangeReport { id, past }: &RangeReport) {
    for change in &past.changes {
        let word = change.evidence.verdict.word();
        if QUIET.contains(&word) && change.evidence.verdict.findings().is_empty() {
            continue;
        }
        let style = if QUIET.contains(&word) { DIM } else { RED };
        let commit = change.commit.map_or_else(|| past.range.clone(), |commit| commit.to_string()[..12].to_owned());
        let subject = if change.commit.is_some() { escape::inline(&change.subject, 100) } else { String::new() };
        page.line(&format!("{commit} {} {subject}", page.paint(style, word)));
        page.inside(3, |page| {
            if let Some(reason) = change.evidence.verdict.reason() {
                page.line(&escape::inline(reason, 400));
            }
            for finding in change.evidence.verdict.findings() {
                let place = super::super::text::place(finding);
                page.line(&format!("{place} {}: {}", finding.rule, escape::inline(&finding.message, 400)));
            }
        });
    }
    page.gap();
    let count = |word: &str| past.count(word);
    page.line(&format!(
        "{}: {} judged, {} rejected, {} not applicable, {} broken",
        escape::inline(id, 64),
        format_units::count(past.changes.len(), "change"),
        count("reject"),
        count("not-applicable"),
        count("error")
    ));
}

fn benched(page: &mut Page, benched: &BenchResult) {
    let time = |micros| format_units::time(micros, page.look.unicode);
    let row = |name: &str, verdict: &str, fuel: u64, micros: u64, memory: u64| {
        vec![
            cell(PLAIN, escape::inline(name, 80)),
            cell(DIM, verdict),
            cell(PLAIN, format!("{fuel:>12} fuel")),
            cell(PLAIN, format!("{:>9}", time(micros))),
            cell(PLAIN, format!("{:>9}", format_units::size(memory))),
        ]
    };
    let all = |name: &str, of: &GuardFigures| row(name, "", of.fuel(), of.micros(), of.memory());
    let now = &benched.now;
    let mut rows: Vec<_> =
        now.cases.iter().map(|case| row(&case.name, case.verdict, case.fuel, case.micros, case.memory)).collect();
    rows.push(all("all", now));
    rows.extend(benched.before.as_ref().map(|before| all(&format!("all, {} before", before.version), before)));
    for line in table::rows(page, &rows) {
        page.line(&line);
    }
    let id = page.paint(BOLD, &escape::inline(&benched.id, 64));
    page.line(&format!("{id} {}: {}", escape::inline(&now.version, 64), format_units::size(now.size)));
    if let Some(before) = &benched.before {
        let change = |now: u64, before: u64| match before {
            0 => "new".to_owned(),
            before => format!("{:+.1} %", (now as f64 / before as f64 - 1.0) * 100.0),
        };
        page.inside(2, |page| {
            page.line(&format!(
                "against {}: fuel {}, time {}, memory {}, size {}",
                escape::inline(&before.version, 64),
                change(now.fuel(), before.fuel()),
                change(now.micros(), before.micros()),
                change(now.memory(), before.memory()),
                change(now.size, before.size)
            ));
        });
    }
}

fn certificate(page: &mut Page, certificate: &Certificate) {
    let id = page.paint(BOLD, &escape::inline(&certificate.id, 64));
    page.line(&format!("{id} {}", escape::inline(&certificate.version, 64)));
    page.inside(2, |page| {
        let list = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
        let facts = [
            ("promise", certificate.promise.clone()),
            ("digest", certificate.digest.clone()),
            ("size", format_units::size(certificate.size)),
            ("imports", list(&certificate.imports)),
            ("made by", list(&certificate.toolchain)),
        ];
        for (name, value) in facts {
            let label = page.paint(DIM, name);
            page.labelled(&label, &escape::inline(&value, 1_000), PLAIN);
        }
    });
    page.gap();
    for look in certificate.looks.iter().rev() {
        let sign = match look.outcome {
            CheckOutcome::Pass => page.paint(GREEN, page.sign("✓", "ok")),
            CheckOutcome::Warn => page.paint(YELLOW, page.sign("!", "warn")),
            CheckOutcome::Fail => page.paint(RED, page.sign("✗", "fail")),
        };
        page.line(&format!("{sign} {}: {}", page.paint(BOLD, look.name), escape::inline(&look.detail, 400)));
        page.inside(3, |page| look.examples.iter().for_each(|example| page.line(&escape::inline(example, 400))));
    }
    page.gap();
    let [pass, reject, not_applicable, error] = certificate.verdicts;
    page.line(&format!(
        "{} of seed {}: {pass} passed, {reject} rejected, {not_applicable} not applicable, {error} broken",
        format_units::count(certificate.shown, "change"),
        certificate.seed
    ));
    let steepest = |a: &&Growth, b: &&Growth| a.exponent.unwrap_or(0.0).total_cmp(&b.exponent.unwrap_or(0.0));
    if let Some(growth) = certificate.growth.iter().max_by(steepest) {
        let points = growth.points.iter().map(|point| format!("{} {}", format_units::size(point.bytes), point.fuel));
        page.line(&format!("fuel by size, {}: {}", growth.shape, points.collect::<Vec<_>>().join(", ")));
    }
    match certificate.is_granted() {
        true => page.line(&page.paint(GREEN, "certified")),
        false => page.line(&page.paint(RED, "not certified")),
    }
}
