//! The change of one round: every file with what guards found in it.

use std::collections::BTreeMap;

use guardhost_report::{ProofState, proofs_of};
use maud::{Markup, html};

use super::PageContext;
use super::diff::{LocatedFinding, finding, patch, table};
use super::location::Page;
use super::text::{Tone, chip, count, inline, left_out, short};
use crate::view::{ChangedFileView, GuardView, RoundView, RunView, SideView, Stage, with_surroundings};

/// More files than these are closed at first.
const OPEN: usize = 12;

/// Whether the round has a change to show.
pub fn exists(round: &RoundView<'_>) -> bool {
    let placed = round.stages.iter().any(|view| view.stage == Stage::Candidate && view.file.is_some());
    placed || !round.guards.is_empty() || !round.touched.is_empty()
}

pub fn change(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>) -> Markup {
    let text = |stage: Stage| {
        let view = round.stages.iter().find(|view| view.stage == stage)?;
        view.text.map(|text| text.text.as_str())
    };
    let page = Page::Change(run.id.clone(), round.number);
    let files = text(Stage::Candidate).map(|diff| with_surroundings(diff, round.around)).unwrap_or_default();
    let all: Vec<LocatedFinding<'_>> = located_findings(round).collect();
    let mut by_path: BTreeMap<&str, Vec<&LocatedFinding<'_>>> = BTreeMap::new();
    for each in all.iter().take(context.limits.findings) {
        by_path.entry(each.finding.path.as_deref().unwrap_or_default()).or_default().push(each);
    }
    let of = |path: &str| by_path.get(path).map(Vec::as_slice).unwrap_or_default();
    let names: Vec<&str> = files.iter().map(ChangedFileView::path).collect();
    let elsewhere: Vec<_> = by_path.iter().filter(|(path, _)| !path.is_empty() && !names.contains(path)).collect();
    let found = files.iter().filter(|file| !of(file.path()).is_empty()).count() + elsewhere.len();
    html! {
        p.crumbs {
            a href=(context.place.href(&Page::Board)) { "Runs" } " / "
            a href=(context.place.href(&Page::Run(run.id.clone()))) { (short(run.title(), 80)) } " / round " (round.number)
        }
        div.head { h1 { "Change of round " (round.number) } (chip(Tone::from(round.end), round.end.as_str())) }
        p.lead {
            (count(files.len().max(round.touched.len()), "file", "files")) ", " (count(all.len(), "finding", "findings"))
            @if found > 0 { " in " (count(found, "file", "files")) }
            ", " (count(round.guards.len(), "guard", "guards"))
        }
        (neighbours(context, run, round))
        @if !context.bundle.redacted { (proved(round)) }
        @for each in of("") { (finding(each)) }
        (left_out(all.len().saturating_sub(context.limits.findings), "finding", "findings"))
        @if files.len() > 1 { (contents(context, &page, &files, &of)) }
        @for (at, file) in files.iter().take(context.limits.files).enumerate() {
            @let findings = of(file.path());
            @let open = files.len() <= OPEN || at < 3;
            details.file open[open] data-path=(file.path()) id=(context.place.line_id(&page, file.path(), None)) {
                summary { (heading(file)) @if !findings.is_empty() { span.badge { (count(findings.len(), "finding", "findings")) } } }
                @if file.binary { p.quiet { "Binary." } }
                (table(file, findings, &context.limits, |line| context.place.line_id(&page, file.path(), Some(line))))
            }
        }
        (left_out(files.len().saturating_sub(context.limits.files), "file", "files"))
        @for (path, findings) in elsewhere {
            details.file open data-path=(path) id=(context.place.line_id(&page, path, None)) {
                summary { code { (inline(path, 300)) } span.quiet { "its text is not in this report" } span.badge { (count(findings.len(), "finding", "findings")) } }
                @for each in findings { (finding(each)) }
            }
        }
        @if files.is_empty() && round.touched.len() > by_path.len() {
            h2 { "Files" }
            ul.plain { @for touched in &round.touched { li { code { (inline(&touched.path.to_string(), 300)) } " " (counts(touched.lines_added as usize, touched.lines_deleted as usize)) } } }
        }
        @if let Some(fixed) = text(Stage::Fixed) {
            h2 { "With the guards' own fixes" }
            ul { @for fix in &round.applied_fixes { li { (inline(&fix.to_string(), 300)) } } }
            @let against: Vec<_> = round.fixed.iter().filter(|guard| guard.is_blocking()).collect();
            p { @if against.is_empty() { "No guard turns it down with them." } @else {
                "Turned down with them as well, by " @for guard in against { (inline(&guard.id, 80)) " " }
            } }
            details { summary { "The whole change with fixes" } (patch(fixed)) }
        }
    }
}

