//! The error, its causes and the hint; for a mistake in `guards.toml` its line, and every further mistake.

use guardhost_core::setting::Frame;

use super::writer::{BOLD, CYAN, DIM, PLAIN, PageWriter, RED};
use guardhost_report::{FailureReport, escape};

/// Most characters of a shown line, and how many of them stand before the mark of a line that is longer.
const MAX_LINE: usize = 160;
const BEFORE_MARK: usize = 60;

pub fn failure(page: &mut PageWriter, report: &FailureReport) {
    let label = page.paint(RED, "error");
    page.labelled(&label, &report.message, BOLD);
    frame(page, report.frame.as_ref());
    page.inside(2, |page| {
        for cause in &report.causes {
            let label = page.paint(DIM, "cause");
            page.labelled(&label, cause, DIM);
        }
    });
    hint(page, report.hint.as_deref());
    for other in &report.others {
        page.gap();
        let label = page.paint(RED, "error");
        page.labelled(&label, &other.message, BOLD);
        frame(page, other.frame.as_ref());
        hint(page, other.hint.as_deref());
    }
}

fn hint(page: &mut PageWriter, hint: Option<&str>) {
    let Some(hint) = hint else { return };
    page.inside(2, |page| {
        let label = page.paint(CYAN, "hint");
        page.labelled(&label, hint, PLAIN);
    });
}

/// The line, with a mark below what is wrong in it.
fn frame(page: &mut PageWriter, frame: Option<&Frame>) {
    let Some(Frame { line, column, width, text }) = frame else { return };
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let bar = page.paint(DIM, page.sign("│", "|"));
    // Escapes may be longer than what they stand for, so each part is escaped by itself; a tab is as wide as its mark.
    let before = *column as usize - 1;
    let left_out = if text.chars().count() > MAX_LINE { before.saturating_sub(BEFORE_MARK) } else { 0 };
    let part = |skip: usize, take: usize| {
        let part: String = text.chars().skip(skip).take(take).map(|c| if c == '\t' { ' ' } else { c }).collect();
        escape::block(&part, usize::MAX)
    };
    let marked_width = (*width as usize).min(MAX_LINE);
    let head = part(left_out, before - left_out);
    let marked = part(before, marked_width);
    let tail = part(before + marked_width, MAX_LINE.saturating_sub(before - left_out + marked_width));
    let number = page.paint(DIM, &number);
    page.verbatim(&format!("{number} {bar} {head}{marked}{tail}"));
    let mark = page.paint(RED, &"^".repeat(marked.chars().count().max(1)));
    page.verbatim(&format!("{margin} {bar} {}{mark}", " ".repeat(head.chars().count())));
}
