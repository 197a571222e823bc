#[test]
fn cases() {
    guard_sdk::testing::analysis::analyzed::<repository_metrics::RepositoryMetrics>(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/cases"
    ));
}
