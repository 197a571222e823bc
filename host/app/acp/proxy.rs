//! What becomes of each message: handed on as it came, judged first, or answered here.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use guardhost_core::change::{Event, Observer as _};
use serde_json::{Value, json};

use super::edits::{self, from_permission, from_terminal, from_write};
use super::lines::StdioLine;
use super::message::read;
use super::sessions::{Awaited, Sessions};
use super::shown::{RequestPermission, SessionUpdate, Shown, Update};
use crate::context::CommandContext;
use crate::hook::{HookDecision, HookEvent, HookMoment, ToolCall, answer_message, before_turn};
use crate::json_rpc::{as_line, error};

/// The version of the protocol that is spoken here.
const VERSION: u64 = 1;

/// Of an answer that the gate rejects what was asked for. The protocol itself uses -32000 and -32002 of this range.
const REJECTED: i32 = -32_001;

/// Writes a line to the client. False: nobody listens any more.
pub type SendToClient<'c> = &'c dyn Fn(&[u8]) -> bool;

pub struct Proxy<'c> {
    ctx: &'c CommandContext<'c>,
    /// None: the agent's input has ended.
    to_agent: Option<Sender<Vec<u8>>>,
    client: SendToClient<'c>,
    sessions: Sessions,
    shown: Shown,
    /// Prompts of the proxy's own.
    prompts: u32,
}

impl<'c> Proxy<'c> {
    pub fn new(to_agent: Sender<Vec<u8>>, client: SendToClient<'c>, ctx: &'c CommandContext<'c>) -> Self {
        Proxy {
            ctx,
            to_agent: Some(to_agent),
            client,
            sessions: Sessions::default(),
            shown: Shown::default(),
            prompts: 0,
        }
    }

    /// Ends the agent's input.
    pub fn close_agent(&mut self) {
        self.to_agent = None;
    }

    /// False when the client does not listen any more.
    pub fn client_says(&mut self, line: StdioLine) -> bool {
        let (mut line, message) = match read(line) {
            Ok(read) => read,
            Err(answer) => return self.tell_client(&as_line(&answer)),
        };
        let Some(mut message) = message else { return self.tell_agent(line) };
        let params = &message["params"];
        let session = params["sessionId"].as_str().unwrap_or_default().to_owned();
        let cwd = params["cwd"].as_str().map(|cwd| self.ctx.path(Path::new(cwd)));
        let id = message["id"].clone();
        match (message["method"].as_str(), cwd) {
            (Some("initialize"), _) => {
                self.sessions.await_answer(&id, Awaited::Initialize);
                // The agent answers with a version that all three speak.
                if params["protocolVersion"].as_u64().is_some_and(|version| version > VERSION) {
                    message["params"]["protocolVersion"] = json!(VERSION);
                    line = as_line(&message);
                }
            }
            (Some("session/new" | "session/fork"), Some(cwd)) => {
                self.sessions.await_answer(&id, Awaited::NewSession { cwd });
            }
            (Some("session/load" | "session/resume"), Some(cwd)) => {
                self.sessions.begin(&session, &cwd);
                self.sessions.await_answer(&id, Awaited::Other);
            }
            (Some("session/prompt"), _) => {
                if let Err(why) = before_turn(&self.folder(&session), self.ctx) {
                    self.notice(&format!("what judges changes could not be noted: {why:#}"));
                }
                self.sessions.begin_turn(&session);
                self.sessions.await_answer(&id, Awaited::Prompt { session });
            }
            (Some("session/cancel"), _) => self.sessions.cancel(&session),
            (Some(_), _) if !id.is_null() => self.sessions.await_answer(&id, Awaited::Other),
            _ => {}
        }
        self.tell_agent(line)
    }

    /// False when the client does not listen any more, or cannot be served.
    pub fn agent_says(&mut self, line: StdioLine) -> bool {
        let (line, message) = match read(line) {
            Ok(read) => read,
            Err(answer) => {
                self.notice("a message of the agent cannot be read, and was not handed on");
                return self.tell_agent(as_line(&answer));
            }
        };
        let Some(message) = message else { return self.tell_client(&line) };
        let Some(method) = message["method"].as_str() else { return self.agent_answers(line, message) };
        let params = &message["params"];
        let session = params["sessionId"].as_str().unwrap_or_default();
        if method == "session/update" {
            self.sessions.heard(&line);
        }
        let denied = match self.calls(method, session, params) {
            Ok((calls, cwd)) => calls.into_iter().find_map(|call| self.denial(call, &cwd)),
            Err(why) => Some(format!("Guardhost denies what it does not understand: {why}")),
        };
        match denied {
            Some(why) => {
                self.sessions.denied(session, &why);
                message.get("id").is_none_or(|id| self.tell_agent(as_line(&error(id, REJECTED, &why))))
            }
            None => self.tell_client(&line),
        }
    }

