use tests_hold::TestsHold;

#[test]
fn cases() {
    guard_sdk::testing::cases::<TestsHold>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<TestsHold>();
}

/// What `host explain` shows.
#[test]
fn examples() {
    guard_sdk::testing::exactly::<TestsHold>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/example"));
}
