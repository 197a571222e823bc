//! What the process was given: the only way in which the library learns of the outside.

use std::ffi::OsString;
use std::path::PathBuf;

/// Filled by `main`, and by tests as they like. The library reads neither the environment nor the current directory.
#[derive(Debug, Clone, Default)]
pub struct ProcessEnv {
    /// Where relative paths of the command line start.
    pub cwd: PathBuf,
    /// This program, for the child that compiles components.
    pub exe: PathBuf,
    /// The index that git itself is using, where that is not the repository's own: `git commit -a` hands its hooks another.
    pub index: Option<PathBuf>,
    /// Providers get their share of it.
    pub env: Vec<(OsString, OsString)>,
    /// The user's cache folder for compiled guards; None: nothing is cached.
    pub cache: Option<PathBuf>,
    /// The user's own providers and chains; read only by commands that ask somebody. It need not exist.
    pub settings: Option<PathBuf>,
    /// Where `docker login` keeps who we are to registries; None: nobody has logged in.
    pub docker: Option<PathBuf>,
    /// Where temporary folders go.
    pub temp: PathBuf,
    /// Threads that guards may use; at least 1.
    pub threads: usize,
}

impl ProcessEnv {
    /// A variable of the environment that holds something.
    pub fn var(&self, name: &str) -> Option<&std::ffi::OsStr> {
        let found = self.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str());
        found.filter(|value| !value.is_empty())
    }
}
