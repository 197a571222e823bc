//! `host hook`: answers the hooks of agents and of git.
//!
//! An agent asks before it runs a tool, after it, and when it wants to stop. An edit is judged against the work tree before it is made; a
//! shell command is read for the known ways around the hooks of git, and judged by what it left in the work tree. What the host does not
//! understand, and every error of its own, is denied with the reason.

mod after_tool;
mod agent;
mod answer;
mod event;
mod fixed_input;
mod git;
mod git_hooks_on;
mod judge_edit;
mod new_content;
mod on_error;
mod patch_paths;
mod safeguards;
mod shell;
mod short;
mod tool_call;
mod uncommitted;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use agent::{HookAgent, HookMoment};
pub use answer::HookDecision;
pub use event::HookEvent;
pub use git::{GitHook, git, late_git};
pub(crate) use judge_edit::real_path;
#[cfg(feature = "lsp")]
pub(crate) use judge_edit::{EditedFile, place};
pub use shell::{Bypass, bypass, only_reads};
pub use tool_call::{EditInput, FileEdit, Replacement, ToolCall};

use crate::context::CommandContext;
use guardhost_core::change::{Event, Observer as _};
use guardhost_core::error::{Error, Result, fault};
use guardhost_git::Repo;
use guardhost_provider::OnHookError;
use guardhost_report::HookReport;
use judge_edit::EditVerdict;

/// The seconds that the installed hooks ask an agent for. An agent runs the tool when these are over.
pub const AGENT_TIMEOUT: u64 = 30;

/// The host answers within this, whatever happens: three fifths of what the agent waits (docs/decisions/hook-deadline.md).
pub const DEADLINE: Duration = Duration::from_secs(AGENT_TIMEOUT * 3 / 5);

/// Hooks of git have no deadline of git's; a person waits (docs/decisions/hook-deadline.md).
pub const GIT_DEADLINE: Duration = Duration::from_secs(120);

/// Larger input is not read, in bytes.
const MAX_INPUT: u64 = 64 << 20;

/// The answer to an agent that asks.
pub fn agent(agent: HookAgent, event: &str, ctx: &CommandContext) -> HookReport {
    ctx.process.stop.limit_run(Instant::now(), Some(DEADLINE));
    decision(agent, event, ctx).unwrap_or_else(|why| unjudged(agent, event, why, ctx.process.settings.as_deref()))
}

/// The answer that is given when there is no other in time.
pub fn late(agent: HookAgent, event: &str, settings: Option<&Path>) -> HookReport {
    let why = format!("Guardhost did not judge this within {} s, so it is denied", DEADLINE.as_secs());
    unjudged(agent, event, why, settings)
}

/// What the host failed to judge is denied, unless the user's settings say otherwise.
fn unjudged(agent: HookAgent, event: &str, why: String, settings: Option<&Path>) -> HookReport {
    match on_error::on_error(settings) {
        OnHookError::Deny => {
            HookDecision::against(agent.moment(event).unwrap_or(HookMoment::BeforeTool), why).report(agent)
        }
        OnHookError::Allow => {
            HookReport { reason: Some(on_error::let_pass(&why)), ..HookDecision::Allow.report(agent) }
        }
    }
}

/// The same for an agent whose messages the host reads, where it asks no hooks: `host acp`. What fails is denied.
pub fn answer_message(asked: &HookEvent, ctx: &CommandContext) -> HookDecision {
    let decided = ctx.process.stop.limited(Some(DEADLINE), || decide(None, asked, ctx));
    decided.unwrap_or_else(|error| match on_error::on_error(ctx.process.settings.as_deref()) {
        OnHookError::Deny => HookDecision::against(asked.moment, failed(&error)),
        OnHookError::Allow => {
            ctx.see(&Event::Notice { text: on_error::let_pass(&failed(&error)) });
            HookDecision::Allow
        }
    })
}

/// Before a turn of such an agent, which runs its shell unseen: what [`HookMoment::Stop`] compares with is noted.
///
/// # Errors
/// What judges an agent's changes cannot be read.
pub fn before_turn(cwd: &Path, ctx: &CommandContext) -> Result<Option<String>> {
    safeguards::before(UNSEEN, &real_path(cwd), ctx)
}

/// Stands for commands that nobody sees: it may do anything.
const UNSEEN: &str = "sh";

/// # Errors
/// Why there is none, as a sentence.
fn decision(agent: HookAgent, event: &str, ctx: &CommandContext) -> Result<HookReport, String> {
    let mut input = Vec::new();
    let read = std::io::stdin().lock().take(MAX_INPUT).read_to_end(&mut input);
    read.map_err(|error| format!("Guardhost cannot read what {} sent: {error}", agent.as_str()))?;
    let asked = HookEvent::read(agent, event, &input);
    let asked = asked.map_err(|why| format!("Guardhost denies what it does not understand: {why}"))?;
    let decision = match decide(Some(agent), &asked, ctx) {
        Ok(decision) => decision,
        // A turn that is held again and again would never end; the hooks of git judge what is committed.
        Err(_) if asked.moment == HookMoment::Stop && asked.stop_is_repeated => HookDecision::Allow,
        Err(error) => return Err(failed(&error)),
    };
    Ok(decision.report(agent))
}

fn failed(error: &Error) -> String {
    let hint = fault(error).and_then(|fault| fault.hint.as_deref());
    let hint = hint.map_or(String::new(), |hint| format!(" ({hint})"));
    format!("Guardhost could not judge this, so it is denied: {error:#}{hint}")
}

