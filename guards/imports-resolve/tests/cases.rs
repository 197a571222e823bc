use imports_resolve::ImportsResolve;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<ImportsResolve>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        &module_indexer::Native,
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ImportsResolve>();
}
