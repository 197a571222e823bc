use protected_files::ProtectedFiles;

#[test]
fn cases() {
    guard_sdk::testing::cases::<ProtectedFiles>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ProtectedFiles>();
}
