use secrets_out::SecretsOut;

#[test]
fn cases() {
    guard_sdk::testing::cases::<SecretsOut>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<SecretsOut>();
}
