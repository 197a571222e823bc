//! What a forge says of a pull request, put beside what the history tells of it. The forge knows what became of it; the history only that its
//! change is in HEAD, or is not.

use std::collections::HashMap;

use git2::Repository;

use super::main_line::MainLine;
use super::{ChangeFate, Landing, LandingWay};
use guard_files::makers::{ChangeMaker, CommitTraces, agent_of_branch};
use guardhost_core::change::Oid;

/// What a forge says of pull requests, by their number. What it does not say is not in it.
pub type ForgeWords = HashMap<u64, ForgeWord>;

/// What a forge says of one pull request. Title, branch and account are a stranger's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgeWord {
    /// The commit that it speaks of: of another one it says nothing.
    pub head: Oid,
    pub end: PullEnd,
    /// Empty where it has none.
    pub title: String,
    /// The branch with the change, without `refs/heads/`.
    pub branch: String,
    /// Who opened it; empty where that account is gone.
    pub account: String,
    /// No person signs in with this account.
    pub is_by_bot: bool,
}

/// How a pull request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PullEnd {
    /// By this commit, if the forge names it.
    Merged(Option<Oid>),
    Closed,
    Open,
}

/// How the word of a forge stands to what the history tells of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeSays {
    /// It was not asked, or the change is no pull request.
    NotAsked,
    /// It was asked, and did not speak of this commit.
    Nothing,
    /// The same.
    Same(PullEnd),
    /// The history had left it undecided.
    Settles(PullEnd),
    /// The history alone would have told this of it.
    Otherwise(PullEnd, ChangeFate),
}

impl ForgeWord {
    /// Who made the change, where its commits alone tell `own`.
    pub fn maker(&self, own: ChangeMaker) -> ChangeMaker {
        if let ChangeMaker::Agent(_) = own {
            return own;
        }
        match agent_of_branch(&self.branch) {
            Some(agent) => ChangeMaker::Agent(agent),
            None => match maker_of_account(&self.account, self.is_by_bot) {
                ChangeMaker::Person => own,
                maker => maker,
            },
        }
    }

    /// The commit by which it came into HEAD; None where it came into another branch, or the commit is not in this clone.
    fn landing(&self, repo: &Repository, line: &MainLine) -> Option<Landing> {
        let PullEnd::Merged(Some(commit)) = self.end else { return None };
        line.position(commit)?;
        let how = match repo.find_commit(commit).ok()?.parent_count() {
            0 | 1 => LandingWay::Squash,
            _ => LandingWay::Merge,
        };
        Some(Landing { commit, how })
    }
}

/// What became of a pull request: the forge wins. Where it was asked and says nothing, that a change is not in HEAD is not taken for its being
/// closed.
pub fn settle(
    repo: &Repository,
    line: &MainLine,
    word: Option<&ForgeWord>,
    history: (Option<Landing>, ChangeFate),
) -> (Option<Landing>, ChangeFate, ForgeSays) {
    let (landing, from_history) = history;
    let Some(word) = word else {
        let fate = if from_history == ChangeFate::Closed { ChangeFate::Undecided } else { from_history };
        return (landing, fate, ForgeSays::Nothing);
    };
    let (landing, fate) = match word.end {
        PullEnd::Merged(_) => (landing.or_else(|| word.landing(repo, line)), ChangeFate::Kept),
        PullEnd::Closed => (None, ChangeFate::Closed),
        PullEnd::Open => (None, ChangeFate::Undecided),
    };
    let says = match from_history {
        from_history if from_history == fate => ForgeSays::Same(word.end),
        ChangeFate::Undecided => ForgeSays::Settles(word.end),
        from_history => ForgeSays::Otherwise(word.end, from_history),
    };
    (landing, fate, says)
}

/// Who has an account at a forge. `is_bot`: the forge says that no person signs in with it; an agent's name alone may be a person's.
fn maker_of_account(name: &str, is_bot: bool) -> ChangeMaker {
    let traces = CommitTraces { people: [format!("{name} <>"), String::new()], message: "" };
    match (traces.maker(), is_bot) {
        (ChangeMaker::Person, true) => ChangeMaker::Bot,
        (ChangeMaker::Agent(_), false) => ChangeMaker::Person,
        (maker, _) => maker,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_tells_who_made_a_pull_request() {
        use ChangeMaker::{Agent, Bot, Person};
        for (account, is_bot, expected) in [
            ("someone", false, Person),
            ("codex", false, Person),
            ("renovate", false, Bot),
            ("dependabot[bot]", true, Bot),
            ("project_7_bot_1a2b", true, Bot),
            ("Copilot", true, Agent("copilot")),
            ("devin-ai-integration[bot]", true, Agent("devin")),
            ("", false, Person),
        ] {
            assert_eq!(maker_of_account(account, is_bot), expected, "{account}");
        }
    }
}
