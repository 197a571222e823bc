use callers_agree::CallersAgree;

#[test]
fn cases() {
    guard_sdk::testing::cases::<CallersAgree>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<CallersAgree>();
}
