use callers_agree::CallersAgree;

#[test]
fn cases() {
    guard_sdk::testing::cases_with::<CallersAgree>(
        concat!(env!("CARGO_MANIFEST_DIR"), "/cases"),
        &module_indexer::Native,
    );
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<CallersAgree>();
}
