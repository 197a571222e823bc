use errors_kept::ErrorsKept;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<ErrorsKept>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const {
            &[
                guard_sdk::testing::TextReader::new::<language_parsers::Parsers>(),
                guard_sdk::testing::TextReader::new::<language_grammars::Grammars>(),
            ]
        },
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ErrorsKept>();
}
