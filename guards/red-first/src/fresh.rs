//! The tests that a change adds or changes, as the runners know them.

use std::collections::BTreeSet;

use guard_sdk::{Change, Test, TestOutcome, TestReport};

use crate::parts::{Parts, Written};

/// A new or changed test.
pub struct Fresh<'r> {
    pub report: &'r TestReport,
    pub test: &'r Test,
    /// Where the change has it, if that is known.
    pub written: Option<&'r Written>,
}

/// New: a run of the base's own tests does not know it. Changed: the change touches a line of it.
pub fn tests<'r>(change: &Change, parts: &'r Parts, base: &'r [TestReport], after: &'r [TestReport]) -> Vec<Fresh<'r>> {
    let touched: Vec<&str> = change.files().map(|file| file.path()).collect();
    let mut fresh = Vec::new();
    for report in after {
        let before = base.iter().find(|known| (&known.runner, &known.project) == (&report.runner, &report.project));
        // A suite has 50,000 tests.
        let known: BTreeSet<&str> = before.iter().flat_map(|known| &known.tests).map(|test| test.id.as_str()).collect();
        for test in report.tests.iter().filter(|test| test.outcome != TestOutcome::Skipped) {
            // A runner may tell of tests that no touched file holds, such as one that was interrupted on the base.
            if test.path.as_deref().is_some_and(|path| !touched.contains(&path)) {
                continue;
            }
            let written = parts.written.iter().find(|written| is_of(written, test));
            let is_fresh = match written {
                Some(written) => written.is_touched || !known.contains(test.id.as_str()),
                None => is_new(test, before, &known),
            };
            if is_fresh {
                fresh.push(Fresh { report, test, written });
            }
        }
    }
    fresh
}

/// Whether the base's run would know it, if it were no new one. A runner that tells no files has to be believed by the name alone, and
/// the number of a name that several tests share means another test in another run.
fn is_new(test: &Test, before: Option<&TestReport>, known: &BTreeSet<&str>) -> bool {
    let is_numbered = |id: &str| id.rsplit_once(" #").is_some_and(|(_, number)| number.parse::<u32>().is_ok());
    let is_told = || before.is_some_and(|before| before.is_complete && !before.tests.is_empty());
    !known.contains(test.id.as_str()) && (test.path.is_some() || (is_told() && !is_numbered(&test.id)))
}

/// Whether a runner's test is the one that stands in a file. Runners name a test by the file or package and by the groups around it,
/// and add its parameters.
fn is_of(written: &Written, test: &Test) -> bool {
    test.path.as_ref().is_none_or(|path| *path == written.path) && bare(&test.id, &written.name)
}

/// `tests/test_a.py::C::test_m[1]`, `crate module::test`, `a.test.js > suite > test`, `package TestX/sub`.
fn bare(id: &str, name: &str) -> bool {
    let numbered = id.rsplit_once(" #").filter(|(_, number)| number.chars().all(|c| c.is_ascii_digit()));
    let id = numbered.map_or(id, |(id, _)| id);
    let id = if name.contains('[') { id } else { id.split('[').next().unwrap_or(id) };
    let ends = |id: &str| {
        id.strip_suffix(name)
            .is_some_and(|rest| rest.is_empty() || [" > ", "::", " "].iter().any(|separator| rest.ends_with(separator)))
    };
    // A test of a table: `package TestX/case`.
    let table = id.split_once(' ').and_then(|(_, test)| test.split_once('/')).map(|(test, _)| test == name);
    ends(id) || table == Some(true)
}

/// The files to run; none when that of one test is not known.
pub fn paths(fresh: &[Fresh]) -> Vec<String> {
    let path = |fresh: &Fresh| fresh.test.path.clone().or_else(|| Some(fresh.written?.path.clone()));
    let mut paths: Vec<String> = fresh.iter().map(path).collect::<Option<_>>().unwrap_or_default();
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runners() {
        for (id, name) in [
            ("tests/test_a.py::C::test_m[x::y z]", "test_m"),
            ("demo tests::adds", "adds"),
            ("a.test.js > sum > adds 1 and 2", "adds 1 and 2"),
            ("a.b/c TestX/one two", "TestX"),
            ("a.b/c TestX", "TestX"),
            ("a.test.js > adds #2", "adds"),
        ] {
            assert!(bare(id, name), "{id}");
        }
        assert!(!bare("demo tests::readds", "adds") && !bare("a.b/c TestXY/one", "TestX"));
    }
}
