//! What a fetch wrote below `refs/remotes/`, and whether a remote has it.
//!
//! What others made is not judged here, and a ref of a remote tells that they did. Git writes such a ref for whatever a command names: a
//! clone beside this one, a bundle, another address for one command. For a person that is their own choice. Of a model's fetch only what
//! evidently came from a remote counts as that.

use crate::context::CommandContext;
use guardhost_core::change::Oid;
use guardhost_core::error::Result;
use guardhost_gate::ChangeAuthor;
use guardhost_gate::branch::Ledger;
use guardhost_git::Repo;

use super::input;
use super::repository;
use crate::hook::shell::settings_of_command;

/// Beginnings of the settings that a command may bring without a say in whom git asks, and whether it writes that down.
const HARMLESS: [&str; 20] = [
    "advice.",
    "am.",
    "color.",
    "column.",
    "commit.",
    "core.askpass",
    "core.editor",
    "core.hookspath",
    "core.pager",
    "core.quotepath",
    "credential.",
    "diff.",
    "fetch.",
    "gc.",
    "http.extraheader",
    "init.",
    "log.",
    "maintenance.",
    "safe.",
    "user.",
];

/// Options of `git fetch` and `git pull` that take the next word.
const WITH_VALUE: [&str; 17] = [
    "--deepen",
    "--depth",
    "--filter",
    "--jobs",
    "--negotiation-tip",
    "--refmap",
    "--server-option",
    "--shallow-exclude",
    "--shallow-since",
    "--strategy",
    "--strategy-option",
    "--submodule-prefix",
    "-S",
    "-X",
    "-j",
    "-o",
    "-s",
];

/// Notes what refs of remotes got. They are moved by now, and git's log has its words for it.
pub fn fetched(ctx: &CommandContext) -> Result<()> {
    let moved = input::of_remotes(&input::read()?)?;
    let repo = repository(ctx)?;
    // There no ref of a remote counts.
    if moved.is_empty() || repo.is_bare() {
        return Ok(());
    }
    let mut ledger = Ledger::open(&repo, ctx.process.cache.as_deref());
    let mut tips = Vec::new();
    for (name, tip) in moved {
        let witnesses = repo.witnesses_of(&name, ledger.remotes())?;
        let is_vouched = match ctx.author() {
            // Of what people get from elsewhere nothing is noted: the refs of a remote that is none count for nobody.
            ChangeAuthor::Person if witnesses.is_empty() => continue,
            ChangeAuthor::Person => true,
            ChangeAuthor::Model => !brings_settings(ctx) && is_of(&repo, &name, tip, &witnesses)?,
        };
        tips.push((tip, is_vouched));
    }
    ledger.fetched(&tips)
}

/// Whether the command came with settings of its own that may say whom git asks in the place of a remote.
fn brings_settings(ctx: &CommandContext) -> bool {
    let var = |name: &str| ctx.process.var(name).map(|value| value.to_string_lossy().into_owned());
    let count = var("GIT_CONFIG_COUNT").map_or(Some(0), |count| count.parse::<usize>().ok());
    // What cannot be counted could be any.
    let Some(count) = count.filter(|count| *count < 1000) else { return true };
    let numbered = (0..count).map(|number| var(&format!("GIT_CONFIG_KEY_{number}")).unwrap_or_default());
    let of_options = settings_of_command(&var("GIT_CONFIG_PARAMETERS").unwrap_or_default());
    let is_harmless = |name: &String| HARMLESS.iter().any(|start| name.to_ascii_lowercase().starts_with(start));
    !numbered.chain(of_options).all(|name| is_harmless(&name))
        || ["GIT_SSH", "GIT_PROXY_COMMAND", "GIT_SSL_NO_VERIFY"].iter().any(|name| var(name).is_some())
        || var("GIT_SSH_COMMAND").is_some_and(|command| !asks_the_address(&command))
}

/// Whether a command for ssh connects to the address that git gives it, and only says how: a file of settings, a jump or an option such as
/// `HostName` leads elsewhere.
fn asks_the_address(command: &str) -> bool {
    const OPTIONS: [&str; 7] = [
        "batchmode=",
        "connecttimeout=",
        "identitiesonly=",
        "identityfile=",
        "serveraliveinterval=",
        "stricthostkeychecking=",
        "userknownhostsfile=",
    ];
    let mut words = command.split(' ').filter(|word| !word.is_empty());
    let is_said = !command.contains(['$', '`', ';', '|', '&', '<', '>', '(', '\n', '\'', '"', '\\']);
    if !is_said || words.next() != Some("ssh") {
        return false;
    }
    while let Some(word) = words.next() {
        let is_harmless = match word {
            "-q" | "-v" | "-4" | "-6" | "-T" | "-a" | "-x" => true,
            "-i" => words.next().is_some(),
            "-o" => words.next().is_some_and(|option| {
                let option = option.to_ascii_lowercase();
                OPTIONS.iter().any(|known| option.starts_with(known))
            }),
            _ => false,
        };
        if !is_harmless {
            return false;
        }
    }
    true
}

/// Whether git wrote down that this move came from one of these remotes: by its name, or as the one that git asks by default. What a push
/// put there the remote has taken.
fn is_of(repo: &Repo, ref_name: &str, tip: Oid, remotes: &[String]) -> Result<bool> {
    let Some(message) = repo.logged_move(ref_name, tip)? else { return Ok(false) };
    if message == "update by push" {
        return Ok(!remotes.is_empty());
    }
    let mut words = message.rsplit_once(": ").map_or(message.as_str(), |(words, _)| words).split(' ');
    if !matches!(words.next(), Some("fetch" | "pull")) {
        return Ok(false);
    }
    let mut is_value = false;
    let mut asked = None;
    for word in words {
        match word {
            _ if std::mem::take(&mut is_value) => {}
            _ if word.starts_with("--upload-pack") || word.starts_with("--exec") => return Ok(false),
            // Git takes every beginning of an option that means one alone.
            _ if word.starts_with('-') => {
                let means = |option: &&str| match option.strip_prefix("--") {
                    Some(_) => word.len() > 3 && option.starts_with(word),
                    None => *option == word,
                };
                is_value = WITH_VALUE.iter().any(means);
            }
            // What follows says which refs. A path that begins like a remote would go on like none.
            _ if asked.is_some() => {
                if word.starts_with(['/', '.']) || word.contains("..") {
                    return Ok(false);
                }
            }
            _ => asked = Some(word.to_owned()),
        }
    }
    let asked = match asked {
        Some(asked) => asked,
        None => repo.default_remote()?,
    };
    Ok(remotes.contains(&asked))
}

#[cfg(test)]
mod tests {
    use super::asks_the_address;

    #[test]
    fn commands_of_ssh() {
        for command in
            ["ssh", "ssh -i key", "ssh -4 -q -i key -o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new"]
        {
            assert!(asks_the_address(command), "{command}");
        }
        for command in [
            "",
            "./ssh",
            "ssh -F other",
            "ssh -J jump",
            "ssh -p 2222",
            "ssh -o HostName=other",
            "ssh -oHostName=other",
            "ssh -o ProxyCommand=other",
            "ssh -i",
            "ssh -i key other",
            "ssh -i $(other)",
            "ssh; other",
            "ssh -i 'a -F b'",
        ] {
            assert!(!asks_the_address(command), "{command}");
        }
    }
}
