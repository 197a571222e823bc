//! A guard's description, its rights and its settings schema.

use super::super::format_units;
use super::writer::{BOLD, CYAN, DIM, GREEN, PLAIN, PageWriter, YELLOW};
use guardhost_report::escape;
use guardhost_report::{ClaimedLanguage, GuardInfo, GuardRight, LanguageInfo, LanguageRow};

pub fn guard_info(page: &mut PageWriter, info: &GuardInfo) {
    let row = &info.row;
    title(page, &row.id, &[&row.mark, &row.version], info.pinned);
    page.inside(2, |page| {
        let facts = [
            ("promise", row.promise.clone()),
            ("source", row.source.clone()),
            ("digest", row.digest.clone()),
            ("size", format_units::size(row.size)),
            ("stages", list(&info.stages)),
            ("files", if info.globs.is_empty() { "all".to_owned() } else { info.globs.join(", ") }),
            ("imports", list(&row.imports)),
            ("exports", list(&info.exports)),
            ("producers", list(&info.toolchain)),
        ];
        labelled(page, &facts);
        for GuardRight { name, why, granted } in &info.rights {
            let state = if *granted { page.paint(GREEN, "granted") } else { page.paint(YELLOW, "not granted") };
            let label = page.paint(CYAN, "right");
            page.labelled(&label, &format!("{name}: {why}"), PLAIN);
            page.inside(2, |page| page.line(&state));
        }
        let label = page.paint(DIM, "settings");
        page.labelled(&label, &info.settings_schema, PLAIN);
    });
}

pub fn language_info(page: &mut PageWriter, info: &LanguageInfo) {
    let LanguageRow { id, version, source, digest, size, reads: _ } = &info.row;
    title(page, id, &[version], info.pinned);
    page.inside(2, |page| {
        let facts = [
            ("source", source.clone()),
            ("digest", digest.clone()),
            ("size", format_units::size(*size)),
            ("imports", list(&info.imports)),
            ("exports", list(&info.exports)),
            ("producers", list(&info.toolchain)),
        ];
        labelled(page, &facts);
        for claim in &info.claims {
            claimed_language(page, claim);
        }
    });
}

fn claimed_language(page: &mut PageWriter, claim: &ClaimedLanguage) {
    let label = page.paint(CYAN, "reads");
    page.labelled(&label, &claim.language, PLAIN);
    let blocks = claim.block_comments.iter().map(|(open, close)| format!("{open} {close}"));
    let comments: Vec<String> = claim.line_comments.iter().cloned().chain(blocks).collect();
    page.inside(2, |page| {
        let facts = [
            ("endings", list(&claim.endings)),
            ("names", list(&claim.names)),
            ("programs", list(&claim.interpreters)),
            ("comments", list(&comments)),
            ("puts tests to sleep", list(&claim.sleep_marks)),
            ("hides errors", list(&claim.error_marks)),
            ("answers", list(&claim.answers)),
        ];
        labelled(page, &facts);
    });
}

/// `rest` is what follows the id on its line.
fn title(page: &mut PageWriter, id: &str, rest: &[&str], is_pinned: bool) {
    let id = page.paint(BOLD, &escape::inline(id, 64));
    let rest: String = rest.iter().map(|word| format!(" {}", escape::inline(word, 64))).collect();
    let pinned = if is_pinned { "" } else { " (not pinned)" };
    page.line(&format!("{id}{rest}{pinned}"));
}

fn list(texts: &[String]) -> String {
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

fn labelled(page: &mut PageWriter, facts: &[(&str, String)]) {
    for (name, value) in facts {
        let label = page.paint(DIM, name);
        page.labelled(&label, value, PLAIN);
    }
}
