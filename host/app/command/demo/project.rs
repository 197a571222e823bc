//! The small Python project of the demonstration, committed to a new repository.

use std::path::Path;

use git2::{IndexAddOption, Repository, RepositoryInitOptions, Signature, Time};

use guardhost_core::error::{Context, Result};

/// Path and content; the files themselves lie in `project/`.
const FILES: [(&str, &str); 5] = [
    ("README.md", include_str!("project/README.md")),
    ("pyproject.toml", include_str!("project/pyproject.toml")),
    ("src/tally/__init__.py", include_str!("project/src/tally/__init__.py")),
    ("src/tally/__main__.py", include_str!("project/src/tally/__main__.py")),
    ("tests/test_tally.py", include_str!("project/tests/test_tally.py")),
];

/// Makes the repository in an existing empty folder: one commit on `main`, with a fixed author and date so that every
/// demonstration shows the same base commit.
pub fn make(dir: &Path) -> Result<()> {
    let repo = Repository::init_opts(dir, RepositoryInitOptions::new().initial_head("main"))?;
    for (path, content) in FILES {
        let path = dir.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        std::fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut index = repo.index()?;
    index.add_all(["*"], IndexAddOption::DEFAULT, None)?;
    index.write()?;
    let tree = repo.find_tree(index.write_tree()?)?;
    let author = Signature::new("Guardhost demo", "demo@localhost", &Time::new(1_767_225_600, 0))?;
    repo.commit(Some("HEAD"), &author, &author, "Count the words of a text", &tree, &[])?;
    Ok(())
}
