use definitions_kept::DefinitionsKept;

#[test]
fn cases() {
    guard_sdk::testing::cases::<DefinitionsKept>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<DefinitionsKept>();
}
