//! The diff of one file as a table, with findings behind their lines.

use std::collections::{BTreeMap, BTreeSet};

use guardhost_core::change::{Finding, Severity};
use guardhost_report::VerdictKind;
use maud::{Markup, html};

use super::PageSettings;
use super::text::{LINE, Tone, block, count, inline, left_out, marked};
use crate::view::{ChangedFileView, Colours, DiffLine, GuardView, HunkView, SideView, colours, marks};

/// Lines of a diff without numbers, such as a fix.
const PATCH_LINES: usize = 400;

/// A finding of a guard, and its fix as a diff if the records have it.
pub struct LocatedFinding<'a> {
    pub guard: &'a GuardView,
    pub finding: &'a Finding,
    pub fix: Option<&'a str>,
}

/// `id` of a line that has findings; all other lines are found by the script. A finding at a line that is not known stands between its
/// neighbours.
pub fn table(
    file: &ChangedFileView,
    findings: &[&LocatedFinding<'_>],
    settings: &PageSettings,
    id: impl Fn(u32) -> String,
) -> Markup {
    let mut at_lines: BTreeMap<u32, Vec<&LocatedFinding<'_>>> = BTreeMap::new();
    for placed in findings {
        at_lines.entry(placed.finding.line.unwrap_or_default()).or_default().push(placed);
    }
    // What stands in a deleted file is its old text.
    let number = |line: &DiffLine| if file.new.is_some() { line.new } else { line.old };
    let max = settings.lines;
    let parts: Vec<(&HunkView, &[DiffLine])> = shown_parts(file, max).filter(|(_, part)| !part.is_empty()).collect();
    let shown: BTreeSet<u32> = parts.iter().flat_map(|(_, part)| part.iter().filter_map(number)).collect();
    let mut elsewhere = at_lines.iter().filter(|(line, _)| !shown.contains(line)).peekable();
    let all = file.hunks.iter().filter(|hunk| !hunk.is_around()).map(|hunk| hunk.lines.len()).sum::<usize>();
    let all_colours = match settings.syntax.and_then(|languages| languages.syntax(file.path())) {
        Some(syntax) => colours(&parts.iter().map(|(_, part)| *part).collect::<Vec<_>>(), &syntax, LINE),
        None => parts.iter().map(|(_, part)| vec![Colours::new(); part.len()]).collect(),
    };
    let rows = |part: &[DiffLine], colours: &[Colours]| {
        let marks = marks(part);
        html! { @for ((line, marks), colours) in part.iter().zip(&marks).zip(colours) {
            @let here = number(line).and_then(|number| Some((number, at_lines.get(&number)?)));
            tr.(class(line.side)).hit[here.is_some()] id=[here.map(|(number, _)| id(number))] {
                td.no { (line.old.map(|no| no.to_string()).unwrap_or_default()) }
                td.no { (line.new.map(|no| no.to_string()).unwrap_or_default()) }
                td { (marked(&line.text, marks, colours, LINE)) }
            }
            @if let Some((_, placed)) = here { tr.notes { td colspan="3" { @for each in placed { (finding(each)) } } } }
        } }
    };
    html! {
        @for ((hunk, part), colours) in parts.into_iter().zip(&all_colours) {
            @let first = part.iter().find_map(number);
            @while let Some((_, placed)) = elsewhere.next_if(|(line, _)| first.is_some_and(|first| **line < first)) {
                @for each in placed { (finding(each)) }
            }
            @if hunk.is_around() {
                details.around open[part.iter().filter_map(number).any(|line| at_lines.contains_key(&line))] {
                    summary { (count(part.len(), "unchanged line", "unchanged lines")) " from " (range(part)) }
                    table.diff { (columns()) (rows(part, colours)) }
                }
            } @else {
                table.diff {
                    (columns())
                    tr.hunk { td colspan="3" { (range(part)) @if !hunk.section.is_empty() { " · " (inline(&hunk.section, 120)) } } }
                    (rows(part, colours))
                }
            }
        }
        @for (_, placed) in elsewhere { @for each in placed { (finding(each)) } }
        (left_out(all.saturating_sub(max), "line of this file", "lines of this file"))
    }
}

fn columns() -> Markup {
    html! { colgroup { col.no; col.no; col; } }
}

/// The lines of each hunk, as long as there are no more than `max` that change, with theirs around them, and `max` around them in all.
fn shown_parts(file: &ChangedFileView, max: usize) -> impl Iterator<Item = (&HunkView, &[DiffLine])> {
    file.hunks.iter().scan([max; 2], |left, hunk| {
        let left = &mut left[usize::from(hunk.is_around())];
        let part = &hunk.lines[..hunk.lines.len().min(*left)];
        *left -= part.len();
        Some((hunk, part))
    })
}

fn range(lines: &[DiffLine]) -> String {
    let first = |side: fn(&DiffLine) -> Option<u32>| lines.iter().find_map(side);
    match (first(|line| line.new), first(|line| line.old)) {
        (Some(new), _) => format!("line {new}"),
        (None, Some(old)) => format!("line {old} before"),
        (None, None) => String::new(),
    }
}

fn class(side: SideView) -> &'static str {
    match side {
        SideView::Both => "same",
        SideView::Removed => "del",
        SideView::Added => "add",
        SideView::Remark => "remark",
    }
}

