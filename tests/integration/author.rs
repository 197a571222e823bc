//! What authors of guards do, through the binary.

mod cases;
mod certify;
mod critic;
mod guide;
mod language;
mod life;
mod past;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::guest::Guest;

/// A guard's folder whose tool is `cp`, with one case that any guard may judge.
struct Home {
    temp: TempDir,
}

impl Home {
    fn with_guest(guest: &Guest) -> Self {
        let home = Home { temp: tempfile::tempdir().unwrap() };
        let recipe = r#"
            [build]
            commands = [["cp", "source.wasm", "guard.wasm"]]
            output = "guard.wasm"
            [tool]
            program = "cp"
            path = []
            install = [["no-such-installer", "cp"]]
        "#;
        home.write("guard.toml", recipe);
        home.write("source.wasm", guest.component());
        home
    }

    fn path(&self) -> &Path {
        self.temp.path()
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        file
    }

    /// One line comes to a document.
    fn case(&self, name: &str) {
        self.write(&format!("cases/{name}/before/a.md"), "one\n");
        self.write(&format!("cases/{name}/after/a.md"), "one\ntwo\n");
    }
}
