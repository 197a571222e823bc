//! Tables with aligned columns, by display width: some characters take two columns.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::writer::PageWriter;

/// Minimum columns of the last cell, on the narrowest terminal.
const LAST_MIN: usize = 24;

pub struct Cell {
    text: String,
    style: Style,
}

/// `text` must be escaped, on one line.
pub fn cell(style: Style, text: impl Into<String>) -> Cell {
    Cell { text: text.into(), style }
}

/// One string for each row. Empty columns are left out; the last column is cut at the page's width.
pub fn rows(page: &PageWriter, rows: &[Vec<Cell>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let before_last: usize = page.indent + widths.iter().rev().skip(1).map(|width| width + 2).sum::<usize>();
    let room = page.look.width.saturating_sub(before_last).max(LAST_MIN);
    let line = |row: &Vec<Cell>| {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate().filter(|(_, (_, width))| **width > 0) {
            if column + 1 == columns {
                line.push_str(&page.paint(cell.style, &cut(&cell.text, room, page.sign("…", "..."))));
            } else {
                line.push_str(&page.paint(cell.style, &cell.text));
                line.extend(std::iter::repeat_n(' ', width - cell.text.width() + 2));
            }
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// `text`, or its beginning and `more`, in at most `room` columns.
fn cut(text: &str, room: usize, more: &str) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut left = room.saturating_sub(more.width());
    let fits = |c: &char| {
        let width = c.width().unwrap_or(0);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    text.chars().take_while(fits).chain(more.chars()).collect()
}
