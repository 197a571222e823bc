use scope_kept::ScopeKept;

#[test]
fn cases() {
    guard_sdk::testing::cases::<ScopeKept>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ScopeKept>();
}
