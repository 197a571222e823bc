//! `go test -json` (`go doc test2json`).

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

use super::exit_codes::ExitCodes;
use super::{Parts, PlannedTests, TestRunner};
use crate::builds::go;
use crate::job::FinishedJob;
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{Test, TestOutcome};
use crate::request::TestSelection;
use crate::sandbox::ReportFrom;
use crate::test_files::below;

/// Go 1.19 ends with 2 when a package does not build.
const CODES: ExitCodes = ExitCodes { passed: &[0], failed: &[1, 2] };

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct GoTestEvent {
    action: Action,
    package: String,
    test: String,
    output: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Run,
    Output,
    Pass,
    Fail,
    Skip,
    /// A line of the compiler's, since Go 1.24 (`go help buildjson`). Before, it is none of the report.
    #[serde(rename = "build-output")]
    BuildOutput,
    /// Start, pause, continue, bench, and what later versions of Go add.
    #[default]
    #[serde(other)]
    Other,
}

/// A file's tests need the other files of its package, so that whole packages are run.
pub fn job(context: &JobContext, project: &Project, selection: &TestSelection) -> PlannedTests {
    let mut job = go::base(context, TestRunner::GoTest, project)?;
    job.args = ["test", "-json", "-count=1"].map(str::to_owned).into();
    if selection.until_failure {
        job.args.push("-failfast".to_owned());
    }
    let folder = |path: &String| format!("./{}", path.rsplit_once('/').map_or("", |(folder, _)| folder));
    let packages: BTreeSet<String> = below(&selection.paths, &project.folder).iter().map(folder).collect();
    match packages.is_empty() {
        true => job.args.push("./...".to_owned()),
        false => job.args.extend(packages),
    }
    // Test binaries write into pipes of go's, which makes events of what they say.
    job.report = ReportFrom::Stdout;
    Ok(job)
}

pub fn read(finished: &FinishedJob<TestRunner>) -> Parts {
    let mut output = finished.exit.output.clone();
    let lines = match &finished.exit.records {
        Err(why) => return (Vec::new(), Err(why.clone()), output),
        Ok(lines) => lines,
    };
    let events = events(lines);
    let (tests, whole) = outcomes(lines, &events, &finished.text());
    for event in events {
        output.extend(event.output.bytes());
    }
    let whole = whole.and_then(|()| CODES.agree(finished.exit.code, &tests));
    (tests, whole, output)
}

fn events(lines: &[String]) -> Vec<GoTestEvent> {
    lines.iter().filter_map(|line| serde_json::from_str::<GoTestEvent>(line).ok()).collect()
}

/// The tests, and why these are not all, if they are not. A package that fails without a failing test (it does not build, it exits
/// early) becomes an errored test with the package's name. `said`: what the compiler wrote beside the report.
fn outcomes(lines: &[String], events: &[GoTestEvent], said: &str) -> (Vec<Test>, Result<(), String>) {
    let of_events = events.iter().filter(|event| event.action == Action::BuildOutput).map(|event| &*event.output);
    let mut reading = GoTestReading { compiler: of_events.chain([said]).collect(), ..GoTestReading::default() };
    for event in events {
        reading.see(event);
    }
    for package in lines.iter().filter_map(|line| unbuilt(line)) {
        if reading.ended.insert(package) {
            reading.end_package(package, TestOutcome::Failed, String::new());
        }
    }
    match reading.incomplete() {
        _ if reading.ended.is_empty() && events.is_empty() => (Vec::new(), Err("go reported nothing".to_owned())),
        Some(why) => (reading.tests, Err(why)),
        None => (reading.tests, Ok(())),
    }
}

/// `FAIL\ta.b/c [build failed]`, which has no event before Go 1.24. Tests write into events, so that nothing else stands beside them.
fn unbuilt(line: &str) -> Option<&str> {
    let (package, why) = line.strip_prefix("FAIL\t")?.split_once(" [")?;
    matches!(why, "build failed]" | "setup failed]").then_some(package)
}

