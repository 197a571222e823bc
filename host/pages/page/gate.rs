//! What the gate of a repository did: by week, by agent, by guard. The figures are those of `host stats`.

use guardhost_report::rulings::{PastRuling, Rulings, stats};
use guardhost_report::{AlarmFigures, GateFigures, StatsReport};
use maud::{Markup, html};

use super::PageContext;
use super::files::bar;
use super::location::Page;
use super::text::{amount, inline, left_out, micros};

/// Rows of a table.
const ROWS: usize = 60;

/// Weeks that are counted at most, from that of the last ruling back.
const WEEKS: u32 = 60;

pub fn gate(context: &PageContext<'_>) -> Markup {
    let stats = statistics(context);
    let total = &stats.total;
    html! {
        h1 { "Gate" }
        p.quiet { "Every ruling that the repository remembers, since " (inline(&stats.since, 10)) ": a change counts once, and an alarm is one guard's objection to one file." }
        dl.facts.large {
            div { dt { "Changes judged" } dd { (total.changes) } }
            div { dt { "Stopped" } dd { (total.stopped) } }
            div { dt { "Mended" } dd { (total.mended) } }
            div { dt { "Alarms" } dd { (total.alarms.raised) } }
            div { dt title="By a comment, a baseline, --skip or a permission" { "Overridden" } dd { (total.alarms.overridden) } }
            div { dt { "Time" } dd { (micros(total.micros)) } }
        }
        @for guard in &stats.quiet {
            p { "People overrode " (guard.overridden) " of " (guard.raised) " alarms of " code { (inline(&guard.guard, 80)) } ". In " code { "guards.toml" } " this would quiet it:" }
            pre { @for line in guard.setting.lines() { (inline(line, 200)) "\n" } }
        }
        h2 { "By week" }
        (figures("Week of", stats.weeks.iter().rev().map(|week| (week.week.as_str(), &week.figures))))
        h2 { "By agent" }
        (figures("Agent", stats.agents.iter().map(|row| (row.agent.as_str(), &row.figures))))
        h2 { "By guard" }
        @if stats.guards.is_empty() { p.empty { "No guard raised an alarm." } } @else {
            div.scroll { table.data {
                thead { tr { th { "Guard" } th.num { "Alarms" } (alarm_heads()) } }
                tbody { @for row in stats.guards.iter().take(ROWS) { tr {
                    td { (guard_name(context, &row.guard)) }
                    td.num { (row.alarms.raised) }
                    (alarms(&row.alarms))
                } } }
            } }
        }
        (left_out(stats.guards.len().saturating_sub(ROWS), "guard with fewer alarms", "guards with fewer alarms"))
        p.quiet { (amount(total.fuel)) " instructions in " (total.rulings) " rulings." }
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
                th { (name) } th.num { "Changes" } th.num { "Stopped" } th.num { "Mended" } th.num { "Alarms" } (alarm_heads()) th.num { "Time" }
            } }
            tbody { @for (name, row) in rows.take(ROWS) { tr {
                td { (inline(name, 80)) }
                td.num { (row.changes) }
                td.num { (bar(row.stopped, row.changes)) (row.stopped) }
                td.num { (row.mended) }
                td.num { (row.alarms.raised) }
                (alarms(&row.alarms))
                td.num { (micros(row.micros)) }
            } } }
        } }
    }
}

fn alarm_heads() -> Markup {
    html! { th.num { "Fixed" } th.num { "Heeded" } th.num { "Overridden" } th.num { "Open" } }
}

fn alarms(alarms: &AlarmFigures) -> Markup {
    html! {
        td.num { (alarms.mended) }
        td.num { (alarms.heeded) }
        td.num { (bar(alarms.overridden, alarms.raised)) (alarms.overridden) }
        td.num { (alarms.open) }
    }
}
