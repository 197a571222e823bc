use critic_self::CriticSelf;

#[test]
fn cases() {
    guard_sdk::testing::cases::<CriticSelf>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<CriticSelf>();
}
