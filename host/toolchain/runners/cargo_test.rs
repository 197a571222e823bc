//! `cargo test`. Cargo starts every test binary through [`super::suite`], whose records hold what the binaries said. Documentation tests
//! are run by rustdoc, which reports on them in cargo's own output.

use std::collections::{BTreeMap, BTreeSet};

use super::exit_codes::ExitCodes;
use super::libtest::{DOC, is_libtest, parse};
use super::suite::{SUITE, Suite};
use super::{Parts, PlannedTests, TestRunner};
use crate::builds::cargo;
use crate::job::FinishedJob;
use crate::job_context::JobContext;
use crate::projects::Project;
use crate::report::{Test, TestOutcome};
use crate::request::TestSelection;
use guard_files::relative::above;
use guardhost_core::error::Result;

const CODES: ExitCodes = ExitCodes { passed: &[0], failed: &[101] };

/// C libraries of Linux targets: cargo has a setting for each whole target, and the toolchain decides between them.
const LIBRARIES: [&str; 2] = ["gnu", "musl"];

pub fn job(context: &JobContext, project: &Project, selection: &TestSelection) -> Result<PlannedTests> {
    let mut job = match cargo::base(context, TestRunner::CargoTest, project) {
        Ok(job) => job,
        Err(missing) => return Ok(Err(missing)),
    };
    job.args = ["test", "--offline"].map(str::to_owned).into();
    job.args.extend((!selection.until_failure).then(|| "--no-fail-fast".to_owned()));
    match packages(context, &selection.paths)? {
        Some(packages) => job.args.extend(packages.into_iter().flat_map(|package| ["-p".to_owned(), package])),
        None => job.args.push("--workspace".to_owned()),
    }
    for library in LIBRARIES {
        let target = format!("target.{}-unknown-linux-{library}", std::env::consts::ARCH);
        job.args.push("--config".to_owned());
        job.args.push(format!(r#"{target}.runner=["{{host}}","{SUITE}","{{key}}","{{built}}"]"#));
    }
    // With one thread libtest prints a test's output between its name and its outcome.
    job.env.push(("RUST_TEST_THREADS", "2".to_owned()));
    Ok(Ok(job))
}

/// The packages of some sources; None when one of the files may belong to any.
fn packages(context: &JobContext, paths: &[String]) -> Result<Option<BTreeSet<String>>> {
    let mut found = BTreeSet::new();
    for path in paths {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut package = None;
        for folder in above(folder).filter(|_| path.ends_with(".rs")) {
            let manifest = context.files.text(folder, "Cargo.toml")?.and_then(|text| text.parse::<toml::Table>().ok());
            package = manifest.and_then(|manifest| Some(manifest.get("package")?.get("name")?.as_str()?.to_owned()));
            if package.is_some() {
                break;
            }
        }
        match package {
            Some(package) => found.insert(package),
            None => return Ok(None),
        };
    }
    Ok(Some(found).filter(|found| !found.is_empty()))
}

pub fn read(finished: &FinishedJob<TestRunner>) -> Parts {
    let cargo = finished.text();
    let mut output = finished.exit.output.clone();
    let suites: Result<Vec<Suite>, String> = finished.exit.records.as_ref().map_err(Clone::clone).and_then(|lines| {
        let suites = lines.iter().map(|line| serde_json::from_str(line));
        suites.collect::<Result<_, _>>().map_err(|error| format!("a line of the report cannot be read ({error})"))
    });
    let suites = match suites {
        Ok(suites) => suites,
        Err(why) => return (Vec::new(), Err(why), output),
    };
    for suite in &suites {
        output.extend([suite.stderr.as_bytes(), suite.stdout.as_bytes()].concat());
    }
    let (tests, whole) = outcomes(&cargo, &suites);
    let whole = whole.and_then(|()| CODES.agree(finished.exit.code, &tests));
    (tests, whole, output)
}

fn outcomes(cargo: &str, suites: &[Suite]) -> (Vec<Test>, Result<(), String>) {
    let shown = CargoShown::parse(cargo);
    let mut whole = shown.whole;
    let (mut tests, mut known) = (Vec::new(), BTreeSet::new());
    for suite in suites {
        let name =
            shown.suites.get(suite.binary.as_str()).cloned().unwrap_or_else(|| without_hash(&suite.binary).to_owned());
        let (found, of_suite) = outcomes_of(&name, suite);
        tests.extend(found);
        whole = whole.and(of_suite);
        if !known.insert(suite.binary.as_str()) {
            whole = whole.and(Err(format!("{name} was reported twice")));
        }
    }
    if let Some(missing) = shown.suites.iter().find(|(binary, _)| !known.contains(binary.as_str())) {
        whole = whole.and(Err(format!("cargo started the tests of {}, and they have no result", missing.1)));
    }
    for (name, text) in &shown.documentation {
        let (found, of_suite) = parse(name, text);
        tests.extend(found);
        whole = whole.and(of_suite);
    }
    (tests, whole)
}

fn outcomes_of(name: &str, suite: &Suite) -> (Vec<Test>, Result<(), String>) {
    if !is_libtest(&suite.stdout) {
        // A harness of the project's own is one test.
        let outcome = if suite.code == 0 { TestOutcome::Passed } else { TestOutcome::Failed };
        return (vec![Test { detail: suite.stderr.clone(), ..Test::new(name, outcome) }], Ok(()));
    }
    let (tests, whole) = parse(name, &suite.stdout);
    let whole = whole.and_then(|()| CODES.agree(suite.code, &tests).map_err(|why| format!("{name}: {why}")));
    let whole = whole.and(if suite.cut { Err(format!("{name} printed too much")) } else { Ok(()) });
    (tests, whole)
}

/// What cargo shows beside the records.
struct CargoShown {
    /// Names of suites by their binaries.
    suites: BTreeMap<String, String>,
    /// Name and output of the documentation tests of each package.
    documentation: Vec<(String, String)>,
    whole: Result<(), String>,
}

impl CargoShown {
    fn parse(text: &str) -> Self {
        let mut shown = CargoShown { suites: BTreeMap::new(), documentation: Vec::new(), whole: Ok(()) };
        let mut in_documentation = false;
        for line in text.lines() {
            if let Some((binary, name)) = suite_of(line) {
                in_documentation = false;
                if shown.suites.insert(binary, name.clone()).is_some_and(|other| other != name) {
                    shown.whole = Err(format!("{name} was started under another name too"));
                }
            } else if let Some(name) = line.trim_start().strip_prefix("Doc-tests ") {
                in_documentation = true;
                shown.documentation.push((format!("{name}{DOC}"), String::new()));
            } else if line.starts_with("error: could not compile") {
                shown.whole = Err("a part of the project does not compile".to_owned());
            } else if let Some((_, text)) = shown.documentation.last_mut().filter(|_| in_documentation) {
                text.push_str(line);
                text.push('\n');
            }
        }
        shown
    }
}

/// `     Running unittests src/lib.rs (target/debug/deps/name-0123456789abcdef)`: the binary, and the suite's name.
fn suite_of(line: &str) -> Option<(String, String)> {
    let (source, binary) = line.trim_start().strip_prefix("Running ")?.strip_suffix(')')?.split_once(" (")?;
    let binary = binary.rsplit('/').next()?;
    let name = without_hash(binary);
    let name = match source.strip_prefix("unittests ") {
        Some("src/lib.rs") | None => name.to_owned(),
        Some(source) => format!("{name} ({source})"),
    };
    Some((binary.to_owned(), name))
}

fn without_hash(binary: &str) -> &str {
    binary.rsplit_once('-').map_or(binary, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARGO: &str = "   Compiling demo v0.1.0 (/x)
     Running unittests src/lib.rs (target/debug/deps/demo-0123456789abcdef)
     Running unittests src/main.rs (target/debug/deps/demo-fedcba9876543210)
     Running tests/own.rs (target/debug/deps/own-0000000000000000)
   Doc-tests demo

running 1 test
test src/lib.rs - add (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
";

    fn suite(binary: &str, code: u8, stdout: &str) -> Suite {
        Suite { binary: binary.to_owned(), code, stdout: stdout.to_owned(), stderr: String::new(), cut: false }
    }

    fn libtest(outcome: &str) -> String {
        let (ok, failed) = if outcome == "ok" { (1, 0) } else { (0, 1) };
        let result = if outcome == "ok" { "ok" } else { "FAILED" };
        format!(
            "\nrunning 1 test\ntest tests::adds ... {outcome}\n\ntest result: {result}. {ok} passed; {failed} failed; 0 ignored; \
             0 measured; 0 filtered out; finished in 0.00s\n"
        )
    }

    fn suites() -> [Suite; 3] {
        [
            suite("demo-0123456789abcdef", 101, &libtest("FAILED")),
            suite("demo-fedcba9876543210", 0, &libtest("ok")),
            suite("own-0000000000000000", 0, "all is well\n"),
        ]
    }

    #[test]
    fn each_suite_has_its_own_record() {
        let (tests, whole) = outcomes(CARGO, &suites());
        let ids: Vec<_> = tests.iter().map(|test| (test.id.as_str(), test.outcome)).collect();
        assert_eq!(
            ids,
            [
                ("demo tests::adds", TestOutcome::Failed),
                ("demo (src/main.rs) tests::adds", TestOutcome::Passed),
                ("own", TestOutcome::Passed),
                ("demo doc src/lib.rs - add", TestOutcome::Passed),
            ]
        );
        assert_eq!(whole, Ok(()));
    }

    #[test]
    fn a_contradiction_is_incomplete() {
        let [failing, passing, own] = suites();
        let lying = suite(&failing.binary, 0, &failing.stdout);
        let is_whole = |cargo: &str, suites: &[Suite]| outcomes(cargo, suites).1.is_ok();
        assert!(!is_whole(CARGO, &[lying, passing, own]), "an exit code of 0, and a failed test");
        assert!(!is_whole(CARGO, &suites()[..2]), "a suite without a record");
        assert!(!is_whole(&format!("{CARGO}error: could not compile `demo` (lib test)"), &suites()));
        let renamed =
            CARGO.replace("src/main.rs (target/debug/deps/demo-fedcba", "src/lib.rs (target/debug/deps/demo-fedcba");
        assert!(!is_whole(&format!("{CARGO}{renamed}"), &suites()), "two names of one binary");
    }
}
