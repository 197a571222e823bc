//! A skipped test says so: a line on the real standard error at once (libtest captures only what the print macros write), a line in
//! `skipped-tests.txt` of the build folder's `tmp`, and a summary when the test process ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use super::{Missing, NAMES};

/// `all`, or names of tools with commas between them. A skip for want of a listed tool fails its test; `all` stands for every tool that
/// can be installed.
const REQUIRE: &str = "GUARDHOST_TEST_REQUIRE";

/// Characters of a reason that are shown.
const REASON_LIMIT: usize = 240;

/// Names of tests by what is missing, as `tool: reason`.
type Skips = BTreeMap<String, BTreeSet<String>>;

struct Record {
    /// Begun anew by the first skip of a process.
    file: File,
    skips: Skips,
}

static RECORD: LazyLock<Mutex<Record>> = LazyLock::new(|| {
    // SAFETY: `summary` takes no argument, returns nothing, does not unwind, and only uses what is never dropped.
    unsafe { libc::atexit(summary) };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped-tests.txt");
    Mutex::new(Record { file: File::create(path).unwrap(), skips: Skips::new() })
});

/// Shows that the running test is skipped, or cut short, for want of `tool`.
#[track_caller]
pub fn skip(tool: &str, missing: &Missing) {
    let (reason, installable) = match missing {
        Missing::NotInstalled(reason) => (reason, true),
        Missing::Unsupported(reason) => (reason, false),
    };
    // pip and apt write paragraphs.
    let reason: String = reason.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(REASON_LIMIT).collect();
    let what = format!("{tool}: {reason}");
    assert!(!is_required(tool, installable), "{REQUIRE} asks for {what}");
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("SKIPPED {test}: {what}\n");
    let mut record = RECORD.lock().unwrap();
    if record.skips.entry(what).or_default().insert(test) {
        let _ = std::io::stderr().write_all(line.as_bytes());
        record.file.write_all(line.as_bytes()).unwrap();
    }
}

fn is_required(tool: &str, installable: bool) -> bool {
    let set = std::env::var(REQUIRE).unwrap_or_default();
    let mut names = set.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.any(|name| {
        assert!(name == "all" || NAMES.contains(&name), "{REQUIRE}: there is no tool `{name}`, only {NAMES:?}");
        name == tool || name == "all" && installable
    })
}

/// Runs after libtest has written its result.
extern "C" fn summary() {
    // A test that panicked here has poisoned the lock, and nothing else.
    let record = RECORD.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let tests: BTreeSet<_> = record.skips.values().flatten().collect();
    let mut text = format!("\nSKIPPED, in whole or in part: {} tests ({REQUIRE}=all makes them fail)\n", tests.len());
    for (what, tests) in &record.skips {
        text += &format!("  {what}\n    {}\n", tests.iter().map(String::as_str).collect::<Vec<_>>().join("\n    "));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}
