use ruby_parses::RubyParses;

#[test]
fn cases() {
    guard_sdk::testing::cases::<RubyParses>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<RubyParses>();
}
