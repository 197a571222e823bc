use no_secrets::NoSecrets;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoSecrets>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoSecrets>();
}
