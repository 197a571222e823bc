use imports_resolve::ImportsResolve;

#[test]
fn cases() {
    guard_sdk::testing::cases::<ImportsResolve>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ImportsResolve>();
}