    /// What a request of the agent is about to do, and in which folder. What it shows of its tool calls is kept.
    fn calls(&mut self, method: &str, session: &str, params: &Value) -> Result<(Vec<ToolCall>, PathBuf), String> {
        let cwd = self.folder(session);
        Ok(match method {
            "fs/write_text_file" => (vec![from_write(params)?], cwd),
            "terminal/create" => {
                let (call, own) = from_terminal(params)?;
                (vec![call], own.map_or_else(|| cwd.clone(), |own| cwd.join(own)))
            }
            "session/request_permission" => {
                let RequestPermission { tool_call } = edits::read(method, params)?;
                (from_permission(&self.shown.asked(session, tool_call)?, &cwd)?, cwd)
            }
            "session/update" => {
                let SessionUpdate { update } = edits::read(method, params)?;
                match update {
                    Update::ToolCall(call) | Update::ToolCallUpdate(call) => self.shown.show(session, call),
                    Update::Other => {}
                }
                (Vec::new(), cwd)
            }
            _ => (Vec::new(), cwd),
        })
    }

    fn denial(&self, call: ToolCall, cwd: &Path) -> Option<String> {
        match self.judge(HookMoment::BeforeTool, call, cwd) {
            HookDecision::Deny(why) => Some(why),
            // Nothing is fixed here: what the arguments were read from has no place for it.
            HookDecision::Allow | HookDecision::Mend { .. } | HookDecision::Object(_) | HookDecision::Continue(_) => {
                None
            }
        }
    }

    fn agent_answers(&mut self, line: Vec<u8>, message: Value) -> bool {
        let result = &message["result"];
        match self.sessions.answered(&message["id"]) {
            Some(Awaited::Initialize) if !result.is_null() && result["protocolVersion"] != VERSION => {
                let why = format!("host acp speaks version {VERSION} of the protocol, and the agent does not");
                self.tell_client(&as_line(&error(&message["id"], REJECTED, &why)));
                self.notice(&why);
                false
            }
            Some(Awaited::NewSession { cwd }) => {
                if let Some(session) = result["sessionId"].as_str() {
                    self.sessions.begin(session, &cwd);
                }
                self.tell_client(&line)
            }
            Some(Awaited::Prompt { session }) => match self.objection(&session) {
                Some(why) => {
                    let said = format!("Guardhost asked the agent to go on. {why}");
                    self.tell_client(&as_line(&chunk(&session, &said)))
                        && self.ask_to_fix(session, message["id"].clone(), &why)
                }
                None => self.tell_client(&line),
            },
            Some(Awaited::Mending { session, of }) => {
                if let Some(why) = self.objection(&session) {
                    self.tell_client(&as_line(&chunk(&session, &why)));
                }
                let mut answer = message;
                answer["id"] = of;
                self.tell_client(&as_line(&answer))
            }
            Some(Awaited::Initialize | Awaited::Other) => self.tell_client(&line),
            // Some client could find its own request in it.
            None => {
                self.notice("the agent answered a request that was not made; the answer was dropped");
                true
            }
        }
    }

    /// What stands against the end of a turn, whatever the agent says of it: what was denied and not read, and what is wrong with the work tree.
    /// A turn that the client cancelled is over.
    fn objection(&mut self, session: &str) -> Option<String> {
        let mut parts = self.sessions.take_unread(session);
        if self.sessions.is_cancelled(session) {
            return None;
        }
        match self.judge(HookMoment::Stop, ToolCall::Other, &self.folder(session)) {
            HookDecision::Continue(why) => parts.push(why),
            HookDecision::Allow | HookDecision::Mend { .. } | HookDecision::Deny(_) | HookDecision::Object(_) => {}
        }
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    /// One more turn, which the client sees as part of the one that it asked for.
    fn ask_to_fix(&mut self, session: String, of: Value, why: &str) -> bool {
        self.prompts += 1;
        let id = json!(format!("guardhost-{}-{}", std::process::id(), self.prompts));
        let prompt = json!([{ "type": "text", "text": why }]);
        let params = json!({ "sessionId": session, "prompt": prompt });
        self.sessions.await_answer(&id, Awaited::Mending { session, of });
        self.tell_agent(as_line(&json!({ "jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": params })))
    }

    fn judge(&self, moment: HookMoment, call: ToolCall, cwd: &Path) -> HookDecision {
        let asked = HookEvent { moment, cwd: Some(cwd.to_owned()), call, stop_is_repeated: false };
        answer_message(&asked, self.ctx)
    }

    fn folder(&self, session: &str) -> PathBuf {
        self.sessions.folder(session).unwrap_or(&self.ctx.process.cwd).to_owned()
    }

    fn tell_client(&self, line: &[u8]) -> bool {
        (self.client)(line)
    }

    /// An agent that does not listen any more is about to end, which is heard.
    fn tell_agent(&self, line: Vec<u8>) -> bool {
        let _ = self.to_agent.as_ref().map(|agent| agent.send(line));
        true
    }

    fn notice(&self, text: &str) {
        self.ctx.see(&Event::Notice { text: text.to_owned() });
    }
}

/// What the client shows as said by the agent.
fn chunk(session: &str, text: &str) -> Value {
    let content = json!({ "type": "text", "text": format!("\n\n{text}\n\n") });
    let update = json!({ "sessionUpdate": "agent_message_chunk", "content": content });
    json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": session, "update": update } })
}