pub fn finding(placed: &LocatedFinding<'_>) -> Markup {
    let (guard, finding) = (placed.guard, placed.finding);
    html! {
        div.finding.(tone(placed).class()) tabindex="-1" {
            p.rule {
                strong { (inline(&guard.id, 80)) "/" (inline(&finding.rule, 80)) }
                @match (finding.line, finding.end_line.filter(|end| Some(*end) > finding.line)) {
                    (Some(line), None) => span.quiet { " line " (line) },
                    (Some(line), Some(end)) => span.quiet { " lines " (line) "–" (end) },
                    (None, _) => {}
                }
                @match finding.severity {
                    Severity::Warning => span.quiet { " warning" },
                    Severity::Info => span.quiet { " info" },
                    Severity::Error => {}
                }
                @if !guard.is_blocking() { span.quiet { " advice" } }
            }
            @if finding.message.is_empty() { p.quiet { "Its words are not in this report." } } @else { p { (block(&finding.message, 4_000, 0)) } }
            @if let Some(help) = &finding.help { p.help { (block(help, 4_000, 0)) } }
            @match (placed.fix, &finding.fix) {
                (Some(diff), fix) => details.fix {
                    summary { "Fix" @if let Some(fix) = fix { ": " (inline(&fix.title, 200)) } }
                    (patch(diff))
                },
                (None, Some(fix)) => p.help { "The guard has a fix: " (inline(&fix.title, 200)) },
                (None, None) => {}
            }
        }
    }
}

/// The colour of its border. Only errors of a guard that can reject are in the colour of a rejection.
fn tone(placed: &LocatedFinding<'_>) -> Tone {
    let rejects = placed.guard.is_blocking() && placed.guard.verdict == VerdictKind::Reject;
    match placed.finding.severity {
        Severity::Error if rejects => Tone::Bad,
        Severity::Error | Severity::Warning => Tone::Fault,
        Severity::Info => Tone::Quiet,
    }
}

/// A diff as lines, without numbers.
pub fn patch(diff: &str) -> Markup {
    let is_name = |line: &&str| line.starts_with("--- ") || line.starts_with("+++ ");
    let texts: Vec<&str> = diff.lines().filter(|line| !is_name(line)).take(PATCH_LINES).collect();
    let lines: Vec<DiffLine> = texts.iter().map(|text| DiffLine::from_text(text)).collect();
    html! {
        pre.patch tabindex="0" {
            @for ((line, text), marks) in lines.iter().zip(&texts).zip(marks(&lines)) {
                @match line.side {
                    SideView::Both if text.starts_with('@') => span.hunk { (inline(text, LINE)) "\n" },
                    SideView::Both | SideView::Remark => span.same { (inline(text, LINE)) "\n" },
                    SideView::Added | SideView::Removed => span.(class(line.side)) { (text[..1]) (marked(&line.text, &marks, &Colours::new(), LINE)) "\n" },
                }
            }
        }
    }
}
