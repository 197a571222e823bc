//! A git diff in colour.

use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, RED};
use guardhost_report::escape;

/// Maximum lines, characters, and characters of one line; the commit has the rest.
const MAX_LINES: usize = 400;
const MAX_CHARS: usize = 200_000;
const MAX_LINE: usize = 500;

/// Lines follow behind a bar, so that none of them looks like a line of the page.
pub fn diff(page: &mut PageWriter, text: &str) {
    let bar = page.paint(DIM, page.sign("│", "|"));
    let mut in_hunk = false;
    let mut chars = 0;
    let total = text.lines().count();
    for (shown, line) in text.lines().enumerate() {
        chars += line.len().min(MAX_LINE);
        if shown == MAX_LINES || chars > MAX_CHARS {
            page.verbatim(&format!("{bar} {}", page.paint(DIM, &format!("({} more lines)", total - shown))));
            return;
        }
        in_hunk = (in_hunk || line.starts_with("@@")) && !line.starts_with("diff --git ");
        let style = match line.as_bytes().first() {
            Some(b'@') => CYAN,
            Some(b'+') if in_hunk => GREEN,
            // Not bold: bold red is for errors.
            Some(b'-') if in_hunk => RED.effects(anstyle::Effects::new()),
            _ if in_hunk => PLAIN,
            _ => BOLD,
        };
        let line = escape::block(line, MAX_LINE);
        page.verbatim(&format!("{bar} {}", page.paint(style, &line)));
    }
}
