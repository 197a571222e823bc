//! How much stack the first thread of a process has, which the shell (`ulimit -s`) or the linker (1 MiB on Windows) decides.

use std::io;
use std::panic::resume_unwind;
use std::thread::{self, Builder};

use crate::system::process::first_stack;

/// What `work` returns. It has a stack of at least `bytes`: if the first thread's is smaller, a thread of its own.
///
/// # Errors
/// The system gives no thread.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    if first_stack().is_none_or(|stack| stack >= bytes as u64) {
        return Ok(work());
    }
    thread::scope(|scope| {
        let thread = Builder::new().name("main".to_owned()).stack_size(bytes).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
