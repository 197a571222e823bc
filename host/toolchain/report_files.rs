//! The files to which a test runner writes its report, where it can do nothing better. Any process of the sandbox can write them too.

use std::io::Read;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use guard_files::Globs;

use guardhost_core::error::{Context, Result};

/// The name, in the folder of temporary files, of the file that `{report}` stands for.
pub const REPORT: &str = "guardhost-report";
/// The name there of the folder that `{coverage}` stands for.
pub const COVERAGE: &str = "guardhost-coverage";
/// Bytes of all files, as much as of a report over a socket.
const MOST: u64 = 64 << 20;
/// Files of one run: Java's runners write one for each class.
const MOST_FILES: usize = 20_000;
/// Folders inside of one another.
const DEEPEST: usize = 64;

pub struct ReportFiles<'a> {
    tree: &'a Path,
    folder: &'a str,
    temp: &'a Path,
    globs: Option<Globs>,
}

impl<'a> ReportFiles<'a> {
    /// # Errors
    /// A glob is none.
    pub fn new(tree: &'a Path, folder: &'a str, temp: &'a Path, globs: &[String]) -> Result<Self> {
        let globs = match globs.is_empty() {
            true => None,
            false => Some(Globs::new(globs).map_err(std::io::Error::other).context("a glob of report files is wrong")?),
        };
        Ok(ReportFiles { tree, folder, temp, globs })
    }

    /// What the tree itself has in their place is no report of this run.
    pub fn remove(&self) -> Result<()> {
        let Some(root) = self.root() else { return Ok(()) };
        for path in self.found(&root) {
            root.remove_file(&path).with_context(|| format!("cannot remove {path}, which is no report of this run"))?;
        }
        Ok(())
    }

    /// In the order of their paths. No link is followed out of the folders.
    pub fn read(&self) -> Result<Vec<String>, String> {
        let mut left = MOST;
        let mut texts = Vec::new();
        if let Some(root) = self.root() {
            for path in self.found(&root) {
                texts.push(read(&root, &path, &mut left)?);
            }
        }
        match Dir::open_ambient_dir(self.temp, ambient_authority()) {
            Ok(temp) if temp.exists(REPORT) => texts.push(read(&temp, REPORT, &mut left)?),
            Ok(_) | Err(_) => {}
        }
        Ok(texts)
    }

    /// What says which lines were run; nothing when the job wrote none.
    pub fn read_coverage(&self) -> Result<Vec<String>, String> {
        let (mut left, mut texts) = (MOST, Vec::new());
        let temp = Dir::open_ambient_dir(self.temp, ambient_authority());
        let Ok(folder) = temp.and_then(|temp| temp.open_dir(COVERAGE)) else { return Ok(texts) };
        let entries = folder.entries().map_err(|error| format!("what was counted cannot be listed ({error})"))?;
        let mut names: Vec<String> =
            entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).take(MOST_FILES + 1).collect();
        if names.len() > MOST_FILES {
            return Err(format!("more than {MOST_FILES} processes counted lines"));
        }
        names.sort();
        for name in names {
            texts.push(read(&folder, &name, &mut left)?);
        }
        Ok(texts)
    }

    fn root(&self) -> Option<Dir> {
        self.globs.as_ref()?;
        let tree = Dir::open_ambient_dir(self.tree, ambient_authority()).ok()?;
        if self.folder.is_empty() { Some(tree) } else { tree.open_dir(self.folder).ok() }
    }

    fn found(&self, root: &Dir) -> Vec<String> {
        let (Some(globs), mut found) = (&self.globs, Vec::new()) else { return Vec::new() };
        let mut open = vec![(String::new(), 0)];
        while let Some((folder, depth)) = open.pop() {
            let entries = if folder.is_empty() { root.entries() } else { root.read_dir(&folder) };
            for entry in entries.into_iter().flatten().flatten() {
                let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() && depth < DEEPEST && globs.may_match_below(&path) {
                    open.push((path, depth + 1));
                } else if kind.is_file() && globs.matches(&path) && found.len() < MOST_FILES {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }
}

fn read(folder: &Dir, path: &str, left: &mut u64) -> Result<String, String> {
    let is_file = folder.symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    if !is_file {
        return Err(format!("{path} is no regular file"));
    }
    let mut bytes = Vec::new();
    let opened = folder.open(path).and_then(|file| file.take(*left + 1).read_to_end(&mut bytes));
    opened.map_err(|error| format!("{path} cannot be read ({error})"))?;
    *left =
        left.checked_sub(bytes.len() as u64).ok_or_else(|| format!("its files have more than {} MiB", MOST >> 20))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_is_read_from_regular_files() {
        let (tree, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = ReportFiles::new(tree.path(), "", temp.path(), &[]).unwrap();
        assert_eq!(files.read_coverage(), Ok(vec![]));
        let folder = temp.path().join(COVERAGE);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("b"), "two").unwrap();
        std::fs::write(folder.join("a"), "one").unwrap();
        assert_eq!(files.read_coverage(), Ok(vec!["one".to_owned(), "two".to_owned()]));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/passwd", folder.join("c")).unwrap();
            assert!(files.read_coverage().is_err());
        }
    }

    #[test]
    fn files_of_this_run_alone() {
        let (tree, temp) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let reports = tree.path().join("app/build/reports");
        std::fs::create_dir_all(&reports).unwrap();
        std::fs::write(reports.join("old.xml"), "old").unwrap();
        let globs = ["build/reports/*.xml".to_owned()];
        let files = ReportFiles::new(tree.path(), "app", temp.path(), &globs).unwrap();
        files.remove().unwrap();
        assert_eq!(files.read(), Ok(vec![]));
        std::fs::write(reports.join("new.xml"), "new").unwrap();
        std::fs::write(temp.path().join(REPORT), "own").unwrap();
        assert_eq!(files.read(), Ok(vec!["new".to_owned(), "own".to_owned()]));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc/passwd", reports.join("link.xml")).unwrap();
            assert_eq!(files.read().unwrap().len(), 2, "no link is read");
            std::fs::remove_file(temp.path().join(REPORT)).unwrap();
            std::os::unix::fs::symlink("/etc/passwd", temp.path().join(REPORT)).unwrap();
            assert!(files.read().is_ok_and(|texts| texts.len() == 1) || files.read().is_err());
        }
    }
}
