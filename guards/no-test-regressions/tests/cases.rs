use guard_sdk::testing::TextReader;
use no_test_regressions::NoTestRegressions;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<NoTestRegressions>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const { &[TextReader::new::<language_parsers::Parsers>(), TextReader::new::<language_grammars::Grammars>()] },
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoTestRegressions>();
}

/// What `host explain` shows.
#[test]
fn examples() {
    guard_sdk::testing::exactly::<NoTestRegressions>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/example"));
}
