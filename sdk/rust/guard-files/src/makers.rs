//! Who made a commit: an agent, a bot, or a person, by what agents and bots leave in commits.

/// Who made a change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeMaker {
    /// A program that writes code for a model: its name in the table of agents, or `another` where the commit says only that there was one.
    Agent(&'static str),
    /// A program that makes changes by fixed rules, such as updates of dependencies.
    Bot,
    /// Nothing says that it was none.
    Person,
}

/// What an agent leaves. All is compared in lower case.
struct AgentTraces {
    name: &'static str,
    /// Parts of `NAME <ADDRESS>` of an author, a committer or a co-author.
    signs: &'static [&'static str],
    /// Parts of a line of the message.
    lines: &'static [&'static str],
    /// How its branches begin.
    branches: &'static [&'static str],
}

const fn agent(
    name: &'static str,
    signs: &'static [&'static str],
    lines: &'static [&'static str],
    branches: &'static [&'static str],
) -> AgentTraces {
    AgentTraces { name, signs, lines, branches }
}

/// The one table of agents that are told by their commits.
const AGENTS: [AgentTraces; 19] = [
    agent(
        "claude",
        &["<noreply@anthropic.com>", "claude[bot]", "claude-code"],
        &["generated with [claude code]", "claude-session:"],
        &["claude/"],
    ),
    agent(
        "codex",
        &["codex <", "<codex@openai.com>", "<noreply@openai.com>", "chatgpt-codex-connector"],
        &["chatgpt.com/codex/tasks/", "generated with [codex"],
        &["codex/"],
    ),
    agent("copilot", &["copilot <", "copilot-swe-agent", "copilot@users.noreply.github.com"], &[], &["copilot/"]),
    agent("cursor", &["<cursoragent@cursor.com>", "cursor agent"], &["made-with: cursor"], &["cursor/"]),
    agent("devin", &["devin-ai-integration", "devin ai <"], &["app.devin.ai/sessions/"], &["devin/"]),
    agent("gemini", &["gemini-cli", "gemini-code-assist", "gemini <"], &["generated with [gemini"], &["gemini/"]),
    agent("jules", &["google-labs-jules"], &["jules.google.com/task"], &["jules/"]),
    agent("aider", &["(aider) <", "aider@aider.chat"], &[], &["aider/"]),
    agent("amp", &["<amp@ampcode.com>"], &["amp-thread-id:", "ampcode.com/threads/"], &["amp/"]),
    agent("opencode", &["opencode@sst.dev", "noreply@opencode.ai"], &["generated with [opencode]"], &["opencode/"]),
    agent("openhands", &["openhands@all-hands.dev", "openhands-agent"], &[], &["openhands/", "openhands-"]),
    agent("crush", &["crush@charm.land"], &["generated with crush"], &["crush/"]),
    agent("droid", &["factory-droid"], &["generated with droid"], &["droid/"]),
    agent("kiro", &["kiro-agent", "kiro agent"], &[], &["kiro/"]),
    agent("qwen", &["qwen-coder <"], &[], &["qwen/"]),
    agent("sweep", &["sweep-ai"], &[], &["sweep/"]),
    agent("warp", &["<agent@warp.dev>"], &[], &["warp/"]),
    agent("windsurf", &["cascade@windsurf", "windsurf-bot"], &[], &["windsurf/"]),
    agent("coderabbit", &["coderabbitai"], &[], &["coderabbitai/"]),
];

/// Bots whose name does not end as GitHub ends those of applications.
const BOTS: [&str; 10] = [
    "dependabot",
    "renovate",
    "github-actions",
    "github actions",
    "pre-commit-ci",
    "greenkeeper",
    "snyk-bot",
    "semantic-release",
    "weblate",
    "allcontributors",
];

/// How GitHub ends the name and the address of an application.
const APPLICATION: [&str; 2] = ["[bot] <", "[bot]@"];

/// Beginnings of the lines of a message that name who took part.
const TRAILERS: [&str; 4] = ["co-authored-by:", "assisted-by:", "generated-by:", "signed-off-by:"];

