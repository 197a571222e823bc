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
    let row = |file: &InstalledFile| {
        let style = match file.state {
            FileState::Created | FileState::Changed | FileState::Installed => GREEN,
            FileState::Outdated => YELLOW,
            FileState::Unchanged | FileState::Restored | FileState::Deleted | FileState::Absent => DIM,
        };
        let path = escape::inline(&file.path.display().to_string(), 1_000);
        vec![cell(BOLD, file.target), cell(style, file.state.as_str()), cell(PLAIN, path)]
    };
    let rows: Vec<_> = files.iter().map(row).collect();
    table::table(page, &rows);
}