/// What the events up to one say.
#[derive(Default)]
struct GoTestReading<'e> {
    tests: Vec<Test>,
    /// By package and test; a package's own has no test.
    outputs: HashMap<(&'e str, &'e str), String>,
    /// Tests without an outcome.
    running: BTreeSet<(&'e str, &'e str)>,
    /// Packages that ran a test, that have an outcome, and whose program said that its tests passed.
    started: BTreeSet<&'e str>,
    ended: BTreeSet<&'e str>,
    summed_up: BTreeSet<&'e str>,
    /// What the compiler says of all packages.
    compiler: String,
    /// The last contradiction.
    contradiction: Option<String>,
}

impl<'e> GoTestReading<'e> {
    fn see(&mut self, event: &'e GoTestEvent) {
        let key = (event.package.as_str(), event.test.as_str());
        let outcome = match event.action {
            Action::Pass => TestOutcome::Passed,
            Action::Fail => TestOutcome::Failed,
            Action::Skip => TestOutcome::Skipped,
            Action::Output => {
                if event.output == "PASS\n" {
                    self.summed_up.insert(event.package.as_str());
                }
                self.outputs.entry(key).or_default().push_str(&event.output);
                return;
            }
            Action::Run => {
                self.running.insert(key);
                self.started.insert(event.package.as_str());
                return;
            }
            Action::BuildOutput | Action::Other => return,
        };
        let detail = self.outputs.remove(&key).unwrap_or_default();
        match event.test.is_empty() {
            true => self.end_package(&event.package, outcome, detail),
            false => self.end_test(key, outcome, detail),
        }
    }

    fn end_test(&mut self, (package, test): (&'e str, &'e str), outcome: TestOutcome, detail: String) {
        let id = format!("{package} {test}");
        if !self.running.remove(&(package, test)) {
            self.contradiction = Some(format!("{id} has an outcome without a run"));
        }
        self.tests.push(Test { detail, ..Test::new(id, outcome) });
    }

    fn end_package(&mut self, package: &'e str, outcome: TestOutcome, detail: String) {
        self.ended.insert(package);
        match (outcome, failing(&self.tests, package)) {
            (TestOutcome::Failed, false) => {
                let is_unbuilt = detail.is_empty() || detail.lines().any(|line| unbuilt(line).is_some());
                let said = if is_unbuilt { self.compiler_on(package) } else { None };
                let detail = said.unwrap_or(detail);
                self.tests.push(Test { detail, ..Test::new(package.to_owned(), TestOutcome::Errored) });
            }
            (TestOutcome::Passed, true) => {
                self.contradiction = Some(format!("the package {package} passed, and a test of it failed"));
            }
            (TestOutcome::Failed | TestOutcome::Passed | TestOutcome::Errored | TestOutcome::Skipped, _) => {}
        }
    }

    /// What the compiler says of a package, or of others that it may need.
    fn compiler_on(&self, package: &str) -> Option<String> {
        let (mut of_it, mut is_its) = (String::new(), false);
        for line in self.compiler.lines() {
            match line.strip_prefix("# ") {
                Some(header) => is_its = header.split(' ').next() == Some(package),
                None if is_its => of_it.extend([line, "\n"]),
                None => {}
            }
        }
        [of_it, self.compiler.clone()].into_iter().find(|text| !text.trim().is_empty())
    }

    /// Why these are not all tests, if they are not.
    fn incomplete(&self) -> Option<String> {
        // The tests of a package that crashed have no outcome, and the package is an errored test.
        let crashed =
            |package: &str| self.tests.iter().any(|test| test.id == package && test.outcome == TestOutcome::Errored);
        let failed = |package: &str| failing(&self.tests, package) || crashed(package);
        // `go` calls a test passed whose process ended with exit code 0 in the middle of it.
        let is_told = |package: &&&str| self.ended.contains(**package) && self.summed_up.contains(**package);
        if let Some(package) = self.started.iter().filter(|package| !is_told(package)).find(|package| !failed(package))
        {
            return Some(format!("the tests of the package {package} did not run to their end"));
        }
        let left = self.running.iter().find(|(package, _)| !failed(package));
        left.map(|(package, test)| format!("{package} {test} has no outcome")).or_else(|| self.contradiction.clone())
    }
}

