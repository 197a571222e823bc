#[test]
fn cases() {
    guard_sdk::testing::analysis::analyzed::<toolchain_metrics::ToolchainMetrics>(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/cases"
    ));
}
