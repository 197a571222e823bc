//! Whether a linter still looks at the files of a change at which it looked on the base. One that leaves a file out finds nothing in it:
//! a file that moved into a folder which linters leave out, a stub that stands in its place, a list of exceptions.

use guardhost_core::change::{Candidate, ChangeType, RepoPath};

use super::LintReport;
use super::configured::{ConfiguredLinter, LinterUse};
use super::detect::LinterAt;
use crate::projects::join;
use crate::report::Diagnostic;

/// The old and the new path of a file of the change.
type PathPair<'c> = (&'c str, &'c str);

/// The files of the change which the candidate's report leaves out, and the base's may not. Empty for a linter that names none.
pub fn unseen<'c>(candidate: &'c Candidate, (linter, folder): &LinterAt, after: &LintReport) -> Vec<PathPair<'c>> {
    let Some(seen) = &after.looked_at else { return Vec::new() };
    let kept = candidate.files.iter().filter(|file| match file.change_type {
        ChangeType::Modify | ChangeType::Rename => true,
        ChangeType::Add | ChangeType::Delete | ChangeType::Copy => false,
    });
    let paths = kept.filter_map(|file| {
        let old = file.old_path.as_ref().unwrap_or(&file.path);
        Some((old.as_str()?, file.path.as_str()?))
    });
    paths.filter(|(old, new)| is_judged(linter, folder, old) && !seen.contains(*new)).collect()
}

fn is_judged(linter: &ConfiguredLinter, folder: &str, path: &str) -> bool {
    let is_below = folder.is_empty() || path.starts_with(&join(folder, ""));
    is_below
        && match &linter.used {
            LinterUse::Folder { .. } => true,
            LinterUse::Configured { endings, .. } => endings.iter().any(|ending| path.ends_with(ending.as_str())),
        }
}

/// Objects to those at which it looked on the base.
pub fn object_to(after: &mut LintReport, unseen: &[PathPair], base: &LintReport) {
    let Some(looked_at) = &base.looked_at else { return };
    let lost = unseen.iter().filter(|(old, _)| looked_at.contains(*old));
    let objections = lost.map(|(old, new)| {
        let then = if old == new { String::new() } else { format!(", as {}", RepoPath::from(*old)) };
        let message = format!("it does not look at this file any more, and on the base it did{then}");
        Diagnostic { path: Some((*new).to_owned()), line: None, message }
    });
    after.build.diagnostics.extend(objections);
    after.build.ok &= after.build.diagnostics.is_empty();
}
