//! The files of each target, and what they hold.

use std::path::{Path, PathBuf};

use super::ci::{self, CiPackage};
use super::exclude;
use super::plugin::{self, PluginFile};
use super::sealed::Authorship;
use super::write;
use super::yaml::YamlFile;
use super::{agents, git_hook, yaml};
use crate::cli::{CiService, InstallScope, InstallTarget};
use crate::hook::{GitHook, HookAgent};
use guardhost_core::error::{Fault, FaultKind, Result};

/// Where things are.
pub struct Site {
    /// The path of this program.
    pub program: String,
    /// The root of the work tree. None outside of repositories, which is enough for the user's own settings.
    pub root: Option<PathBuf>,
    /// The folder in which git looks for hooks.
    pub hooks: Option<PathBuf>,
    /// The file in which git looks for paths that one clone ignores.
    pub exclude: Option<PathBuf>,
    pub home: Option<PathBuf>,
    /// The folders that the environment names for settings of agents, instead of those in `home`.
    pub moved: Vec<(HookAgent, PathBuf)>,
    /// The folder that agents take as a plugin, if one was named.
    pub plugin: Option<PathBuf>,
}

impl Site {
    /// The folder in which an agent has the user's own settings. None without a home folder.
    pub fn user_folder(&self, agent: HookAgent) -> Option<PathBuf> {
        let moved = self.moved.iter().find(|(moved, _)| *moved == agent);
        moved.map(|(_, folder)| folder.clone()).or_else(|| Some(self.home.as_ref()?.join(agent.folder())))
    }

    /// What files hold that name no package.
    pub fn plain(&self) -> Installation<'_> {
        Installation { program: &self.program, package: None }
    }
}

/// What a file is to start.
#[derive(Debug, Clone, Copy)]
pub struct Installation<'a> {
    /// The path of this program, for files of this machine alone.
    pub program: &'a str,
    /// For files of build services. None: the one that the file names already.
    pub package: Option<&'a CiPackage>,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Agent(HookAgent),
    GitHook(GitHook),
    Lefthook,
    PreCommit,
    /// `.git/info/exclude`: the settings of an agent belong to this machine, whose path they hold.
    Exclude(HookAgent),
    Ci(CiService),
    /// A file of a plugin, and who wrote what is there.
    Plugin(PluginFile, Authorship),
    /// The digests of these files. `makes_folder`: the folder was not there before.
    PluginList {
        makes_folder: bool,
    },
}

/// The files of a target.
///
/// # Errors
/// [`FaultKind::Usage`]: it has none in this scope.
pub fn files(target: InstallTarget, scope: InstallScope, site: &Site) -> Result<Vec<(PathBuf, FileKind)>> {
    let root = || site.root.clone().ok_or_else(|| missing("a repository with a work tree", "name one with --repo"));
    let agent = |agent: HookAgent| {
        let own = match scope {
            InstallScope::Repo => root()?.join(agent.repo_settings()),
            InstallScope::User => {
                let folder = site.user_folder(agent).ok_or_else(|| missing("a home folder", "set HOME"))?;
                folder.join(agent.user_settings())
            }
        };
        let own = (own, FileKind::Agent(agent));
        let exclude = site.exclude.clone().filter(|_| scope == InstallScope::Repo);
        Ok([own].into_iter().chain(exclude.map(|path| (path, FileKind::Exclude(agent)))).collect())
    };
    if scope == InstallScope::User && !matches!(target, InstallTarget::Agent(_)) {
        let hint =
            format!("leave out --scope user; or install it in each repository: host install {}", target.as_str());
        return Err(missing("an agent, whose settings a user has", &hint).into());
    }
    match target {
        InstallTarget::Agent(own) => agent(own),
        InstallTarget::Git => {
            let hooks = site.hooks.clone().ok_or_else(|| missing("a repository", "name one with --repo"))?;
            Ok(GitHook::ALL.map(|hook| (hooks.join(hook.as_str()), FileKind::GitHook(hook))).into())
        }
        InstallTarget::Plugin => {
            let folder =
                site.plugin.as_deref().ok_or_else(|| missing("a folder for the plugin", "name one with --dir"))?;
            Ok(plugin::files(folder))
        }
        InstallTarget::Lefthook => {
            Ok(vec![(existing(&root()?, &["lefthook.yml", ".lefthook.yml", "lefthook.yaml"]), FileKind::Lefthook)])
        }
        InstallTarget::PreCommit | InstallTarget::Prek => {
            Ok(vec![(existing(&root()?, &[".pre-commit-config.yaml", ".pre-commit-config.yml"]), FileKind::PreCommit)])
        }
        InstallTarget::Ci(service) => Ok(vec![(root()?.join(ci::path(service)), FileKind::Ci(service))]),
    }
}