/// What running the change has shown, as `host check` says it; nothing where no guard runs it.
fn proved(round: &RoundView<'_>) -> Markup {
    let said: Vec<_> = round.guards.iter().filter_map(GuardView::said).collect();
    let proofs = proofs_of(&said);
    let tone = |state| match state {
        ProofState::Proved => Tone::Good,
        ProofState::Refuted => Tone::Bad,
        ProofState::NotKnown => Tone::Quiet,
    };
    html! {
        @if !proofs.is_empty() {
            div.scroll { table.data {
                thead { tr { th { "What running it shows" } th { "" } th { "Why" } th { "Again" } } }
                tbody { @for proof in &proofs { tr {
                    td { (proof.claim) }
                    td { (chip(tone(proof.state), proof.state.as_str())) }
                    td.words { (inline(proof.why.as_deref().unwrap_or_default(), 300)) }
                    td { code { (inline(&proof.command, 120)) } }
                } } }
            } }
        }
    }
}

/// The findings of the round in the order of the guards, those that block first.
fn located_findings<'a>(round: &'a RoundView<'_>) -> impl Iterator<Item = LocatedFinding<'a>> {
    let (blocking, advice): (Vec<_>, Vec<_>) = round.guards.iter().partition(|guard| guard.is_blocking());
    blocking.into_iter().chain(advice).flat_map(move |guard| {
        guard.findings.iter().enumerate().map(move |(at, finding)| {
            let fix = round.fix_diffs.iter().find(|fix| fix.guard == guard.id && fix.finding == at);
            LocatedFinding { guard, finding, fix: fix.map(|fix| fix.diff.as_str()) }
        })
    })
}

fn neighbours(context: &PageContext<'_>, run: &RunView<'_>, round: &RoundView<'_>) -> Markup {
    let others: Vec<_> = run.rounds.iter().filter(|other| exists(other)).collect();
    html! {
        @if others.len() > 1 {
            nav.tabs aria-label="Rounds" {
                @for other in others {
                    a href=(context.place.href(&Page::Change(run.id.clone(), other.number))) aria-current=[(other.number == round.number).then_some("page")] {
                        "Round " (other.number)
                    }
                }
            }
        }
    }
}

fn contents<'a>(
    context: &PageContext<'_>,
    page: &Page,
    files: &[ChangedFileView],
    of: &impl Fn(&str) -> &'a [&'a LocatedFinding<'a>],
) -> Markup {
    html! {
        details.contents open[files.len() <= OPEN] {
            summary { "Files" }
            ul.plain {
                @for file in files.iter().take(context.limits.files) {
                    @let found = of(file.path()).len();
                    li {
                        a href=(context.place.line(page, file.path(), None)) { (inline(file.path(), 200)) } " "
                        (counts(file.count(SideView::Added), file.count(SideView::Removed)))
                        @if found > 0 { span.badge { (found) } }
                    }
                }
            }
        }
    }
}

fn heading(file: &ChangedFileView) -> Markup {
    html! {
        code { (inline(file.path(), 300)) } " " (counts(file.count(SideView::Added), file.count(SideView::Removed)))
        @match (&file.old, &file.new) {
            (None, Some(_)) => span.quiet { "new" },
            (Some(_), None) => span.quiet { "deleted" },
            (Some(old), Some(new)) if old != new => span.quiet { "was " (inline(old, 200)) },
            _ => {}
        }
    }
}

fn counts(added: usize, removed: usize) -> Markup {
    html! { span.counts { span.plus { "+" (added) } " " span.minus { "−" (removed) } } }
}
