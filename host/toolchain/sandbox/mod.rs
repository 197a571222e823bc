//! One command where it can do no harm: no network, nothing of the user's home but tools, writing only where it is told, and an end.

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
pub use run::{Ended, Halted};
pub use supervise::{SUPERVISE, supervise};

use guardhost_core::error::Result;

/// What keeps a command in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// The program.
    Bubblewrap(PathBuf),
    Landlock,
}

/// All that a command sees of the machine.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// Files and folders; what does not exist is left out.
    pub read: Vec<PathBuf>,
    /// Folders; they exist.
    pub write: Vec<PathBuf>,
    /// The folder for temporary files; among `write`.
    pub temp: PathBuf,
    pub env: BTreeMap<OsString, OsString>,
}

/// What is to run.
pub struct Order<'a> {
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

    /// Runs the order to its end, and ends all that it started. `exe` is this program, which supervises.
    pub fn run(&self, exe: &Path, order: &Order) -> Result<Result<Ended, Halted>> {
        let mut words = match self {
            Sandbox::Bubblewrap(program) => bubblewrap::command(program, order.view, order.dir),
            Sandbox::Landlock => {
                let View { read, write, .. } = order.view;
                let paths = confine::Paths { read: read.clone(), write: write.clone() };
                vec![exe.into(), CONFINE.into(), serde_json::to_string(&paths)?.into()]
            }
        };
        words.push(order.program.into());
        words.extend(order.args.iter().cloned());
        run::run(exe, &words, order)
    }
}
