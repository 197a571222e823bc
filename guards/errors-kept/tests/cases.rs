use errors_kept::ErrorsKept;

#[test]
fn cases() {
    guard_sdk::testing::cases::<ErrorsKept>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ErrorsKept>();
}
