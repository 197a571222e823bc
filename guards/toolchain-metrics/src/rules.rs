//! The rules of the points, as the README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("builds", "`build`: each project builds (one point each)"),
    Rule::new("build-error", "`build`: an error of a build; earns nothing, and says what and where"),
    Rule::new("tests-pass", "`test_results`: every test of each project passes (one point each)"),
    Rule::new("test-fails", "`test_results`: a test that fails; earns nothing, and says which"),
    Rule::new("not-run", "a project that could not be built or tested, and why; earns nothing, and costs nothing. So is one whose packages were never downloaded, since the sandbox has no network, and one that fails only for want of a nightly compiler"),
];
