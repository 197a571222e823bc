//! What is proved of a change, and what a person reads first.

use guardhost_report::{LookReason, TriageReport, TriagedFile, escape};

use super::MAX_TEXT;
use super::writer::{BOLD, CYAN, DIM, GREEN, PageWriter, YELLOW};
use crate::format_units;

/// Files that are listed.
const LISTED: usize = 50;

pub fn triage(page: &mut PageWriter, triage: &TriageReport) {
    let classes = triage.classes.iter().map(|class| class.as_str()).collect::<Vec<_>>().join(", ");
    let proved = triage.files.iter().filter(|file| file.class.is_some()).count();
    let files = format_units::count(triage.files.len(), "file");
    let line = match (triage.proved, proved) {
        (true, _) => format!("{} harmless by proof: {classes}", page.paint(GREEN, page.sign("✓", "proved"))),
        (false, 0) => format!("a person must look: nothing is proved of {files}"),
        (false, _) => format!("a person must look: {proved} of {files} proved ({classes})"),
    };
    page.line(&page.paint(BOLD, &line));
    page.inside(2, |page| {
        for file in triage.files.iter().take(LISTED) {
            row(page, file);
        }
        if triage.files.len() > LISTED {
            page.line(&format!("… and {} more", triage.files.len() - LISTED));
        }
    });
    if !triage.allowed.is_empty() {
        page.line(match triage.needs_person {
            true => "by [triage] of the rules a person must look",
            false => "by [triage] of the rules it may be merged without a person",
        });
    }
    if triage.is_as_wanted() == Some(false) {
        page.line(&page.paint(YELLOW, "not all of it is of the classes that --triage asks for"));
    }
    page.gap();
}

fn row(page: &mut PageWriter, file: &TriagedFile) {
    let path = escape::inline(&file.path.to_string(), 200);
    let words = match file.class {
        Some(class) => page.paint(GREEN, class.as_str()),
        None => {
            page.paint(CYAN, &file.reasons.iter().map(|reason| description(*reason)).collect::<Vec<_>>().join("; "))
        }
    };
    page.line(&format!("{path}  {words}  {}", page.paint(DIM, &escape::inline(&file.why, MAX_TEXT))));
}

fn description(reason: LookReason) -> &'static str {
    match reason {
        LookReason::Rejected => "a guard rejects it",
        LookReason::Rights => "runs with rights of its own, or holds rules",
        LookReason::Mode => "mode, link or submodule",
        LookReason::NewDependency => "new dependency",
        LookReason::TestRemoved => "a test is gone",
        LookReason::TestWeakened => "a test is skipped or checks less",
        LookReason::Configuration => "configuration",
        LookReason::Lock => "lock file",
        LookReason::NotTested => "code that no test names",
        LookReason::Code => "code",
        LookReason::TestChanged => "a test changed",
        LookReason::Other => "not proved",
    }
}
