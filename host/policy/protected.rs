//! The paths that no patch may touch, as the rules of a repository say.

use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::setting::SettingPath;
use guardhost_git::{Repo, hooks_dir};
use guardhost_patch::sanitize;

use super::work_tree_path::work_tree_paths;
use crate::config::PolicyRules;

/// The built-in globs without those of `unprotect`, and those of `protect`.
///
/// # Errors
/// [`FaultKind::Config`]: `unprotect` names a glob that is not built in.
pub fn protected(policy: &PolicyRules) -> Result<Vec<String>> {
    let built_in = sanitize::Rules::built_in();
    // A name of the root was written without its slash before globs had one dialect.
    let means = |written: &str, glob: &str| glob == written || glob.strip_prefix('/') == Some(written);
    let is_built_in = |written: &str| built_in.iter().any(|glob| means(written, glob));
    let unknown = policy.unprotect.iter().enumerate().filter(|(_, glob)| !is_built_in(glob));
    let unknown = unknown.map(|(index, glob)| {
        Fault::new(
            FaultKind::Config,
            format!("`policy.unprotect` names `{glob}`, which the built-in list does not have"),
        )
        .hint("docs/guards-toml.md has the list; its globs are taken away word for word")
        .setting(SettingPath::default().key("policy").key("unprotect").index(index))
    });
    if let Some(fault) = Fault::all(unknown) {
        return Err(fault.into());
    }
    let kept = built_in.iter().filter(|glob| !policy.unprotect.iter().any(|taken| means(taken, glob)));
    Ok(kept.map(|glob| (*glob).to_owned()).chain(policy.protect.iter().cloned()).collect())
}

/// The globs of the folder in which git looks for hooks, where `core.hooksPath` puts it into the work tree: git would start what a patch
/// writes there. `unprotect` takes none of them away.
///
/// # Errors
/// Git's settings cannot be read.
pub fn hooks_in_tree(repo: &Repo) -> Result<Vec<String>> {
    let folders = work_tree_paths(repo, &hooks_dir(repo)?);
    let folders = folders.iter().filter_map(|folder| folder.as_str()).filter(|folder| !folder.starts_with(".git/"));
    // A name may hold what globs mean something by.
    let literal = |folder: &str| folder.replace(|c| "*?[]{}\\!".contains(c), "?");
    Ok(folders
        .map(|folder| if folder.is_empty() { IN_ROOT.to_owned() } else { format!("{}/**", literal(folder)) })
        .collect())
}

/// The names of git's hooks, where the root itself is the folder.
const IN_ROOT: &str = "/{applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,prepare-commit-msg,commit-msg,post-commit,\
                       pre-rebase,post-checkout,post-merge,pre-push,pre-receive,update,proc-receive,post-receive,post-update,\
                       reference-transaction,push-to-checkout,pre-auto-gc,post-rewrite,sendemail-validate,fsmonitor-watchman,\
                       post-index-change,p4-changelist,p4-prepare-changelist,p4-post-changelist,p4-pre-submit}";
