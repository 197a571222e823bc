//! Runs one command without network, with only tools of the user's home readable, a few folders writable, and limits.

mod bubblewrap;
mod confine;
mod limits;
mod processes;
mod run;
mod supervise;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use confine::{CONFINE, confine};
pub use limits::Limits;
pub use run::{Exit, Stopped};
pub use supervise::{SUPERVISE, supervise};

use guardhost_core::error::Result;

/// The program or kernel feature that confines a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// `bwrap`'s path.
    Bubblewrap(PathBuf),
    Landlock,
}

/// Everything that a command sees of the machine.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// Files and folders; those that do not exist are left out.
    pub read: Vec<PathBuf>,
    /// Folders; they exist.
    pub write: Vec<PathBuf>,
    /// The folder for temporary files; among `write`.
    pub temp: PathBuf,
    pub env: BTreeMap<OsString, OsString>,
}

pub struct SandboxedCommand<'a> {
    pub program: &'a Path,
    pub args: &'a [OsString],
    pub dir: &'a Path,
    pub view: &'a View,
    pub limits: &'a Limits,
}

impl Sandbox {
    /// The best that works here, or the one that `wanted` names. Errors say what to install.
    pub fn find(wanted: Option<&str>, bwrap: Option<PathBuf>) -> Result<Sandbox, String> {
        let bubblewrap = || match &bwrap {
            None => Err("bubblewrap is not installed".to_owned()),
            Some(program) if bubblewrap::works(program) => Ok(Sandbox::Bubblewrap(program.clone())),
            Some(_) => Err("bubblewrap does not work here (are user namespaces allowed?)".to_owned()),
        };
        let landlock = || confine::available().map(|()| Sandbox::Landlock);
        let found = match wanted {
            None => bubblewrap().or_else(|why| landlock().map_err(|other| format!("{why}, and {other}"))),
            Some("bubblewrap") => bubblewrap(),
            Some("landlock") => landlock(),
            Some(other) => Err(format!("there is no sandbox `{other}` (bubblewrap, landlock)")),
        };
        found.map_err(|why| format!("no sandbox: {why}; install bubblewrap"))
    }

    pub fn name(&self) -> &'static str {
        match self {
            Sandbox::Bubblewrap(_) => "bubblewrap",
            Sandbox::Landlock => "landlock",
        }
    }

    /// Runs the command to its end, then kills every process that it left. `exe` is this program, which supervises.
    pub fn run(&self, exe: &Path, command: &SandboxedCommand) -> Result<Result<Exit, Stopped>> {
        let mut words = match self {
            Sandbox::Bubblewrap(program) => bubblewrap::command(program, command.view, command.dir),
            Sandbox::Landlock => {
                let View { read, write, .. } = command.view;
                let paths = confine::Paths { read: read.clone(), write: write.clone() };
                vec![exe.into(), CONFINE.into(), serde_json::to_string(&paths)?.into()]
            }
        };
        words.push(command.program.into());
        words.extend(command.args.iter().cloned());
        run::run(exe, &words, command)
    }
}
