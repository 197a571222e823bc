//! What the library knows of its process: environment, folders, threads.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::stop::StopToken;

/// Filled by `main` and by tests. The library itself reads neither the environment nor the current directory.
#[derive(Debug, Clone, Default)]
pub struct ProcessEnv {
    /// The folder at which relative paths of the command line start.
    pub cwd: PathBuf,
    /// The path of this program, which starts itself to compile components.
    pub exe: PathBuf,
    /// The index that git is using, where it is not the repository's own: `git commit -a` gives its hooks another.
    pub index: Option<PathBuf>,
    /// The environment. Providers get the variables that they are allowed.
    pub env: Vec<(OsString, OsString)>,
    /// The user's cache folder for compiled guards; None: nothing is cached.
    pub cache: Option<PathBuf>,
    /// The file with the user's own providers and chains. Read only by commands that ask a provider. It need not exist.
    pub settings: Option<PathBuf>,
    /// The file in which `docker login` keeps credentials for registries; None: there are none.
    pub docker: Option<PathBuf>,
    /// The folder for temporary folders.
    pub temp: PathBuf,
    /// Threads that guards may use; at least 1.
    pub threads: usize,
    /// Ends guards and the other stages: Ctrl-C.
    pub stop: StopToken,
}

impl ProcessEnv {
    /// A variable of the environment that is not empty.
    pub fn var(&self, name: &str) -> Option<&std::ffi::OsStr> {
        let found = self.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str());
        found.filter(|value| !value.is_empty())
    }
}
