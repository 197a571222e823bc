//! `host acp`: stands between an editor and an agent that speak the Agent Client Protocol, version 1, on standard input and output.
//!
//! Every write that the agent asks the editor for, every question to a person that shows a diff or a command, and every command for the
//! editor's terminal is judged as the agents' hooks judge it, before the editor hears of it. What is rejected is answered to the agent and
//! never handed on. What the agent does by itself is judged at the end of its turn. Everything else passes byte for byte.
//!
//! Two threads read lines; one takes them in the order in which they come, and judges.

mod agent;
mod edits;
mod lines;
mod message;
mod proxy;
mod sessions;
mod shown;

use std::ffi::OsString;
use std::io::{BufReader, Read, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use guardhost_core::error::{Context as _, Result};

use crate::context::CommandContext;
use crate::json_rpc::MAX_MESSAGE;
use agent::Agent;
use lines::{StdioLine, next_line};
use proxy::Proxy;
pub use proxy::SendToClient;

/// Lines that wait to be judged; whoever writes more waits.
const WAITING: usize = 16;

/// How long an agent may go on talking after its editor is gone.
const GRACE: Duration = Duration::from_secs(5);

/// What comes in.
enum Heard {
    Client(StdioLine),
    ClientLeft,
    Agent(StdioLine),
    AgentLeft,
}

/// Serves until one of the two ends; then the other is ended.
///
/// # Errors
/// [`FaultKind::Provider`](guardhost_core::error::FaultKind::Provider): the agent cannot be started, or fails.
pub fn serve(words: &[OsString], client: SendToClient<'_>, ctx: &CommandContext) -> Result<()> {
    let (agent, stdin, stdout) = Agent::start(words, ctx)?;
    let (tell, heard) = sync_channel(WAITING);
    let of_client = tell.clone();
    spawn("client", move || read(std::io::stdin(), &of_client, Heard::Client, Heard::ClientLeft))?;
    spawn("agent", move || read(stdout, &tell, Heard::Agent, Heard::AgentLeft))?;
    // An agent that talks before it listens must not stop what it says from being heard.
    let (to_agent, for_agent) = channel();
    spawn("to-agent", move || write(stdin, &for_agent))?;
    converse(&heard, to_agent, client, ctx);
    agent.end()
}

fn converse(heard: &Receiver<Heard>, to_agent: Sender<Vec<u8>>, client: SendToClient<'_>, ctx: &CommandContext) {
    let mut proxy = Proxy::new(to_agent, client, ctx);
    loop {
        let goes_on = match heard.recv() {
            Ok(Heard::Client(line)) => proxy.client_says(line),
            Ok(Heard::Agent(line)) => proxy.agent_says(line),
            Ok(Heard::AgentLeft) | Err(_) => return,
            Ok(Heard::ClientLeft) => false,
        };
        if !goes_on {
            break;
        }
    }
    // The agent hears that nobody is there, and may write down what it has. A client that has said all may still listen.
    proxy.close_agent();
    let left = Instant::now();
    loop {
        let goes_on = match heard.recv_timeout(GRACE.saturating_sub(left.elapsed())) {
            Ok(Heard::Agent(line)) => proxy.agent_says(line),
            Ok(Heard::Client(_) | Heard::ClientLeft) => true,
            Ok(Heard::AgentLeft) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        };
        if !goes_on {
            return;
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).context("cannot start a thread").map(drop)
}

fn read(input: impl Read, tell: &SyncSender<Heard>, line: fn(StdioLine) -> Heard, end: Heard) {
    let mut input = BufReader::new(input);
    while let Ok(Some(next)) = next_line(&mut input, MAX_MESSAGE) {
        if tell.send(line(next)).is_err() {
            return;
        }
    }
    // Nobody is left to hear it where this fails.
    let _ = tell.send(end);
}

/// Until there is nothing more to say; then the agent's input ends.
fn write(mut stdin: ChildStdin, for_agent: &Receiver<Vec<u8>>) {
    while let Ok(line) = for_agent.recv() {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
