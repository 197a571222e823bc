//! The settings of agents: which hooks they start.

use jsonc_parser::ast::{Object, Value};
use serde_json::json;

use super::command_line;
use super::jsonc::{self, Items};
use super::opencode;
use crate::hook::{AGENT_TIMEOUT, HookAgent, HookMoment};

/// One hook as the settings name it.
struct Hook {
    event: &'static str,
    /// Which tools it is started for; None for an event without tools.
    tools: Option<&'static str>,
    moment: HookMoment,
}

fn hooks(agent: HookAgent) -> Vec<Hook> {
    let (edits, shell) = match agent {
        HookAgent::Claude => ("Edit|Write|MultiEdit|NotebookEdit|Bash", "Bash"),
        HookAgent::Codex => ("apply_patch|Edit|Write|Bash", "Bash"),
        HookAgent::Gemini => ("write_file|replace|run_shell_command", "run_shell_command"),
        HookAgent::Cursor => ("Write|StrReplace|Edit|MultiEdit|NotebookEdit|Shell", "Shell"),
        // VS Code asks for every tool, whatever is named here.
        HookAgent::Copilot => ("create|edit|apply_patch|bash", "bash"),
        HookAgent::Opencode => ("edit|write|apply_patch|bash", "bash"),
        // `monitor` is its shell for commands that go on.
        HookAgent::Qwen => ("edit|write_file|notebook_edit|run_shell_command|monitor", "run_shell_command|monitor"),
    };
    let tools = [(HookMoment::BeforeTool, Some(edits)), (HookMoment::AfterTool, Some(shell)), (HookMoment::Stop, None)];
    tools.into_iter().map(|(moment, tools)| Hook { event: agent.event(moment), tools, moment }).collect()
}

/// The tools that a hook of an agent is started for. None for a moment without tools.
pub(super) fn tools(agent: HookAgent, moment: HookMoment) -> Option<&'static str> {
    hooks(agent).into_iter().find(|hook| hook.moment == moment)?.tools
}

/// What a hook's command says behind the program.
fn words(agent: HookAgent, hook: &Hook) -> Vec<&'static str> {
    let denies_without_host: &[&str] = match hook.moment {
        HookMoment::BeforeTool => &["||", "exit", "2"],
        HookMoment::AfterTool | HookMoment::Stop => &[],
    };
    [&["hook", agent.as_str(), hook.event], denies_without_host].concat()
}

/// The entry of a hook on one line. Before a tool, a host that is missing or killed denies as well: agents take only exit code 2 for a
/// denial, and go on after any other.
fn entry(agent: HookAgent, hook: &Hook, program: &str) -> String {
    let command = command_line::shell_line(program, &words(agent, hook));
    let value = match agent {
        HookAgent::Claude | HookAgent::Codex | HookAgent::Gemini | HookAgent::Qwen => {
            let unit = if agent == HookAgent::Gemini { 1000 } else { 1 };
            let start = json!([{ "type": "command", "command": command, "timeout": AGENT_TIMEOUT * unit }]);
            match hook.tools {
                Some(tools) => json!({ "matcher": tools, "hooks": start }),
                None => json!({ "hooks": start }),
            }
        }
        // Its command line and VS Code both know `command` and `timeout`; `bash` and `timeoutSec` only one of them does.
        HookAgent::Copilot => match hook.tools {
            Some(tools) => {
                json!({ "type": "command", "command": command, "matcher": tools, "timeout": AGENT_TIMEOUT })
            }
            None => json!({ "type": "command", "command": command, "timeout": AGENT_TIMEOUT }),
        },
        // opencode has a plugin instead of settings.
        HookAgent::Cursor | HookAgent::Opencode => match hook.tools {
            Some(tools) => json!({ "command": command, "matcher": tools, "timeout": AGENT_TIMEOUT }),
            None => json!({ "command": command, "timeout": AGENT_TIMEOUT }),
        },
    };
    spaced(&value.to_string())
}

/// A blank after every `:` and `,` outside of strings.
fn spaced(json: &str) -> String {
    let (mut out, mut quoted, mut escaped) = (String::new(), false, false);
    for c in json.chars() {
        out.push(c);
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        if !quoted && matches!(c, ':' | ',') {
            out.push(' ');
        }
    }
    out
}

