//! A repository of its own, and a bad change for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::process::{ProcessEnd, run};
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;

/// The file of the bad change. A denial that does not name it is not for the change.
pub(super) const FILE: &str = "guardhost_canary.py";
pub(super) const GOOD: &str = "def canary():\n    return 1\n";
/// No guard of the default set that reads Python takes it.
pub(super) const BAD: &str = "def canary(:\n    return 1\n";

/// The most that git may take, hooks included.
const GIT: Duration = Duration::from_secs(60);

pub(super) struct Planted {
    temp: tempfile::TempDir,
    env: Vec<(OsString, OsString)>,
}

impl Planted {
    /// One commit, and a remote `canary` without any.
    pub fn new(process: &ProcessEnv) -> Result<Self> {
        let temp = tempfile::Builder::new().prefix("guardhost-canary-").tempdir_in(&process.temp);
        let temp = temp.context("cannot make a temporary folder")?;
        // What git told this process of another repository, and settings that are not for this one.
        let foreign = |name: &OsString| {
            let name = name.to_string_lossy();
            name.starts_with("GIT_") || name.starts_with("GUARDHOST_") || name.starts_with("PRE_COMMIT")
        };
        let env = process.env.iter().filter(|(name, _)| !foreign(name)).cloned().collect();
        let planted = Planted { temp, env };
        for folder in [planted.root(), planted.remote()] {
            std::fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        planted.write(GOOD)?;
        let nowhere = Path::new("/dev/null");
        for args in [
            &["init", "-q", "-b", "main"][..],
            &["config", "user.name", "Guardhost"],
            &["config", "user.email", "guardhost@localhost"],
            &["config", "commit.gpgSign", "false"],
            &["init", "-q", "--bare", "../remote"],
            &["remote", "add", "canary", "../remote"],
            &["add", FILE],
            &["commit", "-q", "-m", "canary"],
        ] {
            match planted.git(nowhere, args)? {
                ProcessEnd::By { code: Some(0), .. } => {}
                ended => {
                    let what = format!("git {} failed in a temporary repository: {ended:?}", args.join(" "));
                    return Err(Fault::new(FaultKind::Git, what).into());
                }
            }
        }
        Ok(planted)
    }

    pub fn root(&self) -> PathBuf {
        self.temp.path().join("repo")
    }

    fn remote(&self) -> PathBuf {
        self.temp.path().join("remote")
    }

    pub fn write(&self, content: &str) -> Result<()> {
        std::fs::write(self.root().join(FILE), content).context("cannot write a temporary file")
    }

    pub fn git(&self, hooks: &Path, args: &[&str]) -> Result<ProcessEnd> {
        let mut command = self.command("git");
        command.arg("-c").arg(format!("core.hooksPath={}", hooks.display())).args(args);
        run(command, b"", GIT, self.temp.path())
    }

    /// A command line of an agent's settings.
    pub fn shell(&self, line: &str, input: &[u8], limit: Duration) -> Result<ProcessEnd> {
        let mut command = self.command("sh");
        command.args(["-c", line]);
        run(command, input, limit, self.temp.path())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.root()).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}
