use shell_parses::ShellParses;

#[test]
fn cases() {
    guard_sdk::testing::cases::<ShellParses>(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
}

#[test]
fn settings() {
    guard_sdk::testing::settings::<ShellParses>();
}
