use no_undefined_names::NoUndefinedNames;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoUndefinedNames>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoUndefinedNames>();
}
