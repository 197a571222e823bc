use tests_awake::TestsAwake;

#[test]
fn cases() {
    guard_sdk::testing::cases::<TestsAwake>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<TestsAwake>();
}
