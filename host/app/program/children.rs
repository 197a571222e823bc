//! Parts of a program that it starts as processes of their own.

use std::ffi::OsString;
use std::process::ExitCode;

use guardhost_core::error::Result;

use crate::cli::Child;

/// As a shell says that a command could not be started.
const NOT_STARTED: u8 = 127;

pub fn run_child(child: Child) -> ExitCode {
    match child {
        Child::Compile => compile(),
        Child::Supervise(args) => inside(guardhost_toolchain::supervise, &args.words),
        Child::Attend(args) => inside(guardhost_process::attend, &args.words),
        Child::Confine(args) => inside(guardhost_toolchain::confine, &args.words),
        Child::Suite(args) => inside(guardhost_toolchain::run_suite, &args.words),
    }
}

/// A process of its own, whose limits are the system's: see `host/engine/load/compile.rs`.
fn compile() -> ExitCode {
    match guardhost_engine::compile_here(std::io::stdin().lock(), std::io::stdout().lock(), guards::EMBEDDED.target) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(guardhost_engine::compile_exit_code(&error))
        }
    }
}

/// Around and inside a sandbox: see `host/toolchain/sandbox/`. What it may do comes first.
fn inside(work: fn(&str, &[OsString]) -> Result<u8>, words: &[OsString]) -> ExitCode {
    let (allowed, command) = words.split_first().expect("the command line asks for two words");
    match work(&allowed.to_string_lossy(), command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("host: {error:#}");
            ExitCode::from(NOT_STARTED)
        }
    }
}
