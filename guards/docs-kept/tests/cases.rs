use docs_kept::DocsKept;

#[test]
fn cases() {
    guard_sdk::testing::cases::<DocsKept>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<DocsKept>();
}
