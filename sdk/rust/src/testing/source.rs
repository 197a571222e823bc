//! A test's source of a change: the trees of a case.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use similar::{DiffOp, TextDiff};

use super::Case;
use super::case::Tree;
use crate::bindings::guardhost::guard::change::File;
use crate::{
    Blob, BuildReport, Denied, Entry, Hit, Hunk, Language, Liveness, Manifest, Mode, Side, Status, Task, TestReport,
    Unreadable,
};

pub(crate) struct Source {
    case: Case,
    files: Vec<File>,
}

impl Source {
    pub fn new(case: &Case) -> Self {
        Source { case: case.clone(), files: touched(&case.before, &case.after) }
    }

    pub fn files(&self) -> Vec<File> {
        self.files.clone()
    }

    pub fn read(&self, index: u32, side: Side) -> Result<Vec<u8>, Unreadable> {
        let file = &self.files[index as usize];
        let path = match (side, &file.old_path) {
            (Side::Before, Some(old)) => old,
            _ => &file.path,
        };
        self.repo_read(side, path)
    }

    pub fn text(&self, index: u32, side: Side) -> Result<String, Unreadable> {
        decode(self.read(index, side)?)
    }

    pub fn hunks(&self, index: u32) -> Vec<Hunk> {
        let text = |side| match self.text(index, side) {
            Err(Unreadable::Absent) => Some(String::new()),
            other => other.ok(),
        };
        match (text(Side::Before), text(Side::After)) {
            (Some(old), Some(new)) => hunks(&old, &new),
            _ => Vec::new(),
        }
    }

    pub fn task(&self) -> Option<Task> {
        self.case.task.clone()
    }

    pub fn stat(&self, side: Side, path: &str) -> Option<Entry> {
        let (mode, content) = self.case.tree(side).get(path)?;
        Some(Entry { path: path.into(), mode: *mode, oid: oid(content) })
    }

    pub fn is_dir(&self, side: Side, path: &str) -> bool {
        let prefix = format!("{path}/");
        path.is_empty() || self.case.tree(side).keys().any(|file| file.starts_with(&prefix))
    }

    pub fn repo_read(&self, side: Side, path: &str) -> Result<Vec<u8>, Unreadable> {
        self.case.tree(side).get(path).map(|(_, content)| content.clone()).ok_or(Unreadable::Absent)
    }

    pub fn repo_text(&self, side: Side, path: &str) -> Result<String, Unreadable> {
        decode(self.repo_read(side, path)?)
    }

    pub fn find(&self, side: Side, globs: &[String], limit: u32) -> Vec<Entry> {
        let globs = glob_set(globs);
        let wanted = self.case.tree(side).keys().filter(|path| globs.as_ref().is_none_or(|globs| globs.is_match(path)));
        wanted.filter_map(|path| self.stat(side, path)).take(limit as usize).collect()
    }

    pub fn search(&self, side: Side, needles: &[String], globs: &[String], limit: u32) -> Vec<Hit> {
        let mut hits = Vec::new();
        for entry in self.find(side, globs, u32::MAX) {
            let Ok(text) = self.repo_text(side, &entry.path) else { continue };
            for (number, line) in (1..).zip(text.lines()) {
                for (needle, word) in (0..).zip(needles) {
                    if has_word(line, word) {
                        let text = line[..line.floor_char_boundary(400)].to_string();
                        hits.push(Hit { path: entry.path.clone(), line: number, needle, text });
                    }
                }
            }
        }
        hits.truncate(limit as usize);
        hits
    }

    pub fn manifests(&self, side: Side) -> Vec<Manifest> {
        self.case.facts(side).manifests.iter().map(Into::into).collect()
    }

    pub fn languages(&self, side: Side) -> Vec<Language> {
        self.case.facts(side).languages.iter().map(Into::into).collect()
    }

    pub fn frameworks(&self, side: Side) -> Vec<String> {
        self.case.facts(side).frameworks.clone()
    }

    pub fn entry_points(&self, side: Side) -> Vec<String> {
        self.case.facts(side).entry_points.clone()
    }

    pub fn probe(&self, urls: &[String]) -> Result<Vec<Liveness>, Denied> {
        Ok(urls.iter().map(|url| self.case.net.answer(url)).collect())
    }

