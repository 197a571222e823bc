use go_parses::GoParses;

#[test]
fn cases() {
    guard_sdk::testing::cases::<GoParses>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<GoParses>();
}
