use no_test_regressions::NoTestRegressions;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoTestRegressions>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoTestRegressions>();
}

/// What `host explain` shows.
#[test]
fn examples() {
    guard_sdk::testing::exactly::<NoTestRegressions>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/example"));
}
