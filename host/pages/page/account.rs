//! What each line of a reply was read as.

use guardhost_report::ExplainedLines;
use maud::{Markup, html};

use super::text::{Tone, block, bytes, inline};

/// The parts of a reply with their lines, cut at `max` bytes.
pub fn account(explained: &[ExplainedLines], max: usize) -> Markup {
    let mut left = max;
    let mut shown = Vec::new();
    for part in explained {
        if left == 0 {
            break;
        }
        shown.push((part, left));
        left = left.saturating_sub(part.text.len());
    }
    let hidden: usize = explained.iter().skip(shown.len()).map(|part| part.text.len()).sum();
    html! {
        div.account {
            @for (part, left) in shown {
                p.(tone(&part.read.part).class()) {
                    strong { (inline(&part.read.label(), 20)) } " " span.quiet { (lines(part)) }
                }
                pre { (block(&part.text, left, 0)) }
            }
            @if hidden > 0 { span.cut { "… " (bytes(hidden as u64)) " more are not shown" } }
        }
    }
}

fn lines(part: &ExplainedLines) -> String {
    let (from, to) = (part.read.from, part.read.to);
    if from == to { format!("line {from}") } else { format!("lines {from} to {to}") }
}

/// What is unknown is no edit.
fn tone(part: &str) -> Tone {
    match part {
        "edit" => Tone::Good,
        "rest" => Tone::Bad,
        _ => Tone::Quiet,
    }
}
