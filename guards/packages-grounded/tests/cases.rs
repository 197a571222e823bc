use packages_grounded::PackagesGrounded;

#[test]
fn cases() {
    guard_sdk::testing::cases::<PackagesGrounded>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<PackagesGrounded>();
}
