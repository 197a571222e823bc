//! One line for each file of `host install`.

use super::notes::notices;
use super::table::{self, cell};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, YELLOW};
use guardhost_report::escape;
use guardhost_report::{FileState, InstallReport, InstalledFile};

pub fn install(page: &mut PageWriter, report: &InstallReport) {
    files(page, &report.files);
    if report.dry_run {
        page.line(&page.paint(DIM, "nothing was written (--dry-run)"));
    }
    notices(page, &report.notices);
}

pub fn files(page: &mut PageWriter, files: &[InstalledFile]) {
    // Several targets write to one file: it is one row in each of its states.
    let is_same = |one: &InstalledFile, other: &InstalledFile| (&one.path, one.state) == (&other.path, other.state);
    let is_first = |at: usize| !files[..at].iter().any(|earlier| is_same(earlier, &files[at]));
    let row = |at: usize| {
        let file = &files[at];
        let style = match file.state {
            FileState::Created | FileState::Changed | FileState::Installed => GREEN,
            FileState::Outdated => YELLOW,
            FileState::Unchanged | FileState::Restored | FileState::Deleted | FileState::Absent => DIM,
        };
        let mut path = escape::inline(&file.path.display().to_string(), 1_000);
        let others = files[at + 1..].iter().filter(|later| is_same(later, file) && later.target != file.target);
        let others: Vec<&str> = others.map(|later| later.target).collect();
        if !others.is_empty() {
            path.push_str(&format!(" (also of {})", others.join(", ")));
        }
        vec![cell(BOLD, file.target), cell(style, file.state.as_str()), cell(PLAIN, path)]
    };
    let rows: Vec<_> = (0..files.len()).filter(|at| is_first(*at)).map(row).collect();
    table::table(page, &rows);
}
