use no_residue::NoResidue;

#[test]
fn cases() {
    guard_sdk::testing::cases::<NoResidue>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<NoResidue>();
}
