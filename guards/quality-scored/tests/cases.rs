use quality_scored::QualityScored;

#[test]
fn cases() {
    guard_sdk::testing::cases::<QualityScored>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<QualityScored>();
}
