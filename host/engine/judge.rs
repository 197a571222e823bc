//! One guard and one change, up to its evidence.

use std::sync::Arc;
use std::time::Instant;

use super::call::Call;
use super::case::Case;
use super::failure::Failure;
use super::globs::Globs;
use super::load::Loaded;
use super::run::{self, Ran};
use super::set::{Guard, GuardSet};
use guardhost_core::change::{Evidence, GuardVerdict, RepoPath, Verdict};

/// Builds and tests cost minutes: guards that ask for them have the second turn.
#[derive(Clone, Copy)]
pub enum Turn {
    Cheap,
    /// With what the cheap ones came to.
    Costly(Verdict),
    /// A guard of the set is not what was locked: nothing of it runs.
    Barred,
}

pub struct Judged {
    pub evidence: Evidence,
    /// Bytes of linear memory that the call came to; 0 without one.
    pub memory: u64,
    /// Something that loading the guard has to tell the user.
    pub notice: Option<String>,
}

/// None: the guard's turn comes later.
pub fn judge(guard: &Guard, set: &GuardSet, case: &Arc<Case>, turn: Turn) -> Option<Judged> {
    let begun = Instant::now();
    let (loaded, ran) = match ready(guard, set, case, turn) {
        Ready::Later => return None,
        Ready::Settled(verdict) => (guard.loaded(), Ran::without_call(verdict)),
        Ready::Call(loaded, files) => {
            let limits = &guard.spec.limits;
            let call = Call::new(case.clone(), files, set.machine.services.clone(), limits);
            (Some(loaded), run::check(&loaded.pre, case, call, limits, &guard.settings))
        }
    };
    let fresh = guard.is_news();
    let known = guard.known();
    let evidence = Evidence {
        id: guard.spec.id.clone(),
        mark: known.map_or(String::new(), |known| known.mark.clone()),
        version: known.map_or(String::new(), |known| known.version.clone()),
        digest: guard.known_digest(),
        mode: guard.spec.mode,
        verdict: ran.verdict,
        event: known.map_or(String::new(), |known| known.event.clone()),
        micros: u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
        fuel: ran.fuel,
        cached: loaded.is_some_and(|loaded| loaded.cached || !fresh),
        metrics: ran.metrics,
        log: ran.log,
    };
    let notice = loaded.filter(|_| fresh).and_then(|loaded| loaded.notice.clone());
    Some(Judged { evidence, memory: ran.memory, notice })
}

enum Ready<'a> {
    Later,
    /// There is nothing to call.
    Settled(GuardVerdict),
    /// The guard, and the touched files that it sees.
    Call(&'a Loaded, Vec<usize>),
}

/// Whether a pinned guard that the change concerns says that it is another version than was locked. Only the guard itself can tell.
pub fn is_another(guard: &Guard, set: &GuardSet, case: &Case) -> bool {
    let concerned = || touched(case, |path| guard.sees(path)).next().is_some();
    let mismatch = || guard.load(set).is_err_and(|failure| failure.code == "version-mismatch");
    guard.pinned().is_some() && concerned() && mismatch()
}

/// What can be said without loading is said without loading.
fn ready<'a>(guard: &'a Guard, set: &'a GuardSet, case: &Case, turn: Turn) -> Ready<'a> {
    let settled = |reason: String| Ready::Settled(GuardVerdict::NotApplicable(reason));
    let failed = |failure: Failure| Ready::Settled(failure.verdict());
    let files: Vec<usize> = touched(case, |path| guard.sees(path)).collect();
    if files.is_empty() {
        return settled("no touched file is under its paths".to_string());
    }
    let description = match guard.description(set) {
        Ok(description) => description,
        Err(failure) => return failed(failure),
    };
    if matches!(turn, Turn::Barred) {
        return settled("not run: another guard of the set is not what was locked".to_string());
    }
    let globs = match Globs::new(&description.globs) {
        Ok(globs) => globs,
        Err(what) => return failed(Failure::new("bad-description", what)),
    };
    if !globs.is_empty() && !touched(case, |path| guard.sees(path) && globs.matches(path)).any(|_| true) {
        return settled(format!("no touched file matches {}", some(&description.globs)));
    }
    if !description.judges_changes() {
        return settled("it judges plans, not changes".to_string());
    }
    match (description.is_costly(), turn) {
        (true, Turn::Cheap) => return Ready::Later,
        (true, Turn::Costly(Verdict::Reject)) => {
            return settled("not run: a cheaper guard rejects the change".to_string());
        }
        (true, Turn::Costly(Verdict::Error)) => return settled("not run: a cheaper guard failed".to_string()),
        (true, Turn::Costly(Verdict::Pass) | Turn::Barred) | (false, _) => {}
    }
    match guard.load(set) {
        Ok(loaded) => Ready::Call(loaded, files),
        Err(failure) => failed(failure),
    }
}

/// Indices of the touched files of which one path, the new or the old, is wanted.
fn touched(case: &Case, wanted: impl Fn(&RepoPath) -> bool) -> impl Iterator<Item = usize> {
    let files = case.candidate.files.iter().enumerate();
    files
        .filter(move |(_, file)| wanted(&file.path) || file.old_path.as_ref().is_some_and(&wanted))
        .map(|(index, _)| index)
}

fn some(globs: &[String]) -> String {
    let shown: Vec<_> = globs.iter().take(5).map(|glob| super::plain::plain_line(glob, 80)).collect();
    let more = if globs.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
