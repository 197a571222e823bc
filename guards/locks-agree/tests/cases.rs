use locks_agree::LocksAgree;

#[test]
fn cases() {
    guard_sdk::testing::cases::<LocksAgree>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<LocksAgree>();
}
