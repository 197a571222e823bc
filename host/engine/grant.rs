//! Capabilities, and what a pin grants of them: of `repo` all paths or some.

use guard_files::Globs;
use guardhost_core::change::RepoPath;

/// A package of the contract that a pin may grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    Repo,
    Commits,
    Facts,
    Modules,
    Net,
    Registry,
    Toolchain,
    History,
    Model,
}

impl Capability {
    pub const ALL: [Capability; 9] = [
        Capability::Repo,
        Capability::Commits,
        Capability::Facts,
        Capability::Modules,
        Capability::Net,
        Capability::Registry,
        Capability::Toolchain,
        Capability::History,
        Capability::Model,
    ];

    /// The package's bare name, as in a pin's `grants`.
    pub fn name(self) -> &'static str {
        match self {
            Capability::Repo => "repo",
            Capability::Commits => "commits",
            Capability::Facts => "facts",
            Capability::Modules => "modules",
            Capability::Net => "net",
            Capability::Registry => "registry",
            Capability::Toolchain => "toolchain",
            Capability::History => "history",
            Capability::Model => "model",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|capability| capability.name() == name)
    }
}

/// The paths that `repo` may show, and `modules` may speak of.
#[derive(Debug, Clone, Default)]
pub enum PathScope {
    #[default]
    Everything,
    Only(Globs),
}

impl PathScope {
    pub fn includes(&self, path: &RepoPath) -> bool {
        match self {
            PathScope::Everything => true,
            PathScope::Only(globs) => globs.matches(path),
        }
    }

    /// Whether a file below this folder may be shown. If not, the grant does not say whether the folder is there.
    pub fn includes_below(&self, folder: &RepoPath) -> bool {
        match self {
            PathScope::Everything => true,
            PathScope::Only(globs) => globs.may_match_below(folder),
        }
    }

    /// What [`PathScope::includes_below`] costs, in bytes compared.
    pub fn folder_cost(&self, folder: &RepoPath) -> u64 {
        match self {
            PathScope::Everything => 0,
            PathScope::Only(globs) => globs.cost(folder),
        }
    }
}

/// An entry of a pin's `grants` that grants nothing.
#[derive(Debug, Clone)]
pub struct WrongGrant {
    /// Its number, from 0.
    pub index: usize,
    pub what: String,
    /// What can be granted instead.
    pub hint: String,
}

const MOST: &str = "say the same with fewer globs, or grant `repo`";

/// Each capability once, in the order of [`Capability::ALL`].
#[derive(Debug, Clone, Default)]
pub struct Grants {
    capabilities: Vec<Capability>,
    repo: PathScope,
}

impl Grants {
    /// Everything, for a guard that is only asked for its description.
    pub fn all() -> Self {
        Grants { capabilities: Capability::ALL.to_vec(), repo: PathScope::Everything }
    }

    /// Reads a pin's `grants`: names of capabilities, and `repo:GLOB` for files that match the glob. `repo` beside `repo:GLOB` grants
    /// every path, and `toolchain` without either of them grants `repo`.
    ///
    /// # Errors
    /// About a name that is no capability, a glob that cannot be read, or paths for another capability than `repo`.
    pub fn read(grants: &[String]) -> Result<Self, WrongGrant> {
        let mut capabilities = Vec::new();
        let mut globs = Vec::new();
        let mut whole = false;
        for (index, grant) in grants.iter().enumerate() {
            let wrong = |what: String, hint: String| WrongGrant { index, what, hint };
            let (name, glob) = grant.split_once(':').map_or((grant.as_str(), None), |(name, glob)| (name, Some(glob)));
            let Some(capability) = Capability::from_name(name) else {
                let names = Capability::ALL.map(Capability::name).join(", ");
                return Err(wrong(format!("is granted `{grant}`"), format!("what can be granted is {names}")));
            };
            match (capability, glob) {
                (Capability::Repo, Some(glob)) => {
                    if let Err(what) = Globs::new(&[glob]) {
                        return Err(wrong(format!("has a wrong grant: {what}"), "write `repo:GLOB`".to_owned()));
                    }
                    globs.push(glob.to_owned());
                }
                (Capability::Repo, None) => whole = true,
                (_, Some(_)) => {
                    let what = format!("is granted `{grant}`");
                    return Err(wrong(what, format!("only `repo` can be granted for some paths: write `{name}`")));
                }
                (_, None) => {}
            }
            capabilities.push(capability);
        }
        // Who may have code run on a tree can read it: a test prints what it finds.
        if capabilities.contains(&Capability::Toolchain) {
            capabilities.push(Capability::Repo);
        }
        capabilities.sort_unstable();
        capabilities.dedup();
        let repo = if whole || globs.is_empty() {
            PathScope::Everything
        } else {
            let too_many =
                |what| WrongGrant { index: 0, what: format!("has wrong grants: {what}"), hint: MOST.to_owned() };
            PathScope::Only(Globs::new(&globs).map_err(too_many)?)
        };
        Ok(Grants { capabilities, repo })
    }

    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// A number for this set of capabilities, below 2 to the power of their number.
    pub fn bits(&self) -> usize {
        self.capabilities.iter().fold(0, |bits, capability| bits | 1 << *capability as usize)
    }

    pub fn repo(&self) -> &PathScope {
        &self.repo
    }
}

#[cfg(test)]
mod tests {
    use super::{Capability, Grants, PathScope};

    #[test]
    fn who_runs_code_reads_the_repository() {
        let read = |grants: &[&str]| {
            let grants: Vec<String> = grants.iter().map(|grant| (*grant).to_owned()).collect();
            Grants::read(&grants).expect("grants")
        };
        assert!(read(&["toolchain"]).has(Capability::Repo) && !read(&["facts"]).has(Capability::Repo));
        assert!(matches!(read(&["toolchain"]).repo(), PathScope::Everything));
        assert!(matches!(read(&["toolchain", "repo:src/*"]).repo(), PathScope::Only(_)));
    }
}
