//! Files that are no part of the program.

/// Whether a file is what tests are fed with, a template, a listing of a book, or what others wrote: its imports need not resolve here.
pub fn is_test_data(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    // A folder `ui` is what tests of compilers are fed with, and the interface of everything else.
    let in_tests = folders.split('/').any(|part| matches!(part, "test" | "tests" | "testing"));
    let is_fed = |part: &str| {
        (part != "ui" || in_tests) && FOLDERS.contains(&part) || part.ends_with("Cases") || part.ends_with("-cases")
    };
    path.contains("{{") || name.contains("template") || folders.split('/').any(is_fed)
}

#[rustfmt::skip]
const FOLDERS: [&str; 49] = [
    "fixtures", "fixture", "__fixtures__", "__testfixtures__", "testdata", "test-data", "test_data", "data", "cases", "snapshots", "__snapshots__", "mocks", "__mocks__", "inputs", "input", "output", "outputs", "expected",
    "ui", "ui-fail", "compile-fail", "compile_fail", "compile-tests", "trybuild", "fail", "pass", "corpus", "samples", "baseline", "baselines", "golden", "goldens",
    // A book shows programs that are not finished.
    "listings",
    "template", "templates", "cookiecutter", "skeleton", "scaffold", "stubs", "typings", "boilerplate",
    "vendor", "_vendor", "vendored", "third_party", "third-party", "node_modules", "site-packages", "extern",
];
