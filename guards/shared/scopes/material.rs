//! Files that look like code and are what tests and generators are fed with.

/// Whether it is data of tests, a template, or what others wrote.
pub fn is_material(path: &str) -> bool {
    const MATERIAL: [&str; 24] = [
        "__fixtures__",
        "__snapshots__",
        "__testfixtures__",
        "cases",
        "codemods",
        "compile-fail",
        "compile_fail",
        "fixture",
        "fixtures",
        "golden",
        "node_modules",
        "snapshots",
        "template",
        "templates",
        "test-data",
        "test-fixtures",
        "test_data",
        "test_fixtures",
        "testcases",
        "testdata",
        "third_party",
        "trybuild",
        "vendor",
        "vendored",
    ];
    const TESTS: [&str; 7] = ["__tests__", "spec", "specs", "test", "testing", "tests", "testsuite"];
    const DATA: [&str; 9] =
        ["data", "expected", "format", "input", "inputs", "output", "resources", "samples", "functional"];
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let folders: Vec<&str> = folders.split('/').collect();
    let has = |names: &[&str]| folders.iter().any(|folder| names.contains(folder));
    let is_test =
        name.starts_with("test_") || name.contains(".test.") || name.contains(".spec.") || name.ends_with("_test.py");
    // `configCases`, `watch-cases`: programs that a test runs.
    let is_case = folders.iter().any(|folder| folder.ends_with("Cases") || folder.ends_with("-cases"));
    // A folder `ui` is test data of compilers, and the interface of everything else.
    let is_ui = has(&TESTS) && folders.contains(&"ui");
    // `invalid.jsx`, `validGlobal.js`: what a linter's tests are fed with.
    let is_specimen = ["valid", "invalid"]
        .iter()
        .any(|start| name.strip_prefix(start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase())));
    path.contains("{{")
        || ((has(&MATERIAL) || is_ui) && !is_test)
        || (has(&TESTS) && (has(&DATA) || is_case || is_specimen) && !is_test)
}

#[cfg(test)]
mod tests {
    use super::is_material;

    #[test]
    fn a_folder_ui_is_material_beside_tests_and_makes_no_other_folder_code() {
        for (path, is) in [
            ("tests/ui/borrow.rs", true),
            ("src/ui/app.rs", false),
            ("packages/ui/index.ts", false),
            ("packages/ui/node_modules/x/index.js", true),
            ("src/ui/__snapshots__/a.ts", true),
            ("ui/third_party/b.py", true),
            ("tests/fixtures/test_a.py", false),
            ("tests/specs/no-unused/invalid.jsx", true),
            ("tests/specs/no-unused/validGlobal.js", true),
            ("tests/specs/validation.ts", false),
            ("src/valid.ts", false),
        ] {
            assert_eq!(is_material(path), is, "{path}");
        }
    }
}
