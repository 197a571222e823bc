use known_frameworks::KnownFrameworks;

#[test]
fn cases() {
    guard_sdk::testing::cases::<KnownFrameworks>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<KnownFrameworks>();
}
