use frameworks_grounded::FrameworksGrounded;

#[test]
fn cases() {
    guard_sdk::testing::cases::<FrameworksGrounded>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<FrameworksGrounded>();
}
