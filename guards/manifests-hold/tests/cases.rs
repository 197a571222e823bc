use manifests_hold::ManifestsHold;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<ManifestsHold>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const { &[guard_sdk::testing::TextReader::new::<language_parsers::Parsers>()] },
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ManifestsHold>();
}
