//! Where results and progress go.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_display::{Appearance, Terminal, render};
use guardhost_report::{HookReport, Report};

use super::environment::{dumb, set, unicode};
use crate::cli::{ColorWhen, Global};
use crate::exit_code;

/// Help and version are no errors, and go to standard output.
pub fn explain(error: &clap::Error) -> ExitCode {
    ExitCode::from(if error.print().is_ok() { error.exit_code() as u8 } else { 2 })
}

pub fn failure(error: &Error) -> Report {
    Report::Failure { error: error.into() }
}

pub fn finish(report: &Report, global: &Global) -> ExitCode {
    match show(report, global) {
        Ok(()) => ExitCode::from(exit_code::from_report(report)),
        Err(error) => {
            complain(&format!("host: {error:#}"));
            ExitCode::from(FaultKind::Git.exit_code())
        }
    }
}

/// Progress goes to standard error: a live line on a terminal, plain lines elsewhere, nothing with --quiet.
pub fn watcher(global: &Global) -> Option<Terminal> {
    match (global.quiet, std::io::stderr().is_terminal()) {
        (true, _) => None,
        (false, true) => Some(Terminal::live(unicode(), guardhost_os::terminal_width(&std::io::stderr()))),
        (false, false) => Some(Terminal::lines(std::io::stderr())),
    }
}

/// A person reads what is asked, and can answer.
pub fn talks(global: &Global) -> bool {
    global.format == guardhost_display::OutputFormat::Human
        && std::io::stdin().is_terminal()
        && std::io::stderr().is_terminal()
}

pub fn show(report: &Report, global: &Global) -> Result<()> {
    let color = match global.color {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => global.output.is_none() && std::io::stdout().is_terminal() && !set("NO_COLOR") && !dumb(),
    };
    let width = if global.output.is_none() { guardhost_os::terminal_width(&std::io::stdout()) } else { None };
    let bytes = render(
        report,
        global.format,
        &Appearance { color, width, unicode: unicode(), verbose: global.verbose > 0, rules },
    );
    // A person who asked for people's words finds errors where errors go.
    let to_stderr = matches!(report, Report::Failure { .. }) && global.format == guardhost_display::OutputFormat::Human;
    match &global.output {
        Some(file) if !to_stderr => write_file(file, &bytes),
        _ if to_stderr => guardhost_os::write_all(std::io::stderr(), &bytes).context("cannot write to standard error"),
        _ => to_stdout(&bytes),
    }
}

/// One of many results of a command that goes on: on a terminal in the place of the one before.
///
/// # Errors
/// It cannot be written.
pub fn show_again(result: Result<Report>, global: &Global) -> Result<()> {
    /// Clears the screen, and goes to its first line.
    const CLEAR: &[u8] = b"\x1b[2J\x1b[H";
    let is_screen = global.output.is_none()
        && global.format == guardhost_display::OutputFormat::Human
        && std::io::stdout().is_terminal()
        && !dumb();
    if is_screen {
        to_stdout(CLEAR)?;
    }
    show(&result.unwrap_or_else(|error| failure(&error)), global)
}

/// What the embedded guard with this digest says of a rule.
fn rules(digest: &str, rule: &str) -> Option<&'static str> {
    let guard = guards::EMBEDDED.guards.iter().find(|guard| guard.digest == digest)?;
    let known = guard.description.get().rules.iter().find(|known| known.rule == rule)?;
    Some(&known.summary)
}

/// What is no report: a script or a page.
pub fn print(bytes: &[u8], global: &Global) -> Result<()> {
    match &global.output {
        Some(file) => write_file(file, bytes),
        None => to_stdout(bytes),
    }
}

/// To standard error. Where that takes nothing, the exit code has to say it.
pub fn complain(what: &str) {
    let _ = guardhost_os::write_all(std::io::stderr(), format!("{what}\n").as_bytes());
}

/// What a hook of git has against a change: for a person at a terminal as `host check` shows it, else in few words.
pub fn complain_of(report: &HookReport) {
    if !report.shown.is_empty() && std::io::stderr().is_terminal() {
        let (width, color) = (guardhost_os::terminal_width(&std::io::stderr()), !set("NO_COLOR") && !dumb());
        let look = Appearance { color, width, unicode: unicode(), verbose: false, rules };
        // A terminal that is gone reads nothing.
        let _ = guardhost_os::write_all(std::io::stderr(), &guardhost_display::hook(report, &look));
    } else if let Some(reason) = &report.reason {
        complain(reason);
    }
}

pub fn to_stdout(bytes: &[u8]) -> Result<()> {
    match guardhost_os::write_all(std::io::stdout(), bytes) {
        // The reader closed the pipe early: `host … | head`.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

pub fn write_file(file: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(file, bytes)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot write {}", file.display())))
}
