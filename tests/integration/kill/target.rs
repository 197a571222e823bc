//! A repository, and a command that changes its work tree.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::child::{Disk, Moment, each_file, kill};
use crate::support::cli::{Ran, host};
use crate::support::repo::{TestRepo, git_in};

/// Every file outside `.git` with its mode and bytes, and what git says of index and work tree.
#[derive(Debug, PartialEq)]
pub struct State {
    pub files: BTreeMap<PathBuf, (u32, Vec<u8>)>,
    pub staged: String,
    status: String,
}

/// A repository, and a command that changes its work tree.
pub struct Target {
    pub repo: TestRepo,
    /// Where the command runs: the repository, or a linked work tree.
    pub dir: PathBuf,
    elsewhere: Option<tempfile::TempDir>,
    args: Vec<String>,
    pub before: State,
    /// What the command makes of it.
    pub after: State,
}

const PATCH: &str = "\
diff --git a/edit b/edit
--- a/edit
+++ b/edit
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/crlf.bat b/crlf.bat
--- a/crlf.bat
+++ b/crlf.bat
@@ -1 +1,2 @@
 echo
+echo more
diff --git a/tool b/tool
old mode 100644
new mode 100755
diff --git a/gone/deep/file b/gone/deep/file
deleted file mode 100644
--- a/gone/deep/file
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/flat b/flat
deleted file mode 100644
--- a/flat
+++ /dev/null
@@ -1 +0,0 @@
-flat
diff --git a/flat/below b/flat/below
new file mode 100644
--- /dev/null
+++ b/flat/below
@@ -0,0 +1 @@
+below
diff --git a/new/er/file b/new/er/file
new file mode 100755
--- /dev/null
+++ b/new/er/file
@@ -0,0 +1 @@
+new
diff --git a/from b/to
similarity index 100%
rename from from
rename to to
";

impl Target {
    /// A repository in every state that could be lost (staged, edited, untracked, ignored), to be changed in every way.
    pub fn new(args: &[&str]) -> Self {
        Self::with(args, None, |_| {})
    }

    pub fn with(args: &[&str], elsewhere: Option<tempfile::TempDir>, more: fn(&Path)) -> Self {
        let repo = TestRepo::with(&[
            (".gitattributes", "*.bat text eol=crlf\n"),
            (".gitignore", "*.log\n"),
            ("edit", "one\ntwo\nthree\n"),
            ("crlf.bat", "echo\r\n"),
            ("tool", "#!/bin/sh\n"),
            ("gone/deep/file", "gone\n"),
            ("flat", "flat\n"),
            ("from", "moved\n"),
            ("a.txt", "one\n"),
            ("tool.py", "def tool():\n    return 1\n"),
            ("README.md", super::README),
        ]);
        let dir = match &elsewhere {
            None => repo.path().to_path_buf(),
            Some(folder) => {
                let dir = folder.path().join("linked");
                repo.git(&["worktree", "add", "-q", dir.to_str().expect("UTF-8")]);
                dir
            }
        };
        let write = |path: &str, text: &str| fs::write(dir.join(path), text).expect("written");
        write("a.txt", "two\n");
        git_in(&dir, &["add", "a.txt"], b"");
        write("a.txt", "three\n");
        write("untracked.txt", "mine\n");
        write("ignored.log", "noise\n");
        fs::write(repo.path().join("../change.patch"), PATCH).expect("written");
        more(&dir);
        let patch = repo.path().join("../change.patch").canonicalize().expect("a path");
        let real = args.iter().map(|arg| arg.replace("PATCH", patch.to_str().expect("UTF-8"))).collect();
        let mut target = Target { before: state(&dir), after: state(&dir), repo, dir, elsewhere, args: real };
        let copy = tempfile::tempdir().expect("a folder");
        copy_all(target.repo.path().parent().expect("a folder"), copy.path());
        // A linked work tree is no longer linked when it is copied; it comes to what a plain one comes to.
        target.after = match target.elsewhere {
            Some(_) => Target::with(args, None, more).after,
            None => {
                let dir = copy.path().join("repo");
                let args: Vec<&str> = target.args.iter().map(String::as_str).collect();
                let _ = host(&dir, &args[1..]).expect(0);
                state(&dir)
            }
        };
        assert_ne!(target.after, target.before, "the command changes something");
        target
    }

    /// Kills the command after a step. False when it ended before that.
    pub fn kill(&self, step: usize, disk: Disk) -> bool {
        kill(&self.dir, &self.args, Moment::Step(step, disk), &[])
    }

    /// Every file is the old one or the new one, whole, and nothing else is there.
    pub fn assert_no_file_is_torn(&self, moment: &str) {
        for (path, now) in state(&self.dir).files {
            let known = [&self.before, &self.after].map(|state| state.files.get(&path));
            let of_a_host = path.components().any(|part| part.as_os_str().to_string_lossy().starts_with(".guardhost-"));
            assert!(of_a_host || known.contains(&Some(&now)), "{moment}: {} is torn: {now:?}", path.display());
        }
    }

    /// Whether the change is there: all of it, or nothing of it. Nothing else is left.
    pub fn is_changed(&self, moment: &str) -> bool {
        let now = state(&self.dir);
        assert!(now == self.before || now == self.after, "{moment}: {now:#?}");
        let git_dir = git_in(&self.dir, &["rev-parse", "--absolute-git-dir"], b"");
        for left in ["index.lock", "guardhost/place", "guardhost/place.lock"] {
            assert!(!Path::new(&git_dir).join(left).exists(), "{moment}: {left} is left");
        }
        self.repo.git(&["fsck", "--strict", "--no-dangling"]);
        now == self.after
    }

    pub fn doctor(&self) {
        let _ = host(&self.dir, &["doctor"]).expect(0);
    }

    pub fn command(&self) -> Ran {
        let args: Vec<&str> = self.args.iter().skip(1).map(String::as_str).collect();
        host(&self.dir, &args)
    }

    /// The folders that the command may change.
    fn folders(&self) -> Vec<&Path> {
        let elsewhere = self.elsewhere.iter().map(tempfile::TempDir::path);
        [self.repo.path()].into_iter().chain(elsewhere).collect()
    }

    pub fn save(&self) -> tempfile::TempDir {
        let copy = tempfile::tempdir().expect("a folder");
        for (number, folder) in self.folders().into_iter().enumerate() {
            copy_all(folder, &copy.path().join(number.to_string()));
        }
        copy
    }

    pub fn restore(&self, copy: &tempfile::TempDir) {
        for (number, folder) in self.folders().into_iter().enumerate() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.expect("removed");
            }
            copy_all(&copy.path().join(number.to_string()), folder);
        }
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    let status = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().expect("cp runs");
    assert!(status.success());
}

pub fn state(dir: &Path) -> State {
    let mut files = BTreeMap::new();
    each_file(dir, &mut |path, data| {
        let path = path.strip_prefix(dir).expect("below").to_path_buf();
        if path.iter().next().is_some_and(|first| first == ".git") {
            return;
        }
        files.insert(path.clone(), (data.permissions().mode(), fs::read(dir.join(&path)).expect("read")));
    });
    State {
        files,
        staged: git_in(dir, &["ls-files", "--stage"], b""),
        status: git_in(dir, &["status", "--porcelain", "--untracked-files=all", "--ignored"], b""),
    }
}
