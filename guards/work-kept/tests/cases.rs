use work_kept::WorkKept;

#[test]
fn cases() {
    guard_sdk::testing::cases::<WorkKept>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<WorkKept>();
}
