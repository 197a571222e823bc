//! A repository whose changes are judged by its own builds and tests, through the real binary.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::cli::{Ran, host_with};
use super::repo::TestRepo;
use super::tools::{Tool, needs};

const GUARDS: &str = "schema = 1\n[[guard]]\nid = \"no-test-regressions\"\ngrants = [\"toolchain\", \"repo\"]\nlimits = { seconds = 240 }\n\
                      [[guard]]\nid = \"builds\"\ngrants = [\"toolchain\"]\nlimits = { seconds = 240 }\n";

/// A repository on which changes are judged by its tests and its build.
pub struct Bench {
    pub repo: TestRepo,
    pub sandbox: &'static str,
    pub config: tempfile::NamedTempFile,
    pub env: Vec<(String, String)>,
}

impl Bench {
    pub fn new(sandbox: &'static str, files: &[(&str, &str)]) -> Self {
        let config = tempfile::NamedTempFile::new().unwrap();
        fs::write(&config, GUARDS).unwrap();
        let theirs = |var: &str, below: &str| {
            let own = std::env::var_os("HOME").map(|home| Path::new(&home).join(below).display().to_string());
            (var.to_owned(), std::env::var(var).ok().or(own).unwrap_or_default())
        };
        let mut env = vec![theirs("RUSTUP_HOME", ".rustup"), theirs("CARGO_HOME", ".cargo")];
        env.push(("PATH".to_owned(), std::env::var("PATH").unwrap()));
        env.push(("GUARDHOST_SANDBOX".to_owned(), sandbox.to_owned()));
        Bench { repo: TestRepo::with(files), sandbox, config, env }
    }

    /// With this environment's pytest on the PATH, which [`needs`] found.
    pub fn with_pytest(mut self, environment: &Path) -> Self {
        self.env.push(("PATH".to_owned(), path_with(environment)));
        self
    }

    /// Seconds of one build or test run.
    pub fn within(self, seconds: u32) -> Self {
        fs::write(&self.config, GUARDS.replace("240", &seconds.to_string())).unwrap();
        self
    }

    /// With these rules in the place of the usual ones.
    pub fn with_rules(self, rules: &str) -> Self {
        fs::write(&self.config, rules).unwrap();
        self
    }

    pub fn args(&self) -> [String; 7] {
        let config = self.config.path().display().to_string();
        ["check", "--range", "HEAD~1..HEAD", "--format", "json", "--config", &config].map(str::to_owned)
    }

    /// Commits these files on the base (None: deleted), judges that, and takes it back.
    pub fn change(&self, files: &[(&str, Option<&str>)]) -> Ran {
        self.change_as("change", files)
    }

    /// The same with a message that says what the change is for.
    pub fn change_as(&self, message: &str, files: &[(&str, Option<&str>)]) -> Ran {
        for (path, content) in files {
            match content {
                Some(content) => self.repo.write(path, content),
                None => self.repo.remove(path),
            }
        }
        self.repo.commit(message);
        let before = self.repo.snapshot();
        let ran = self.judge();
        assert!(self.repo.snapshot() == before, "{}: the user's work tree and index are as they were", self.sandbox);
        self.repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
        ran
    }

    /// Judges the newest commit, whatever the work tree holds.
    pub fn judge(&self) -> Ran {
        let args = self.args();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let env: Vec<(&str, &str)> = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        host_with(self.repo.path(), &args, b"", &env)
    }
}

/// Those that work here; bubblewrap is the best one, and Landlock must do alone, also without a process namespace.
pub fn sandboxes() -> Vec<&'static str> {
    let wanted = [("bubblewrap", Tool::Bubblewrap), ("landlock", Tool::Landlock), ("landlock-only", Tool::Landlock)];
    wanted.into_iter().filter(|(_, tool)| needs(*tool).is_some()).map(|(name, _)| name).collect()
}

/// The caller's PATH, behind the programs of a virtual environment.
pub fn path_with(environment: &Path) -> String {
    format!("{}/bin:{}", environment.display(), std::env::var("PATH").unwrap())
}

/// What a guard said: its verdict, and `rule path message` of every finding.
pub fn said(ran: &Ran, id: &str) -> (String, Vec<String>) {
    let json = ran.json();
    let guards = json["guards"].as_array().unwrap_or_else(|| panic!("{ran:?}"));
    let guard = guards.iter().find(|guard| guard["id"] == id).unwrap_or_else(|| panic!("{ran:?}"));
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let findings = guard["findings"].as_array().cloned().unwrap_or_default();
    let finding = |finding: &Value| ["rule", "path", "message"].map(|key| text(&finding[key])).join(" ");
    let reason = guard["reason"].as_str().map(|reason| format!(": {reason}")).unwrap_or_default();
    (text(&guard["verdict"]) + &reason, findings.iter().map(finding).collect())
}

#[track_caller]
pub fn rejected(ran: &Ran, id: &str, starts: &[&str]) {
    let (verdict, findings) = said(ran, id);
    assert_eq!((verdict.as_str(), findings.len()), ("reject", starts.len()), "{findings:#?}");
    for (finding, start) in findings.iter().zip(starts) {
        assert!(finding.starts_with(start), "{finding}\nshould begin with {start}");
    }
}

#[track_caller]
pub fn passed(ran: &Ran, id: &str) {
    assert_eq!(said(ran, id), ("pass".to_owned(), vec![]), "{ran:?}");
}
