use links_resolve::LinksResolve;

#[test]
fn cases() {
    guard_sdk::testing::cases::<LinksResolve>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<LinksResolve>();
}
