use guard_sdk::testing::TextReader;
use lines_run::LinesRun;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<LinesRun>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const { &[TextReader::new::<language_parsers::Parsers>(), TextReader::new::<language_grammars::Grammars>()] },
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<LinesRun>();
}
