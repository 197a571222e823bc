use builds::Builds;

#[test]
fn cases() {
    guard_sdk::testing::cases::<Builds>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<Builds>();
}
