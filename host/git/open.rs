//! Opens a repository, and explains why one cannot be opened.

use std::path::Path;

use git2::{ErrorCode, Repository, RepositoryOpenFlags};

use guardhost_core::error::{Error, Fault, FaultKind, Result};

/// Searches `dir` and its parents as git does, but not across file systems, and without reading the environment.
pub(super) fn open(dir: &Path) -> Result<Repository> {
    // Git does not hash what it reads either. It is a quarter of the work of reading a staged change.
    git2::opts::strict_hash_verification(false);
    let no_ceilings: [&str; 0] = [];
    Repository::open_ext(dir, RepositoryOpenFlags::empty(), no_ceilings).map_err(|cause| explain(dir, cause))
}

fn explain(dir: &Path, cause: git2::Error) -> Error {
    let shown = dir.display();
    let message = cause.message();
    let git = |what: String| Fault::new(FaultKind::Git, what);
    let fault = match cause.code() {
        ErrorCode::Owner => git(format!("the repository at {shown} belongs to another user"))
            .hint(format!("if you trust it: git config --global --add safe.directory '{}'", owned_path(message, dir))),
        ErrorCode::NotFound if !dir.exists() => git(format!("{shown} does not exist")),
        ErrorCode::NotFound => git(format!("no git repository at {shown} or above it"))
            .hint("name one with --repo, or make one with: git init"),
        _ if message.contains("object format") => git(format!(
            "the repository at {shown} uses SHA-256 for object names"
        ))
        .hint("libgit2 reads SHA-1 repositories only; convert a copy, or make one with: git init --object-format=sha1"),
        _ if message.contains("extensions.refstorage") => {
            git(format!("the repository at {shown} keeps its refs in a reftable"))
                .hint("libgit2 reads refs from files only: git refs migrate --ref-format=files")
        }
        _ if message.contains("extensions.partialclone") => {
            git(format!("the repository at {shown} is a partial clone"))
                .hint("libgit2 cannot fetch what is missing: clone again without --filter")
        }
        _ => git(format!("cannot open the repository at {shown}"))
            .hint("run: git -C DIR fsck, and check the directory's permissions"),
    };
    crate::without_class(&cause).context(fault)
}

/// The path that git needs in `safe.directory`: the one that libgit2 quotes, which may be above `dir`.
fn owned_path<'a>(message: &'a str, dir: &'a Path) -> std::borrow::Cow<'a, str> {
    match message.split('\'').nth(1) {
        Some(path) if !path.is_empty() => path.into(),
        _ => dir.to_string_lossy(),
    }
}
