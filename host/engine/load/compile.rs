//! Compiles in a child process. A compiler's time and memory depend on its input and are not bounded by the limits of a guard's call, so
//! it runs under the system's limits, in a process whose crash does not end this one.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit};
use wasmtime::Engine;

use crate::config;
use crate::failure::Failure;
use crate::limits::COMPONENT;

/// The hidden subcommand. On standard input: the length of the component (8 bytes, little-endian), the component, and then nothing
/// until the parent ends, which ends the child too. On standard output: its code. On standard error: an error.
pub const SUBCOMMAND: &str = "__compile";

/// Five times what the largest component known takes (15 s of one core).
const CPU_SECONDS: u64 = 75;
/// For a compiler that hangs. A busy machine may give it an eighth of a core, so that this is no measure of its work.
const DEADLINE: Duration = Duration::from_secs(600);

/// The largest component known takes 380 MB; address space counts each thread's arena too.
const ADDRESS_SPACE: u64 = 4 << 30;

/// Bytes of native code: three times the component's, at worst ten times.
const CODE: u64 = 512 << 20;

/// The exit code of a child whose parent has ended; no process reads it.
const ORPHANED: i32 = 3;

/// Bytes of the error message that are read.
const REASON: u64 = 4 << 10;

/// Runs `exe` to compile a component. Errors: `invalid-component` with the compiler's reason, `compile-limit`.
pub fn compile(exe: &Path, component: &[u8]) -> Result<Vec<u8>, Failure> {
    let failed = |what: &str, error: std::io::Error| Failure::new("compile", format!("{what}: {error}"));
    let mut child = Command::new(exe)
        .arg(SUBCOMMAND)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&format!("cannot start {} to compile the guard", exe.display()), error))?;
    let answer = converse(&mut child, component);
    // It may have ended, or hang; in either case it has to be killed and waited for.
    let _ = child.kill();
    let status = child.wait().map_err(|error| failed("cannot wait for the compiler", error))?;
    let (code, reason) = answer.ok_or_else(|| {
        Failure::new("compile-limit", format!("compiling the guard took more than {} seconds", DEADLINE.as_secs()))
    })?;
    if status.success() && code.len() as u64 <= CODE {
        return Ok(code);
    }
    let reason = reason.trim();
    Err(match status.code() {
        Some(1) => Failure::new("invalid-component", format!("the guard does not compile: {reason}")),
        Some(_) => Failure::new("compile", format!("the compiler failed ({status}): {reason}")),
        // The kernel kills a process that exceeds a limit.
        None => Failure::new(
            "compile-limit",
            format!("compiling the guard took more than {} MiB or {CPU_SECONDS} s ({status})", ADDRESS_SPACE >> 20),
        ),
    })
}

/// Writes the component and reads the child's output. None: the deadline passed.
fn converse(child: &mut Child, component: &[u8]) -> Option<(Vec<u8>, String)> {
    let (mut stdin, stdout, stderr) = (child.stdin.take()?, child.stdout.take()?, child.stderr.take()?);
    let (done, answer) = mpsc::channel();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            // A child that exits before it has read everything has printed why.
            let _ = stdin.write_all(&(component.len() as u64).to_le_bytes()).and_then(|()| stdin.write_all(component));
            stdin
        });
        scope.spawn(move || {
            let (mut code, mut reason) = (Vec::new(), Vec::new());
            let read = stdout.take(CODE + 1).read_to_end(&mut code).and(stderr.take(REASON).read_to_end(&mut reason));
            let _ = done.send(read.map(|_| (code, String::from_utf8_lossy(&reason).into_owned())));
        });
        let answer = answer.recv_timeout(DEADLINE).ok().and_then(Result::ok);
        if answer.is_none() {
            // Closes the pipes, so that the threads end.
            let _ = child.kill();
        }
        // The child ends when its standard input does, so that it is open until here.
        drop(writer.join());
        answer
    })
}

/// What the child does: `main` calls it for [`SUBCOMMAND`]. `target` is a triple. Errors become exit code 1 and the reason on standard error.
pub fn compile_here(
    mut input: impl Read + Send + 'static,
    mut output: impl Write,
    target: &str,
) -> guardhost_core::error::Result<()> {
    limit(Resource::As, ADDRESS_SPACE)?;
    limit(Resource::Cpu, CPU_SECONDS)?;
    limit(Resource::Core, 0)?;
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length).min(COMPONENT as u64 + 1);
    let mut component = Vec::new();
    input.by_ref().take(length).read_to_end(&mut component)?;
    std::thread::spawn(move || {
        // Nothing more comes: the end of the input is the end of the parent, however it ended.
        let _ = std::io::copy(&mut input, &mut std::io::sink());
        std::process::exit(ORPHANED);
    });
    let code =
        precompile(&component, target).map_err(|error| guardhost_core::error::Error::msg(format!("{error:#}")))?;
    output.write_all(&code)?;
    Ok(output.flush()?)
}

fn precompile(component: &[u8], target: &str) -> wasmtime::Result<Vec<u8>> {
    Engine::new(&config::compiler(target)?)?.precompile_component(component)
}

fn limit(resource: Resource, limit: u64) -> std::io::Result<()> {
    let held = rustix::process::getrlimit(resource);
    let limit = held.maximum.map_or(limit, |maximum| maximum.min(limit));
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })?)
}
