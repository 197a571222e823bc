//! Commits of models that say so, where the repository asks for it.

use guard_files::makers::{ChangeMaker, CommitTraces};
use guardhost_core::change::{Candidate, CommitInfo, Evidence, Finding, HostRule, Severity};
use guardhost_policy::config::CO_AUTHOR;
use guardhost_policy::{Disclosure, Policy};

/// A trailer of commits that the host makes, merges included.
const BY_HOST: &str = "Guardhost-Run";

/// A trailer of those that it makes of a provider's reply.
const OF_REPLY: &str = "Guardhost-Provider";

/// How git begins the messages of merges that it makes.
const MERGES: [&str; 5] = ["Merge branch ", "Merge branches ", "Merge commit ", "Merge tag ", "Merge remote-tracking "];

/// Commits that are named, each in a finding.
const NAMED: usize = 5;

/// The rejection of commits that a model made without a word of it; None where all say so, or none needs to.
///
/// A model made a commit if it leaves an agent's traces, if the host made it of a reply, or if an agent's shell makes it.
pub(crate) fn undisclosed(candidate: &Candidate, policy: &Policy) -> Option<Evidence> {
    let Disclosure { trailers, of_every_commit } = &policy.disclosure;
    let key = trailers.written()?;
    let silent = candidate.commits.iter().filter_map(|commit| {
        let maker = model_of(commit, *of_every_commit)?;
        (!is_disclosed(commit, &trailers.0)).then(|| finding(commit, maker, key))
    });
    let mut findings: Vec<Finding> = silent.take(NAMED + 1).collect();
    if findings.len() > NAMED {
        findings.truncate(NAMED);
        findings.push(Finding::new("undisclosed", Severity::Error, "so it is with more commits".to_owned()));
    }
    (!findings.is_empty()).then(|| HostRule::ModelsDisclosed.rejection(findings))
}

/// The name of the agent that made it, `None` inside where nothing names it; nothing for a person's.
fn model_of(commit: &CommitInfo, of_every_commit: bool) -> Option<Option<&'static str>> {
    match maker(commit, &commit.message) {
        ChangeMaker::Agent(name) => return Some(Some(name).filter(|name| *name != "another")),
        // What a bot makes follows fixed rules, whoever starts it.
        ChangeMaker::Bot => return None,
        ChangeMaker::Person => {}
    }
    let trailers = commit.trailers();
    let has = |name: &str| trailers.iter().any(|(key, _)| key == name);
    let wrote_nothing = || has(BY_HOST) || MERGES.iter().any(|start| commit.message.starts_with(start));
    (has(OF_REPLY) || (of_every_commit && !wrote_nothing())).then_some(None)
}

fn is_disclosed(commit: &CommitInfo, keys: &[String]) -> bool {
    let counts = |key: &str| keys.iter().any(|wanted| wanted.eq_ignore_ascii_case(key));
    let is_agent = |message: &str| matches!(maker(commit, message), ChangeMaker::Agent(_));
    // An agent that is the author itself says more than one that helped.
    if counts(CO_AUTHOR) && is_agent("") {
        return true;
    }
    commit.trailers().iter().any(|(key, value)| {
        counts(key)
            && match key.eq_ignore_ascii_case(CO_AUTHOR) {
                true => is_agent(&format!("x\n\n{key}: {value}")),
                false => !value.trim().is_empty(),
            }
    })
}

fn maker(commit: &CommitInfo, message: &str) -> ChangeMaker {
    let author = format!("{} <{}>", commit.author_name, commit.author_email);
    CommitTraces { people: [author, String::new()], message }.maker()
}

fn finding(commit: &CommitInfo, agent: Option<&str>, key: &str) -> Finding {
    let id = commit.oid.map_or_else(|| "the commit".to_owned(), |oid| format!("commit {}", &oid.to_string()[..12]));
    let by = agent.map_or_else(String::new, |agent| format!(" ({agent})"));
    let message = format!("{id} is a model's{by}, and its message does not say so");
    let line = format!("{key}: {}:MODEL_VERSION", agent.unwrap_or("AGENT_NAME"));
    let help = format!(
        "The last paragraph of its message needs the line `{line}`, with the names of the agent and its model: `git commit --trailer \
         '{line}'`. Write it into no commit that a person made: a person brings that in."
    );
    Finding { help: Some(help), ..Finding::new("undisclosed", Severity::Error, message) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(author: &str, message: &str) -> CommitInfo {
        let (name, email) = author.split_once(" <").expect("NAME <ADDRESS>");
        let email = email.trim_end_matches('>').to_owned();
        CommitInfo { author_name: name.to_owned(), author_email: email, ..CommitInfo::proposed(message) }
    }

    /// Whether the commit is rejected: where it comes by itself, and where an agent's shell makes it.
    fn rejected(author: &str, message: &str, keys: &[&str]) -> (bool, bool) {
        let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        let commit = commit(author, message);
        let rejected = |of_every_commit| model_of(&commit, of_every_commit).is_some() && !is_disclosed(&commit, &keys);
        (rejected(false), rejected(true))
    }

    #[test]
    fn models_say_so_and_people_need_not() {
        let person = "A <a@example.org>";
        let agent = "copilot-swe-agent[bot] <1+Copilot@users.noreply.github.com>";
        let (assisted, both) = (&["Assisted-by"][..], &["Assisted-by", "Co-authored-by"][..]);
        for (author, message, keys, expected) in [
            (person, "x", assisted, (false, true)),
            (person, "x\n\nAssisted-by: claude:opus-5 coccinelle", assisted, (false, false)),
            (person, "x\n\nassisted-by: a chat", assisted, (false, false)),
            (person, "x\n\nAssisted-by:", assisted, (true, true)),
            (person, "x\n\nAssisted-by: claude:opus-5\n\nand more", assisted, (true, true)),
            (person, "x\n\nGenerated-by: a chat", assisted, (true, true)),
            (person, "x\n\nCo-authored-by: Claude <noreply@anthropic.com>", assisted, (true, true)),
            (person, "x\n\nCo-authored-by: Claude <noreply@anthropic.com>", both, (false, false)),
            // A person who helped says nothing of a model.
            (person, "x\n\nCo-authored-by: B <b@example.org>", both, (false, true)),
            (agent, "x", assisted, (true, true)),
            (agent, "x", both, (false, false)),
            (person, "x\n\nGuardhost-Run: 1\nGuardhost-Provider: local", assisted, (true, true)),
            (person, "Merge branch 'main' into topic", assisted, (false, false)),
            (person, "Merge guardhost/count\n\nGuardhost-Run: 1", assisted, (false, false)),
            ("dependabot[bot] <1+dependabot[bot]@users.noreply.github.com>", "x", assisted, (false, false)),
        ] {
            assert_eq!(rejected(author, message, keys), expected, "{author}: {message} {keys:?}");
        }
    }
}
