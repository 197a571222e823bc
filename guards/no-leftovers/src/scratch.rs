//! Files that were of use only while the change was made: scripts that try something out, reports to whoever asked, copies of what was
//! there before, outputs of tools.

use guard_sdk::files::{Kind, Language, kind_of};
use guard_sdk::{Change, File, Finding, Side};

/// Reports of an agent, by the words of their names. In upper case, as they are written.
#[rustfmt::skip]
const REPORTS: [&str; 22] = [
    "IMPLEMENTATION_SUMMARY", "CHANGES_SUMMARY", "CHANGE_SUMMARY", "FIX_SUMMARY", "FIXES_SUMMARY", "REFACTORING_SUMMARY", "REFACTOR_SUMMARY", "TASK_SUMMARY", "TASK_COMPLETE", "IMPLEMENTATION_COMPLETE",
    "IMPLEMENTATION_REPORT", "FINAL_SUMMARY", "FINAL_REPORT", "COMPLETION_REPORT", "COMPLETION_SUMMARY", "MIGRATION_SUMMARY", "SOLUTION_SUMMARY", "PR_SUMMARY", "BUGFIX_SUMMARY", "TEST_RESULTS", "WORK_SUMMARY", "SESSION_SUMMARY",
];
/// Programs that try something out, by the beginnings of their names.
const TRIALS: [&str; 4] = ["reproduce.", "test_fix.", "tmp_test", "temp_test"];
/// The same by their first word, if more follows: `debug_redaction.go`, `fix-types.ts`.
const TRYING: [&str; 9] = ["debug", "fix", "try", "tmp", "temp", "scratch", "repro", "reproduce", "quick"];
/// How a copy is marked that stands beside what it was made of.
const COPIES: [&str; 8] = ["_old", "_backup", "_bak", "_original", "_orig", ".old", ".backup", " copy"];
/// What a run of tests or a tool writes.
#[rustfmt::skip]
const OUTPUTS: [&str; 12] = [
    ".coverage", "coverage.xml", "coverage.out", "junit.xml", "test-results.xml", "nohup.out", "test_output.txt", "output.log", "debug.log", "test.log", "pytest.log", ".eslintcache",
];
const BUILT: [&str; 4] = ["class", "tsbuildinfo", "o", "obj"];

pub fn judge(file: &File, change: &Change) -> Option<Finding> {
    let path = file.path();
    if file.before().exists() || file.old_path().is_some() || is_material(path) {
        return None;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_at_root = folder.is_empty();
    let what = match () {
        _ if OUTPUTS.contains(&name) => "written by a tool".to_owned(),
        _ if BUILT.contains(&ending) && kind_of(path) != Kind::Code => "built from sources".to_owned(),
        _ if ending == "md" && is_report(stem) => "a report on the change, which belongs into its message".to_owned(),
        _ if is_at_root && is_trial(path, name, stem) => "a script that tries something out".to_owned(),
        _ => format!("a copy of {}, which history keeps", copied(file, change, folder, stem, ending)?),
    };
    // A repository may keep such files on purpose.
    let glob = if ending.is_empty() { format!("**/{name}") } else { format!("**/*.{ending}") };
    let is_kept = BUILT.contains(&ending) && !change.repo(Side::Before).find(&[&glob], 1).is_empty();
    (!is_kept).then(|| {
        let help = "Leave the file out of the change.";
        file.error("scratch-file", format!("{path} is {what}")).help(help)
    })
}

fn is_trial(path: &str, name: &str, stem: &str) -> bool {
    let is_program = Language::from_path(path).is_some_and(|language| language.is_code());
    let is_trying =
        stem.split_once(['_', '-']).is_some_and(|(first, rest)| TRYING.contains(&first) && !rest.is_empty());
    TRIALS.iter().any(|trial| name.starts_with(trial)) || stem == "scratch" || (is_program && is_trying)
}

fn is_report(stem: &str) -> bool {
    REPORTS.iter().any(|report| {
        stem == *report || stem.starts_with(&format!("{report}_")) || stem.ends_with(&format!("_{report}"))
    })
}

/// The file that a name such as `parser_old.py` says it is a copy of, if that stands beside it.
fn copied(file: &File, change: &Change, folder: &str, stem: &str, ending: &str) -> Option<String> {
    if kind_of(file.path()) != Kind::Code {
        return None;
    }
    let bare = COPIES.iter().find_map(|copy| stem.strip_suffix(copy)).filter(|bare| !bare.is_empty())?;
    let name = if ending.is_empty() { bare.to_owned() } else { format!("{bare}.{ending}") };
    let beside = if folder.is_empty() { name } else { format!("{folder}/{name}") };
    matches!(change.repo(Side::Before).stat(&beside), Ok(Some(_))).then_some(beside)
}

/// What tests read may look like anything.
fn is_material(path: &str) -> bool {
    matches!(kind_of(path), Kind::TestData | Kind::Example | Kind::Template | Kind::Vendored)
}