fn decide(agent: Option<HookAgent>, asked: &HookEvent, ctx: &CommandContext) -> Result<HookDecision> {
    let cwd = ctx.global.repo.as_deref().map(|repo| ctx.path(repo));
    let cwd: PathBuf = cwd.or_else(|| asked.cwd.clone()).unwrap_or_else(|| ctx.process.cwd.clone());
    match asked.moment {
        HookMoment::Stop if asked.stop_is_repeated => {
            safeguards::after(&real_path(&cwd), ctx)?;
            Ok(HookDecision::Allow)
        }
        HookMoment::Stop => {
            let undone = safeguards::after(&real_path(&cwd), ctx)?;
            let uncommitted = uncommitted::unaccepted(&real_path(&cwd), ctx)?.map(|objection| {
                let head = "Guardhost rejects what is not committed. Fix it, or undo it, before you finish:";
                format!("{head}\n{}", objection.reason)
            });
            let parts: Vec<String> = undone.into_iter().chain(uncommitted).collect();
            Ok(match parts.is_empty() {
                true => HookDecision::Allow,
                false => HookDecision::Continue(parts.join("\n")),
            })
        }
        HookMoment::AfterTool => after_tool::decide(&asked.call, &real_path(&cwd), ctx),
        HookMoment::BeforeTool => before_tool(agent, &asked.call, &cwd, ctx),
    }
}

fn before_tool(
    agent: Option<HookAgent>,
    call: &ToolCall,
    cwd: &std::path::Path,
    ctx: &CommandContext,
) -> Result<HookDecision> {
    match call {
        ToolCall::Other => Ok(HookDecision::Allow),
        ToolCall::Shell { command, input } => {
            if let Some(why) = safeguards::before(command, &real_path(cwd), ctx)? {
                return Ok(HookDecision::Deny(format!("{why}\nThis command was not run.")));
            }
            before_shell(agent, command, input, cwd, ctx)
        }
        ToolCall::File(edit) => Ok(match judge_edit::file(edit, cwd, ctx)? {
            EditVerdict::NotConcerned | EditVerdict::Accepted => HookDecision::Allow,
            EditVerdict::Rejected(why) => denied(&why),
            EditVerdict::Fixed { files, fixes, rejected } => {
                let input = match files.as_slice() {
                    [only] => fixed_input::for_file(edit, only),
                    _ => None,
                };
                with_fixes(agent, input, &fixes, &rejected)
            }
        }),
        ToolCall::Files(edits) => Ok(match judge_edit::files(edits, cwd, ctx)? {
            EditVerdict::NotConcerned | EditVerdict::Accepted => HookDecision::Allow,
            EditVerdict::Rejected(why) | EditVerdict::Fixed { rejected: why, .. } => denied(&why),
        }),
        ToolCall::Patch { text, input } => {
            let (verdict, root) = judge_edit::patch(text, cwd, ctx)?;
            Ok(match verdict {
                EditVerdict::NotConcerned | EditVerdict::Accepted => HookDecision::Allow,
                EditVerdict::Rejected(why) => denied(&why),
                EditVerdict::Fixed { files, fixes, rejected } => {
                    let prefix = prefix(&root, &real_path(cwd));
                    let input = prefix.and_then(|prefix| fixed_input::for_patch(input, &prefix, &files));
                    with_fixes(agent, input, &fixes, &rejected)
                }
            })
        }
    }
}

fn before_shell(
    agent: Option<HookAgent>,
    command: &str,
    input: &serde_json::Map<String, serde_json::Value>,
    cwd: &std::path::Path,
    ctx: &CommandContext,
) -> Result<HookDecision> {
    let repo = safeguards::repository(&real_path(cwd))?;
    let common = repo.as_ref().and_then(|repo| repo.common_dir().parent());
    let roots = [repo.as_ref().and_then(Repo::workdir), common].into_iter().flatten();
    Ok(match bypass(command, &roots.collect::<Vec<_>>()) {
        Some(bypass) => HookDecision::Deny(bypass.reason()),
        // Codex lets a shell command be a patch.
        None if command.contains("*** Begin Patch") => match judge_edit::patch(command, cwd, ctx)?.0 {
            EditVerdict::NotConcerned | EditVerdict::Accepted => HookDecision::Allow,
            EditVerdict::Rejected(why) | EditVerdict::Fixed { rejected: why, .. } => denied(&why),
        },
        None if agent == Some(HookAgent::Gemini) => git_hooks_on::decide(command, input),
        None => HookDecision::Allow,
    })
}

/// From a folder up to the root of its repository: `../../`.
fn prefix(root: &std::path::Path, cwd: &std::path::Path) -> Option<String> {
    Some("../".repeat(cwd.strip_prefix(root).ok()?.components().count()))
}

fn denied(why: &str) -> HookDecision {
    HookDecision::Deny(format!("Guardhost rejects this edit, and nothing was written. Send another one:\n{why}"))
}

fn with_fixes(agent: Option<HookAgent>, input: Option<serde_json::Value>, fixes: &str, rejected: &str) -> HookDecision {
    match input.filter(|_| agent.is_none_or(HookAgent::takes_fixed_edits)) {
        Some(input) => HookDecision::Mend {
            input,
            note: format!(
                "Guardhost fixed this edit before it was made; read the file before you change it again:\n{fixes}"
            ),
        },
        None => denied(rejected),
    }
}
