//! Progress of a run: one live line on a terminal, plain lines elsewhere.

use std::io::{BufRead, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use guardhost_core::change::{Event, Evidence, GuardVerdict, Observer};

use super::human::wrap;
use super::{format_units, labels, text};
use guardhost_report::escape;

/// Maximum characters of one text from outside.
const MAX_TEXT: usize = 300;

/// Before the further parts of a line that is wider than the terminal.
const HANG: &str = "    ";

pub struct Terminal {
    run: Mutex<ShownRun>,
    show: Show,
}

/// What was said of the current run.
#[derive(Default)]
struct ShownRun {
    /// `round 1/3: `; empty outside of a run.
    round: String,
    /// The last round of this run, as far as that is known.
    rounds: u32,
    /// A provider failed, and no other is asked. If that ends the run, its error says so.
    held: Option<String>,
}

enum Show {
    Live { bar: ProgressBar, width: Option<usize> },
    Lines(Mutex<Box<dyn Write + Send>>),
}

impl Terminal {
    /// One line with a spinner on standard error, cleared when the run ends. Only for a real terminal; lines that stay are broken at words
    /// to fit into `width` columns.
    pub fn live(unicode: bool, width: Option<usize>) -> Self {
        // A run that ends in an error has no last event; the line is cleared when the bar is dropped.
        let bar = ProgressBar::new_spinner().with_finish(ProgressFinish::AndClear);
        let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
        // If a later indicatif refuses the template, its default is good enough.
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        bar.set_style(style.tick_chars(if unicode { "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ " } else { "|/-\\ " }));
        bar.enable_steady_tick(Duration::from_millis(100));
        Terminal { run: Mutex::default(), show: Show::Live { bar, width } }
    }

    /// One line for each step, written to `out`.
    pub fn lines(out: impl Write + Send + 'static) -> Self {
        Terminal { run: Mutex::default(), show: Show::Lines(Mutex::new(Box::new(out))) }
    }
}

impl Terminal {
    /// Asks what yes or no answers. An empty line is `default`; the end of the input is no.
    ///
    /// # Errors
    /// The terminal cannot be read or written.
    pub fn ask(&self, question: &str, default: bool, mut input: impl BufRead) -> std::io::Result<bool> {
        let mut asking = || loop {
            let choice = if default { "[Y/n]" } else { "[y/N]" };
            eprint!("{question} {choice} ");
            let mut answer = String::new();
            if input.read_line(&mut answer)? == 0 {
                return Ok(false);
            }
            match answer.trim().to_ascii_lowercase().as_str() {
                "" => return Ok(default),
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                _ => eprintln!("Answer y or n."),
            }
        };
        match &self.show {
            Show::Live { bar, .. } => bar.suspend(&mut asking),
            Show::Lines(_) => asking(),
        }
    }
}

impl Observer for Terminal {
    fn see(&self, event: &Event) {
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::RoundStarted { round, rounds } => {
                let more = rounds.saturating_sub(run.rounds);
                run.round = format!("round {round}/{rounds}: ");
                run.rounds = *rounds;
                if *round > 1 && more > 0 {
                    let more = format_units::count(more as usize, "round");
                    self.show(
                        &run.round,
                        TerminalMessage::Permanent(format!("up to {more} more with the provider that is asked now")),
                    );
                }
            }
            Event::Failed { .. } => run.held = None,
            // Comes between a failure and what follows from it.
            Event::Spent { .. } => {}
            _ => {
                if let Some(held) = run.held.take() {
                    self.show(&run.round, TerminalMessage::Permanent(held));
                }
            }
        }
        let Some(message) = message(event) else { return };
        match (event, message) {
            (Event::ProviderFailed { next: None, .. }, TerminalMessage::Permanent(text)) if !run.round.is_empty() => {
                run.held = Some(text);
            }
            (_, message) => self.show(&run.round, message),
        }
        if let Event::RunEnded { .. } = event {
            // What follows, such as the next step of a plan, is no part of this run.
            *run = ShownRun::default();
            if let Show::Live { bar, .. } = &self.show {
                bar.finish_and_clear();
            }
        }
    }
}

impl Terminal {
    fn show(&self, round: &str, message: TerminalMessage) {
        match &self.show {
            Show::Live { bar, width } => {
                let print = |line: String| {
                    // The terminal breaks a line that fills it.
                    let parts = width.map(|width| wrap::wrap(&line, width.saturating_sub(1), HANG));
                    parts.unwrap_or_else(|| vec![line]).iter().for_each(|part| bar.println(part));
                };
                match message {
                    TerminalMessage::Permanent(text) => print(text),
                    // Outside of a run the report says it.
                    TerminalMessage::Lasting(text) if !round.is_empty() => print(format!("{round}{text}")),
                    // The clock is that of the whole run.
                    TerminalMessage::Lasting(text) | TerminalMessage::Step(text) | TerminalMessage::Transient(text) => {
                        bar.set_message(format!("{round}{text}"));
                    }
                }
            }
            Show::Lines(out) => {
                let line = match message {
                    // Outside of a run the report says it.
                    TerminalMessage::Lasting(_) if round.is_empty() => None,
                    TerminalMessage::Permanent(text) | TerminalMessage::Lasting(text) | TerminalMessage::Step(text) => {
                        Some(format!("{round}{text}"))
                    }
                    TerminalMessage::Transient(_) => None,
                };
                if let Some(line) = line {
                    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
                    // The run continues when standard error is closed: progress is not essential.
                    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
                }
            }
        }
    }
}

