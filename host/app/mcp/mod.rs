//! The session's tools over the Model Context Protocol, on standard input and output.
//!
//! One thread runs the protocol. The caller's thread owns the session and executes one call after another.

mod arguments;
mod lines;
mod tool_result;
mod tools;

use std::sync::mpsc;
use std::thread;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use crate::session::Session;
use guardhost_core::error::{Context, Fault, Kind, Result};
use guardhost_core::stop::Stopped;
use guardhost_provider::Cancel;
use lines::checked_stdio;
use tools::{Call, Tools};

/// Serves until the client closes the connection. Standard output carries the protocol alone.
///
/// Errors: a client that does not speak the protocol ([`Kind::Usage`]); an interruption.
pub fn serve(session: &mut Session, cancel: &Cancel) -> Result<()> {
    let (calls, inbox) = mpsc::channel::<Call>();
    thread::scope(|scope| {
        let protocol = thread::Builder::new().name("mcp".to_owned());
        let protocol =
            protocol.spawn_scoped(scope, move || run_protocol(calls, cancel)).context("cannot start a thread")?;
        for call in inbox {
            call(session);
        }
        protocol.join().unwrap_or_else(|_| Err(Fault::new(Kind::Usage, "the thread of the protocol panicked").into()))
    })
}

fn run_protocol(calls: mpsc::Sender<Call>, cancel: &Cancel) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let conversation = async {
        let (input, output, written) = checked_stdio();
        let server = match Tools::new(calls).serve((input, output)).await {
            // A client that leaves before it initializes is no error. What it sent may have been answered.
            Err(ServerInitializeError::ConnectionClosed(_)) => {
                let _ = written.await;
                return Ok(());
            }
            other => other.context(not_mcp())?,
        };
        let ended = server.waiting().await.map(drop).context(not_mcp());
        // The server is gone, and with it what it writes to; the last answers are on their way to standard output.
        let _ = written.await;
        ended
    };
    let ended = runtime.block_on(async {
        tokio::select! {
            ended = conversation => ended,
            () = cancel.cancelled() => Err(Stopped::Interrupted.into_error("serving")),
        }
    });
    // The runtime's thread for standard input may wait for a line that never comes.
    runtime.shutdown_background();
    ended
}

fn not_mcp() -> Fault {
    Fault::new(Kind::Usage, "the MCP connection on standard input and output failed")
        .hint("`host mcp` is started by an MCP client: claude mcp add guardhost -- host mcp")
}
