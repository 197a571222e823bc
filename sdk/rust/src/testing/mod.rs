//! The same guard, natively, on cases: for `cargo test`.
//!
//! ```no_run
//! # use guard_sdk::{About, Change, Guard, NoSettings, Verdict};
//! # struct MyGuard;
//! # impl Guard for MyGuard {
//! #     type Settings = NoSettings;
//! #     const ABOUT: About = About::NONE;
//! #     fn check(_: &Change, _: NoSettings) -> Result<Verdict, String> { Ok(Verdict::from_findings(vec![])) }
//! # }
//! #[test]
//! fn cases() {
//!     guard_sdk::testing::cases::<MyGuard>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
//! }
//!
//! #[test]
//! fn settings() {
//!     guard_sdk::testing::settings::<MyGuard>();
//! }
//! ```
//!
//! A case is a folder, at any depth below the one that is given, that holds `before/`, `after/` or both, or one file `NAME.case` with
//! the same files in it (see [`guard_cases`], which reads both):
//!
//! | name | what |
//! |---|---|
//! | `before/`, `after/` | both trees, files at their paths in the repository; equal files are not touched files |
//! | `settings.json` | the settings, `{}` without it |
//! | `task.json` | `{"text": "…", "hints": ["src/"], "mode": "normal"}`, all optional; no task without it |
//! | `commits.json` | `{"commits": [{"message": "…", "author": {"name": "…", "email": "…"}}], "log": [{"message": "…", "paths": ["src/a.rs"], "days_before": 3, "edits": {"src/a.rs": {"before": "…", "after": "…"}}}]}`: those of the change, oldest first, and those behind it, newest first |
//! | `facts.json` | `{"before": {…}, "after": {…}}` with `manifests`, `languages`, `frameworks`, `entry_points`, all optional |
//! | `paths.json` | `{"test_data": ["samples"]}`: `[paths]` of guards.toml, all lists optional |
//! | `net.json` | `{"https://…": {"alive": 200}}`, or `{"gone": "why"}`, `{"unknown": "why"}`, `{"refused": "why"}`; any other address is unknown |
//! | `registry.json` | `{"npm": {"NAME": {"published": {"days": 900, "versions": 12}}}}`, or `{"missing": "why"}`, `{"unknown": "why"}`; any other package is unknown |
//! | `model.json` | `[{"asked": "words of the question", "answer": {…}}]`, in the order of the questions; in place of `answer` also `"unreadable"`, `"no-answer"`, `"exhausted"` with a message |
//! | `toolchain.json` | `{"tests": {"before": [{"runner": "pytest", "tests": [{"id": "…", "outcome": "passed"}]}], "after": …, "base_tests": …, "with": [[…], …]}, "build": …}`; in place of reports also `{"unavailable": "…"}` or `{"timed_out": 600000}` |
//! | `past.json` | `[{"age_hours": 5, "result": "failed", "touched": ["src/a.rs"]}]`: outcomes of earlier runs, newest first |
//! | `expect.json` | `{"verdict": "reject", "findings": [{"rule": "…", "path": "…", "line": 3}]}` |
//!
//! `verdict` is `pass`, `reject`, `not-applicable` or `error`. Findings are compared one by one, in order, by the keys that the expectation
//! names: `rule`, `severity`, `path`, `line`, `end_line`, `column`, `end_column`, `message`, `help`, `fix` (its title), `related` (`path`,
//! `line`, `end_line`, `message` each) and `attributes`; `message` and `help`, and `reason` beside the verdict, need only be contained. A rename is what git would call one: a
//! file that went and a file that came share half of their lines.
//!
//! A guard that asks for `modules` or `language` needs something that answers: [`cases_with`]. (`host guard test` runs the component itself,
//! and the host's own readers answer.)
//!
//! No cases at all fail, and so does a case without `expect.json`, or a finding of a rule that [`crate::About::rules`] does not name. `GUARD_TEST_UPDATE=1` writes the expectations anew.

#[cfg(feature = "analysis")]
pub mod analysis;
mod case;
mod commits;
mod expect;
mod facts;
mod fix;
mod kinds;
mod model;
mod net;
mod past;
mod reader;
mod registry;
mod settings;
mod source;
mod toolchain;

use std::path::Path;

use guard_cases::Location;

pub use case::Case;
pub use kinds::kind_of;
pub use reader::TextReader;
pub use settings::settings;
pub(crate) use source::{Handle, Source};

use crate::guard::entry;
use crate::{Change, Guard, Verdict};

/// Runs the guard on every case below `folder`.
///
/// # Panics
/// When a case does not come out as expected, or cannot be read, or when there is none.
pub fn cases<G: Guard>(folder: impl AsRef<Path>) {
    run_all::<G>(folder.as_ref(), &[]);
}

/// The same for a guard that asks for `modules` or `language`: these readers answer, of two that claim a file the first.
///
/// # Panics
/// As with [`cases`].
pub fn cases_with<G: Guard>(folder: impl AsRef<Path>, readers: &'static [TextReader]) {
    run_all::<G>(folder.as_ref(), readers);
}

fn run_all<G: Guard>(folder: &Path, readers: &'static [TextReader]) {
    let found = find(folder);
    assert!(
        !found.is_empty(),
        "no case in {}: a case is a folder with before/, after/ and expect.json, or a file NAME.case",
        folder.display()
    );
    let failures: Vec<String> = found
        .iter()
        .filter_map(|case| Some(format!("{}: {}", case.name, run::<G>(&case.path, readers).err()?)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} cases of {} fail. GUARD_TEST_UPDATE=1 writes the expectations anew.\n\n{}",
        failures.len(),
        found.len(),
        G::ABOUT.id,
        failures.join("\n\n")
    );
}

/// Runs the guard on every case below `folder`, and lets it say nothing but what stands in `expect.json`, word for word: for what
/// is shown to people as this guard's own words.
///
/// # Panics
/// When a case says anything else, or when there is none.
pub fn exactly<G: Guard>(folder: impl AsRef<Path>) {
    let found = find(folder.as_ref());
    assert!(!found.is_empty(), "no case in {}", folder.as_ref().display());
    for case in found {
        exact::<G>(&case.path).unwrap_or_else(|error| panic!("{}: {error}", case.path.display()));
    }
}

fn find(folder: &Path) -> Vec<Location> {
    guard_cases::find(folder, &["before", "after"]).unwrap_or_else(|error| panic!("{error}"))
}

fn exact<G: Guard>(path: &Path) -> Result<(), String> {
    let files = guard_cases::Case::read(path).map_err(|error| error.to_string())?;
    expect::same(&files, &check::<G>(&Case::new(&files)?))
}

/// What the guard says of a case.
pub fn check<G: Guard>(case: &Case) -> Result<Verdict, String> {
    entry::judge::<G>(&Change::new(Source::new(case)), &case.settings)
}

fn run<G: Guard>(path: &Path, readers: &'static [TextReader]) -> Result<(), String> {
    let files = guard_cases::Case::read(path).map_err(|error| error.to_string())?;
    let case = Case { readers, ..Case::new(&files)? };
    let said = check::<G>(&case);
    if said != check::<G>(&case) {
        return Err("the guard says two different things of the same change".into());
    }
    expect::contract(&said, &G::ABOUT)?;
    fix::mends::<G>(&case, &said)?;
    if guard_cases::updating() {
        return expect::write(&files, &said);
    }
    expect::compare(&files, &said)
}
