//! `--forge`: what became of pull requests, as their forge says: page by page from the newest on, until all that are wanted are known.

use std::collections::BTreeMap;

use guardhost_core::change::{Event, Observer, Oid};
use guardhost_core::error::Result;
use guardhost_forge::{ForgeError, ForgeFailure, PastPull, PullState};
use guardhost_git::{ChangeFate, ForgeSays, ForgeWord, ForgeWords, PastChange, PastChangeKind, PullEnd, Repo};
use guardhost_report::{BacktestForge, ForgeDifference, PullEndAtForge};
use jiff::Timestamp;

use super::stored_pulls::StoredPulls;
use super::tally::outcome;
use crate::cli::{BacktestArgs, ForgeArgs, ForgeName, ForgeSite};
use crate::command::pr::connect;
use crate::context::CommandContext;

/// Pages that are asked for: at 50 entries, which is what Gitea gives, as many as the largest `--limit` has.
const PAGES: u32 = 2_000;
/// Letters of a title, a branch or an account that are kept.
const LETTERS: usize = 200;

/// What a forge said, in this run and in earlier ones.
pub struct ForgeAnswers {
    pub words: ForgeWords,
    /// Why it was not asked about the rest.
    pub ended: Option<ForgeError>,
}

/// Asks the forge of the remote whose heads are judged.
///
/// # Errors
/// Those of the connection, and what a person has to fix: the token, the address, the repository. Where the forge cannot answer now, what is
/// known so far is the answer.
pub fn ask(
    kind: Option<ForgeName>,
    args: &BacktestArgs,
    since: Option<i64>,
    repo: &Repo,
    ctx: &CommandContext,
) -> Result<ForgeAnswers> {
    let remote = args.fetch.clone().unwrap_or_else(|| args.site.remote.clone());
    let site = ForgeSite { remote, ..args.site.clone() };
    let named = format!("{:?} {:?}", site.api, site.repository);
    let connection = connect(&ForgeArgs { forge: kind, site }, repo, ctx)?;
    let mut wanted: BTreeMap<u64, Oid> = repo.pull_heads(args.limit as usize, since)?.into_iter().collect();
    let total = wanted.len();
    let mut kept =
        StoredPulls::open(repo, &format!("{} {named}", connection.url), Timestamp::now().as_second(), ctx.global.fresh);
    wanted.retain(|number, head| kept.words().get(number).is_none_or(|word| word.head != *head));
    let mut ended = None;
    while let Some(lowest) = wanted.keys().next().copied()
        && kept.next_page() <= PAGES
    {
        let known = total - wanted.len();
        ctx.see(&Event::Progress { text: format!("asking the forge: {known} of {total} pull requests are known") });
        let page = match connection.forge.past_pulls(kept.next_page()) {
            Ok(page) => page,
            Err(error) if is_for_now(error.class) => {
                ended = Some(error);
                break;
            }
            Err(error) => return Err(error.into_error()),
        };
        // Highest numbers first: what follows a page below all that is wanted is below it too.
        let is_below = page.pulls.iter().all(|pull| pull.number < lowest);
        for pull in &page.pulls {
            wanted.remove(&pull.number);
        }
        let is_end = page.is_last || is_below || wanted.is_empty();
        kept.add(page.pulls.iter().filter_map(word).collect(), is_end);
        if is_end {
            break;
        }
    }
    Ok(ForgeAnswers { words: kept.into_words(), ended })
}

/// The forge does not answer now; what was asked is right.
fn is_for_now(failure: ForgeFailure) -> bool {
    match failure {
        ForgeFailure::Unreachable
        | ForgeFailure::Lost
        | ForgeFailure::RateLimited
        | ForgeFailure::Server
        | ForgeFailure::Protocol => true,
        ForgeFailure::Unauthorized
        | ForgeFailure::Forbidden
        | ForgeFailure::NotFound
        | ForgeFailure::Conflict
        | ForgeFailure::Rejected
        | ForgeFailure::Address
        | ForgeFailure::Stopped(_) => false,
    }
}

/// None: the forge does not say of which commit it speaks.
fn word(pull: &PastPull) -> Option<(u64, ForgeWord)> {
    let cut = |text: &str| text.chars().take(LETTERS).collect();
    let word = ForgeWord {
        head: Oid::from_str(&pull.head_sha).ok()?,
        end: match pull.state {
            PullState::Merged => PullEnd::Merged(pull.merge_commit.as_deref().and_then(|hex| Oid::from_str(hex).ok())),
            PullState::Closed => PullEnd::Closed,
            PullState::Open => PullEnd::Open,
        },
        title: cut(&pull.title),
        branch: cut(&pull.head),
        account: cut(&pull.author),
        is_by_bot: pull.is_by_bot,
    };
    Some((pull.number, word))
}

/// What the report says of it.
pub fn account(changes: &[PastChange], ended: Option<&ForgeError>) -> BacktestForge {
    let mut report = BacktestForge { ended_by: ended.map(|error| error.class.code()), ..BacktestForge::default() };
    for change in changes {
        match change.forge {
            ForgeSays::NotAsked => {}
            ForgeSays::Nothing => report.unknown += 1,
            ForgeSays::Same(_) => report.told += 1,
            ForgeSays::Settles(_) => {
                report.told += 1;
                report.settled += 1;
            }
            ForgeSays::Otherwise(end, history) => {
                report.told += 1;
                report.differences.extend(difference(change, end, history));
            }
        }
    }
    report
}

fn difference(change: &PastChange, end: PullEnd, history: ChangeFate) -> Option<ForgeDifference> {
    let (PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number)) = change.what else { return None };
    let forge = match end {
        PullEnd::Merged(_) => PullEndAtForge::Merged,
        PullEnd::Closed => PullEndAtForge::Closed,
        PullEnd::Open => PullEndAtForge::Open,
    };
    Some(ForgeDifference { number, history: outcome(history), forge })
}
