//! Issues: what became of each in one run of `host fix`, batch by batch, and of all over all runs.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::issue::IssueStatus;
use maud::{Markup, html};

use super::PageContext;
use super::location::{Page, anchor};
use super::text::{Tone, chip, count, inline, left_out, short, time};
use crate::view::{IssueView, RunView};

/// Issues of one table.
const ROWS: usize = 500;

/// In the order in which a reader wants them: what is left to do first.
const STATUSES: [IssueStatus; 8] = [
    IssueStatus::InProgress,
    IssueStatus::Open,
    IssueStatus::Failed,
    IssueStatus::Touched,
    IssueStatus::Resolved,
    IssueStatus::Merged,
    IssueStatus::Ignored,
    IssueStatus::Duplicate,
];

/// Every issue with what its newest run says of it.
pub fn issues(context: &PageContext<'_>) -> Markup {
    let mut seen = BTreeSet::new();
    // Runs are newest first.
    let all = context.runs.iter().flat_map(|run| run.issues.iter().map(move |issue| (run, issue)));
    let all: Vec<_> = all.filter(|(_, issue)| seen.insert(issue.fingerprint.as_str())).collect();
    html! {
        h1 { "Issues" }
        @if all.is_empty() {
            p.empty { "No run had issues to fix. " code { "host fix --issues FILE" } " makes one." }
        } @else {
            p.lead { (count(all.len(), "issue", "issues")) ", each as its newest run left it." }
            (counts(all.iter().map(|(_, issue)| issue.status)))
            div.scroll { table.data {
                thead { tr { th { "Status" } th { "Issue" } th { "File" } th.num { "Attempts" } th { "Commit" } th { "Run" } } }
                tbody {
                    @for status in STATUSES {
                        @for (run, issue) in all.iter().filter(|(_, issue)| issue.status == status).take(ROWS) {
                            tr id=(format!("i-{}", anchor(&issue.fingerprint))) {
                                (cells(issue))
                                td.words { a href=(context.place.href(&Page::Run(run.id.clone()))) { (short(run.title(), 40)) } p.quiet { (time(&run.began)) } }
                            }
                        }
                    }
                }
            } }
            (left_out(over(all.iter().map(|(_, issue)| issue.status)), "issue", "issues"))
        }
    }
}

/// Issues of the run, by the batch that tried them last.
pub fn for_run(context: &PageContext<'_>, run: &RunView<'_>) -> Markup {
    let mut batches: BTreeMap<&str, Vec<&IssueView>> = BTreeMap::new();
    let mut left: Vec<&IssueView> = Vec::new();
    for issue in &run.issues {
        match issue.batches.last() {
            Some(batch) => batches.entry(batch).or_default().push(issue),
            None => left.push(issue),
        }
    }
    let groups = batches.into_iter().map(|(batch, issues)| (Some(batch), issues));
    let groups: Vec<_> = groups.chain((!left.is_empty()).then_some((None, left))).collect();
    html! {
        h2 { "Issues" }
        (counts(run.issues.iter().map(|issue| issue.status)))
        div.scroll { table.data {
            thead { tr { th { "Status" } th { "Issue" } th { "File" } th.num { "Attempts" } th { "Commit" } } }
            @for (batch, issues) in &groups {
                tbody {
                    tr { th.group colspan="5" scope="rowgroup" { (title(context, run, *batch)) } }
                    @for issue in issues.iter().take(ROWS) { tr { (cells(issue)) } }
                }
            }
        } }
        (left_out(groups.iter().map(|(_, issues)| issues.len().saturating_sub(ROWS)).sum(), "issue", "issues"))
    }
}

fn title(context: &PageContext<'_>, run: &RunView<'_>, batch: Option<&str>) -> Markup {
    let Some(batch) = batch else { return html! { "Not tried" } };
    html! {
        "Batch " (inline(batch, 40))
        @if let Some(step) = step(context, run, batch) {
            " " a href=(context.place.href(&Page::Run(step.id.clone()))) { (chip(Tone::from(&step.end), step.end.words())) }
        }
    }
}

/// The run of a batch; of several, when it was resumed, the newest.
fn step<'a>(context: &'a PageContext<'_>, run: &RunView<'_>, batch: &str) -> Option<&'a RunView<'a>> {
    context.runs.iter().find(|step| {
        let origin = step.run.as_ref().map(|run| &run.origin);
        origin.is_some_and(|origin| origin.plan.as_deref() == Some(&run.id) && origin.step.as_deref() == Some(batch))
    })
}

fn cells(issue: &IssueView) -> Markup {
    html! {
        td { (chip(tone(issue.status), issue.status.as_str())) }
        td.words {
            // Redacted ones have no title.
            (inline(if issue.title.is_empty() { &issue.id } else { &issue.title }, 300))
            @if let Some(same) = &issue.same_as { p.quiet { "says the same as " code { (inline(same, 60)) } } }
            @if let Some(why) = &issue.why { p.quiet { (inline(why, 400)) } }
        }
        td { @if let Some(path) = &issue.path { code { (inline(path, 200)) } } @else { span.quiet { "–" } } }
        td.num { (issue.batches.len()) }
        td { @if let Some(commit) = &issue.commit { code title=(commit) { (short(commit, 10)) } } @else { span.quiet { "–" } } }
    }
}

fn counts(statuses: impl Iterator<Item = IssueStatus> + Clone) -> Markup {
    html! {
        dl.facts.large {
            @for status in STATUSES {
                @let number = statuses.clone().filter(|other| *other == status).count();
                @if number > 0 { div { dt { (status.as_str()) } dd { (number) } } }
            }
        }
    }
}

/// Issues that the tables leave out.
fn over(statuses: impl Iterator<Item = IssueStatus> + Clone) -> usize {
    STATUSES.iter().map(|status| statuses.clone().filter(|other| other == status).count().saturating_sub(ROWS)).sum()
}

fn tone(status: IssueStatus) -> Tone {
    match status {
        IssueStatus::InProgress => Tone::Busy,
        IssueStatus::Resolved | IssueStatus::Merged => Tone::Good,
        IssueStatus::Failed => Tone::Bad,
        // Committed, and nothing tells whether it is gone.
        IssueStatus::Touched => Tone::Fault,
        IssueStatus::Open | IssueStatus::Ignored | IssueStatus::Duplicate => Tone::Quiet,
    }
}
