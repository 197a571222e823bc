//! Progress on standard error: one live line on a terminal, short plain lines elsewhere.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use guardhost_core::change::{Event, Evidence, GuardVerdict, Observer};

use super::{format_units, labels, text};
use guardhost_report::escape;

/// Characters of a sentence that comes from outside.
const MAX_TEXT: usize = 300;

pub struct Terminal {
    round: Mutex<String>,
    show: Show,
}

enum Show {
    Live(ProgressBar),
    Lines(Mutex<Box<dyn Write + Send>>),
}

impl Terminal {
    /// One line with a spinner on standard error, gone when the run ends. Only for a real terminal.
    pub fn live(unicode: bool) -> Self {
        // A run that ends in an error is dropped without its last event.
        let bar = ProgressBar::new_spinner().with_finish(ProgressFinish::AndClear);
        let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
        // The template is ours; if indicatif ever refuses it, its own will do.
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        bar.set_style(style.tick_chars(if unicode { "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ " } else { "|/-\\ " }));
        bar.enable_steady_tick(Duration::from_millis(100));
        Terminal { round: Mutex::default(), show: Show::Live(bar) }
    }

    /// A line for each step, into `out`.
    pub fn lines(out: impl Write + Send + 'static) -> Self {
        Terminal { round: Mutex::default(), show: Show::Lines(Mutex::new(Box::new(out))) }
    }
}

impl Observer for Terminal {
    fn see(&self, event: &Event) {
        let mut round = self.round.lock().unwrap_or_else(PoisonError::into_inner);
        if let Event::RoundStarted { round: number, rounds } = event {
            *round = format!("round {number}/{rounds}: ");
        }
        let Some(said) = say(event) else { return };
        match &self.show {
            Show::Live(bar) => {
                match said {
                    Said::Lasting(text) => bar.println(text),
                    Said::Step(text) | Said::Passing(text) => {
                        bar.reset_elapsed();
                        bar.set_message(format!("{round}{text}"));
                    }
                }
                if let Event::RunEnded { .. } = event {
                    bar.finish_and_clear();
                }
            }
            Show::Lines(out) => {
                if let Said::Lasting(text) | Said::Step(text) = said {
                    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
                    // Progress is a comfort: when standard error is gone, the run goes on without it.
                    let _ = writeln!(out, "{round}{text}").and_then(|()| out.flush());
                }
            }
        }
    }
}

enum Said {
    /// Stays on the screen.
    Lasting(String),
    /// The live line, or a line of its own where there is none.
    Step(String),
    /// The live line only.
    Passing(String),
}

fn say(event: &Event) -> Option<Said> {
    use Said::{Lasting, Passing, Step};
    Some(match event {
        Event::RunStarted { run, provider, guards, .. } => {
            let guards = format_units::count(guards.len(), "guard");
            Step(format!("run {run} with {} and {guards}", short(provider)))
        }
        Event::Asking { provider, recorded, prompt_bytes, .. } => {
            let name = labels::provider(provider, None, *recorded);
            Step(format!("asking {}, {}", short(&name), format_units::size(*prompt_bytes)))
        }
        Event::Progress { text } => Passing(short(text)),
        Event::ProviderFailed { provider, class, message, next } => {
            let next = next.as_ref().map(|next| format!("; asking {} instead", short(next))).unwrap_or_default();
            Lasting(format!("{} failed ({class}): {}{next}", short(provider), short(message)))
        }
        Event::Replied { bytes, micros, usage, .. } => {
            let usage = Some(labels::usage(usage)).filter(|usage| !usage.is_empty());
            let usage = usage.map(|usage| format!(", {usage}")).unwrap_or_default();
            Step(format!(
                "replied with {} in {}{usage}",
                format_units::size(*bytes),
                format_units::time(*micros, false)
            ))
        }
        Event::Spent { spent, seconds, budget } => Step(format!("spent {}", labels::spent(spent, *seconds, budget))),
        Event::Extracted { format, files, .. } => {
            Step(format!("found a patch: {}, {}", labels::format(*format), format_units::count(files.len(), "file")))
        }
        Event::NoPatch { message, .. } => Step(format!("no patch: {}", short(message))),
        Event::Refused { path, message, .. } => {
            let path = path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
            Step(format!("refused: {}", short(&format!("{path}{message}"))))
        }
        Event::Misfit { at } => {
            let first = at.first().map(|at| format!("{}: {}", at.path, at.message)).unwrap_or_default();
            Step(format!("does not fit in {}: {}", format_units::count(at.len(), "place"), short(&first)))
        }
        Event::Placed { strategy, touched, .. } => {
            let how = strategy.map(labels::strategy).unwrap_or("as it is");
            Step(format!("placed {how}, {}", format_units::count(touched.len(), "file")))
        }
        Event::Judging { guards } => Passing(format!("asking {}", format_units::count(guards.len(), "guard"))),
        Event::Judged { evidence } => judged(evidence),
        Event::Fixing { .. } => Passing("trying the guards' own fixes".to_owned()),
        Event::Fixed { fixes, .. } => {
            let first = fixes.first().map(ToString::to_string).unwrap_or_default();
            let more = if fixes.len() > 1 { format!(", and {} more", fixes.len() - 1) } else { String::new() };
            Step(format!("fixed without asking: {}{more}", short(&first)))
        }
        Event::NotFixed { why } => Step(format!("not fixed: {}", short(why))),
        Event::Settling { .. } => Passing("placing".to_owned()),
        Event::Committed { branch, commit } => Step(format!("committed {commit} on {}", short(branch))),
        Event::Staged { .. } => Step("staged".to_owned()),
        Event::Feedback { .. } => Step("telling the provider what was wrong".to_owned()),
        Event::Cycle { guards } => {
            Step(format!("stopping: the same patch met the same findings of {}", short(&guards.join(", "))))
        }
        Event::RunEnded { outcome, micros, .. } => {
            Step(format!("{} after {}", outcome.word(), format_units::time(*micros, false)))
        }
        Event::Notice { text } => Lasting(format!("note: {}", short(text))),
        Event::RoundStarted { .. } | Event::Mended { .. } | Event::Sanitized { .. } | Event::RejectedKept { .. } => {
            return None;
        }
    })
}

fn judged(evidence: &Evidence) -> Said {
    let id = short(&evidence.id);
    match &evidence.verdict {
        GuardVerdict::Reject(findings) => Said::Step(format!("{id}: reject, {}", text::headline(findings))),
        GuardVerdict::Error { code, message, .. } => Said::Step(format!("{id}: error [{code}]: {}", short(message))),
        verdict @ (GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_)) => {
            Said::Passing(format!("{id}: {}", verdict.word()))
        }
    }
}

fn short(text: &str) -> String {
    escape::inline(text, MAX_TEXT)
}
