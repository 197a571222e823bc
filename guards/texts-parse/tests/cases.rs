use texts_parse::TextsParse;

#[test]
fn cases() {
    guard_sdk::testing::cases::<TextsParse>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<TextsParse>();
}
