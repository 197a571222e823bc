//! Tables with aligned columns, by display width: some characters take two columns.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::line::TextRow;
use super::writer::PageWriter;

pub struct Cell {
    text: String,
    style: Style,
}

/// `text` must be escaped, on one line.
pub fn cell(style: Style, text: impl Into<String>) -> Cell {
    Cell { text: text.into(), style }
}

/// A line for each row. Empty columns are left out. On a terminal the last column is wrapped below itself.
pub fn table(page: &mut PageWriter, rows: &[Vec<Cell>]) {
    let lines = lines(page, rows);
    lines.iter().for_each(|line| page.row(line));
}

/// The same for callers that write something below a row.
pub fn lines(page: &PageWriter, rows: &[Vec<Cell>]) -> Vec<TextRow> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let last = widths.iter().rev().skip(1).filter(|width| **width > 0).map(|width| width + 2).sum();
    let line = |row: &Vec<Cell>| {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate().filter(|(_, (_, width))| **width > 0) {
            line.push_str(&page.paint(cell.style, &cell.text));
            if column + 1 < columns {
                line.extend(std::iter::repeat_n(' ', width - cell.text.width() + 2));
            }
        }
        TextRow { text: line.trim_end().to_owned(), last }
    };
    rows.iter().map(line).collect()
}
