//! What the guard says of the folders in `cases/`; the harness checks that its fixes fix.

use guard_sdk::testing;
use syntax_holds::SyntaxHolds;

#[test]
fn cases() {
    testing::cases_with::<SyntaxHolds>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        const {
            &[
                testing::TextReader::new::<language_parsers::Parsers>(),
                testing::TextReader::new::<language_grammars::Grammars>(),
            ]
        },
    );
}

#[test]
fn settings() {
    testing::settings::<SyntaxHolds>();
}
