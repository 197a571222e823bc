use guard_sdk::testing::TextReader;
use red_first::RedFirst;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<RedFirst>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const { &[TextReader::new::<language_parsers::Parsers>(), TextReader::new::<language_grammars::Grammars>()] },
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<RedFirst>();
}
