//! The kinds of sandbox, and which of them works here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::exit::{Exit, KilledCommand};
use super::{CONFINE, SandboxedCommand, View, bubblewrap, confine, run};
use guardhost_core::error::Result;

/// The programs and kernel features that confine a command, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sandbox {
    /// `bwrap`'s path.
    Bubblewrap(PathBuf),
    /// Landlock, in a process namespace.
    Landlock,
    /// Landlock alone: where this system allows no process namespace.
    LandlockOnly,
}

impl Sandbox {
    /// The best that works here, or the one that `wanted` names. `exe` is this program. Errors say what to install.
    pub fn find(wanted: Option<&str>, bwrap: Option<PathBuf>, exe: &Path) -> Result<Sandbox, String> {
        let bubblewrap = || match &bwrap {
            None => Err("bubblewrap is not installed".to_owned()),
            Some(program) if bubblewrap::works(program) => Ok(Sandbox::Bubblewrap(program.clone())),
            Some(_) => Err("bubblewrap does not work here (are user namespaces allowed?)".to_owned()),
        };
        let landlock = |sandbox| confine::available().map(|()| sandbox);
        let best_landlock =
            || landlock(if confine::has_namespaces(exe) { Sandbox::Landlock } else { Sandbox::LandlockOnly });
        let found = match wanted {
            None => bubblewrap().or_else(|why| best_landlock().map_err(|other| format!("{why}, and {other}"))),
            Some("bubblewrap") => bubblewrap(),
            Some("landlock") => best_landlock(),
            Some("landlock-only") => landlock(Sandbox::LandlockOnly),
            Some(other) => Err(format!("there is no sandbox `{other}` (bubblewrap, landlock, landlock-only)")),
        };
        found.map_err(|why| format!("no sandbox: {why}; install bubblewrap"))
    }

    pub fn name(&self) -> &'static str {
        match self {
            Sandbox::Bubblewrap(_) => "bubblewrap",
            Sandbox::Landlock => "landlock",
            Sandbox::LandlockOnly => "landlock-only",
        }
    }

    /// What it does not keep in, and another one does.
    pub fn weakness(&self) -> Option<&'static str> {
        match self {
            Sandbox::Bubblewrap(_) => None,
            Sandbox::Landlock => {
                Some("programs can change modes and time stamps of the user's own files; with bubblewrap they cannot")
            }
            Sandbox::LandlockOnly => Some(
                "no process namespace: processes that a program leaves behind are killed one by one, and a result is an error \
                 when they cannot be; programs can change modes and time stamps of the user's own files; with bubblewrap they \
                 cannot",
            ),
        }
    }

    /// Runs the command to its end, then kills every process that it left. `exe` is this program, which supervises. A word `{key}` of the
    /// command becomes the key of its report.
    pub fn run(&self, exe: &Path, command: &SandboxedCommand) -> Result<Result<Exit, KilledCommand>> {
        let View { read, write, .. } = command.view;
        let confine = |step| -> Result<Vec<OsString>> {
            let confinement = confine::Confinement { read: read.clone(), write: write.clone(), step };
            Ok(vec![exe.into(), CONFINE.into(), serde_json::to_string(&confinement)?.into()])
        };
        let mut words = match self {
            Sandbox::Bubblewrap(program) => {
                let inside = confine::Confinement {
                    read: Vec::new(),
                    write: Vec::new(),
                    step: confine::ConfineStep::ExecuteConfined,
                };
                let mut words = bubblewrap::command(program, command.view, command.dir, exe);
                words.extend([exe.into(), CONFINE.into(), serde_json::to_string(&inside)?.into()]);
                words
            }
            Sandbox::Landlock => confine(confine::ConfineStep::EnterNamespace)?,
            Sandbox::LandlockOnly => confine(confine::ConfineStep::Execute)?,
        };
        words.push(command.program.into());
        let with_key = |key: &str| {
            let word = |word: &OsString| match word.to_str() {
                Some(text) => text.replace("{key}", key).into(),
                None => word.clone(),
            };
            words.extend(command.args.iter().map(word));
            words
        };
        run::run(exe, with_key, command)
    }
}
