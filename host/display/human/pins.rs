//! `host guard lock`, `update` and their like, and `host guard info`.

use anstyle::Style;

use super::super::format_units;
use super::page::{BOLD, CYAN, DIM, GREEN, PLAIN, Page, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{Backtest, Flip, GuardInfo, PinChange, PinSide, PinsReport};

pub fn pins(page: &mut Page, report: &PinsReport) {
    for one in &report.changes {
        change(page, one);
    }
    for tested in &report.backtests {
        page.gap();
        backtest(page, tested);
    }
    page.gap();
    for notice in &report.notices {
        let label = page.paint(YELLOW, "note");
        page.labelled(&label, notice, PLAIN);
    }
    page.line(&ending(report));
}

fn ending(report: &PinsReport) -> String {
    if !report.written.is_empty() {
        return format!("written: {}; look at them and commit", report.written.join(", "));
    }
    match report.command {
        "verify" => format!("{} as locked", format_units::count(report.changes.len(), "guard")),
        "publish" => "published".to_owned(),
        _ if report.dry_run => "nothing is written: a dry run".to_owned(),
        _ if report.held => "nothing is written".to_owned(),
        _ => "nothing to do".to_owned(),
    }
}

fn change(page: &mut Page, change: &PinChange) {
    let style = match change.action {
        "unchanged" => DIM,
        "removed" => YELLOW,
        _ => GREEN,
    };
    let versions = match (&change.from, &change.to) {
        (Some(from), Some(to)) if from.version != to.version => format!("{} -> {}", from.version, to.version),
        (_, Some(side)) | (Some(side), None) => side.version.clone(),
        (None, None) => String::new(),
    };
    let action = page.paint(style, change.action);
    let id = page.paint(BOLD, &escape::inline(&change.id, 64));
    page.line(&format!("{action} {id} {}", escape::inline(&versions, 100)));
    page.inside(2, |page| details(page, change));
}

fn details(page: &mut Page, change: &PinChange) {
    let both = |value: fn(&PinSide) -> String| match (&change.from, &change.to) {
        (Some(from), Some(to)) if value(from) != value(to) => Some(format!("{} -> {}", value(from), value(to))),
        (None, Some(side)) | (Some(side), None) => Some(value(side)),
        _ => None,
    };
    let signers = |side: &PinSide| side.signers.join(", ");
    let lines: [(&str, Option<String>, Style); 7] = [
        ("source", both(|side| side.source.clone()), PLAIN),
        ("digest", both(|side| side.digest.clone()), PLAIN),
        ("size", both(|side| format_units::size(side.size)), PLAIN),
        ("signed by", both(signers).filter(|names| !names.is_empty()), PLAIN),
        ("imports gained", some(&change.imports_gained), RED),
        ("imports lost", some(&change.imports_lost), GREEN),
        ("settings", change.settings_changed.then(|| "changed".to_owned()), PLAIN),
    ];
    if change.action != "unchanged" {
        for (name, value, style) in lines {
            if let Some(value) = value {
                let label = page.paint(DIM, name);
                page.labelled(&label, &value, style);
            }
        }
    }
    for note in &change.notes {
        let label = page.paint(YELLOW, "note");
        page.labelled(&label, note, PLAIN);
    }
}

fn some(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}

fn backtest(page: &mut Page, tested: &Backtest) {
    let Backtest { id, from, to, commits, rejected, flips } = tested;
    let id = page.paint(BOLD, &escape::inline(id, 64));
    let judged = format!(
        "{} and {}",
        format_units::count(*commits, "commit"),
        format_units::count(*rejected, "rejected attempt")
    );
    let found = match flips.len() {
        0 => page.paint(GREEN, "no verdict flips"),
        1 => page.paint(RED, "1 verdict flips"),
        many => page.paint(RED, &format!("{many} verdicts flip")),
    };
    page.line(&format!("{id} {from} -> {to} over {judged}: {found}"));
    page.inside(2, |page| flips.iter().for_each(|one| flip(page, one)));
}

fn flip(page: &mut Page, flip: &Flip) {
    let Flip { what, subject, before, after, reasons } = flip;
    let verdicts = page.paint(RED, &format!("{before} -> {after}"));
    page.line(&format!("{what}: {verdicts}  {}", page.paint(DIM, &escape::inline(subject, 100))));
    page.inside(2, |page| {
        for reason in reasons {
            page.line(&escape::inline(reason, 400));
        }
    });
}

pub fn info(page: &mut Page, info: &GuardInfo) {
    let row = &info.row;
    let id = page.paint(BOLD, &escape::inline(&row.id, 64));
    let pinned = if info.pinned { "" } else { " (not pinned)" };
    page.line(&format!("{id} {} {}{pinned}", escape::inline(&row.mark, 16), escape::inline(&row.version, 64)));
    let list = |texts: &[String]| if texts.is_empty() { "none".to_owned() } else { texts.join(", ") };
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
            ("made by", list(&info.toolchain)),
        ];
        for (name, value) in facts {
            let label = page.paint(DIM, name);
            page.labelled(&label, &value, PLAIN);
        }
        for (name, why) in &info.rights {
            let granted = row.grants.contains(name) || row.source == "builtin";
            let state = if granted { page.paint(GREEN, "granted") } else { page.paint(YELLOW, "not granted") };
            let label = page.paint(CYAN, "right");
            page.labelled(&label, &format!("{name}: {why}"), PLAIN);
            page.inside(2, |page| page.line(&state));
        }
        let label = page.paint(DIM, "settings");
        page.labelled(&label, &info.settings_schema, PLAIN);
    });
}
