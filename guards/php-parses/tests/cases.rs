use php_parses::PhpParses;

#[test]
fn cases() {
    guard_sdk::testing::cases::<PhpParses>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<PhpParses>();
}
