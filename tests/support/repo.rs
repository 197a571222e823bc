//! Real repositories, made by the real git in temporary directories.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use guardhost_core::change::{Objects, Oid};
use guardhost_git::Repo;
use tempfile::TempDir;

/// A repository with a work tree; it goes when dropped.
pub struct TestRepo {
    dir: PathBuf,
    _temp: TempDir,
}

impl TestRepo {
    /// Without a commit.
    pub fn new() -> Self {
        Self::init(&[])
    }

    pub fn bare() -> Self {
        Self::init(&["--bare"])
    }

    pub fn init(args: &[&str]) -> Self {
        Self::init_in(&std::env::temp_dir(), args)
    }

    /// In a new folder below this one.
    pub fn init_in(folder: &Path, args: &[&str]) -> Self {
        let temp = tempfile::tempdir_in(folder).unwrap();
        let dir = temp.path().canonicalize().unwrap().join("repo");
        fs::create_dir(&dir).unwrap();
        let repo = TestRepo { dir, _temp: temp };
        repo.git(&[&["init", "-q", "-b", "main"], args].concat());
        // In the repository, so that both git and libgit2 see them, whatever the machine's own configuration says.
        for (key, value) in [
            ("user.name", "Test"),
            ("user.email", "test@example.org"),
            ("core.autocrlf", "false"),
            ("core.excludesFile", "/dev/null"),
            ("commit.gpgSign", "false"),
        ] {
            repo.git(&["config", key, value]);
        }
        repo
    }

    /// With one commit of these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        Self::with_in(&std::env::temp_dir(), files)
    }

    /// The same in a new folder below this one.
    pub fn with_in(folder: &Path, files: &[(&str, &str)]) -> Self {
        let repo = Self::init_in(folder, &[]);
        for (path, content) in files {
            repo.write(path, content);
        }
        repo.commit("base");
        repo
    }

    pub fn path(&self) -> &Path {
        &self.dir
    }

    pub fn open(&self) -> Repo {
        Repo::open(&self.dir).unwrap()
    }

    /// Runs git; its standard output without the last newline. Panics when it fails.
    pub fn git(&self, args: &[impl AsRef<OsStr>]) -> String {
        git_in(&self.dir, args, b"")
    }

    pub fn git_with(&self, args: &[&str], stdin: &[u8]) -> String {
        git_in(&self.dir, args, stdin)
    }

    pub fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.dir.join(path)).unwrap()
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.dir.join(path)).unwrap();
    }

    pub fn symlink(&self, target: &str, path: &str) {
        let path = self.dir.join(path);
        let _ = fs::remove_file(&path);
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    pub fn set_executable(&self, path: &str, on: bool) {
        fs::set_permissions(self.dir.join(path), fs::Permissions::from_mode(if on { 0o755 } else { 0o644 })).unwrap();
    }

    pub fn stage_all(&self) {
        self.git(&["add", "--all"]);
    }

    /// Commits everything in the work tree.
    pub fn commit(&self, message: &str) -> Oid {
        self.stage_all();
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.oid("HEAD")
    }

    pub fn oid(&self, revision: &str) -> Oid {
        Oid::from_str(&self.git(&["rev-parse", "--verify", revision])).unwrap()
    }

    /// `git status`, ignored files included.
    pub fn status(&self) -> String {
        self.git(&["status", "--porcelain", "--untracked-files=all", "--ignored"])
    }

    /// Every file outside `.git` with its bytes, mode and kind, and of `.git` HEAD and the index: what a refused change must not touch.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut files = BTreeMap::new();
        collect(&self.dir, &mut files);
        for name in [".git/HEAD", ".git/index"] {
            files.insert(name.into(), (0, fs::read(self.dir.join(name)).unwrap_or_default()));
        }
        files
    }
}

fn collect(dir: &Path, files: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name() == Some(OsStr::new(".git")) {
            continue;
        }
        let data = fs::symlink_metadata(&path).unwrap();
        let content = if data.is_dir() {
            collect(&path, files);
            Vec::new()
        } else if data.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_vec()
        } else {
            fs::read(&path).unwrap()
        };
        files.insert(path, (data.permissions().mode(), content));
    }
}

/// Runs git in `dir` without the machine's configuration.
pub fn git_in(dir: &Path, args: &[impl AsRef<OsStr>], stdin: &[u8]) -> String {
    let mut command = Command::new("git");
    command.current_dir(dir).args(["-c", "protocol.file.allow=always", "-c", "core.quotePath=true"]).args(args);
    for (key, _) in std::env::vars_os() {
        if key.as_bytes().starts_with(b"GIT_") {
            command.env_remove(key);
        }
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("git is installed");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), stdin).unwrap();
    let output = child.wait_with_output().unwrap();
    let shown: Vec<_> = args.iter().map(|arg| arg.as_ref().to_string_lossy()).collect();
    assert!(output.status.success(), "git {}: {}", shown.join(" "), String::from_utf8_lossy(&output.stderr));
    let mut text = String::from_utf8(output.stdout).unwrap();
    if text.ends_with('\n') {
        text.pop();
    }
    text
}

/// Blobs of a tree, as `path → (mode, oid)`, through the store.
pub fn files_of(objects: &dyn Objects, tree: Oid) -> Vec<(String, u32, Oid)> {
    let mut files = Vec::new();
    let walk = objects.walk(tree, &mut |path, entry| {
        files.push((path.to_string(), entry.mode.raw(), entry.oid));
        true
    });
    walk.unwrap();
    files
}
