use critic_devil::CriticDevil;

#[test]
fn cases() {
    guard_sdk::testing::cases::<CriticDevil>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<CriticDevil>();
}
