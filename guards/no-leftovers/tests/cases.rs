use no_leftovers::NoLeftovers;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoLeftovers>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoLeftovers>();
}
