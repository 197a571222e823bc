use no_unsafe_code::NoUnsafeCode;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoUnsafeCode>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoUnsafeCode>();
}
