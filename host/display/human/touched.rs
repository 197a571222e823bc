//! Touched files, with git's letters and line counts.

use guardhost_core::change::Touched;

use super::super::labels;
use super::table::{self, cell};
use super::writer::{DIM, GREEN, PLAIN, PageWriter, RED};
use guardhost_report::escape;

pub fn touched(page: &mut PageWriter, touched: &[Touched]) {
    let row = |file: &Touched| {
        let added = format!("+{}", file.lines_added);
        let deleted = format!("{}{}", page.sign("−", "-"), file.lines_deleted);
        let path = escape::inline(&labels::path(file), 300);
        vec![cell(DIM, labels::letter(file.change_type)), cell(GREEN, added), cell(RED, deleted), cell(PLAIN, path)]
    };
    let rows: Vec<_> = touched.iter().map(row).collect();
    table::table(page, &rows);
}