/// The settings with our hooks; `before` is None where there is no file.
///
/// # Errors
/// A sentence: the file is not understood.
pub(super) fn install(agent: HookAgent, before: Option<&str>, program: &str) -> Result<String, String> {
    if agent == HookAgent::Opencode {
        return opencode::install(before, program);
    }
    let Some(before) = before else { return Ok(fresh(agent, program)) };
    let mut text = match remove(agent, before)? {
        Some(text) => text,
        None => return Ok(fresh(agent, program)),
    };
    if jsonc::top(&text)?.get("hooks").is_none() {
        let events: Vec<_> = hooks(agent).iter().map(|hook| member(agent, hook, program, "    ")).collect();
        let item = format!("\"hooks\": {{\n{}\n  }}", events.join(",\n"));
        return Ok(Items::from(&jsonc::top(&text)?).insert(&text, &item));
    }
    // The last is inserted first, so that they stand in their order.
    for hook in hooks(agent).iter().rev() {
        let top = jsonc::top(&text)?;
        let all = top.get_object("hooks").ok_or("`hooks` is no object")?;
        text = match all.get(hook.event).map(|event| &event.value) {
            None => Items::from(all).insert(&text, member(agent, hook, program, "").trim_start()),
            Some(Value::Array(list)) => Items::from(list).insert(&text, &entry(agent, hook, program)),
            Some(_) => return Err(format!("`hooks.{}` is no list", hook.event)),
        };
    }
    Ok(text)
}

fn member(agent: HookAgent, hook: &Hook, program: &str, indent: &str) -> String {
    format!("{indent}\"{}\": [{}]", hook.event, entry(agent, hook, program))
}

/// The file where there was none.
pub(super) fn fresh(agent: HookAgent, program: &str) -> String {
    let events: Vec<_> = hooks(agent).iter().map(|hook| member(agent, hook, program, "    ")).collect();
    let version = match agent {
        HookAgent::Cursor | HookAgent::Copilot => "  \"version\": 1,\n",
        HookAgent::Claude | HookAgent::Codex | HookAgent::Gemini | HookAgent::Opencode | HookAgent::Qwen => "",
    };
    format!("{{\n{version}  \"hooks\": {{\n{}\n  }}\n}}\n", events.join(",\n"))
}

/// Whether any hook of ours is in the settings.
fn is_installed(agent: HookAgent, text: &str) -> Result<bool, String> {
    Ok(first_own(agent, &jsonc::top(text)?).is_some())
}

/// A hook of ours in the settings of an agent.
pub struct InstalledHook {
    pub command: String,
    /// How long the agent waits for it, in seconds. Then it goes on.
    pub timeout: f64,
}

/// Our hooks that stand for one moment.
pub fn installed_hooks(agent: HookAgent, text: &str, moment: HookMoment) -> Result<Vec<InstalledHook>, String> {
    if agent == HookAgent::Opencode {
        let hook = |program: String| InstalledHook {
            command: command_line::shell_line(&program, &["hook", agent.as_str(), agent.event(moment)]),
            timeout: AGENT_TIMEOUT as f64,
        };
        return Ok(opencode::program(text).map(hook).into_iter().collect());
    }
    let top = jsonc::top(text)?;
    let event = agent.event(moment);
    let list = top.get_object("hooks").and_then(|hooks| hooks.get_array(event));
    let entries = list.into_iter().flat_map(|list| &list.elements).filter_map(Value::as_object);
    let found = entries.flat_map(|entry| started(entry).into_iter().map(move |command| (command, entry)));
    let own = found.filter(|(command, _)| own_program(agent, command).is_some());
    Ok(own.map(|(command, entry)| InstalledHook { timeout: timeout(agent, entry, &command), command }).collect())
}

/// The timeout of a command in an entry. Without one the agent has its own, which is longer than ours.
fn timeout(agent: HookAgent, entry: &Object, command: &str) -> f64 {
    let has_command = |object: &&Object| object.get_string("command").is_some_and(|found| found.value == command);
    let inside =
        entry.get_array("hooks").into_iter().flat_map(|hooks| hooks.elements.iter().filter_map(Value::as_object));
    let object = inside.chain([entry]).find(has_command);
    let number = object.and_then(|object| object.get_number("timeout")?.value.parse::<f64>().ok());
    let seconds = number.map(|number| if agent == HookAgent::Gemini { number / 1000.0 } else { number });
    seconds.unwrap_or(AGENT_TIMEOUT as f64)
}

