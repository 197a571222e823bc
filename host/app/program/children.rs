//! Parts of this program that it starts as processes of their own.

use std::ffi::OsString;
use std::process::ExitCode;

use super::output::complain;
use crate::cli::Child;
use guardhost_core::error::{Error, Result};

/// As a shell says that a command could not be started.
const NOT_STARTED: u8 = 127;

pub fn run_child(child: Child) -> ExitCode {
    match child {
        Child::Compile => compile(),
        Child::Supervise(args) => {
            guardhost_os::forget_parent();
            inside(guardhost_toolchain::supervise, &args.words)
        }
        Child::Attend(args) => {
            // Neither an agent nor another one's attendant is to hold what the host, or who started it, has open.
            guardhost_os::close_inherited(args.words.first().and_then(|lifeline| lifeline.to_str()?.parse().ok()));
            inside(guardhost_process::attend, &args.words)
        }
        Child::Confine(args) => inside(guardhost_toolchain::confine, &args.words),
        Child::Suite(args) => {
            let report = std::env::var(guardhost_toolchain::DESCRIPTOR).ok().and_then(|number| number.parse().ok());
            let run = |key: &str, command: &[OsString]| match report {
                Some(report) => guardhost_toolchain::run_suite(report, key, command),
                None => Err(Error::msg("there is no descriptor to report to")),
            };
            inside(run, &args.words)
        }
    }
}

/// A process of its own, whose limits are the system's: see `host/engine/load/compile.rs`.
fn compile() -> ExitCode {
    match guardhost_engine::compile_here(std::io::stdin().lock(), std::io::stdout().lock(), guards::EMBEDDED.target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("{error:#}"));
            ExitCode::from(guardhost_engine::compile_exit_code(&error))
        }
    }
}

/// Around and inside a sandbox: see `host/toolchain/sandbox/`. What it may do comes first.
fn inside(work: impl Fn(&str, &[OsString]) -> Result<u8>, words: &[OsString]) -> ExitCode {
    let (allowed, command) = words.split_first().expect("the command line asks for two words");
    match work(&allowed.to_string_lossy(), command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&format!("host: {error:#}"));
            ExitCode::from(NOT_STARTED)
        }
    }
}
