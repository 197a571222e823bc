//! Variables that say whether and which hooks run. What counts is the value that is assigned, whoever assigns it.

use super::analysis::LineContext;
use super::bypass::Bypass;
use super::words::base_name;
use super::{files, settings};
use crate::hook::HookAgent;

/// What a word assigns: `NAME=VALUE`.
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    is_name(name).then_some((name, value))
}

pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether an assignment turns hooks off, or changes what they see.
pub(super) fn assigned(name: &str, value: &str, context: &LineContext) -> Option<Bypass> {
    let off = || Some(Bypass::TurnsOff(format!("{name}={value}")));
    match name {
        "HUSKY" | "LEFTHOOK" if value == "0" || value == "false" => off(),
        "HUSKY_SKIP_HOOKS" if !value.is_empty() && value != "0" => off(),
        "SKIP" | "PREK_SKIP" | "LEFTHOOK_EXCLUDE" if value.contains("guardhost") => off(),
        // Without the user's own settings the hooks stay; with those of another file they may not.
        "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" if !value.is_empty() && value != "/dev/null" => off(),
        "GIT_CONFIG_PARAMETERS" => settings::parameters(value, context),
        name if name.starts_with("GIT_CONFIG_KEY_") => settings::named(value),
        name if name.starts_with("GIT_CONFIG_VALUE_") => settings::command_of(value, context),
        "GIT_WORK_TREE" => files::written_to(value, context),
        name if name.starts_with("GIT_TRACE") => files::written_to(value, context),
        // Git would write down another command than the one that fetched.
        "GIT_REFLOG_ACTION" => off(),
        // What is logged changes no verdict.
        "GUARDHOST_LOG_JSON" => None,
        name if name.starts_with("GUARDHOST_") => off(),
        name if is_agent_mark(name) => off(),
        _ => None,
    }
}

/// By these variables the hooks of git know that a model commits.
fn is_agent_mark(name: &str) -> bool {
    HookAgent::ALL.iter().any(|agent| agent.mark() == name)
}

/// A variable that is taken away: `unset NAME`, `env -u NAME`; or all of them from git, `env -i git`.
pub(super) fn removed(words: &[String]) -> Option<Bypass> {
    let name = |word: &str| word.trim_start_matches("--unset=").trim_start_matches("-u").to_owned();
    let named = words.iter().map(|word| name(word)).find(|name| is_agent_mark(name));
    let takes_all = || {
        let env = words.iter().position(|word| base_name(word) == "env")?;
        let all = words[env..].iter().find(|word| matches!(word.as_str(), "-" | "-i" | "--ignore-environment"))?;
        words[env..].iter().any(|word| base_name(word) == "git").then(|| format!("env {all} git"))
    };
    named.map(|name| format!("unset {name}")).or_else(takes_all).map(Bypass::TurnsOff)
}

/// `setenv NAME VALUE` of csh, `set -gx NAME VALUE` of fish.
pub(super) fn set_by_command<'w>(program: &str, words: &'w [String]) -> Option<(&'w str, &'w str)> {
    if program != "setenv" && program != "set" {
        return None;
    }
    let mut rest = words.iter().filter(|word| !word.starts_with('-'));
    let name = rest.next().filter(|name| is_name(name))?;
    Some((name, rest.next()?))
}
