use names_bound::NamesBound;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NamesBound>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NamesBound>();
}