/// Those that say by themselves that a model helped, whatever follows: the conventions of the Linux kernel and of the Apache foundation.
const DISCLOSURES: [&str; 2] = ["assisted-by:", "generated-by:"];

/// A commit as far as it tells who made it.
pub struct CommitTraces<'c> {
    /// `NAME <ADDRESS>` of author and committer.
    pub people: [String; 2],
    pub message: &'c str,
}

impl CommitTraces<'_> {
    pub fn maker(&self) -> ChangeMaker {
        let people = self.people.each_ref().map(|person| person.to_lowercase());
        let message = self.message.to_lowercase();
        let trailers =
            || message.lines().filter(|line| TRAILERS.iter().any(|trailer| line.trim().starts_with(trailer)));
        let signed = |sign: &&str| {
            people.iter().any(|person| person.contains(*sign)) || trailers().any(|line| line.contains(*sign))
        };
        let found = AGENTS
            .iter()
            .find(|agent| agent.signs.iter().any(&signed) || agent.lines.iter().any(|line| message.contains(line)));
        match found {
            Some(agent) => ChangeMaker::Agent(agent.name),
            None if message.lines().any(|line| DISCLOSURES.iter().any(|key| line.trim().starts_with(key))) => {
                ChangeMaker::Agent("another")
            }
            None if is_bot(&people[0]) => ChangeMaker::Bot,
            None => ChangeMaker::Person,
        }
    }
}

fn is_bot(person: &str) -> bool {
    APPLICATION.iter().any(|mark| person.contains(mark)) || BOTS.iter().any(|bot| person.contains(bot))
}

/// The agent that gives its branches such a name; `branch` without `refs/heads/`.
pub fn agent_of_branch(branch: &str) -> Option<&'static str> {
    let branch = branch.to_lowercase();
    let of = |agent: &&AgentTraces| agent.branches.iter().any(|start| branch.starts_with(start));
    AGENTS.iter().find(of).map(|agent| agent.name)
}

/// Who made a change of several commits: an agent that had a part in it, else a bot if it is all of bots.
pub fn maker_of_all(makers: &[ChangeMaker]) -> ChangeMaker {
    if let Some(agent) = makers.iter().find(|maker| matches!(maker, ChangeMaker::Agent(_))) {
        return agent.clone();
    }
    match !makers.is_empty() && makers.iter().all(|maker| *maker == ChangeMaker::Bot) {
        true => ChangeMaker::Bot,
        false => ChangeMaker::Person,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_tells_who_made_it() {
        use ChangeMaker::{Agent, Bot, Person};
        for (author, message, expected) in [
            ("A <a@example.org>", "x", Person),
            ("Claude <a@example.org>", "x", Person),
            ("A <a@example.org>", "x\n\nCo-Authored-By: Claude <noreply@anthropic.com>", Agent("claude")),
            ("A <a@example.org>", "x\n\n\u{1f916} Generated with [Claude Code](https://example.org)", Agent("claude")),
            ("A <a@example.org>", "mention Claude <noreply@anthropic.com> in the docs", Person),
            ("copilot-swe-agent[bot] <1+Copilot@users.noreply.github.com>", "x", Agent("copilot")),
            ("Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>", "x", Agent("devin")),
            ("dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>", "x", Bot),
            ("Renovate Bot <renovate@example.org>", "x", Bot),
            ("Sam (aider) <a@example.org>", "x", Agent("aider")),
            ("A <a@example.org>", "x\n\nAssisted-by: a model", Agent("another")),
        ] {
            let traces = CommitTraces { people: [author.to_owned(), "A <a@example.org>".to_owned()], message };
            assert_eq!(traces.maker(), expected, "{author}: {message}");
        }
        assert_eq!(agent_of_branch("Devin/17-fix"), Some("devin"));
        assert_eq!(agent_of_branch("fix/devin"), None);
        assert_eq!(maker_of_all(&[Bot, Person]), Person);
        assert_eq!(maker_of_all(&[Person, Agent("codex")]), Agent("codex"));
    }
}
