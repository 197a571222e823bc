//! A git diff in colours.

use super::page::{BOLD, CYAN, DIM, GREEN, PLAIN, Page, RED};
use guardhost_report::escape;

/// Lines and characters that are shown; the commit has the rest.
const MAX_LINES: usize = 400;
const MAX_CHARS: usize = 200_000;
const MAX_LINE: usize = 500;

/// Behind a bar, so that no line of a file begins a line of the page.
pub fn diff(page: &mut Page, text: &str) {
    let bar = page.paint(DIM, page.sign("│", "|"));
    let mut in_hunk = false;
    let mut chars = 0;
    let total = text.lines().count();
    for (shown, line) in text.lines().enumerate() {
        chars += line.len().min(MAX_LINE);
        if shown == MAX_LINES || chars > MAX_CHARS {
            page.line(&format!("{bar} {}", page.paint(DIM, &format!("({} more lines)", total - shown))));
            return;
        }
        in_hunk = (in_hunk || line.starts_with("@@")) && !line.starts_with("diff --git ");
        let style = match line.as_bytes().first() {
            Some(b'@') => CYAN,
            Some(b'+') if in_hunk => GREEN,
            // Red, but not as loud as an error.
            Some(b'-') if in_hunk => RED.effects(anstyle::Effects::new()),
            _ if in_hunk => PLAIN,
            _ => BOLD,
        };
        let line = escape::block(line, MAX_LINE);
        page.line(&format!("{bar} {}", page.paint(style, &line)));
    }
}
