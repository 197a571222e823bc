use checks_kept::ChecksKept;

#[test]
fn cases() {
    guard_sdk::testing::cases::<ChecksKept>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ChecksKept>();
}
