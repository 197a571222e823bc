use workflows_sound::WorkflowsSound;

#[test]
fn cases() {
    guard_sdk::testing::cases::<WorkflowsSound>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<WorkflowsSound>();
}
