//! The time line of a run: a bar a round, with a part for each phase. Shapes have attributes and no style, which the policy forbids.

use maud::{Markup, html};

use super::PageContext;
use super::location::Page;
use super::text::{Tone, chip, micros};
use super::{change, scrubber};
use crate::view::{Phase, RoundView, RunView};

/// Width of the whole, in units of the drawing.
const WIDTH: f64 = 1000.0;
/// So that a phase of a millisecond is seen beside an answer of a minute.
const LEAST: f64 = 3.0;

/// A bar for each of these rounds of the run.
pub fn timeline(context: &PageContext<'_>, run: &RunView<'_>, rounds: &[RoundView<'_>]) -> Markup {
    let whole = rounds.iter().flat_map(|round| &round.spans).map(|span| span.end).max().unwrap_or_default().max(1);
    let scale = WIDTH / whole as f64;
    html! {
        section.timeline aria-label="Time line" {
            @for round in rounds {
                div.bar {
                    a.name href=(format!("#{}", scrubber::id(run, round))) { "Round " (round.number) }
                    svg viewBox="0 0 1000 18" preserveAspectRatio="none" role="img" aria-label=(round_summary(round)) {
                        rect.track x="0" y="0" width="1000" height="18" rx="3" {}
                        @for span in &round.spans {
                            @let width = ((span.end - span.start) as f64 * scale).max(LEAST);
                            @let x = (span.start as f64 * scale).min(WIDTH - width);
                            rect.(span.phase.as_str()) x=(format!("{x:.1}")) y="0" width=(format!("{width:.1}")) height="18" {
                                title { (span.phase.as_str()) " " (micros(span.end - span.start)) }
                            }
                        }
                    }
                    span.end { (chip(Tone::from(round.end), round.end.as_str())) }
                    @if change::exists(round) {
                        a.to href=(context.place.href(&Page::Change(run.id.clone(), round.number))) { "Change" }
                    } @else { span.to {} }
                }
            }
            ul.legend {
                @for phase in Phase::ALL {
                    li { svg viewBox="0 0 10 10" aria-hidden="true" { rect.(phase.as_str()) width="10" height="10" rx="2" {} } (phase.as_str()) }
                }
                li.quiet { "whole: " (micros(whole)) }
            }
        }
    }
}

fn round_summary(round: &RoundView<'_>) -> String {
    let spans = round.spans.iter().map(|span| format!("{} {}", span.phase.as_str(), micros(span.end - span.start)));
    format!("Round {}: {}", round.number, spans.collect::<Vec<_>>().join(", "))
}
