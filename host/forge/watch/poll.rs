//! Asking until the builds of a commit have ended.

use std::time::Duration;

use jiff::Timestamp;

use super::{CiOutcome, progress};
use crate::error::{ForgeError, ForgeFailure, Result};
use crate::forge::Forge;
use crate::http::Pause;
use crate::model::{CiRun, PullState};

/// Requests that are left to others of the same credential.
const SPARE: u64 = 50;

#[derive(Debug, Clone, Copy)]
pub struct WatchSettings {
    /// Between two questions; a tenth more or less, so that several hosts do not ask at once.
    pub interval: Duration,
    /// For all builds to end.
    pub timeout: Duration,
    /// For the first one to begin.
    pub grace: Duration,
}

/// What is watched.
#[derive(Debug, Clone, Copy)]
pub struct WatchTarget<'a> {
    /// Of the pull request.
    pub number: u64,
    /// Its commit.
    pub sha: &'a str,
    /// Runs that were started again: until their attempt is a later one, they are at work.
    pub again: &'a [CiRun],
}

/// What was seen last.
#[derive(Debug, Clone)]
pub struct CiState {
    pub outcome: CiOutcome,
    pub runs: Vec<CiRun>,
}

/// Returns when the builds of the commit have ended, or are no longer those of the pull request.
///
/// A question that fails because of the network, the server or a limit is asked again until the time is over, and then it is the error.
pub fn watch(
    forge: &dyn Forge,
    target: &WatchTarget<'_>,
    settings: &WatchSettings,
    pause: &dyn Pause,
) -> Result<CiState> {
    let begun = pause.now();
    let mut runs = Vec::new();
    let mut asked = 0;
    loop {
        let failed = match ask(forge, target) {
            Ok((Some(outcome), runs)) => return Ok(CiState { outcome, runs }),
            Ok((None, found)) => {
                runs = found;
                None
            }
            Err(error) if is_passing(&error) => Some(error),
            Err(error) => return Err(error),
        };
        let waited = since(begun, pause.now());
        let grace = if runs.is_empty() && failed.is_none() { settings.grace } else { settings.timeout };
        if waited >= grace.min(settings.timeout) {
            return match failed {
                // What could not be seen is not known.
                Some(error) => Err(error),
                None if runs.is_empty() => Ok(CiState { outcome: CiOutcome::NoRuns, runs }),
                None => Ok(CiState { outcome: CiOutcome::Timeout, runs }),
            };
        }
        let wait = failed.and_then(|error| error.wait);
        let wait = wait.unwrap_or_else(|| next_wait(forge, settings, asked, pause.now()));
        pause.pause(wait.min(settings.timeout.saturating_sub(waited)), "for the builds").map_err(ForgeError::from)?;
        asked += 1;
    }
}

fn ask(forge: &dyn Forge, target: &WatchTarget<'_>) -> Result<(Option<CiOutcome>, Vec<CiRun>)> {
    let pull = forge.pull(target.number)?;
    match pull.state {
        PullState::Closed | PullState::Merged => return Ok((Some(CiOutcome::Closed), Vec::new())),
        PullState::Open => {}
    }
    if pull.head_sha != target.sha {
        return Ok((Some(CiOutcome::Superseded(pull.head_sha)), Vec::new()));
    }
    let mut runs = forge.ci_runs(target.sha)?;
    for run in &mut runs {
        let is_old =
            |again: &CiRun| again.is_workflow == run.is_workflow && again.id == run.id && run.attempt <= again.attempt;
        if target.again.iter().any(is_old) {
            run.conclusion = None;
        }
    }
    Ok((progress(&runs), runs))
}

fn is_passing(error: &ForgeError) -> bool {
    match error.class {
        ForgeFailure::Unreachable | ForgeFailure::Lost | ForgeFailure::Server | ForgeFailure::RateLimited => true,
        ForgeFailure::Unauthorized
        | ForgeFailure::Forbidden
        | ForgeFailure::NotFound
        | ForgeFailure::Conflict
        | ForgeFailure::Rejected
        | ForgeFailure::Protocol
        | ForgeFailure::Address
        | ForgeFailure::Stopped(_) => false,
    }
}

fn next_wait(forge: &dyn Forge, settings: &WatchSettings, asked: u64, now: Timestamp) -> Duration {
    if let Some(rate) = forge.rate().filter(|rate| rate.remaining < SPARE) {
        return since(now, rate.resets).max(settings.interval);
    }
    let seed = blake3::hash(&[now.as_nanosecond().to_le_bytes().as_slice(), &asked.to_le_bytes()].concat());
    let part = f64::from(seed.as_bytes()[0]) / 255.0;
    settings.interval.mul_f64(0.9 + 0.2 * part)
}

fn since(earlier: Timestamp, later: Timestamp) -> Duration {
    Duration::try_from(later.duration_since(earlier)).unwrap_or_default()
}
