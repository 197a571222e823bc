//! Which recorded run the command line means.

use std::path::Path;

use guardhost_core::error::{Fault, Kind, Result};
use guardhost_report::journal::{FoundRun, History, find, latest};

/// The run whose id begins with `name`, or whose branch is `name`.
///
/// # Errors
/// [`Kind::Usage`]: there is none, or more than one.
pub fn named_run(state_dir: &Path, name: &str) -> Result<History> {
    if name.contains('/') {
        let is_named = |history: &History| history.step_of().is_none() && history.branch().as_deref() == Some(name);
        return latest(state_dir, usize::MAX)?.into_iter().find(is_named).ok_or_else(|| none(name, "is on the branch"));
    }
    match find(state_dir, name)? {
        FoundRun::One(history) => Ok(history),
        FoundRun::None => Err(none(name, "begins with")),
        FoundRun::Several(runs) => {
            let shown = runs.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
            Err(Fault::new(Kind::Usage, format!("{} runs begin with `{name}`", runs.len()))
                .hint(format!("give more of one: {shown}"))
                .into())
        }
    }
}

fn none(name: &str, verb: &str) -> guardhost_core::error::Error {
    Fault::new(Kind::Usage, format!("no run {verb} `{}`", name.escape_debug()))
        .hint("`host log` lists those that are kept; older ones were pruned")
        .into()
}

/// The run of this name; without one, the newest that is wanted. Steps of plans are named or not meant.
///
/// # Errors
/// [`Kind::Usage`]: there is none.
pub fn run_or_newest(
    state_dir: &Path,
    name: Option<&str>,
    wanted: impl Fn(&History) -> bool,
    missing: &'static str,
) -> Result<History> {
    let Some(name) = name else {
        let is_meant = |history: &History| history.step_of().is_none() && wanted(history);
        let newest = latest(state_dir, usize::MAX)?.into_iter().find(is_meant);
        return newest.ok_or_else(|| Fault::new(Kind::Usage, missing).hint("host run --task TEXT makes one").into());
    };
    named_run(state_dir, name)
}
