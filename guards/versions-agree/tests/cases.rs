use versions_agree::VersionsAgree;

#[test]
fn cases() {
    guard_sdk::testing::cases::<VersionsAgree>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<VersionsAgree>();
}
