//! A repository, a home with settings, and agents on the PATH.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::cli::{Ran, command, host_with};
use crate::support::repo::TestRepo;

/// The value of the variable `SERVER_KEY`.
pub const SECRET: &str = "sk-very-secret-0123";

/// A repository, and a home with settings and agents.
pub struct Place {
    pub repo: TestRepo,
    pub home: tempfile::TempDir,
}

impl Place {
    pub fn new(settings: &str) -> Place {
        Place::on(&std::env::temp_dir(), settings)
    }

    /// With the repository in a new folder below this one.
    pub fn on(folder: &Path, settings: &str) -> Place {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(home.path().join("config/guardhost")).unwrap();
        std::fs::write(home.path().join("config/guardhost/config.toml"), settings).unwrap();
        std::fs::create_dir(home.path().join("bin")).unwrap();
        Place { repo: TestRepo::with_in(folder, &[("x.py", "def x():\n    return 1\n")]), home }
    }

    pub fn bin(&self) -> PathBuf {
        self.home.path().join("bin")
    }

    /// A program on the PATH. Its prompts are left as `NAME.1`, `NAME.2`, …; `$n` is the number of the call.
    pub fn agent(&self, name: &str, script: &str) -> &Self {
        let script = format!(
            "cd '{}'\nn=$(($(cat {name}.calls 2>/dev/null || echo 0) + 1))\necho $n >{name}.calls\ncat >{name}.$n\n{script}\n",
            self.bin().display()
        );
        std::fs::write(self.bin().join(format!("{name}.sh")), script).unwrap();
        let player = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recordings/agent");
        std::os::unix::fs::symlink(player, self.bin().join(name)).unwrap();
        self
    }

    pub fn prompt(&self, name: &str, number: u32) -> String {
        std::fs::read_to_string(self.bin().join(format!("{name}.{number}"))).unwrap()
    }

    pub fn run(&self, more: &[&str]) -> Ran {
        let args = [&["run", "--task", "Let x return 2", "--file-hint", "x.py", "--format", "json"], more].concat();
        self.host(&args)
    }

    pub fn host(&self, args: &[&str]) -> Ran {
        let (path, config) = self.variables();
        host_with(self.repo.path(), args, b"", &[("PATH", &path), ("XDG_CONFIG_HOME", &config), ("SERVER_KEY", SECRET)])
    }

    /// The same, to be started by the test.
    pub fn command(&self, args: &[&str]) -> Command {
        let (path, config) = self.variables();
        command(self.repo.path(), args, &[("PATH", &path), ("XDG_CONFIG_HOME", &config), ("SERVER_KEY", SECRET)])
    }

    fn variables(&self) -> (String, String) {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.bin().display());
        (path, self.home.path().join("config").display().to_string())
    }
}

/// The agents' and events' names in a trace, in order: `asking first`, `provider-failed first overloaded`, `no-patch`, …
pub fn story(run: &Value) -> Vec<String> {
    let trace = std::fs::read_to_string(run["trace"].as_str().expect("a trace")).unwrap();
    let lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = ["asking", "provider-failed", "no-patch", "extracted", "committed", "notice"];
    lines
        .filter(|line| told.contains(&line["event"].as_str().unwrap()))
        .map(|line| {
            let words = ["event", "provider", "prompt", "class", "format"].iter().filter_map(|key| line[*key].as_str());
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
}