enum TerminalMessage {
    /// Stays on the screen.
    Permanent(String),
    /// What became of a round: stays on the screen, after the round's number.
    Lasting(String),
    /// Replaces the live line; without one, a line of its own.
    Step(String),
    /// Replaces the live line; without one, not shown.
    Transient(String),
}

/// None for events that are not shown.
fn message(event: &Event) -> Option<TerminalMessage> {
    use TerminalMessage::{Lasting, Permanent, Step, Transient};
    Some(match event {
        Event::RunStarted { run, provider, guards, .. } => {
            let guards = format_units::count(guards.len(), "guard");
            Step(format!("run {run} with {} and {guards}", short(provider)))
        }
        Event::Asking { provider, recorded, prompt_bytes, .. } => {
            let name = labels::provider(provider, None, *recorded);
            Step(format!("asking {}, {}", short(&name), format_units::size(*prompt_bytes)))
        }
        Event::Progress { text } => Transient(short(text)),
        Event::ProviderFailed { provider, class, message, next } => {
            let next = match next {
                Some(next) if next == provider => "; asking it again".to_owned(),
                Some(next) => format!("; asking {} instead", short(next)),
                None => String::new(),
            };
            Permanent(format!("{} failed ({class}): {}{next}", short(provider), short(message)))
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
            Step(format!("found a patch: {}, {}", format.label(), format_units::count(files.len(), "file")))
        }
        Event::NoPatch { message, .. } => Lasting(format!("no patch: {}", short(message))),
        Event::Refused { path, message, .. } => {
            // Most messages name the path themselves.
            let path = path.as_ref().map(|path| format!("{path}: ")).filter(|path| !message.starts_with(path.as_str()));
            let path = path.unwrap_or_default();
            Lasting(format!("refused: {}", short(&format!("{path}{message}"))))
        }
        Event::Misfit { at } => {
            let first = at.first().map(|at| format!("{}: {}", at.path, at.message)).unwrap_or_default();
            Lasting(format!("does not fit in {}: {}", format_units::count(at.len(), "place"), short(&first)))
        }
        Event::Placed { strategy, touched, .. } => {
            let how = strategy.map(labels::strategy).unwrap_or("as it is");
            Step(format!("placed {how}, {}", format_units::count(touched.len(), "file")))
        }
        Event::Judging { guards } => Transient(format!("asking {}", format_units::count(guards.len(), "guard"))),
        Event::Judged { evidence } => judged(evidence),
        Event::Fixing { .. } => Transient("trying the guards' own fixes".to_owned()),
        Event::Fixed { fixes, .. } => {
            let first = fixes.first().map(ToString::to_string).unwrap_or_default();
            let more = if fixes.len() > 1 { format!(", and {} more", fixes.len() - 1) } else { String::new() };
            Lasting(format!("fixed without asking the provider: {}{more}", short(&first)))
        }
        Event::NotFixed { why } => Lasting(format!("not fixed: {}", short(why))),
        Event::Settling { .. } => Transient("placing".to_owned()),
        Event::Committed { branch, commit } => Lasting(format!("committed {commit} on {}", short(branch))),
        Event::Staged { .. } => Lasting("staged".to_owned()),
        Event::Feedback { .. } => Step("sending feedback to the provider".to_owned()),
        Event::Cycle { guards } => {
            Step(format!("stopping: the same patch produced the same findings twice, of {}", short(&guards.join(", "))))
        }
        Event::RunEnded { outcome, micros, .. } => {
            Step(format!("{} after {}", outcome.words(), format_units::time(*micros, false)))
        }
        Event::PlanLayered { report } => Lasting(format!(
            "plan: {} changed {}",
            short(report.name()),
            format_units::count(report.edits.len(), "step")
        )),
        Event::MetricsScoped { scope, kept, .. } => {
            Lasting(format!("scope {}: {}", short(scope), short(&kept.join(", "))))
        }
        Event::Notice { text } => Permanent(format!("note: {}", short(text))),
        Event::RefinementKept { commit, .. } => Lasting(format!("the refined version {commit} is kept")),
        Event::RefinementReverted { rationale } => {
            Lasting(format!("the refined version is left: {}", short(rationale)))
        }
        // The report says it.
        Event::Failed { .. } | Event::StepFailed { .. } => return None,
        Event::RoundStarted { .. } | Event::Repaired { .. } | Event::Sanitized { .. } | Event::RejectedKept { .. } => {
            return None;
        }
    })
}

fn judged(evidence: &Evidence) -> TerminalMessage {
    let id = short(&evidence.id);
    match &evidence.verdict {
        GuardVerdict::Reject(findings) => {
            TerminalMessage::Lasting(format!("{id}: reject, {}", text::headline(findings)))
        }
        GuardVerdict::Error { code, message, .. } => {
            TerminalMessage::Lasting(format!("{id}: error [{code}]: {}", short(message)))
        }
        verdict @ (GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_)) => {
            TerminalMessage::Transient(format!("{id}: {}", verdict.as_str()))
        }
    }
}

fn short(text: &str) -> String {
    escape::inline(text, MAX_TEXT)
}
