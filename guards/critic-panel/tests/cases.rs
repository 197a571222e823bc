use critic_panel::CriticPanel;

#[test]
fn cases() {
    guard_sdk::testing::cases::<CriticPanel>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<CriticPanel>();
}
