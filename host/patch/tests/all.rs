//! The one test binary of this crate. Every file beside it and under `support` is a module, or `no_test_file_is_forgotten` fails.

mod account;
mod apply;
mod budget;
mod extract;
mod growth;
mod line_endings;
mod misquoted;
mod proposals;
mod propose;
mod repair;
mod sanitize;
mod standard_diffs;
mod support;

#[global_allocator]
static ALLOCATOR: support::allocations::Counting = support::allocations::Counting;

/// A test file that no module lists is a test that never runs.
#[test]
fn no_test_file_is_forgotten() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for (folder, list) in [(root.clone(), "all.rs"), (root.join("support"), "mod.rs")] {
        let listed = std::fs::read_to_string(folder.join(list)).expect("every folder lists its modules");
        for file in std::fs::read_dir(&folder).expect("a folder of tests") {
            let path = file.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let is_list = path.file_name().is_some_and(|name| name == list);
            let is_module = path.extension().is_some_and(|ending| ending == "rs") || path.join("mod.rs").is_file();
            assert!(
                !is_module || is_list || listed.contains(&format!("mod {name};")),
                "{} is not listed in {list}",
                path.display()
            );
        }
    }
}
