//! The one test binary. Every file under `tests/integration`, `tests/hostile` and `tests/support` is a module here, or `forgotten` fails.

mod hostile;
mod integration;
mod support;

/// A test file that nobody lists is a test that never runs.
#[test]
fn no_test_file_is_forgotten() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for room in ["integration", "hostile", "support"] {
        let listed = std::fs::read_to_string(root.join(room).join("mod.rs")).expect("every room has a mod.rs");
        for file in std::fs::read_dir(root.join(room)).expect("a room") {
            let path = file.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let is_module = path.extension().is_some_and(|ending| ending == "rs") || path.join("mod.rs").is_file();
            if is_module && name != "mod" {
                assert!(
                    listed.contains(&format!("mod {name};")),
                    "tests/{room}/{name} is not listed in tests/{room}/mod.rs"
                );
            }
        }
    }
}
