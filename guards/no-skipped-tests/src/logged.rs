//! Failures of Go's tests that are only written down: `t.Fatalf` and `t.Errorf` end as `t.Logf`.

use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding};

const FAILS: [&str; 6] = ["Fatalf", "Fatal", "Errorf", "Error", "FailNow", "Fail"];
const WRITES: [&str; 2] = ["Logf", "Log"];

/// The arguments of a statement that calls one of these of a test.
fn called<'l>(line: &'l str, names: &[&str]) -> Option<&'l str> {
    let (handle, rest) = line.trim().split_once('.')?;
    let (name, arguments) = rest.split_once('(')?;
    (matches!(handle, "t" | "tb" | "b" | "f") && names.contains(&name)).then(|| arguments.trim_end_matches(')').trim())
}

/// In a hunk in which a failure went and none came: what it said is written, and nothing fails.
pub fn find(file: &File, before: &str, after: &str) -> Vec<Finding> {
    if !file.path().ends_with("_test.go") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for hunk in file.hunks() {
        let old = lines_in(before, [(hunk.old_start, hunk.old_lines)]);
        let new = lines_in(after, [(hunk.new_start, hunk.new_lines)]);
        let failed: Vec<(&str, &str)> =
            old.iter().filter_map(|(_, line)| Some((*line, called(line, &FAILS)?))).collect();
        if failed.is_empty() || new.iter().any(|(_, line)| called(line, &FAILS).is_some()) {
            continue;
        }
        for (number, line) in &new {
            let Some(says) = called(line, &WRITES) else { continue };
            let Some((was, _)) = failed.iter().find(|(_, said)| *said == says) else { continue };
            let (was, is) = (was.trim(), line.trim());
            findings.push(
                Finding::error("assertion-weakened", format!("`{was}` failed the test, and `{is}` only writes it down"))
                    .at(file.path(), *number)
                    .help("Let the test fail. If it does, fix the code that it tests; if another value is right now, compare with that."),
            );
        }
    }
    findings
}
