//! What the gate of a repository did: by rule, by week, by agent. The figures are those of `host stats`.

use guardhost_report::rulings::{PastRuling, Rulings, stats};
use guardhost_report::{AlarmFigures, GateFigures, StatsReport};
use maud::{Markup, html};

use super::PageContext;
use super::files::bar;
use super::location::Page;
use super::text::{count, inline, left_out, micros};

/// Rows of a table.
const ROWS: usize = 60;

/// Weeks that are counted at most, from that of the last ruling back.
const WEEKS: u32 = 60;

pub fn gate(context: &PageContext<'_>) -> Markup {
    let stats = statistics(context);
    let total = &stats.total;
    let first = context.bundle.rulings.first().and_then(|past| past.time.get(..10)).unwrap_or_default();
    // Both are days as RFC 3339 writes them.
    let since = first.max(stats.since.as_str());
    html! {
        h1 { "What the guards saved" }
        p.lead {
            "Since " (inline(since, 10)) ": " (count(total.changes, "change was", "changes were")) " judged, at every door: commits, edits of agents, runs, checks. "
            (count(total.stopped, "was", "were")) " stopped."
        }
        dl.facts.large {
            div { dt { "Changes judged" } dd { (total.changes) } }
            div { dt title="Rejected at least once, or a guard failed" { "Stopped" } dd { (total.stopped) } }
            div { dt title="Whatever was objected to is gone from a later change of the same files, and such a change was accepted" { "… came back repaired" } dd { (total.after_stop.repaired) } }
            div { dt title="A person let at least one of the findings stand: by a comment, a baseline, --skip or a permission" { "… overruled by a person" } dd { (total.after_stop.overruled) } }
            div { dt title="Not known so far, or a guard failed" { "… not known" } dd { (total.after_stop.unknown) } }
            div { dt title="Accepted with the guards' own fixes, so that nobody had to do anything" { "Fixed by guards" } dd { (total.mended) } }
            div { dt title="Of all rulings together" { "Time it took" } dd { (micros(total.micros)) } }
        }
        @for guard in &stats.quiet {
            p { "People overrode " (guard.overridden) " of " (guard.raised) " alarms of " code { (inline(&guard.guard, 80)) } ". In " code { "guards.toml" } " this would quiet it:" }
            pre { @for line in guard.setting.lines() { (inline(line, 200)) "\n" } }
        }
        h2 { "By rule" }
        @if stats.rules.is_empty() { p.empty { "No guard raised an alarm." } } @else {
            p.quiet { "An alarm is one guard's objection to one file, however often it is repeated. Alarms that were fixed or heeded were right; many that were overridden are a nuisance." }
            div.scroll { table.data {
                thead { tr { th { "Rule" } th.num { "Alarms" } (alarm_heads()) } }
                tbody { @for row in stats.rules.iter().take(ROWS) { tr {
                    td { (guard_name(context, &row.guard)) "/" (inline(&row.rule, 80)) }
                    td.num { (row.alarms.raised) }
                    (alarms(&row.alarms))
                } } }
            } }
        }
        (left_out(stats.rules.len().saturating_sub(ROWS), "rule with fewer alarms", "rules with fewer alarms"))
        h2 { "By week" }
        (figures("Week of", stats.weeks.iter().rev().map(|week| (week.week.as_str(), &week.figures))))
        h2 { "By agent" }
        (figures("Agent", stats.agents.iter().map(|row| (row.agent.as_str(), &row.figures))))
    }
}

fn statistics(context: &PageContext<'_>) -> StatsReport {
    let rulings: Vec<PastRuling> = context.bundle.rulings.iter().cloned().collect();
    let last = rulings.last().and_then(|past| past.time.parse().ok()).unwrap_or_default();
    stats(&Rulings { rulings, unread: 0 }, WEEKS, last)
}

/// A link where the report has a page about the guard.
fn guard_name(context: &PageContext<'_>, id: &str) -> Markup {
    let has_page = context.figures.guards.get(id).is_some_and(|guard| !guard.judged.is_empty());
    html! {
        @if has_page { a href=(context.place.href(&Page::Guard(id.to_owned()))) { (inline(id, 80)) } }
        @else { (inline(id, 80)) }
    }
}

fn figures<'a>(name: &str, rows: impl Iterator<Item = (&'a str, &'a GateFigures)>) -> Markup {
    html! {
        div.scroll { table.data {
            thead { tr {
                th { (name) } th.num { "Changes" } th.num { "Stopped" } th.num { "Repaired" } th.num { "Overruled" } th.num { "Not known" } th.num { "Fixed by guards" } th.num { "Time" }
            } }
            tbody { @for (name, row) in rows.take(ROWS) { tr {
                td { (inline(name, 80)) }
                td.num { (row.changes) }
                td.num { (bar(row.stopped, row.changes)) (row.stopped) }
                td.num { (row.after_stop.repaired) }
                td.num { (row.after_stop.overruled) }
                td.num { (row.after_stop.unknown) }
                td.num { (row.mended) }
                td.num { (micros(row.micros)) }
            } } }
        } }
    }
}

fn alarm_heads() -> Markup {
    html! {
        th.num title="By the guard itself" { "Fixed" }
        th.num title="Gone from a later change of the file" { "Heeded" }
        th.num title="A person let the finding stand" { "Overridden" }
        th.num title="Not known so far" { "Open" }
    }
}

fn alarms(alarms: &AlarmFigures) -> Markup {
    html! {
        td.num { (alarms.mended) }
        td.num { (alarms.heeded) }
        td.num { (bar(alarms.overridden, alarms.raised)) (alarms.overridden) }
        td.num { (alarms.open) }
    }
}
