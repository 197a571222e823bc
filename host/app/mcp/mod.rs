//! The session's tools over the Model Context Protocol, on standard input and output.
//!
//! One thread speaks the protocol; the caller's thread owns the session and does one call after another.

mod arguments;
mod shown;
mod tools;

use std::sync::mpsc;
use std::thread;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;

use crate::session::Session;
use guardhost_core::error::{Context, Fault, Kind, Result};
use tools::{Call, Tools};

/// Answers until the client closes its end. Nothing but the protocol goes to standard output.
///
/// Errors: a client that does not speak the protocol ([`Kind::Usage`]).
pub fn serve(session: &mut Session) -> Result<()> {
    let (calls, inbox) = mpsc::channel::<Call>();
    thread::scope(|scope| {
        let speaker = scope.spawn(move || speak(calls));
        for call in inbox {
            call(session);
        }
        speaker.join().unwrap_or_else(|_| Err(Fault::new(Kind::Usage, "the protocol's thread ended badly").into()))
    })
}

fn speak(calls: mpsc::Sender<Call>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let spoken = runtime.block_on(async {
        let server = match Tools::new(calls).serve(stdio()).await {
            // A client that goes before it began has nothing to complain of.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            other => other.context(not_mcp())?,
        };
        server.waiting().await.map(drop).context(not_mcp())
    });
    // Its thread for standard input may wait for a line that never comes.
    runtime.shutdown_background();
    spoken
}

fn not_mcp() -> Fault {
    Fault::new(Kind::Usage, "the conversation on standard input and output broke off")
        .hint("`host mcp` is started by an MCP client: claude mcp add guardhost -- host mcp")
}
