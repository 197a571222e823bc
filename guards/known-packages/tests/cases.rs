use known_packages::KnownPackages;

#[test]
fn cases() {
    guard_sdk::testing::cases::<KnownPackages>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<KnownPackages>();
}
