//! What is proved of a pull request, and what a person reads first, in Markdown.

use guardhost_forge::{code, inline};
use guardhost_report::{TriageReport, TriagedFile};

/// Files that are listed.
const FILES: usize = 20;

/// The label of a pull request that a person must look at. No label says that nobody must: one that is left from an earlier commit would
/// approve what nobody saw.
pub const NEEDS_PERSON: &str = "needs-person";

/// A line and a table, with the command that proves it again.
pub fn triaged(triage: &TriageReport, range: &str) -> String {
    let head = match (triage.needs_person, triage.proved) {
        (false, _) => "By the rules of the base it may be merged without a person.",
        (true, true) => "Every file is proved to be harmless; the rules of the base still ask for a person.",
        (true, false) => "A person must look, at the first files first.",
    };
    let mut text =
        format!("\n{head}\n\n| file | class, or why a person looks | proof, or why there is none |\n|---|---|---|\n");
    text.extend(triage.files.iter().take(FILES).map(row));
    if triage.files.len() > FILES {
        text.push_str(&format!("\n… and {} more files.\n", triage.files.len() - FILES));
    }
    format!("{text}\nProved again by {}.\n", code(&format!("host check --triage --range {range}"), 300))
}

fn row(file: &TriagedFile) -> String {
    let what = match file.class {
        Some(class) => class.as_str().to_owned(),
        None => file.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", "),
    };
    format!("| {} | {what} | {} |\n", code(&file.path.to_string(), 200), inline(&file.why, 300))
}
