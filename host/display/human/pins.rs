//! The changes of pins, the backtests, and what was written.

use anstyle::Style;

use super::super::format_units;
use super::writer::{BOLD, DIM, GREEN, PLAIN, PageWriter, RED, YELLOW};
use guardhost_report::escape;
use guardhost_report::{Backtest, Flip, PinAction, PinChange, PinCommand, PinSide, PinsReport};

/// Guards of the host that are added with all their details; more are named in one line.
const MOST_OWN: usize = 3;

pub fn pins(page: &mut PageWriter, report: &PinsReport) {
    let is_own = |change: &&PinChange| {
        change.action == PinAction::Added && change.to.as_ref().is_some_and(|side| side.source == "builtin")
    };
    // A new guards.toml pins the whole default set.
    let own: Vec<_> = report.changes.iter().filter(is_own).map(|change| escape::inline(&change.id, 64)).collect();
    let folded = own.len() > MOST_OWN && !page.look.verbose;
    // What stays as it was is counted, unless there is something to say of it.
    let is_plain =
        |change: &&PinChange| change.action == PinAction::Unchanged && change.notes.is_empty() && !page.look.verbose;
    let (unchanged, told): (Vec<_>, Vec<_>) = report.changes.iter().partition(is_plain);
    for each in told.into_iter().filter(|change| !folded || !is_own(change)) {
        change(page, each);
    }
    if !unchanged.is_empty() {
        let action = page.paint(DIM, PinAction::Unchanged.as_str());
        page.line(&format!("{action} {}", counted(unchanged)));
    }
    if folded {
        let action = page.paint(GREEN, PinAction::Added.as_str());
        page.line(&format!("{action} {} of the host: {}", format_units::count(own.len(), "guard"), own.join(", ")));
    }
    for each in &report.backtests {
        page.gap();
        backtest(page, each);
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
        return format!("written: {}; review and commit", report.written.join(", "));
    }
    match report.command {
        PinCommand::Verify => format!("verified: {} as locked", counted(report.changes.iter().collect())),
        PinCommand::Publish => "published".to_owned(),
        PinCommand::Lock
        | PinCommand::Add
        | PinCommand::Remove
        | PinCommand::Extend
        | PinCommand::Update
        | PinCommand::Vendor => {
            let why = match (report.dry_run, report.held) {
                (true, _) => "nothing written: dry run",
                (false, true) => "nothing written",
                (false, false) => "nothing to do",
            };
            why.to_owned()
        }
    }
}

fn counted(changes: Vec<&PinChange>) -> String {
    let languages = changes.iter().filter(|change| change.reads.is_some()).count();
    let guards = format_units::count(changes.len() - languages, "guard");
    match languages {
        0 => guards,
        some => format!("{guards} and {}", format_units::count(some, "language")),
    }
}

fn change(page: &mut PageWriter, change: &PinChange) {
    let style = match change.action {
        PinAction::Unchanged => DIM,
        PinAction::Removed => YELLOW,
        PinAction::Added | PinAction::Updated | PinAction::Verified | PinAction::Vendored | PinAction::Published => {
            GREEN
        }
    };
    let versions = match (&change.from, &change.to) {
        (Some(from), Some(to)) if from.version != to.version => format!("{} -> {}", from.version, to.version),
        (_, Some(side)) | (Some(side), None) => side.version.clone(),
        (None, None) => String::new(),
    };
    let action = page.paint(style, change.action.as_str());
    let id = page.paint(BOLD, &escape::inline(&change.id, 64));
    page.line(&format!("{action} {id} {}", escape::inline(&versions, 100)));
    page.inside(2, |page| details(page, change));
}

fn details(page: &mut PageWriter, change: &PinChange) {
    let both = |value: fn(&PinSide) -> String| match (&change.from, &change.to) {
        (Some(from), Some(to)) if value(from) != value(to) => Some(format!("{} -> {}", value(from), value(to))),
        (None, Some(side)) | (Some(side), None) => Some(value(side)),
        _ => None,
    };
    let signers = |side: &PinSide| side.signers.join(", ");
    let lines: [(&str, Option<String>, Style); 8] = [
        ("reads", change.reads.clone(), PLAIN),
        ("source", both(|side| side.source.clone()), PLAIN),
        ("digest", both(|side| side.digest.clone()), PLAIN),
        ("size", both(|side| format_units::size(side.size)), PLAIN),
        ("signed by", both(signers).filter(|names| !names.is_empty()), PLAIN),
        ("imports gained", joined(&change.imports_gained), RED),
        ("imports lost", joined(&change.imports_lost), GREEN),
        ("settings", change.settings_changed.then(|| "changed".to_owned()), PLAIN),
    ];
    if change.action != PinAction::Unchanged {
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

fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}

fn backtest(page: &mut PageWriter, backtest: &Backtest) {
    let Backtest { id, from, to, commits, rejected, flips } = backtest;
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
    page.inside(2, |page| flips.iter().for_each(|each| flip(page, each)));
}

fn flip(page: &mut PageWriter, flip: &Flip) {
    let Flip { what, subject, before, after, reasons } = flip;
    let verdicts = page.paint(RED, &format!("{before} -> {after}"));
    page.line(&format!("{what}: {verdicts}  {}", page.paint(DIM, &escape::inline(subject, 100))));
    page.inside(2, |page| {
        for reason in reasons {
            page.line(&escape::inline(reason, 400));
        }
    });
}