/// Each target that a repository can have, with its first file.
pub fn targets_of(site: &Site) -> Vec<(InstallTarget, PathBuf, FileKind)> {
    use clap::ValueEnum;
    let first = |target: &InstallTarget| {
        let (path, kind) = files(*target, InstallScope::Repo, site).ok()?.into_iter().next()?;
        // pre-commit and prek read the same file.
        (*target != InstallTarget::Prek).then_some((*target, path, kind))
    };
    InstallTarget::value_variants().iter().filter_map(first).collect()
}

/// The first of the names that exists, else the first.
fn existing(root: &Path, names: &[&str]) -> PathBuf {
    root.join(names.iter().find(|name| root.join(name).exists()).unwrap_or(&names[0]))
}

fn missing(what: &str, hint: &str) -> Fault {
    Fault::new(FaultKind::Usage, format!("this needs {what}")).hint(hint)
}

impl FileKind {
    /// The file with what is installed; `before` is None where there is none.
    ///
    /// # Errors
    /// A sentence: the file is not understood.
    pub fn installed(self, before: Option<&str>, what: Installation) -> Result<String, String> {
        match self {
            FileKind::Agent(agent) => agents::install(agent, before, what.program),
            FileKind::GitHook(hook) => Ok(git_hook::install(hook, before, what.program)),
            FileKind::Lefthook => yaml::install(YamlFile::Lefthook, before),
            FileKind::PreCommit => yaml::install(YamlFile::PreCommit, before),
            FileKind::Exclude(agent) => Ok(exclude::install(agent, before)),
            FileKind::Ci(service) => ci::install(service, before, what.package),
            FileKind::Plugin(file, written) => {
                before.map_or(Ok(()), |_| written.may_be_written())?;
                Ok(file.text())
            }
            FileKind::PluginList { makes_folder } => plugin::install_list(before, makes_folder),
        }
    }

    /// The file as it was before; None when there was none.
    ///
    /// # Errors
    /// A sentence: the file is not understood.
    pub fn removed(self, text: &str) -> Result<Option<String>, String> {
        match self {
            FileKind::Agent(agent) => agents::remove(agent, text),
            FileKind::GitHook(_) => Ok(git_hook::remove(text)),
            FileKind::Lefthook | FileKind::PreCommit => Ok(yaml::remove(text)),
            FileKind::Exclude(agent) => Ok(exclude::remove(agent, text)),
            FileKind::Ci(service) => ci::remove(service, text),
            FileKind::Plugin(_, written) => written.removed(text),
            FileKind::PluginList { .. } => Ok(plugin::remove_list(text)),
        }
    }

    /// Git starts the file.
    pub fn is_program(self) -> bool {
        match self {
            FileKind::GitHook(_) => true,
            FileKind::Agent(_)
            | FileKind::Lefthook
            | FileKind::PreCommit
            | FileKind::Exclude(_)
            | FileKind::Ci(_)
            | FileKind::Plugin(..)
            | FileKind::PluginList { .. } => false,
        }
    }

    /// The folders that are made for such files, and go with the last of them.
    pub(super) fn made_folders(self) -> &'static [&'static str] {
        match self {
            FileKind::Plugin(..) | FileKind::PluginList { .. } => &plugin::MADE,
            FileKind::Agent(_)
            | FileKind::GitHook(_)
            | FileKind::Lefthook
            | FileKind::PreCommit
            | FileKind::Exclude(_)
            | FileKind::Ci(_) => &write::MADE,
        }
    }
}
