//! Files that look like code and are what tests and generators are fed with.

use guard_sdk::files::{Kind, kind_of, runs_as_test};

/// Whether it is data of tests, a template, or what others wrote. What a runner takes for a test by its name is run, wherever it stands.
pub fn is_material(path: &str) -> bool {
    match kind_of(path) {
        Kind::TestData => !runs_as_test(path),
        Kind::Template | Kind::Vendored => true,
        Kind::Code
        | Kind::Test
        | Kind::Example
        | Kind::Generated
        | Kind::Document
        | Kind::Configuration
        | Kind::Lock
        | Kind::Other => false,
    }
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
