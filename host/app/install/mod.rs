//! `host install`: puts the host into the hooks of git, agents and hook runners, and takes it out again.
//!
//! Each file is a function of what was there before (`target`), and the way back restores the same bytes. Files of others keep their
//! comments and their form.

mod agents;
mod ci;
mod command_line;
mod exclude;
mod git_hook;
mod jsonc;
mod marked;
mod opencode;
mod plugin;
mod sealed;
mod target;
mod write;
mod yaml;

pub use agents::{InstalledHook, installed_hooks};
pub use ci::CiPackage;
pub use git_hook::judges_moves;
pub use plugin::lines_for_agents;
pub use target::{FileKind, Installation, Site, files, targets_of};

use std::path::{Path, PathBuf};

use crate::cli::{CiService, InstallArgs, InstallScope, InstallTarget};
use crate::hook::{HookAgent, real_path};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_os::HAS_POSIX_SHELL;
use guardhost_report::{FileState, InstallReport, InstalledFile};
pub(crate) use write::write_file;
use write::{FileChangeToWrite, perform};

/// What the command line asks for, without the [`next_step`] of each target. `package` is what build services install.
///
/// # Errors
/// [`FaultKind::Config`] for a file that is not understood, [`FaultKind::Usage`] for a build service without a package. Nothing is
/// written then.
pub fn install(args: &InstallArgs, package: Option<&CiPackage>, site: &Site) -> Result<InstallReport> {
    let what = Installation { package, ..site.plain() };
    let mut report = InstallReport { dry_run: args.dry_run, ..InstallReport::default() };
    if args.status {
        report.files = status(args, site)?;
        return Ok(report);
    }
    let mut changes = Vec::new();
    for target in &args.targets {
        check_system(*target)?;
        for (scope, (path, kind)) in files_of(*target, args, site)? {
            let refused = |why: String| {
                Fault::new(FaultKind::Config, format!("{}: {why}", path.display())).hint("nothing was written")
            };
            check_inside(&path, kind, scope, site).map_err(refused)?;
            if let (FileKind::Ci(service), false) = (kind, args.remove) {
                let before = text(&path).map_err(refused)?.unwrap_or_default();
                ci::check_package(service, &path, &before, package)?;
            }
            let planned = match args.remove {
                true => removal(&path, kind, &changes),
                false => installation(&path, kind, what, &changes),
            };
            let (state, planned) = planned.map_err(refused)?;
            changes.extend(planned);
            report.files.push(InstalledFile { target: target.as_str(), path, state });
        }
    }
    if !args.dry_run {
        changes.into_iter().try_for_each(perform)?;
    }
    Ok(report)
}

