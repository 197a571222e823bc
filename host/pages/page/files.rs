//! Files that fail often.

use maud::{Markup, html};

use super::PageContext;
use super::location::Page;
use super::text::{count, inline, left_out};

/// Files of the table.
const ROWS: usize = 200;

pub fn files(context: &PageContext<'_>) -> Markup {
    let failing: Vec<_> = context.figures.files.iter().filter(|file| file.rejected > 0).collect();
    let sound = context.figures.files.len() - failing.len();
    html! {
        h1 { "Files" }
        p.lead { (count(failing.len(), "file", "files")) " with rejections, " (sound) " without" }
        @if failing.is_empty() { p.empty { "No change was rejected for a file." } } @else {
            div.scroll { table.data {
                thead { tr { th { "File" } th.num { "Rounds" } th.num { "Rejected" } th.num { "Findings" } th { "Guards" } th { "Last" } } }
                tbody {
                    @for file in failing.iter().take(ROWS) {
                        tr {
                            td { code { (inline(&file.path, 200)) } }
                            td.num { (file.rounds) }
                            td.num { (bar(file.rejected, file.rounds)) (file.rejected) }
                            td.num { (file.findings) }
                            td { @for (guard, number) in &file.guards { a href=(context.place.href(&Page::Guard(guard.clone()))) { (inline(guard, 80)) } " " span.quiet { (number) } " " } }
                            td { @if let Some((run, round)) = &file.last {
                                a href=(context.place.line(&Page::Change(run.clone(), *round), &file.path, None)) { "round " (round) }
                            } }
                        }
                    }
                }
            } }
            (left_out(failing.len().saturating_sub(ROWS), "file with fewer rejections", "files with fewer rejections"))
        }
    }
}

/// A share as a bar.
pub fn bar(part: usize, whole: usize) -> Markup {
    let width = part * 100 / whole.max(part).max(1);
    html! {
        svg.share viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.track width="100" height="8" rx="2" {}
            rect.part width=(width) height="8" rx="2" {}
        }
    }
}
