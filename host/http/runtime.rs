//! Where HTTP connections are waited for.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// One on the caller's thread, whose clock goes on whatever a server sends.
///
/// Timers are looked at when nothing else can be done, and after so many steps of what can. A server that sends `100 Continue` without an end always gives
/// the connection something to do, each step of it as long as the sockets' buffers are large: with the library's 61 steps between two looks, a time limit
/// was over by minutes.
///
/// # Errors
/// The system gives no descriptors for it.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().event_interval(1).build()
}