/// The settings as they were before [`install`]; None when there was no file.
///
/// Installing is a function, so the way back is found by trying: of all texts without our hooks, the one from which [`install`] makes
/// this one. If somebody has changed the file since, nothing makes it, and of our hooks nothing is left.
pub(super) fn remove(agent: HookAgent, text: &str) -> Result<Option<String>, String> {
    if agent == HookAgent::Opencode {
        return opencode::remove(text);
    }
    let Some(program) = program(agent, text)? else { return Ok(Some(text.to_owned())) };
    if text == fresh(agent, &program) {
        return Ok(None);
    }
    let events = hooks(agent).len();
    // A bit for each event: its list goes with the entry, or stays.
    let mut candidates: Vec<String> =
        (0..1_u32 << events).map(|lists| without(agent, text, lists)).collect::<Result<_, _>>()?;
    let thorough = candidates.last().cloned().unwrap_or_default();
    candidates.push(without_hooks(&thorough)?);
    let exact = candidates.iter().find(|candidate| installed_anew(agent, candidate, &program).as_deref() == Some(text));
    Ok(Some(match exact {
        Some(exact) => exact.clone(),
        None => without_hooks(&thorough)?,
    }))
}

/// [`install`] for a text that has no hook of ours.
fn installed_anew(agent: HookAgent, text: &str, program: &str) -> Option<String> {
    match is_installed(agent, text) {
        Ok(false) => install(agent, Some(text), program).ok(),
        Ok(true) | Err(_) => None,
    }
}

/// Without our entries; `lists` says of which events the list goes too, if nothing else is in it.
fn without(agent: HookAgent, text: &str, lists: u32) -> Result<String, String> {
    let mut text = text.to_owned();
    loop {
        let top = jsonc::top(&text)?;
        let Some(Own { event, element }) = first_own(agent, &top) else { return Ok(text) };
        let hooks = top.get_object("hooks").ok_or("`hooks` is no object")?;
        let list = hooks.properties[event].value.as_array().ok_or("an event is no list")?;
        let bit = self::hooks(agent).iter().position(|hook| hook.event == hooks.properties[event].name.as_str());
        let takes_list = bit.is_some_and(|bit| lists & (1 << bit) != 0);
        text = match list.elements.len() == 1 && takes_list {
            true => Items::from(hooks).without(&text, event),
            false => Items::from(list).without(&text, element),
        };
    }
}

/// Without `hooks`, if nothing is in it.
fn without_hooks(text: &str) -> Result<String, String> {
    let top = jsonc::top(text)?;
    let empty = |value: &Value| value.as_object().is_some_and(|hooks| Items::from(hooks).len() == 0);
    let at = top.properties.iter().position(|property| property.name.as_str() == "hooks" && empty(&property.value));
    Ok(at.map_or_else(|| text.to_owned(), |at| Items::from(&top).without(text, at)))
}

/// Where an entry of ours stands: the event's place in `hooks`, and the entry's in its list.
struct Own {
    event: usize,
    element: usize,
}

fn first_own(agent: HookAgent, top: &Object) -> Option<Own> {
    let hooks = top.get_object("hooks")?;
    hooks.properties.iter().enumerate().find_map(|(event, property)| {
        let elements = &property.value.as_array()?.elements;
        let own = |value: &Value| {
            let commands = value.as_object().map(started).unwrap_or_default();
            !commands.is_empty() && commands.iter().all(|command| own_program(agent, command).is_some())
        };
        Some(Own { event, element: elements.iter().position(own)? })
    })
}

/// The commands that an entry starts.
fn started(entry: &Object) -> Vec<String> {
    let command = |object: &Object| object.get_string("command").map(|command| command.value.to_string());
    match entry.get_array("hooks") {
        Some(hooks) => hooks.elements.iter().filter_map(|hook| command(hook.as_object()?)).collect(),
        None => command(entry).into_iter().collect(),
    }
}

/// The program of a command that is ours. Its file may have any name, as packagers and symbolic links give it, where all words are those
/// that are written today.
fn own_program(agent: HookAgent, command: &str) -> Option<String> {
    let (program, found) = command_line::split(command)?;
    let is_ours = match command_line::has_own_name(&program) {
        true => found.starts_with(&["hook", agent.as_str()]),
        false => hooks(agent).iter().any(|hook| found == words(agent, hook)),
    };
    is_ours.then_some(program)
}

/// The program file that our hooks start.
fn program(agent: HookAgent, text: &str) -> Result<Option<String>, String> {
    let top = jsonc::top(text)?;
    let Some(Own { event, element }) = first_own(agent, &top) else { return Ok(None) };
    let entry = top.get_object("hooks").and_then(|hooks| hooks.properties[event].value.as_array());
    let entry = entry.and_then(|list| list.elements[element].as_object());
    let command = entry.map(started).unwrap_or_default().into_iter().next();
    Ok(command.and_then(|command| own_program(agent, &command)))
}
