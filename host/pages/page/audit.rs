//! What `host improve` measured before its first step and behind its last, or what `host audit` measured.

use maud::{Markup, html};

use super::PageContext;
use super::location::Page;
use super::text::{inline, short};
use crate::view::{AuditPair, RunView};

pub fn audit(context: &PageContext<'_>, run: &RunView<'_>, pair: &AuditPair) -> Markup {
    html! {
        p.crumbs {
            a href=(context.place.href(&Page::Board)) { "Runs" } " / "
            a href=(context.place.href(&Page::Run(run.id.clone()))) { (short(run.title(), 80)) } " / audit"
        }
        h1 { "Audit" }
        dl.facts.large {
            div { dt { (if pair.is_pair { "Before" } else { "Score" }) } dd { (score(pair.before)) } }
            @if pair.is_pair {
                div { dt { "After" } dd { (score(pair.after)) } }
                div { dt { "Difference" } dd { (difference(pair.before, pair.after)) } }
            }
        }
        div.scroll { table.data {
            thead { tr { th { "Metric" } @if pair.is_pair { th.key { (key("old")) "before" (key("part")) "after" } th.num { "Before" } th.num { "After" } th.num { "Difference" } }
                @else { th {} th.num { "Score" } }
                th { "What would earn more" } } }
            tbody { @for metric in &pair.metrics { tr {
                td { code { (inline(&metric.id, 60)) } }
                td { (bars(metric.before, metric.after)) }
                td.num { (score(metric.before)) }
                @if pair.is_pair {
                    td.num { (score(metric.after)) }
                    td.num { (difference(metric.before, metric.after)) }
                }
                td.words {
                    @if let Some(reason) = &metric.reason { span.quiet { (inline(reason, 300)) } }
                    @if let Some(first) = metric.points.first() {
                        details {
                            summary { (inline(first.message.as_deref().unwrap_or(&first.rule), 120)) @if metric.points.len() > 1 { span.quiet { " and " (metric.points.len() - 1) " more" } } }
                            ul { @for point in metric.points.iter().take(20) { li {
                                code { (inline(&point.rule, 60)) } " " (score(Some(point.earned))) " of " (score(Some(point.of)))
                                @if let Some(path) = &point.path { " " code { (inline(path, 200)) @if let Some(line) = point.line { ":" (line) } } }
                                @if let Some(message) = &point.message { " " (inline(message, 300)) }
                                @if let Some(help) = &point.help { br; span.quiet { (inline(help, 300)) } }
                            } } }
                        }
                    }
                }
            } } }
        } }
    }
}

fn key(class: &str) -> Markup {
    html! { svg viewBox="0 0 10 10" aria-hidden="true" { rect.(class) width="10" height="10" rx="2" {} } }
}

fn score(score: Option<f64>) -> String {
    score.map_or_else(|| "not measured".to_owned(), |score| format!("{:.1} %", score * 100.0))
}

fn difference(before: Option<f64>, after: Option<f64>) -> Markup {
    let difference = before.zip(after).map(|(before, after)| (after - before) * 100.0);
    html! {
        @match difference {
            Some(more) if more >= 0.05 => span.plus { "+" (format!("{more:.1}")) },
            Some(less) if less <= -0.05 => span.minus { "−" (format!("{:.1}", -less)) },
            Some(_) => "0",
            None => span.quiet { "–" },
        }
    }
}

fn bars(before: Option<f64>, after: Option<f64>) -> Markup {
    let width = |score: f64| format!("{:.1}", (score * 100.0).clamp(0.0, 100.0));
    html! {
        svg.pair viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true" {
            rect.track width="100" height="14" rx="2" {}
            @if let Some(before) = before { rect.old width=(width(before)) height="6" {} }
            @if let Some(after) = after { rect.part y="8" width=(width(after)) height="6" {} }
        }
    }
}
