use no_undefined_names::NoUndefinedNames;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<NoUndefinedNames>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const { &[guard_sdk::testing::TextReader::new::<language_parsers::Parsers>()] },
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoUndefinedNames>();
}
