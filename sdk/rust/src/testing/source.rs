//! A test's source of a change: the trees of a case.

use std::cell::Cell;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use guard_files::Globs;
use similar::{DiffOp, TextDiff};

use super::case::Tree;
use super::{Case, kinds};
use crate::model::{Answer, Failure, Question};
use crate::{
    Blob, BuildReport, Commit, Coverage, Denied, Edits, Hit, Hunk, Language, Liveness, Manifest, Mode, Outcome,
    PackageName, Replaced, Selection, Side, Standing, Status, Task, TestReport, Unreadable,
};

pub(crate) struct Source {
    pub(super) case: Case,
    /// How many questions with replaced files were asked.
    pub(super) asked_with: Cell<usize>,
    /// How many questions after lines were asked.
    pub(super) asked_covered: Cell<usize>,
}

/// A touched file.
pub(crate) struct Handle {
    path: String,
    old_path: Option<String>,
    status: Status,
    before: Option<Entry>,
    after: Option<Entry>,
}

type Entry = (Mode, Vec<u8>);

impl Handle {
    pub fn path(&self) -> String {
        self.path.clone()
    }

    pub fn old_path(&self) -> Option<String> {
        self.old_path.clone()
    }

    pub fn status(&self) -> Status {
        self.status
    }

    pub fn blob(&self, side: Side) -> Option<Blob> {
        self.entry(side).map(blob)
    }

    pub fn read(&self, side: Side) -> Result<Vec<u8>, Unreadable> {
        self.entry(side).map(|(_, content)| content.clone()).ok_or(Unreadable::Absent)
    }

    pub fn text(&self, side: Side) -> Result<String, Unreadable> {
        decode(self.read(side)?)
    }

    pub fn hunks(&self) -> Vec<Hunk> {
        let text = |side| match self.text(side) {
            Err(Unreadable::Absent) => Some(String::new()),
            other => other.ok(),
        };
        match (text(Side::Before), text(Side::After)) {
            (Some(old), Some(new)) => hunks(&old, &new),
            _ => Vec::new(),
        }
    }

    fn entry(&self, side: Side) -> Option<&Entry> {
        match side {
            Side::Before => self.before.as_ref(),
            Side::After => self.after.as_ref(),
        }
    }
}

impl Source {
    pub fn new(case: &Case) -> Self {
        kinds::set(case.kinds.clone());
        Source { case: case.clone(), asked_with: Cell::default(), asked_covered: Cell::default() }
    }

    pub fn files(&self) -> Vec<Handle> {
        touched(&self.case.before, &self.case.after)
    }

    pub fn task(&self) -> Option<Task> {
        self.case.task.clone()
    }

    pub fn commits(&self) -> Vec<Commit> {
        self.case.commits.for_change()
    }

    pub fn log(&self, path: &str, limit: u32) -> Result<Vec<Commit>, Denied> {
        Ok(self.case.commits.touching(path, limit))
    }

    pub fn recent_edits(&self, paths: &[String], days: u32) -> Result<Vec<Edits>, Denied> {
        Ok(self.case.commits.recent_edits(paths, days))
    }

    pub fn stat(&self, side: Side, path: &str) -> Result<Option<Blob>, Denied> {
        Ok(self.case.tree(side).get(path).map(blob))
    }

    pub fn is_dir(&self, side: Side, path: &str) -> Result<bool, Denied> {
        let prefix = format!("{path}/");
        Ok(path.is_empty() || self.case.tree(side).keys().any(|file| file.starts_with(&prefix)))
    }

    pub fn repo_read(&self, side: Side, path: &str) -> Result<Vec<u8>, Unreadable> {
        self.case.tree(side).get(path).map(|(_, content)| content.clone()).ok_or(Unreadable::Absent)
    }

    pub fn repo_text(&self, side: Side, path: &str) -> Result<String, Unreadable> {
        decode(self.repo_read(side, path)?)
    }

    pub fn find(&self, side: Side, globs: &[String], limit: u32) -> Vec<String> {
        let globs = Globs::new(globs).unwrap_or_else(|why| panic!("no host takes these globs: {why}"));
        let wanted = self.case.tree(side).keys().filter(|path| globs.is_empty() || globs.matches(path));
        wanted.take(limit as usize).cloned().collect()
    }