fn failing(tests: &[Test], package: &str) -> bool {
    let of_it = |test: &Test| test.id.strip_prefix(package).is_some_and(|rest| rest.starts_with(' '));
    tests.iter().any(|test| test.outcome == TestOutcome::Failed && of_it(test))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_test2json() {
        let text = r#"{"Action":"start","Package":"a.b/c"}
{"Action":"run","Package":"a.b/c","Test":"TestX"}
{"Action":"output","Package":"a.b/c","Test":"TestX","Output":"x_test.go:3: no\n"}
{"Action":"fail","Package":"a.b/c","Test":"TestX","Elapsed":0}
{"Action":"run","Package":"a.b/c","Test":"TestY/sub"}
{"Action":"pass","Package":"a.b/c","Test":"TestY/sub","Elapsed":0}
{"Action":"fail","Package":"a.b/c","Elapsed":0.1}
# a.b/d [a.b/d.test]
d/d.go:3:2: undefined: y
{"Action":"output","Package":"a.b/d","Output":"FAIL\ta.b/d [build failed]\n"}
{"Action":"fail","Package":"a.b/d","Elapsed":0}
{"Action":"skip","Package":"a.b/e","Elapsed":0}
{"Action":"run","Package":"a.b/f","Test":"TestZ"}
{"Action":"pass","Package":"a.b/f","Test":"TestZ","Elapsed":0}
{"Action":"output","Package":"a.b/f","Output":"PASS\n"}
{"Action":"pass","Package":"a.b/f","Elapsed":0}
"#;
        let read = |text: &str| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            outcomes(&lines, &events(&lines), "")
        };
        let (tests, whole) = read(text);
        let ids: Vec<_> = tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        assert_eq!(
            ids,
            [
                ("a.b/c TestX", TestOutcome::Failed),
                ("a.b/c TestY/sub", TestOutcome::Passed),
                ("a.b/d", TestOutcome::Errored),
                ("a.b/f TestZ", TestOutcome::Passed)
            ]
        );
        assert!(whole.is_ok() && tests[0].detail.contains("x_test.go:3: no"), "{whole:?}");
        let printed = text.replacen(
            "{\"Action\":\"fail\"",
            "{\"Action\":\"pass\",\"Package\":\"a.b/c\",\"Test\":\"TestX\"}\n{\"Action\":\"fail\"",
            1,
        );
        assert!(read(&printed).1.is_err(), "two outcomes of one run");
        let passing = text.replace(r#""fail","Package":"a.b/c","Elapsed"#, r#""pass","Package":"a.b/c","Elapsed"#);
        let early = text.replace(r"PASS\n", r"ok\n");
        for (why, wrong) in [("nothing", ""), ("a package that passed", &passing), ("an early end", &early)] {
            assert!(read(wrong).1.is_err(), "{why}");
        }
    }

    #[test]
    fn a_package_that_does_not_build_says_why() {
        let compiler = "# a.b/d\nd/d.go:3:2: undefined: y\n# a.b/c [a.b/c.test]\nc/c_test.go:3:27: undefined: x\n";
        let passed = r#"{"Action":"run","Package":"a.b/e","Test":"TestX"}
{"Action":"pass","Package":"a.b/e","Test":"TestX"}
{"Action":"output","Package":"a.b/e","Output":"PASS\n"}
{"Action":"pass","Package":"a.b/e"}"#;
        // Go 1.19, and Go 1.24.
        let old = format!("FAIL\ta.b/c [build failed]\n{passed}");
        let output = compiler.lines().map(|line| format!("{{\"Action\":\"build-output\",\"Output\":\"{line}\\n\"}}\n"));
        let new = format!("{}{{\"Action\":\"fail\",\"Package\":\"a.b/c\"}}\n{passed}", output.collect::<String>());
        for (text, said) in [(&old, compiler), (&new, "")] {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let (tests, whole) = outcomes(&lines, &events(&lines), said);
            let errored = tests.iter().find(|test| test.id == "a.b/c").unwrap();
            assert_eq!((errored.outcome, &*errored.detail), (TestOutcome::Errored, "c/c_test.go:3:27: undefined: x\n"));
            assert_eq!((tests.len(), whole), (2, Ok(())));
        }
    }
}
