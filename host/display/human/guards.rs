//! One row for each guard, with its promise below.

use guardhost_core::change::Mode;

use super::super::format_units;
use super::notes::notices;
use super::table::{cell, lines};
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, YELLOW};
use guardhost_report::{GuardList, GuardRow, LanguageRow, escape};

pub fn guards(page: &mut PageWriter, list: &GuardList) {
    if list.guards.is_empty() {
        page.line("no guards");
    }
    table(page, &list.guards);
    if !list.languages.is_empty() {
        page.gap();
        page.line("what reads texts for them:");
        languages(page, &list.languages);
    }
    notices(page, &list.notices);
}

fn languages(page: &mut PageWriter, languages: &[LanguageRow]) {
    let row = |language: &LanguageRow| {
        vec![
            cell(BOLD, escape::inline(&language.id, 64)),
            cell(PLAIN, escape::inline(&language.version, 32)),
            cell(DIM, escape::inline(&language.source, 120)),
            cell(DIM, format!("{:>9}", format_units::size(language.size))),
        ]
    };
    let rows: Vec<_> = languages.iter().map(row).collect();
    for (line, language) in lines(page, &rows).iter().zip(languages) {
        page.row(line);
        let reads = escape::inline(&language.reads.join(", "), 400);
        page.line(&format!("     {}", page.paint(DIM, &reads)));
    }
}

fn table(page: &mut PageWriter, guards: &[GuardRow]) {
    let row = |guard: &GuardRow| {
        let mode = if guard.mode == Mode::Monitor { cell(YELLOW, "monitor") } else { cell(GREEN, "enforce") };
        // Each of these is granted: a guard that lacks a grant is not listed, its error is shown.
        let needs = guard.imports.iter().map(|import| escape::inline(import, 40));
        vec![
            cell(BOLD, escape::inline(&guard.id, 64)),
            cell(DIM, escape::inline(&guard.mark, 12)),
            cell(PLAIN, escape::inline(&guard.version, 32)),
            mode,
            cell(DIM, escape::inline(&guard.source, 120)),
            cell(DIM, format!("{:>9}", format_units::size(guard.size))),
            cell(PLAIN, needs.collect::<Vec<_>>().join(", ")),
        ]
    };
    let rows: Vec<_> = guards.iter().map(row).collect();
    for (line, guard) in lines(page, &rows).iter().zip(guards) {
        page.row(line);
        if let Some(place) = location(guard) {
            page.line(&format!("     {place}"));
        }
        if !guard.promise.is_empty() {
            page.line(&format!("     {}", page.paint(DIM, &escape::inline(&guard.promise, 400))));
        }
    }
}

/// Where a guard judges that is pinned for a folder, and which guard it is.
fn location(guard: &GuardRow) -> Option<String> {
    let of = guard.guard.as_ref().map(|id| format!("{} ", escape::inline(id, 64)));
    let below = guard.folder.as_ref().map(|folder| format!("below {}", escape::inline(folder, 200)));
    (of.is_some() || below.is_some()).then(|| of.unwrap_or_default() + below.as_deref().unwrap_or_default())
}