    pub fn search(&self, side: Side, needles: &[String], globs: &[String], limit: u32) -> Vec<Hit> {
        let lengths = needles.iter().all(|needle| (1..=400).contains(&needle.len()));
        assert!(lengths && needles.len() <= 1_000, "a host takes at most 1,000 needles of 1 to 400 bytes");
        let mut hits = Vec::new();
        for path in self.find(side, globs, u32::MAX) {
            let Ok(text) = self.repo_text(side, &path) else { continue };
            for (number, line) in (1..).zip(text.lines()) {
                for (needle, word) in (0..).zip(needles) {
                    if has_word(line, word) {
                        let text = line[..line.floor_char_boundary(400)].to_string();
                        hits.push(Hit { path: path.clone(), line: number, needle, text });
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

    pub fn look_up(&self, packages: &[PackageName]) -> Result<Vec<Standing>, Denied> {
        Ok(packages.iter().map(|package| self.case.registries.answer(package)).collect())
    }

    pub fn ask(&self, questions: &[Question]) -> Result<Vec<Result<Answer, Failure>>, Denied> {
        Ok(questions.iter().map(|question| self.case.models.answer(question)).collect())
    }

    pub fn run_tests(&self, side: Side) -> Result<Vec<TestReport>, Denied> {
        let tests = &self.case.tools.tests;
        if side == Side::Before { tests.before.give() } else { tests.after.give() }
    }

    pub fn run_base_tests(&self) -> Result<Vec<TestReport>, Denied> {
        self.case.tools.tests.base_tests.give()
    }

    /// The answers of the case one after the other; the last one stands for all further questions.
    pub fn run_tests_with(&self, _: Side, _: &[Replaced], _: &Selection) -> Result<Vec<TestReport>, Denied> {
        super::toolchain::next(&self.case.tools.tests.with, &self.asked_with)
    }

    /// In the same manner.
    pub fn run_tests_covered(&self, _: Side, _: &Selection) -> Result<Vec<Coverage>, Denied> {
        super::toolchain::next(&self.case.tools.tests.covered, &self.asked_covered)
    }

    pub fn run_build(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        let build = &self.case.tools.build;
        if side == Side::Before { build.before.give() } else { build.after.give() }
    }

    pub fn run_linters(&self, side: Side) -> Result<Vec<BuildReport>, Denied> {
        let linters = &self.case.tools.linters;
        if side == Side::Before { linters.before.give() } else { linters.after.give() }
    }

    pub fn outcomes(&self, window_hours: u32, limit: u32) -> Result<Vec<Outcome>, Denied> {
        let recent = self.case.past.iter().filter(|outcome| outcome.age_hours <= window_hours);
        Ok(recent.take(limit as usize).map(Into::into).collect())
    }
}

fn blob((mode, content): &Entry) -> Blob {
    Blob { oid: oid(content), mode: *mode, size: content.len() as u64 }
}

/// What differs between the trees, with renames paired as git pairs them.
fn touched(before: &Tree, after: &Tree) -> Vec<Handle> {
    let mut gone: Vec<&String> = before.keys().filter(|path| !after.contains_key(*path)).collect();
    let mut files = Vec::new();
    for (path, new) in after {
        let (old_path, old) = match before.get(path) {
            Some(old) if old == new => continue,
            Some(old) => (None, Some(old)),
            None => match gone.iter().position(|old| alike(&before[*old], new)) {
                Some(index) => {
                    let old = gone.remove(index);
                    (Some(old.clone()), Some(&before[old]))
                }
                None => (None, None),
            },
        };
        let status = match (&old_path, old) {
            (Some(_), _) => Status::Renamed,
            (None, Some((mode, _))) if is_file(*mode) != is_file(new.0) => Status::TypeChanged,
            (None, Some(_)) => Status::Modified,
            (None, None) => Status::Added,
        };
        files.push(Handle { path: path.clone(), old_path, status, before: old.cloned(), after: Some(new.clone()) });
    }
    for path in gone {
        let before = Some(before[path].clone());
        files.push(Handle { path: path.clone(), old_path: None, status: Status::Deleted, before, after: None });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

pub(super) fn is_file(mode: Mode) -> bool {
    matches!(mode, Mode::File | Mode::Executable)
}

fn alike((old_mode, old): &Entry, (new_mode, new): &Entry) -> bool {
    let (smaller, larger) = (old.len().min(new.len()), old.len().max(new.len()));
    let may_be = smaller > 0 && larger <= 3 * smaller;
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    is_file(*old_mode) == is_file(*new_mode)
        && (old == new || (may_be && TextDiff::from_lines(&*old, &*new).ratio() >= 0.5))
}

pub(super) fn hunks(old: &str, new: &str) -> Vec<Hunk> {
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
pub(super) fn oid(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{:040x}", hasher.finish())
}

pub(super) fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
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

fn has_word(line: &str, word: &str) -> bool {
    let inside =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    let bytes = line.as_bytes();
    line.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !inside(before) && !inside(bytes.get(at + word.len()))
    })
}
