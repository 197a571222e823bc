//! The one test binary. Every file under `tests/integration`, `tests/hostile` and `tests/support` is a module here.

/// What the fuzz targets ask, so that it compiles whenever the rest does: the targets have a workspace and a compiler of their own.
#[path = "fuzz/lib.rs"]
mod fuzz;
mod hostile;
mod integration;
mod support;

use std::path::{Path, PathBuf};

#[global_allocator]
static ALLOCATOR: support::allocations::Counting = support::allocations::Counting;

/// A test file that no module lists is a test that never runs.
#[test]
fn no_test_file_is_forgotten() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for folder in ["integration", "hostile", "support"] {
        every_file_is_a_module(&root.join(folder).join("mod.rs"), &root.join(folder));
    }
}

/// `folder` holds the modules that `parent` declares.
fn every_file_is_a_module(parent: &Path, folder: &Path) {
    let declared = std::fs::read_to_string(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Some(file) = module(&path).filter(|file| file != parent) else { continue };
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(
            declared.lines().any(|line| line.trim_start_matches("pub ").trim() == format!("mod {name};")),
            "{} is not declared in {}",
            file.display(),
            parent.display()
        );
        let own = path.with_extension("");
        if own.is_dir() {
            every_file_is_a_module(&file, &own);
        }
    }
}

/// The file of the module at `path`; None where there is only data.
fn module(path: &Path) -> Option<PathBuf> {
    match path.is_dir() {
        true => [path.join("mod.rs"), path.with_extension("rs")].into_iter().find(|file| file.is_file()),
        false => path.extension().is_some_and(|ending| ending == "rs").then(|| path.to_path_buf()),
    }
}
