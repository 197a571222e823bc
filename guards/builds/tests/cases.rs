use builds::Builds;

#[test]
fn cases() {
    guard_sdk::testing::cases::<Builds>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<Builds>();
}

/// What `host explain` shows.
#[test]
fn examples() {
    guard_sdk::testing::exactly::<Builds>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/example"));
}
