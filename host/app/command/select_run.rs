//! Which recorded run the command line means.

use std::path::Path;

use guardhost_core::error::{Error, Fault, FaultKind, Result};
use guardhost_report::journal::{Depth, FoundRun, History, find, recorded_runs};

/// The run whose id begins with `name`, or whose branch is `name`.
///
/// # Errors
/// [`FaultKind::Usage`]: there is none, or more than one.
pub fn named_run(state_dir: &Path, name: &str) -> Result<History> {
    recorded(state_dir, name)?.ok_or_else(|| none(name).into())
}

/// The same; None when no such run is recorded here.
///
/// # Errors
/// [`FaultKind::Usage`]: there is more than one, or this cannot be the beginning of an id.
pub fn recorded(state_dir: &Path, name: &str) -> Result<Option<History>> {
    if name.contains('/') {
        let is_named = |history: &History| history.step_of().is_none() && history.branch().as_deref() == Some(name);
        return first(state_dir, is_named);
    }
    match find(state_dir, name)? {
        FoundRun::One(history) => Ok(Some(history)),
        FoundRun::None => Ok(None),
        FoundRun::Several(runs) => Err(several(name, &runs)),
    }
}

/// The newest run that is wanted. None is read behind it.
fn first(state_dir: &Path, is_wanted: impl Fn(&History) -> bool) -> Result<Option<History>> {
    recorded_runs(state_dir, Depth::All)?.find(|history| history.as_ref().map_or(true, &is_wanted)).transpose()
}

/// Ids, newest first.
pub fn several(name: &str, runs: &[String]) -> Error {
    let shown = runs.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    Fault::new(FaultKind::Usage, format!("{} runs begin with `{name}`", runs.len()))
        .hint(format!("give more of one: {shown}"))
        .into()
}

pub fn none(name: &str) -> Fault {
    let verb = if name.contains('/') { "is on the branch" } else { "begins with" };
    Fault::new(FaultKind::Usage, format!("no run {verb} `{}`", name.escape_debug()))
        .hint("`host log` lists those that are stored; older ones were pruned")
}

/// The run of this name; without one, the newest that is wanted. Steps of plans are named or not meant.
///
/// # Errors
/// [`FaultKind::Usage`]: there is none.
pub fn run_or_newest(
    state_dir: &Path,
    name: Option<&str>,
    wanted: impl Fn(&History) -> bool,
    missing: &'static str,
) -> Result<History> {
    let Some(name) = name else {
        return newest_wanted(state_dir, wanted)?
            .ok_or_else(|| Fault::new(FaultKind::Usage, missing).hint("host run --task TEXT makes one").into());
    };
    named_run(state_dir, name)
}

/// The newest run that is wanted. Steps of plans are not meant.
///
/// # Errors
/// The records cannot be read.
pub fn newest_wanted(state_dir: &Path, wanted: impl Fn(&History) -> bool) -> Result<Option<History>> {
    first(state_dir, |history| history.step_of().is_none() && wanted(history))
}
