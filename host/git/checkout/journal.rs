//! The record of a change that is being applied, from which another process finishes or undoes it.
//!
//! Records end in NUL, since a path may hold any other byte. A path is the last field of its record. The last record has a digest of all
//! before it: files are moved and removed by what a journal says, so that one with a changed byte must not be followed.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use git2::ObjectType;
use guardhost_os::{os_string, read_regular};

use super::work_tree::OnDisk;
use guardhost_core::change::{FileMode, Oid, RepoPath, TreeEntry};

const FIRST: &str = "guardhost-placing 2";
const LAST: &str = "end ";

/// No journal is larger, in bytes: some million files.
const LARGEST: u64 = 1 << 30;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Journal {
    /// The process that places the change, for messages only: that it has ended is known from its lock.
    pub pid: u32,
    pub index: PathBuf,
    /// What `index.lock` holds while this change is placed.
    pub token: String,
    /// Directories that the change may remove, with their permissions, outermost first.
    pub dirs: Vec<(RepoPath, u32)>,
    /// Directories that the change makes, outermost first.
    pub made: Vec<RepoPath>,
    /// The file with the number N has the slot `N` of its staging folder.
    pub files: Vec<Placement>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placement {
    pub path: RepoPath,
    pub before: Option<TreeEntry>,
    pub after: Option<TreeEntry>,
    /// The file before the change; None where there was none.
    pub old: Option<OnDisk>,
    /// The file after the change; None where it is removed.
    pub new: Option<OnDisk>,
    /// The number of its staging folder.
    pub staging: usize,
}

impl Journal {
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match read_regular(path, LARGEST) {
            Ok(bytes) => match parse(&bytes) {
                Some(journal) => Ok(Some(journal)),
                None => Err(io::Error::new(ErrorKind::InvalidData, "it is damaged, or of another version")),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes and syncs the file. The caller syncs the directory.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let unnamed = path.with_extension("new");
        let mut file = File::create(&unnamed)?;
        file.write_all(&self.bytes())?;
        file.sync_all()?;
        fs::rename(unnamed, path)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut record = |text: String, path: &[u8]| {
            bytes.extend_from_slice(text.as_bytes());
            bytes.extend_from_slice(path);
            bytes.push(0);
        };
        record(FIRST.to_owned(), b"");
        record(format!("pid {}", self.pid), b"");
        record("index ".to_owned(), self.index.as_os_str().as_encoded_bytes());
        record("token ".to_owned(), self.token.as_bytes());
        for (path, mode) in &self.dirs {
            record(format!("dir {mode:o} "), path.as_bytes());
        }
        for path in &self.made {
            record("made ".to_owned(), path.as_bytes());
        }
        for Placement { path, before, after, old, new, staging } in &self.files {
            let entry = |entry: &Option<TreeEntry>| pair(entry.map(|entry| (entry.mode.raw(), entry.oid)));
            let disk = |disk: &Option<OnDisk>| pair(disk.map(|disk| (disk.mode, disk.hash)));
            let text = format!("file {staging} {} {} {} {} ", entry(before), entry(after), disk(old), disk(new));
            record(text, path.as_bytes());
        }
        let digest = digest(&bytes);
        bytes.extend_from_slice(format!("{LAST}{digest}\0").as_bytes());
        bytes
    }
}

/// Against damage, not against whoever can write the file.
fn digest(records: &[u8]) -> String {
    Oid::hash_object(ObjectType::Blob, records).map(|oid| oid.to_string()).unwrap_or_default()
}

/// A mode and an object id. A file without either has the mode 0.
fn pair(value: Option<(u32, Oid)>) -> String {
    let (mode, oid) = value.unwrap_or((0, Oid::ZERO_SHA1));
    format!("{mode:o} {oid}")
}

fn parse(bytes: &[u8]) -> Option<Journal> {
    let records = bytes.strip_suffix(b"\0")?;
    let last = records.iter().rposition(|byte| *byte == 0)? + 1;
    let (records, last) = records.split_at(last);
    if last != format!("{LAST}{}", digest(records)).as_bytes() {
        return None;
    }
    let mut records = records.strip_suffix(b"\0")?.split(|byte| *byte == 0);
    if records.next()? != FIRST.as_bytes() {
        return None;
    }
    let mut journal = Journal {
        pid: 0,
        index: PathBuf::new(),
        token: String::new(),
        dirs: Vec::new(),
        made: Vec::new(),
        files: Vec::new(),
    };
    for record in records {
        let (word, rest) = split(record)?;
        match word {
            b"pid" => journal.pid = number(rest, 10)?,
            b"index" => journal.index = os_string(rest.to_vec()).into(),
            b"token" => journal.token = String::from_utf8(rest.to_vec()).ok()?,
            b"dir" => {
                let (mode, path) = split(rest)?;
                journal.dirs.push((RepoPath::new(path), number(mode, 8)?));
            }
            b"made" => journal.made.push(RepoPath::new(rest)),
            b"file" => journal.files.push(placement(rest)?),
            _ => return None,
        }
    }
    Some(journal)
}

fn placement(record: &[u8]) -> Option<Placement> {
    let (staging, mut rest) = split(record)?;
    let mut field = || -> Option<Option<(u32, Oid)>> {
        let (mode, after) = split(rest)?;
        let (oid, after) = split(after)?;
        rest = after;
        let (mode, oid) = (number(mode, 8)?, Oid::from_str(std::str::from_utf8(oid).ok()?).ok()?);
        Some((mode != 0).then_some((mode, oid)))
    };
    let entry = |value: Option<(u32, Oid)>| match value {
        None => Some(None),
        Some((mode, oid)) => FileMode::from_raw(mode).map(|mode| Some(TreeEntry { oid, mode })),
    };
    let disk = |value: Option<(u32, Oid)>| value.map(|(mode, hash)| OnDisk { mode, hash });
    let (before, after) = (entry(field()?)?, entry(field()?)?);
    let (old, new) = (disk(field()?), disk(field()?));
    Some(Placement { path: RepoPath::new(rest), before, after, old, new, staging: number(staging, 10)? as usize })
}

fn split(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = record.iter().position(|byte| *byte == b' ')?;
    Some((&record[..at], &record[at + 1..]))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_off_or_damaged_is_not() {
        let oid = Oid::from_str("c0ffee0000000000000000000000000000000001").unwrap();
        let entry = TreeEntry { oid, mode: FileMode::Executable };
        let disk = OnDisk { mode: 0o100, hash: oid };
        let path = RepoPath::new(b"a b/\n\xff ".as_slice());
        let journal = Journal {
            pid: 7,
            index: "/some where/index".into(),
            token: "a token\n".to_owned(),
            dirs: vec![(path.clone(), 0o750)],
            made: vec![path.clone()],
            files: vec![
                Placement {
                    path: path.clone(),
                    before: None,
                    after: Some(entry),
                    old: None,
                    new: Some(disk),
                    staging: 1,
                },
                Placement { path, before: Some(entry), after: None, old: Some(disk), new: None, staging: 0 },
            ],
        };
        let bytes = journal.bytes();
        assert_eq!(parse(&bytes), Some(journal));
        assert!((0..bytes.len()).all(|length| parse(&bytes[..length]).is_none()));
        for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert_eq!(parse(&damaged), None, "bit {bit} of byte {at}");
        }
    }
}
