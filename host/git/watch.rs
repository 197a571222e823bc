//! Notices what another program did to a repository between two moments: HEAD, branches and tags, what is staged, configuration, hooks,
//! and the files of the work tree.
//!
//! Files are compared by their stamps, of which the kernel sets the time of change: no program can set it back. A folder of the work tree
//! without a tracked file (`target`, `node_modules`) is not entered. What this process itself has open, such as its own output, is left
//! out. Nobody can tell which program made a change.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::staged::read_index;
use super::{Repo, place::is_staging_name};
use guardhost_core::error::{Context, Fault, Kind, Result};

/// Files and folders of the git directory in which another program could leave something that git runs or obeys later.
const OBEYED: [&str; 9] = [
    "config",
    "config.worktree",
    "hooks",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "reftable",
];

/// The state of a repository at one moment.
pub struct RepoWatch {
    folders: Folders,
    before: State,
}

struct Folders {
    git: PathBuf,
    common: PathBuf,
    work_tree: Option<PathBuf>,
    index: PathBuf,
}

/// By the names that a person would use: `HEAD`, `refs/heads/main`, `.git/config`, `src/lib.rs`.
type State = BTreeMap<PathBuf, Stamp>;

#[derive(PartialEq, Eq)]
enum Stamp {
    /// What HEAD or a ref says.
    Text(Vec<u8>),
    /// Paths, modes and objects of the index.
    Staged(u64),
    File {
        mode: u32,
        size: u64,
        inode: u64,
        /// Seconds and nanoseconds.
        changed: (i64, i64),
    },
    Folder {
        mode: u32,
    },
}

impl RepoWatch {
    /// Errors ([`Kind::Git`]): what cannot be looked at.
    pub fn begin(repo: &Repo) -> Result<Self> {
        let folders = Folders {
            git: repo.git_dir().to_owned(),
            common: repo.common_dir().to_owned(),
            work_tree: repo.workdir().map(Path::to_owned),
            index: repo.index_path(None)?,
        };
        let before = folders.state()?;
        Ok(RepoWatch { folders, before })
    }

    /// What is not as it was, sorted; with `(new)` or `(removed)`.
    pub fn changes(self) -> Result<Vec<String>> {
        let mut after = self.folders.state()?;
        let mut found = Vec::new();
        for (path, stamp) in &self.before {
            match after.remove(path) {
                Some(now) if now == *stamp => {}
                Some(_) => found.push(path.display().to_string()),
                None => found.push(format!("{} (removed)", path.display())),
            }
        }
        found.extend(after.into_keys().map(|path| format!("{} (new)", path.display())));
        found.sort();
        Ok(found)
    }
}

impl Folders {
    fn state(&self) -> Result<State> {
        let mut state = State::new();
        self.look(&mut state)
            .with_context(|| Fault::new(Kind::Git, format!("cannot look at {}", self.git.display())))?;
        Ok(state)
    }

    fn look(&self, state: &mut State) -> io::Result<()> {
        state.insert("HEAD".into(), Stamp::Text(fs::read(self.git.join("HEAD"))?));
        self.refs(state)?;
        let folders = BTreeSet::from([&self.common, &self.git]);
        for (folder, name) in folders.iter().flat_map(|folder| OBEYED.map(|name| (folder, name))) {
            walk(&folder.join(name), &Path::new(".git").join(name), state, &|_| true)?;
        }
        walk(&self.common.join("modules"), Path::new(".git/modules"), state, &|path| {
            !["objects", "logs", "refs"].iter().any(|name| path.ends_with(name))
        })?;
        // An index that only libgit2 can read, or neither: the whole work tree is looked at.
        let index = read_index(&self.index).ok();
        let staged = match &index {
            Some(index) => Stamp::Staged(staged(index)),
            None => fs::symlink_metadata(&self.index).map_or(Stamp::Staged(0), |data| stamp(&data)),
        };
        state.insert(".git/index".into(), staged);
        if let Some(work_tree) = &self.work_tree {
            let tracked = index.as_ref().map(tracked_folders);
            let enters = |path: &Path| {
                let is_tracked = tracked.as_ref().is_none_or(|tracked| tracked.contains(path));
                is_tracked && !path.ends_with(".git")
            };
            let own = own_files();
            let mut files = State::new();
            walk(work_tree, Path::new(""), &mut files, &enters)?;
            files.retain(|path, stamp| {
                let is_git = path.file_name().is_some_and(|name| name == ".git") || path.as_os_str().is_empty();
                let is_ours = matches!(stamp, Stamp::File { inode, .. } if own.contains(inode))
                    || path.iter().any(|part| is_staging_name(part.as_bytes()));
                !is_git && !is_ours
            });
            state.append(&mut files);
        }
        Ok(())
    }

