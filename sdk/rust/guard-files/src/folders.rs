//! What the folders of a path say. A name of the lists counts at any depth and in any letter case.
//!
//! Code that a team ships must be judged, so a folder is test data everywhere only if its name says so by itself. Words that programs use
//! too (`data`, `samples`, `ui`) are test data only below a folder of tests.

use crate::Kind;
use crate::names;

/// Folders of what tests read, wherever they stand.
#[rustfmt::skip]
pub const TEST_DATA: &[&str] = &[
    "fixture", "fixtures", "__fixtures__", "testfixtures", "__testfixtures__", "test-fixtures", "test_fixtures",
    "testdata", "test-data", "test_data", "testcases", "test-cases", "test_cases", "cases", "syntax-tests",
    "corpus", "corpora", "snapshots", "__snapshots__", "snaps", "golden", "goldens", "cassettes",
    "compile-fail", "compile_fail", "compile-tests", "trybuild", "ui-fail",
    // Declarations that stand in for what others wrote, and the programs of a book, which are not finished.
    "stubs", "typings", "listings",
];

/// The same below a folder of tests.
#[rustfmt::skip]
const DATA_OF_TESTS: &[&str] = &[
    "data", "expected", "format", "functional", "input", "inputs", "output", "outputs", "resources", "samples",
    "baseline", "baselines", "codemods", "ui", "pass", "fail",
];

/// Folders of tests, and of what stands in for other parts of a program while they run.
#[rustfmt::skip]
pub const TESTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "__tests__",
    "spec",
    "specs",
    "e2e",
    "testsuite",
    "testsuites",
    "fuzz",
    "mocks",
    "__mocks__",
    "playground",
];

/// Folders of tests at the root of a repository: those of Perl and of programs that are tested as it is. Both of 174 repositories with such a
/// folder keep their tests there.
const TESTS_AT_THE_ROOT: &[&str] = &["t", "xt"];

/// Folders of what shows how a program is used.
pub const EXAMPLES: &[&str] = &["example", "examples", "sample", "samples", "demo", "demos"];

/// Folders of programs that developers and their CI run, and no user of the program.
#[rustfmt::skip]
const TOOLING: &[&str] = &[
    "scripts", "script", ".github", ".gitlab", ".circleci", ".buildkite", ".ci", "ci", "hack", "devtools", "bench", "benches", "benchmark", "benchmarks",
];

/// Whether developers and their CI run the file, and no user of the program: its input is their own.
pub fn is_tooling(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders).to_ascii_lowercase();
    folders.split('/').any(|part| TOOLING.contains(&part))
}

const TEMPLATES: &[&str] =
    &["template", "templates", "cookiecutter", "skeleton", "scaffold", "boilerplate", "starters"];

const VENDORED: &[&str] = &[
    "vendor",
    "_vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "bower_components",
    "site-packages",
    "extern",
    ".yarn",
];

const GENERATED: &[&str] = &[
    "generated",
    "__generated__",
    "_generated",
    "autogen",
    "dist",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".astro",
    "revdep",
];

/// `path` in its own letter case, and in lower case. None: the name decides.
pub fn kind(path: &str, lower: &str) -> Option<Kind> {
    // Marks of template engines in a name.
    if path.contains("{{") || path.contains("{%") {
        return Some(Kind::Template);
    }
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", lower));
    let parts = || folders.split('/');
    let last = parts().next_back().unwrap_or_default();
    // `tests/README.md` tells about the tests, and is none of them.
    let tells = names::tells_about_its_folder(name);
    let runs = names::runs_as_test(name);
    // An action of a forge that is called `test` is none.
    let is_of_tests =
        |(at, part): (usize, &str)| TESTS.contains(&part) || (at == 0 && TESTS_AT_THE_ROOT.contains(&part));
    let tests = parts().enumerate().position(is_of_tests).filter(|_| !lower.starts_with(".github/"));
    // The outermost decides: a package that a fixture vendors is test data, a fixture of a vendored package is vendored.
    if runs && parts().any(is_release) {
        return Some(Kind::Vendored);
    }
    match parts().enumerate().find_map(|(at, part)| Some((at, by_itself(part)?))) {
        Some((_, Kind::TestData)) => return Some(Kind::TestData),
        // A resolver is tested with packages, an application with templates of its tests.
        Some((at, _)) if tests.is_some_and(|tests| tests < at) && !runs => return Some(Kind::TestData),
        Some((at, _)) if tests.is_some_and(|tests| tests < at) => {}
        Some((_, Kind::Template)) if tells && TEMPLATES.contains(&last) => return Some(Kind::Document),
        Some((_, kind)) => return Some(kind),
        None => {}
    }
    if let Some(at) = tests.filter(|_| !runs) {
        let mut below = parts().zip(path.split('/')).skip(at + 1);
        if below.any(|(part, written)| is_data_of_tests(part, written)) || names::is_specimen(name, path) {
            return Some(Kind::TestData);
        }
    }
    if let Some(kind) = names::made(name) {
        return Some(kind);
    }
    if runs {
        return Some(Kind::Test);
    }
    if tells && (TESTS.contains(&last) || EXAMPLES.contains(&last)) {
        return Some(Kind::Document);
    }
    if let Some(at) = tests {
        // `tests/errors/test_io.py` is run, `tests/errors/io.json` is read.
        let is_read = parts().count() > at + 1 && names::kind(name) != Kind::Code;
        return Some(if is_read { Kind::TestData } else { Kind::Test });
    }
    parts().any(|part| EXAMPLES.contains(&part)).then_some(Kind::Example)
}

/// A folder that decides alone.
fn by_itself(part: &str) -> Option<Kind> {
    // `JSONTestSuite`, `yaml-test-suite`: inputs for parsers. `testsuite` alone holds programs.
    let is_suite = part.len() > 10 && part.ends_with("suite") && part.contains("test");
    match () {
        () if VENDORED.contains(&part) || is_release(part) => Some(Kind::Vendored),
        () if TEST_DATA.contains(&part) || part.ends_with("fixtures") || is_suite => Some(Kind::TestData),
        () if TEMPLATES.contains(&part) => Some(Kind::Template),
        () if GENERATED.contains(&part) => Some(Kind::Generated),
        () => None,
    }
}

/// A release of something that others wrote, unpacked: `googletest-1.16.0`. The documents of one's own releases lie in `version-1.2.0`.
fn is_release(part: &str) -> bool {
    let Some((name, version)) = part.rsplit_once('-') else { return false };
    let numbers = version.split('.').filter(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    !["version", "release", "v"].contains(&name)
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && version.matches('.').count() >= 2
        && numbers.count() == version.split('.').count()
}

/// `written` is the part in its own letter case: `configCases` and `watch-cases` are programs that a test runs.
fn is_data_of_tests(part: &str, written: &str) -> bool {
    DATA_OF_TESTS.contains(&part) || written.ends_with("Cases") || part.ends_with("-cases") || part.ends_with("_cases")
}
