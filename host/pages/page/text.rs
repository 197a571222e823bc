//! Untrusted text, numbers and times as markup.

use std::ops::Range;

use guardhost_core::change::Usage;
use guardhost_core::syntax::SyntaxPart;
use guardhost_report::VerdictKind;
use guardhost_report::escape::is_control;
use maud::{Markup, html};

use crate::view::{Colours, RoundEnd, RunEndView};

/// Characters of a line that are shown.
pub const LINE: usize = 2_000;

/// Text on one line. Characters that steer, reorder or hide are shown by their number.
pub fn inline(text: &str, max: usize) -> Markup {
    if text.len() <= max && !text.chars().any(is_control) {
        return html! { (text) };
    }
    let mut rest = text.chars();
    let shown: Vec<char> = rest.by_ref().take(max).collect();
    let left = rest.count();
    html! {
        @for part in shown.chunk_by(|a, b| !is_control(*a) && !is_control(*b)) {
            @match part {
                ['\t'] => { "\t" }
                [c] if is_control(*c) => { span.ctl { (format!("U+{:04X}", u32::from(*c))) } }
                plain => { (plain.iter().collect::<String>()) }
            }
        }
        @if left > 0 { span.cut { "… " (thousands(left as u64)) " more characters" } }
    }
}

/// As [`inline`], with marks on some of its bytes and colours beside them. A text that is cut has neither.
pub fn marked(text: &str, marks: &[Range<usize>], colours: &Colours, max: usize) -> Markup {
    if text.len() > max {
        return inline(text, max);
    }
    let ends = marks.iter().map(|mark| mark.end);
    html! {
        @for (from, mark) in std::iter::once(0).chain(ends).zip(marks) {
            (coloured(text, from..mark.start, colours)) mark { (inline(&text[mark.clone()], max)) }
        }
        (coloured(text, marks.last().map_or(0, |mark| mark.end)..text.len(), colours))
    }
}

/// A part of a text.
fn coloured(text: &str, part: Range<usize>, colours: &Colours) -> Markup {
    let (mut pieces, mut at) = (Vec::new(), part.start);
    for (range, token) in colours {
        let here = range.start.max(part.start)..range.end.min(part.end);
        if !here.is_empty() {
            pieces.extend([(&text[at..here.start], None), (&text[here.clone()], Some(token))]);
            at = here.end;
        }
    }
    pieces.push((&text[at..part.end], None));
    html! {
        @for (piece, token) in pieces {
            @match token {
                None => (inline(piece, LINE)),
                Some(SyntaxPart::Comment) => span.comment { (inline(piece, LINE)) },
                Some(SyntaxPart::Quoted) => span.quoted { (inline(piece, LINE)) },
            }
        }
    }
}

/// As [`inline`], for places where a whole text stands elsewhere: what is left out is an ellipsis.
pub fn short(text: &str, max: usize) -> Markup {
    match text.char_indices().nth(max) {
        Some((end, _)) => html! { (inline(text[..end].trim_end(), max)) "…" },
        None => inline(text, max),
    }
}

/// Text with its lines, cut at `max` characters; each line is cut as in [`inline`]. `cut`: bytes that are missing already.
pub fn block(text: &str, max: usize, cut: u64) -> Markup {
    let end = text.char_indices().nth(max).map_or(text.len(), |(at, _)| at);
    let left = (text.len() - end) as u64 + cut;
    html! {
        @for line in text[..end].split_inclusive('\n') {
            @let bare = line.trim_end_matches(['\n', '\r']);
            (inline(bare, LINE)) @if line.ends_with('\n') { "\n" }
        }
        @if left > 0 { span.cut { "… " (bytes(left)) " more are not shown" } }
    }
}

/// A time, which the script shows in the reader's zone.
pub fn time(ts: &str) -> Markup {
    let short = ts.get(..16).map(|short| short.replace('T', " "));
    html! {
        @match short {
            Some(short) => time datetime=(ts) title=(format!("{ts} (UTC)")) { (inline(&short, 16)) " UTC" },
            None => span.quiet { "at an unknown time" },
        }
    }
}

pub fn micros(micros: u64) -> String {
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..100_000 => format!("{:.1} ms", micros as f64 / 1e3),
        100_000..1_000_000 => format!("{} ms", micros / 1_000),
        1_000_000..100_000_000 => format!("{:.1} s", micros as f64 / 1e6),
        _ => format!("{} min {} s", micros / 60_000_000, micros / 1_000_000 % 60),
    }
}

pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A number of instructions or tokens.
pub fn amount(number: u64) -> String {
    match number {
        0..10_000 => thousands(number),
        10_000..1_000_000 => format!("{} k", number / 1_000),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// With a thin space between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number as u64), if number == 1 { one } else { many })
}

/// What a limit left out.
pub fn left_out(number: usize, one: &str, many: &str) -> Markup {
    html! { @if number > 0 { p.note { (count(number, one, many)) @if number == 1 { " is" } @else { " are" } " not shown." } } }
}

/// Tokens and cost, as far as the provider reports them.
pub fn usage(usage: &Usage) -> Option<String> {
    let tokens = match (usage.input_tokens, usage.output_tokens) {
        (None, None) => None,
        (input, output) => {
            Some(format!("{} tokens", amount(input.unwrap_or_default().saturating_add(output.unwrap_or_default()))))
        }
    };
    let cost = usage.cost_usd.map(|cost| format!("${cost:.3}"));
    (tokens.is_some() || cost.is_some()).then(|| tokens.into_iter().chain(cost).collect::<Vec<_>>().join(", "))
}

/// A word in the colour of what it means; the mark before it means the same without colour.
pub fn chip(tone: Tone, word: &str) -> Markup {
    html! { span.chip.(tone.class()) { span.mark aria-hidden="true" { (tone.mark()) } (word) } }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
    /// Something failed, which says nothing about the change.
    Fault,
    /// At work.
    Busy,
    Quiet,
}

impl Tone {
    pub fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Fault => "fault",
            Tone::Busy => "busy",
            Tone::Quiet => "none",
        }
    }

    pub fn mark(self) -> &'static str {
        match self {
            Tone::Good => "✓",
            Tone::Bad => "✕",
            Tone::Fault => "!",
            Tone::Busy => "◔",
            Tone::Quiet => "–",
        }
    }
}

impl From<VerdictKind> for Tone {
    fn from(verdict: VerdictKind) -> Self {
        match verdict {
            VerdictKind::Pass => Tone::Good,
            VerdictKind::Reject => Tone::Bad,
            VerdictKind::Error => Tone::Fault,
            VerdictKind::NotApplicable => Tone::Quiet,
        }
    }
}

impl From<RoundEnd> for Tone {
    fn from(end: RoundEnd) -> Self {
        match end {
            RoundEnd::Accepted | RoundEnd::NoChange => Tone::Good,
            RoundEnd::Rejected => Tone::Bad,
            RoundEnd::Unusable | RoundEnd::Failed => Tone::Fault,
            RoundEnd::Open => Tone::Busy,
        }
    }
}

impl From<&RunEndView> for Tone {
    fn from(end: &RunEndView) -> Self {
        match end {
            RunEndView::Running(_) => Tone::Busy,
            RunEndView::Interrupted => Tone::Fault,
            RunEndView::Ended(end) if end.is_accepted() => Tone::Good,
            RunEndView::Ended(end) if end.as_str() == "rejected" => Tone::Bad,
            RunEndView::Ended(_) => Tone::Fault,
        }
    }
}
