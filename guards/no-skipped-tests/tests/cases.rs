use no_skipped_tests::NoSkippedTests;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoSkippedTests>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoSkippedTests>();
}
