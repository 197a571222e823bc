use guard::Lines;

#[test]
fn cases() {
    guard_sdk::testing::cases::<Lines>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<Lines>();
}
