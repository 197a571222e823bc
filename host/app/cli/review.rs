//! `host review`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::{AdviceArgs, ForgeArgs, ImproveArgs, ProviderArgs};

/// The critic of a whole pull request.
const SELF: &str = "critic-self";
/// Those whose objections are worth another version, where none is named.
const REFINING: [&str; 3] = ["critic-panel", "critic-devil", "critic-questions"];

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("change").required(true))]
pub struct ReviewArgs {
    /// Review the staged changes, compared with HEAD
    #[arg(long, group = "change")]
    pub staged: bool,
    /// Review everything that is not committed, untracked files too
    #[arg(long, group = "change")]
    pub worktree: bool,
    /// Review A..B, A...B (from their merge base), or one commit
    #[arg(long, value_name = "A..B", group = "change")]
    pub range: Option<String>,
    /// Review what a run committed: the beginning of its id, or its branch
    #[arg(long, value_name = "RUN", group = "change")]
    pub run: Option<String>,
    /// Review an open pull request by its number, against its base; its title and text are not shown to models
    #[arg(long, value_name = "N", group = "change")]
    pub pr: Option<u64>,
    /// Publish what is found: comments on the lines, and a review that neither approves nor refuses
    #[arg(long, requires = "pr")]
    pub post: bool,
    /// What the change is for [default: the task of the run]
    #[arg(long, value_name = "TEXT", env = "GUARDHOST_TASK")]
    pub task: Option<String>,
    /// A critic to ask: critic-panel, critic-devil, critic-questions, critic-self (for a whole pull request), with `=PROVIDER` behind it one of its own; repeatable [default: critic-panel; none with --voter]
    #[arg(long = "critic", value_name = "ID", env = "GUARDHOST_CRITIC", value_delimiter = ',')]
    pub critics: Vec<String>,
    /// A member of an ensemble: critic-panel and critic-self ask every one of them, and what --agree of them say counts
    #[arg(
        long = "member",
        value_name = "NAME",
        env = "GUARDHOST_MEMBER",
        value_delimiter = ',',
        conflicts_with = "answers"
    )]
    pub members: Vec<String>,
    /// How many members must agree: about the same file, near the same line, in like words
    #[arg(long, value_name = "N", env = "GUARDHOST_AGREE", default_value_t = 2)]
    pub agree: usize,
    /// Send blocker and major objections to this provider, once; the result replaces the commits if all guards accept it and a judge prefers it in both orders
    #[arg(long, value_name = "NAME", env = "GUARDHOST_REFINE", requires = "run", conflicts_with = "answers")]
    pub refine: Option<String>,
    /// Who compares the refined version with the old one [default: the provider of the critics]
    #[arg(long, value_name = "NAME", env = "GUARDHOST_JUDGE")]
    pub judge: Option<String>,
    /// A provider that votes; an approval needs two or more, which do not see each other's votes
    #[arg(long = "voter", value_name = "NAME", env = "GUARDHOST_VOTER", value_delimiter = ',')]
    pub voters: Vec<String>,
    /// Who wrote the change, as a provider or a model; no voter may be of the same family of models [default: the provider of the run]
    #[arg(long, value_name = "NAME", env = "GUARDHOST_AUTHOR")]
    pub author: Option<String>,
    /// Let voters be of the author's family of models
    #[arg(long, env = "GUARDHOST_ALLOW_SAME_FAMILY", value_parser = clap::builder::FalseyValueParser::new())]
    pub allow_same_family: bool,
    /// The mean of the scores, from 0 to 100, that approves
    #[arg(long, value_name = "SCORE", env = "GUARDHOST_THRESHOLD", default_value_t = 80, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub threshold: u8,
    /// Ask no model: judge again from the recorded answers of an earlier review
    #[arg(long, value_name = "FILE", conflicts_with = "voters")]
    pub answers: Option<PathBuf>,
    #[command(flatten)]
    pub provider: ProviderArgs,
    #[command(flatten)]
    pub forge: ForgeArgs,
}

impl ReviewArgs {
    /// Of what a run of `host improve` committed, to refine it.
    pub fn to_refine(args: &ImproveArgs, provider: &ProviderArgs) -> Self {
        let named = args.pull.advice.critics.iter().filter(|critic| critic.split('=').next() != Some(SELF));
        let mut advice = AdviceArgs { critics: named.cloned().collect(), ..AdviceArgs::default() };
        if advice.critics.is_empty() {
            advice.critics = REFINING.map(str::to_owned).into();
        }
        ReviewArgs {
            range: None,
            refine: args.refine.clone(),
            judge: args.judge.clone(),
            allow_same_family: args.allow_same_family,
            ..ReviewArgs::from_pull(String::new(), &advice, provider, &args.forge)
        }
    }

    /// Of a pull request that is about to be opened: `A..B`.
    pub fn from_pull(range: String, advice: &AdviceArgs, provider: &ProviderArgs, forge: &ForgeArgs) -> Self {
        let critics = match advice.critics.as_slice() {
            [] => vec![SELF.to_owned()],
            named => named.to_vec(),
        };
        ReviewArgs {
            staged: false,
            worktree: false,
            range: Some(range),
            run: None,
            pr: None,
            post: false,
            task: None,
            critics,
            members: Vec::new(),
            agree: 2,
            refine: None,
            judge: None,
            voters: advice.voters.clone(),
            author: None,
            allow_same_family: false,
            threshold: 80,
            answers: None,
            provider: provider.clone(),
            forge: forge.clone(),
        }
    }
}
