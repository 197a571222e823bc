use packages_published::PackagesPublished;

#[test]
fn cases() {
    guard_sdk::testing::cases::<PackagesPublished>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<PackagesPublished>();
}
