//! What the programs of Guardhost share, from the first word of the command line to the exit code. Beside the mains, this module alone reads
//! the environment and prints.

mod children;
mod environment;
mod log;
mod output;
mod traces;

use std::ffi::OsString;
use std::process::ExitCode;

use guardhost_core::change::Observer;
use guardhost_core::error::{FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_core::stop::Stopped;
use guardhost_display::Terminal;
use guardhost_observer::client::ObserverTime;
use guardhost_report::Report;

use crate::cli::{Child, Global};
use crate::context::CommandContext;
use crate::interrupt::Interrupts;

pub use environment::{called, process_env};
pub use log::LogSettings;
pub use output::{complain, complain_of, explain, print, show, show_again, to_stdout, write_file};

/// Bytes. Guests have stacks of their own; a run of a debug build has used 0.7 MiB.
const STACK: usize = 4 << 20;

/// How a command ends.
pub enum CommandEnd {
    /// With what is shown.
    Report(Box<Report>),
    /// It has shown all there is.
    Shown,
    /// It has answered in the form of the program that started it.
    Answered(ExitCode),
}

/// Starts a program: its name is that of its messages, and of its version.
pub fn start(name: &str, work: impl FnOnce(&[OsString]) -> ExitCode + Send) -> ExitCode {
    guardhost_os::allocate_in_steps();
    if let Err(error) = guardhost_os::settle_inherited() {
        complain(&format!("{name}: what the parent process set cannot be taken back: {error}"));
        return ExitCode::from(FaultKind::Git.exit_code());
    }
    let words: Vec<OsString> = std::env::args_os().collect();
    if let [_, only] = words.as_slice()
        && (only == "--version" || only == "-V")
    {
        let version = format!("{name} {}\n", env!("CARGO_PKG_VERSION"));
        return match to_stdout(version.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                complain(&format!("{name}: {error:#}"));
                ExitCode::from(FaultKind::Git.exit_code())
            }
        };
    }
    guardhost_os::with_stack(STACK, || work(&words)).unwrap_or_else(|error| {
        complain(&format!("{name}: the system gives no thread: {error}"));
        ExitCode::from(FaultKind::Git.exit_code())
    })
}

/// Reads the command line and does it, with signals in mind from the beginning on.
pub fn run<C>(
    words: &[OsString],
    read: impl FnOnce(&[OsString]) -> Result<C, clap::Error>,
    settings: impl Fn(&C) -> (&Global, LogSettings),
    work: impl FnOnce(&C, &Interrupts) -> Result<CommandEnd>,
) -> ExitCode {
    // First of all, since a signal may come at any time. Children end with their parent.
    let interrupts = match Child::read(words) {
        Some(child) => return child.map_or_else(|error| explain(&error), children::run_child),
        None => Interrupts::listen(),
    };
    let cli = match read(words) {
        Ok(cli) => cli,
        Err(error) => return explain(&error),
    };
    let (global, log) = settings(&cli);
    log::begin(global.verbose, log);
    let interrupts = match interrupts {
        Ok(interrupts) => interrupts,
        Err(error) => return output::finish(&output::failure(&error.into()), global),
    };
    let kept = global.clone();
    // The process ends in any case, so nothing can be done about a message that cannot be written.
    interrupts.work(move || drop(show(&output::failure(&Stopped::Interrupted.into_error("working")), &kept)));
    let ended = work(&cli, &interrupts);
    if let Ok(CommandEnd::Answered(code)) = ended {
        return code;
    }
    interrupts.report();
    match ended {
        Ok(CommandEnd::Report(report)) => output::finish(&report, global),
        Ok(CommandEnd::Shown) => ExitCode::SUCCESS,
        Ok(CommandEnd::Answered(code)) => code,
        Err(error) => output::finish(&output::failure(&error), global),
    }
}

/// Calls a command with what it needs, and with the terminal of a person who can answer where there is one: that which shows progress, as a
/// second one would draw its own over a question.
///
/// # Errors
/// Those of the command, and of [`process_env`].
///
/// `name` says which command it is, with its program; it is called only where spans are sent.
pub fn with_context<T>(
    global: &Global,
    name: impl Fn() -> String,
    work: impl FnOnce(&CommandContext<'_>, &ProcessEnv, Option<&Terminal>) -> Result<T>,
) -> Result<T> {
    let process = process_env()?;
    let live = output::watcher(global);
    let traced = traces::begin(&process, name);
    let spans = traced.as_ref().map(|(_, spans)| spans as &dyn Observer);
    let watchers: Vec<&dyn Observer> = live.iter().map(|terminal| terminal as &dyn Observer).chain(spans).collect();
    let observer = &ObserverTime::default();
    let embedded = &guards::EMBEDDED;
    let traces = traced.as_ref().map(|(traces, _)| traces);
    let ctx =
        CommandContext { global, process: &process, embedded, watchers: &watchers, observer, traces, agent: None };
    let ended = work(&ctx, &process, live.as_ref().filter(|_| output::talks(global)));
    if let Some((traces, spans)) = &traced {
        traces::finish(traces, spans, ended.as_ref().err());
    }
    ended
}