    /// Those of remotes are left out: editors fetch now and then. Packing refs changes none of them.
    fn refs(&self, state: &mut State) -> io::Result<()> {
        let packed = or_none(fs::read(self.common.join("packed-refs")))?.unwrap_or_default();
        for line in
            packed.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#") && !line.starts_with(b"^"))
        {
            let mut parts = line.splitn(2, |byte| *byte == b' ');
            if let (Some(oid), Some(name)) = (parts.next(), parts.next()) {
                state.insert(PathBuf::from(std::ffi::OsStr::from_bytes(name)), Stamp::Text(oid.to_owned()));
            }
        }
        let mut loose = State::new();
        walk(&self.common.join("refs"), Path::new("refs"), &mut loose, &|path| path != Path::new("refs/remotes"))?;
        let files = loose.into_iter().filter(|(_, stamp)| matches!(stamp, Stamp::File { .. }));
        for (name, _) in files.filter(|(name, _)| name.extension().is_none_or(|ending| ending != "lock")) {
            if let Some(text) = or_none(fs::read(self.common.join(&name)))? {
                state.insert(name, Stamp::Text(text.trim_ascii().to_owned()));
            }
        }
        state.retain(|name, _| !name.starts_with("refs/remotes"));
        Ok(())
    }
}

/// Everything at and below a path; a folder's entries only if `enters` says so.
fn walk(path: &Path, name: &Path, state: &mut State, enters: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    let Some(data) = or_none(fs::symlink_metadata(path))? else { return Ok(()) };
    state.insert(name.to_owned(), stamp(&data));
    if !data.is_dir() || !enters(name) {
        return Ok(());
    }
    for entry in or_none(fs::read_dir(path))?.into_iter().flatten() {
        let entry = entry?.file_name();
        walk(&path.join(&entry), &name.join(&entry), state, enters)?;
    }
    Ok(())
}

fn stamp(data: &Metadata) -> Stamp {
    match data.is_dir() {
        true => Stamp::Folder { mode: data.mode() },
        false => Stamp::File {
            mode: data.mode(),
            size: data.size(),
            inode: data.ino(),
            changed: (data.ctime(), data.ctime_nsec()),
        },
    }
}

/// `git status` writes the index anew, with other times; that stages nothing.
fn staged(index: &gix_index::File) -> u64 {
    let mut hasher = DefaultHasher::new();
    for entry in index.entries() {
        entry.path(index).hash(&mut hasher);
        (entry.mode.bits(), entry.id.as_bytes(), entry.stage_raw()).hash(&mut hasher);
    }
    hasher.finish()
}

/// The folders that tracked files are in, and those above them.
fn tracked_folders(index: &gix_index::File) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::from([PathBuf::new()]);
    let mut last: &[u8] = b"";
    for entry in index.entries() {
        let path: &[u8] = entry.path(index);
        let folder = folder_of(path);
        if folder != last {
            last = folder;
            let mut folder = Path::new(std::ffi::OsStr::from_bytes(folder));
            while found.insert(folder.to_owned()) {
                let Some(parent) = folder.parent() else { break };
                folder = parent;
            }
        }
    }
    found
}

fn folder_of(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(b"", |end| &path[..end])
}

/// The inodes of the files that this process has open.
fn own_files() -> HashSet<u64> {
    let open = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    open.filter_map(|entry| fs::metadata(entry.path()).ok()).map(|data| data.ino()).collect()
}

/// None for what is not there, or is gone by now.
fn or_none<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
