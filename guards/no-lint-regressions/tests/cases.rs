use no_lint_regressions::NoLintRegressions;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoLintRegressions>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoLintRegressions>();
}

/// What `host explain` shows.
#[test]
fn examples() {
    guard_sdk::testing::exactly::<NoLintRegressions>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/example"));
}