    pub fn run_tests(&self, side: Side) -> Result<Vec<TestReport>, Denied> {
        let tests = &self.case.tools.tests;
        if side == Side::Before { tests.before.give() } else { tests.after.give() }
    }

    pub fn run_base_tests(&self) -> Result<Vec<TestReport>, Denied> {
        self.case.tools.tests.base_tests.give()
    }

    pub fn run_build(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        let build = &self.case.tools.build;
        if side == Side::Before { build.before.give() } else { build.after.give() }
    }
}

/// What differs between the trees, with renames paired as git pairs them.
fn touched(before: &Tree, after: &Tree) -> Vec<File> {
    let blob = |(mode, content): &(Mode, Vec<u8>)| Blob { oid: oid(content), mode: *mode, size: content.len() as u64 };
    let mut gone: Vec<&String> = before.keys().filter(|path| !after.contains_key(*path)).collect();
    let mut files = Vec::new();
    for (path, new) in after {
        let (old_path, old) = match before.get(path) {
            Some(old) if old == new => continue,
            Some(old) => (None, Some(old)),
            None => match gone.iter().position(|old| alike(&before[*old].1, &new.1)) {
                Some(index) => {
                    let old = gone.remove(index);
                    (Some(old.clone()), Some(&before[old]))
                }
                None => (None, None),
            },
        };
        let status = match (&old_path, old) {
            (Some(_), _) => Status::Renamed,
            (None, Some(_)) => Status::Modified,
            (None, None) => Status::Added,
        };
        files.push(File { path: path.clone(), old_path, status, before: old.map(blob), after: Some(blob(new)) });
    }
    for path in gone {
        let (old_path, before) = (None, Some(blob(&before[path])));
        files.push(File { path: path.clone(), old_path, status: Status::Deleted, before, after: None });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

fn alike(old: &[u8], new: &[u8]) -> bool {
    let (smaller, larger) = (old.len().min(new.len()), old.len().max(new.len()));
    let may_be = smaller > 0 && larger <= 3 * smaller;
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    old == new || (may_be && TextDiff::from_lines(&*old, &*new).ratio() >= 0.5)
}

fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let diff = TextDiff::from_lines(old, new);
    let hunk = |op: &DiffOp| {
        let (old_start, old_lines) = place(op.old_range());
        let (new_start, new_lines) = place(op.new_range());
        Hunk { old_start, old_lines, new_start, new_lines }
    };
    diff.ops().iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(hunk).collect()
}

/// From 1; of nothing, the line after which the other side's lines come.
fn place(range: Range<usize>) -> (u32, u32) {
    let start = if range.is_empty() { range.start } else { range.start + 1 };
    (start as u32, range.len() as u32)
}

/// Stands in for git's object id: equal content, equal id.
fn oid(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:040x}", hasher.finish())
}

fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
    let wide = |read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks(2).map(|pair| read([pair[0], *pair.get(1).unwrap_or(&0)])).collect();
        String::from_utf16(&units).map_err(|_| Unreadable::NotText("not UTF-16".into()))
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest.to_vec()),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, Unreadable> {
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        Ok(_) => Err(Unreadable::NotText("it holds NUL".into())),
        Err(_) => Err(Unreadable::NotText("not UTF-8".into())),
    }
}

/// As gitignore reads them: without a slash at any depth, with one from the root.
fn glob_set(globs: &[String]) -> Option<GlobSet> {
    if globs.is_empty() {
        return None;
    }
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let anchored = match glob.strip_prefix('/') {
            Some(rest) => rest.to_string(),
            None if glob.trim_end_matches('/').contains('/') => glob.clone(),
            None => format!("**/{glob}"),
        };
        let glob = GlobBuilder::new(&anchored).literal_separator(true).build();
        set.add(glob.unwrap_or_else(|error| panic!("glob {anchored:?}: {error}")));
    }
    Some(set.build().unwrap_or_else(|error| panic!("globs: {error}")))
}

fn has_word(line: &str, word: &str) -> bool {
    let inside =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    let bytes = line.as_bytes();
    line.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !inside(before) && !inside(bytes.get(at + word.len()))
    })
}