/// The files of a target in each scope that the command line means.
fn files_of(
    target: InstallTarget,
    args: &InstallArgs,
    site: &Site,
) -> Result<Vec<(InstallScope, (PathBuf, FileKind))>> {
    let mut found = Vec::new();
    let scopes = args.scopes(target);
    for scope in scopes {
        match files(target, *scope, site) {
            Ok(files) => found.extend(files.into_iter().map(|file| (*scope, file))),
            // Outside of repositories there is nothing of theirs to take away.
            Err(_) if scopes.len() > 1 => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// A hook that is not started protects nothing, and nobody notices.
fn check_system(target: InstallTarget) -> Result<()> {
    let Some(why) = needs_posix_shell(target).filter(|_| !HAS_POSIX_SHELL) else { return Ok(()) };
    let what = format!("`host install {}` writes nothing on this system: {why}", target.as_str());
    Err(Fault::new(FaultKind::Usage, what)
        .hint("install the hooks of git, which hold below it: host install git; or install it in the Windows Subsystem for Linux")
        .code("needs-unix")
        .into())
}

/// Why what a target starts is not started where there is no shell of POSIX for everybody. None: it is.
fn needs_posix_shell(target: InstallTarget) -> Option<&'static str> {
    match target {
        // Git, and Claude Code with it, bring a shell. opencode starts the program itself, and hook runners a line of plain words.
        InstallTarget::Git
        | InstallTarget::Agent(HookAgent::Claude)
        | InstallTarget::Agent(HookAgent::Opencode)
        | InstallTarget::Lefthook
        | InstallTarget::PreCommit
        | InstallTarget::Prek => None,
        // They run elsewhere.
        InstallTarget::Ci(_) => None,
        // Gemini CLI 0.61.0: read in the program.
        InstallTarget::Agent(HookAgent::Gemini) => {
            Some("Gemini CLI starts hooks by PowerShell here, in which the hook's line was never tried")
        }
        // Qwen Code 0.24.4: read in the program.
        InstallTarget::Agent(HookAgent::Qwen) => {
            Some("Qwen Code starts hooks by whichever shell started it, in which the hook's line was never tried")
        }
        InstallTarget::Agent(HookAgent::Codex) => {
            Some("by which shell Codex starts hooks here was never tried, nor whether it asks them for shell commands")
        }
        InstallTarget::Agent(HookAgent::Cursor | HookAgent::Copilot) => {
            Some("by which shell it starts hooks here was never tried")
        }
        InstallTarget::Plugin => {
            Some("of the agents that take a plugin, only Claude Code is known to start its hooks here")
        }
    }
}

/// Of the targets that are named, or of all.
fn status(args: &InstallArgs, site: &Site) -> Result<Vec<InstalledFile>> {
    use clap::ValueEnum;
    let all = InstallTarget::value_variants();
    let named = if args.targets.is_empty() { all } else { &args.targets };
    let mut found = Vec::new();
    for target in named {
        let files = match files_of(*target, args, site) {
            Ok(files) => files,
            // Not in this scope.
            Err(_) if args.targets.is_empty() => continue,
            Err(error) => return Err(error),
        };
        for (_, (path, kind)) in files {
            let state = state(&path, kind, site.plain())?;
            found.push(InstalledFile { target: target.as_str(), path, state });
        }
    }
    Ok(found)
}

/// Whether a file has what `host install` writes.
pub fn state(path: &Path, kind: FileKind, what: Installation) -> Result<FileState> {
    let fault = |why: String| Fault::new(FaultKind::Config, format!("{}: {why}", path.display()));
    let Some(text) = text(path).map_err(fault)? else { return Ok(FileState::Absent) };
    let removed = match (kind.removed(&text), kind) {
        // Somebody edited it.
        (Err(_), FileKind::Ci(_) | FileKind::Agent(HookAgent::Opencode) | FileKind::Plugin(..)) => {
            return Ok(FileState::Outdated);
        }
        (removed, _) => removed.map_err(fault)?,
    };
    if removed.as_deref() == Some(text.as_str()) {
        return Ok(FileState::Absent);
    }
    let current = match kind {
        FileKind::GitHook(hook) if git_hook::starts_moved(&text) => git_hook::install_before_moved(hook, what.program),
        // It names no digest.
        FileKind::Ci(service) if ci::package_of(service, &text).is_none() => return Ok(FileState::Outdated),
        kind => kind.installed(Some(&text), what).map_err(fault)?,
    };
    Ok(if current == text { FileState::Installed } else { FileState::Outdated })
}

/// A link stays one, and what it names is written: but a link that a repository brings does not choose a file of the user's elsewhere. Hooks
/// of git lie where the user's own configuration says.
fn check_inside(path: &Path, kind: FileKind, scope: InstallScope, site: &Site) -> Result<(), String> {
    let root = match (kind, &site.plugin, &site.root) {
        // A person chooses the folder, and not the link that a repository has in its place.
        (FileKind::Plugin(..) | FileKind::PluginList { .. }, Some(folder), Some(root)) if has_link_of(root, folder) => {
            &site.root
        }
        (FileKind::Plugin(..) | FileKind::PluginList { .. }, ..) => &site.plugin,
        _ => &site.root,
    };
    match (kind, scope, root) {
        (FileKind::GitHook(_) | FileKind::Exclude(_), _, _) | (_, InstallScope::User, _) | (_, _, None) => Ok(()),
        (
            FileKind::Agent(_)
            | FileKind::Lefthook
            | FileKind::PreCommit
            | FileKind::Ci(_)
            | FileKind::Plugin(..)
            | FileKind::PluginList { .. },
            InstallScope::Repo,
            Some(root),
        ) => match real_path(path) {
            real if real.starts_with(real_path(root)) => Ok(()),
            real => Err(format!("it leads out of the repository, to {}", real.display())),
        },
    }
}

/// Whether the way to a folder goes over a link that lies in the work tree.
fn has_link_of(root: &Path, folder: &Path) -> bool {
    let root = real_path(root);
    // Without `.`, behind which a link is none.
    let folder: PathBuf = folder.components().collect();
    let mut links = folder.ancestors().filter(|at| at.is_symlink());
    links.any(|link| link.parent().is_some_and(|parent| real_path(parent).starts_with(&root)))
}

type PlannedChanges = Result<(FileState, Vec<FileChangeToWrite>), String>;

fn installation(path: &Path, kind: FileKind, what: Installation, earlier: &[FileChangeToWrite]) -> PlannedChanges {
    let before = planned_bytes(path, earlier)?;
    let write = |text: String| FileChangeToWrite::Write { path: path.into(), text, is_program: kind.is_program() };
    let text = before.as_deref().map(std::str::from_utf8);
    let (FileKind::GitHook(hook), Some(script)) = (kind, text) else {
        let text = text.transpose().map_err(|_| "it is not UTF-8")?;
        let after = kind.installed(text, what)?;
        return Ok(match text {
            Some(text) if text == after => (FileState::Unchanged, Vec::new()),
            Some(_) => (FileState::Changed, vec![write(after)]),
            None => (FileState::Created, vec![write(after)]),
        });
    };
    match script {
        Ok(script) if git_hook::starts_moved(script) => {
            let after = git_hook::install_before_moved(hook, what.program);
            Ok(match after == script {
                true => (FileState::Unchanged, Vec::new()),
                false => (FileState::Changed, vec![write(after)]),
            })
        }
        Ok(script) if git_hook::is_shell_script(script) => {
            let after = git_hook::install(hook, Some(script), what.program);
            Ok(match after == script {
                true => (FileState::Unchanged, Vec::new()),
                false => (FileState::Changed, vec![write(after)]),
            })
        }
        // A program, or a script in another language: it runs after ours.
        Ok(_) | Err(_) => {
            let aside = moved(path);
            if aside.exists() {
                return Err(format!("{} is in the way", aside.display()));
            }
            let change = FileChangeToWrite::Move { from: path.into(), to: aside };
            Ok((FileState::Changed, vec![change, write(git_hook::install_before_moved(hook, what.program))]))
        }
    }
}

fn removal(path: &Path, kind: FileKind, earlier: &[FileChangeToWrite]) -> PlannedChanges {
    let text = planned_bytes(path, earlier)?.and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = text else { return Ok((FileState::Absent, Vec::new())) };
    if kind.is_program() && git_hook::starts_moved(&text) {
        let change = FileChangeToWrite::Move { from: moved(path), to: path.into() };
        return Ok((FileState::Restored, vec![change]));
    }
    Ok(match kind.removed(&text)? {
        None => {
            let deleted = FileChangeToWrite::Delete { path: path.into(), made: kind.made_folders() };
            // The list is the last of the files of a plugin.
            let folder = path.parent().filter(|_| kind == FileKind::PluginList { makes_folder: true });
            let folder = folder.map(|folder| FileChangeToWrite::DeleteEmptyFolder { path: folder.into() });
            (FileState::Deleted, [deleted].into_iter().chain(folder).collect())
        }
        Some(rest) if rest == text => (FileState::Absent, Vec::new()),
        Some(rest) => (
            FileState::Restored,
            vec![FileChangeToWrite::Write { path: path.into(), text: rest, is_program: kind.is_program() }],
        ),
    })
}

fn moved(hook: &Path) -> std::path::PathBuf {
    let mut name = hook.as_os_str().to_owned();
    name.push(git_hook::MOVED);
    name.into()
}

/// What the file holds after the changes that were planned so far: several targets may share one.
fn planned_bytes(path: &Path, earlier: &[FileChangeToWrite]) -> Result<Option<Vec<u8>>, String> {
    let last = earlier.iter().rev().find_map(|change| match change {
        FileChangeToWrite::Write { path: written, text, .. } if written == path => {
            Some(Some(text.clone().into_bytes()))
        }
        FileChangeToWrite::Delete { path: deleted, .. } if deleted == path => Some(None),
        FileChangeToWrite::Write { .. }
        | FileChangeToWrite::Delete { .. }
        | FileChangeToWrite::DeleteEmptyFolder { .. }
        | FileChangeToWrite::Move { .. } => None,
    });
    last.map_or_else(|| bytes(path), Ok)
}

/// Bytes of the largest file that is read, as of the largest rules: settings and hooks are texts that people write.
const LARGEST: u64 = 16 << 20;

/// None when there is no file.
fn bytes(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match guardhost_os::read_regular(path, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

/// A file that is no text has nothing of ours.
fn text(path: &Path) -> Result<Option<String>, String> {
    Ok(bytes(path)?.and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// What a person still has to do after a target was installed. None: nothing.
pub fn next_step(target: InstallTarget, args: &InstallArgs) -> Option<String> {
    let scope = *args.scopes(target).first()?;
    let step = match target {
        InstallTarget::Git | InstallTarget::Agent(HookAgent::Claude) => return None,
        InstallTarget::Agent(HookAgent::Codex) => {
            "Codex asks once whether it may run these hooks: start `codex`, and review them with /hooks"
        }
        InstallTarget::Agent(HookAgent::Copilot) if scope == InstallScope::Repo => {
            "`copilot -p` loads the hooks of a repository only in a folder that you trust, and those of --scope user everywhere; git leaves the file \
             out, since it holds a path of this machine: what the cloud agent does is judged by `host install github`"
        }
        InstallTarget::Agent(HookAgent::Gemini) if scope == InstallScope::Repo => {
            "Gemini CLI loads the hooks of a repository only in a folder that you trust, and not with --skip-trust; those of --scope user it \
             loads there too"
        }
        InstallTarget::Agent(HookAgent::Gemini) if args.scope.is_none() => {
            "these are your own settings, for all repositories: Gemini CLI loads no hooks of a folder that it does not trust"
        }
        InstallTarget::Agent(agent) => match scope {
            InstallScope::Repo => {
                let agent = agent.as_str();
                return Some(format!(
                    "the settings of {agent} hold a path of this machine: git leaves them out, unless it tracks them already"
                ));
            }
            InstallScope::User => return None,
        },
        InstallTarget::Plugin => {
            "everybody needs guardhost on the PATH; README.md in the folder says how each agent takes it"
        }
        InstallTarget::Lefthook => "everybody needs guardhost on the PATH; then run: lefthook install",
        InstallTarget::PreCommit => {
            "everybody needs guardhost on the PATH; then run: pre-commit install -t pre-commit -t pre-push"
        }
        InstallTarget::Prek => {
            "everybody needs guardhost on the PATH; then run: prek install -t pre-commit -t pre-push"
        }
        InstallTarget::Ci(CiService::Github | CiService::Forgejo) => {
            "commit the workflow, and the wheel if it is of this repository"
        }
        InstallTarget::Ci(CiService::Gitlab) => "commit .gitlab-ci.yml, and the wheel if it is of this repository",
    };
    Some(step.to_owned())
}

/// Where this process is.
///
/// # Errors
/// When git's settings cannot be read.
pub fn site(ctx: &crate::command::CommandContext) -> Result<Site> {
    let repo = ctx.repo().ok();
    let hooks = repo.as_ref().map(guardhost_git::hooks_dir).transpose()?;
    let exclude = repo.as_ref().map(|repo| repo.common_dir().join("info/exclude"));
    let program = ctx.process.exe.canonicalize().context("cannot find this program's own file")?;
    let program = guardhost_os::shell_path(&program);
    Ok(Site {
        program: program.ok_or_else(|| Fault::new(FaultKind::Usage, "the path of this program is not UTF-8"))?,
        root: repo.as_ref().and_then(|repo| repo.workdir().map(Path::to_path_buf)),
        hooks,
        exclude,
        home: guardhost_os::home(&|name| ctx.process.var(name).map(Into::into)),
        moved: HookAgent::ALL.into_iter().filter_map(|agent| Some((agent, agent.moved_folder(ctx.process)?))).collect(),
        plugin: None,
    })
}
