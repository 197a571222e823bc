//! The session's tools over the Model Context Protocol, on standard input and output.
//!
//! One thread runs the protocol. The caller's thread owns the session and executes one call after another.

mod arguments;
mod calls;
mod decision;
mod definitions;
mod handshake;
mod lines;
mod progress;
mod roots;
mod tool_result;
mod tools;

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use crate::session::Session;
use calls::{ToolCallWork, Tools};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::stop::Stopped;
use guardhost_provider::Cancel;
use lines::checked_stdio;
pub use progress::CallProgress;

/// Opens the session: in the repository that the command line means, or in the first of the client's folders that has one.
pub type Open<'o, 'c> = dyn FnMut(&[PathBuf]) -> Result<Session<'c>> + 'o;

/// Serves until the client closes the connection. Standard output carries the protocol alone. Where there is no repository, every call
/// answers why, since clients do not show why a server ended. With `reaches_forge` there is a tool for pull requests.
///
/// Errors: a client that does not speak the protocol ([`FaultKind::Usage`]); an interruption; the end of a connection without a repository.
pub fn serve(open: &mut Open, progress: &CallProgress, cancel: &Cancel, reaches_forge: bool) -> Result<()> {
    let (calls, inbox) = mpsc::channel::<ToolCallWork>();
    let mut session = open(&[]);
    let asks_roots = session.is_err();
    thread::scope(|scope| {
        let protocol = thread::Builder::new().name("mcp".to_owned());
        let protocol = protocol
            .spawn_scoped(scope, move || {
                let tools = Tools::new(calls, asks_roots, reaches_forge, cancel.stop().clone());
                run_protocol(tools, cancel)
            })
            .context("cannot start a thread")?;
        for ToolCallWork { roots, progress: steps, work } in inbox {
            if session.is_err() && !roots.is_empty() {
                session = open(&roots);
            }
            progress.follow_call(steps);
            work(session.as_mut().map_err(|error| &*error));
            progress.follow_call(None);
        }
        protocol
            .join()
            .unwrap_or_else(|_| Err(Fault::new(FaultKind::Usage, "the thread of the protocol panicked").into()))
    })?;
    session.map(drop)
}

fn run_protocol(tools: Tools, cancel: &Cancel) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let conversation = async {
        let (input, output, written) = checked_stdio();
        let server = match tools.serve((input, output)).await {
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
    Fault::new(FaultKind::Usage, "the MCP connection on standard input and output failed")
        .hint("`host mcp` is started by an MCP client: claude mcp add guardhost -- host mcp")
}
