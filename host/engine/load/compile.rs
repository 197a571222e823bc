//! Compiles in a child process. A compiler's time and memory depend on its input and are not bounded by the limits of a guard's call, so
//! it runs under the system's limits, in a process whose crash does not end this one.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use guardhost_os::{address_space, end_with_reader, limit_process};
use wasmtime::Engine;

use crate::config;
use crate::failure::GuardFailure;
use crate::limits::COMPONENT;
use guardhost_core::error::Error;
use guardhost_core::machine::{is_lack, is_machine_lack};
use guardhost_core::stop::{StopToken, Stopped};

/// The hidden subcommand: the component on standard input, its code on standard output, an error on standard error.
pub const SUBCOMMAND: &str = "__compile";

/// Five times what the largest component known takes (15 s of one core): docs/decisions/compile-bound.md.
const CPU_SECONDS: u64 = 75;
/// For a compiler that hangs. A busy machine may give it an eighth of a core, so that this is no measure of its work.
const DEADLINE: Duration = Duration::from_secs(600);

/// The largest component known takes 380 MB; address space counts each thread's arena too.
const ADDRESS_SPACE: u64 = 4 << 30;

/// Bytes of native code: three times the component's, at worst ten times.
const CODE: u64 = 512 << 20;

/// The exit code of a child whose host has ended; no process reads it.
const ORPHANED: i32 = 3;

/// The exit codes of a child that has printed why it fails: the component does not compile, or the machine lacks something.
const INVALID: u8 = 1;
const LACK: u8 = 4;

/// Bytes of the error message that are read.
const REASON: u64 = 4 << 10;

/// Runs `exe` to compile a component. Errors: `invalid-component` with the compiler's reason, `compile-limit`.
pub fn compile(exe: &Path, component: &[u8], stop: &StopToken) -> Result<Vec<u8>, GuardFailure> {
    let failed = |what: &str, error: io::Error| match is_lack(&error) {
        true => GuardFailure::machine(format!("{what}: {error}")),
        false => GuardFailure::new("compile", format!("{what}: {error}")),
    };
    let mut child = Command::new(exe)
        .arg(SUBCOMMAND)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("cannot start {} to compile the guard", exe.display()), error))?;
    let answer = converse(&mut child, component, stop).map_err(|error| failed("cannot talk to the compiler", error));
    // It may have ended, or hang; in either case it has to be killed and waited for.
    let _ = child.kill();
    let status = child.wait().map_err(|error| failed("cannot wait for the compiler", error))?;
    let (code, reason) = answer?.map_err(|stopped| match stopped {
        Stopped::OutOfTime(limit) => GuardFailure::new(
            "compile-limit",
            format!("compiling the guard took more than {} seconds", limit.as_secs()),
        ),
        Stopped::Interrupted | Stopped::OverBudget(_) => {
            GuardFailure::new(stopped.code(), format!("the guard was not compiled: {stopped}"))
        }
    })?;
    if status.success() && code.len() as u64 <= CODE {
        return Ok(code);
    }
    let reason = reason.trim();
    Err(match status.code() {
        Some(code) if code == i32::from(INVALID) => {
            GuardFailure::new("invalid-component", format!("the guard does not compile: {reason}"))
        }
        Some(code) if code == i32::from(LACK) => GuardFailure::machine(reason),
        Some(_) => GuardFailure::new("compile", format!("the compiler failed ({status}): {reason}")),
        // It gets no more address space than this process.
        None if let Some(less) = address_space().filter(|least| *least < ADDRESS_SPACE) => {
            GuardFailure::machine(format!(
                "compiling a guard takes up to {} MiB of address space, and there are {} MiB",
                ADDRESS_SPACE >> 20,
                less >> 20
            ))
        }
        // The kernel kills a process that exceeds a limit.
        None => GuardFailure::new(
            "compile-limit",
            format!("compiling the guard took more than {} MiB or {CPU_SECONDS} s ({status})", ADDRESS_SPACE >> 20),
        ),
    })
}

/// How often a request to stop is looked for.
const POLL: Duration = Duration::from_millis(50);

/// Writes the component and reads the child's output; nothing when its pipes fail, which its exit code explains.
fn converse(child: &mut Child, component: &[u8], stop: &StopToken) -> io::Result<Result<(Vec<u8>, String), Stopped>> {
    let nothing = || Ok(Ok((Vec::new(), String::new())));
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return nothing();
    };
    let watch = stop.watch(DEADLINE);
    let (done, answer) = mpsc::channel();
    thread::scope(|scope| {
        thread::Builder::new().spawn_scoped(scope, move || {
            // A child that exits before it has read everything has printed why.
            let _ = stdin.write_all(component);
        })?;
        let reader = thread::Builder::new().spawn_scoped(scope, move || {
            let (mut code, mut reason) = (Vec::new(), Vec::new());
            let read = stdout.take(CODE + 1).read_to_end(&mut code).and(stderr.take(REASON).read_to_end(&mut reason));
            let _ = done.send(read.map(|_| (code, String::from_utf8_lossy(&reason).into_owned())));
        });
        if let Err(error) = reader {
            // Closes the other pipe, so that its thread ends.
            let _ = child.kill();
            return Err(error);
        }
        loop {
            match answer.recv_timeout(POLL) {
                Ok(Ok(answer)) => return Ok(Ok(answer)),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                    let _ = child.kill();
                    return nothing();
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(stopped) = watch.check() {
                // Closes the pipes, so that the threads end.
                let _ = child.kill();
                return Ok(Err(stopped));
            }
        }
    })
}

/// The exit code of the child for an error of [`compile_here`], which goes to standard error.
pub fn compile_exit_code(error: &Error) -> u8 {
    if is_machine_lack(error) { LACK } else { INVALID }
}

/// What the child does: `main` calls it for [`SUBCOMMAND`]. `target` is a triple.
pub fn compile_here(input: impl Read, mut output: impl Write, target: &str) -> guardhost_core::error::Result<()> {
    limit_process(ADDRESS_SPACE, CPU_SECONDS)?;
    end_with_reader(ORPHANED)?;
    // The compiler's threads, whose lack it meets with a panic.
    rayon_core::ThreadPoolBuilder::new().build_global()?;
    let mut component = Vec::new();
    input.take(COMPONENT as u64 + 1).read_to_end(&mut component)?;
    let code =
        precompile(&component, target).map_err(|error| guardhost_core::error::Error::msg(format!("{error:#}")))?;
    output.write_all(&code)?;
    Ok(output.flush()?)
}

fn precompile(component: &[u8], target: &str) -> wasmtime::Result<Vec<u8>> {
    Engine::new(&config::compiler(target)?)?.precompile_component(component)
}
