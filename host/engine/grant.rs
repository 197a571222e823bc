//! Capabilities, and what a pin grants of them: of `repo` all paths or some.

use crate::text::globs::Globs;
use guardhost_core::change::RepoPath;

/// A package of the contract that a pin may grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    Repo,
    Commits,
    Facts,
    Modules,
    Net,
    Toolchain,
    History,
    Model,
}

impl Capability {
    pub const ALL: [Capability; 8] = [
        Capability::Repo,
        Capability::Commits,
        Capability::Facts,
        Capability::Modules,
        Capability::Net,
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
    /// every path.
    ///
    /// # Errors
    /// A message about a name that is no capability, a glob that cannot be read, or paths for another capability than `repo`; and what
    /// can be granted instead.
    pub fn read(grants: &[String]) -> Result<Self, (String, String)> {
        let mut capabilities = Vec::new();
        let mut globs = Vec::new();
        let mut whole = false;
        for grant in grants {
            let (name, glob) = grant.split_once(':').map_or((grant.as_str(), None), |(name, glob)| (name, Some(glob)));
            let Some(capability) = Capability::from_name(name) else {
                let names = Capability::ALL.map(Capability::name).join(", ");
                return Err((format!("is granted `{grant}`"), format!("what can be granted is {names}")));
            };
            match (capability, glob) {
                (Capability::Repo, Some(glob)) => globs.push(glob.to_owned()),
                (Capability::Repo, None) => whole = true,
                (_, Some(_)) => {
                    let what = format!("is granted `{grant}`");
                    return Err((what, format!("only `repo` can be granted for some paths: write `{name}`")));
                }
                (_, None) => {}
            }
            capabilities.push(capability);
        }
        capabilities.sort_unstable();
        capabilities.dedup();
        let repo = if whole || globs.is_empty() {
            PathScope::Everything
        } else {
            let globs = Globs::new(&globs);
            PathScope::Only(globs.map_err(|what| (format!("has a wrong grant: {what}"), "write `repo:GLOB`".into()))?)
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
