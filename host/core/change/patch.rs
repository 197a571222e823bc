//! A patch in any format, before it is placed; and the three ways in which it can fail to become a candidate.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{FileMode, Note, RepoPath};

/// What `extract` found in a reply: one section for each file, in the reply's order. Nothing in it is trusted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    pub format: PatchFormat,
    pub files: Vec<FilePatch>,
    /// The commit message, where the format carries one.
    pub message: Option<String>,
    /// What `repair` and `extract` mended.
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatchFormat {
    GitDiff,
    UnifiedDiff,
    V4a,
    SearchReplace,
    WholeFile,
    JsonList,
}

/// What the patch wants of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    /// The file's path after the change (for a deletion: the path that goes).
    pub path: RepoPath,
    pub op: FileOp,
    /// The mode that the patch asks for, when it asks.
    pub mode: Option<FileMode>,
    /// The blob id that the patch says it was made from (git's `index` line), in hex; often abbreviated, often made up.
    pub claims: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOp {
    /// Edit the file that stands there. No hunks: a change of mode alone.
    Modify(Vec<Hunk>),
    /// A file that must not exist yet. Content is complete, byte for byte.
    Create(Vec<u8>),
    /// The whole content of a file that may or may not exist (whole-file and JSON replies).
    Write(Vec<u8>),
    /// Hunks, when given, are the lines the model believes to delete; they must match.
    Delete(Vec<Hunk>),
    Rename {
        from: RepoPath,
        hunks: Vec<Hunk>,
    },
    Copy {
        from: RepoPath,
        hunks: Vec<Hunk>,
    },
}

/// Lines to find and lines to put there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// First line on the old side, from 1, as the header claims; None for `@@` alone and formats without numbers.
    pub old_start: Option<u32>,
    /// Text after the second `@@`, or V4A's anchor lines, outermost first: a line of the file somewhere above.
    pub anchors: Vec<Vec<u8>>,
    pub lines: Vec<Line>,
    /// The hunk's last old line is the file's last (V4A's `*** End of File`).
    pub at_end: bool,
    /// `\ No newline at end of file` stood below the last old line.
    pub old_no_newline: bool,
    /// The same for the last new line.
    pub new_no_newline: bool,
}

/// Content of one line, without its line ending.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Line {
    Context(Vec<u8>),
    Remove(Vec<u8>),
    Add(Vec<u8>),
}

impl Line {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Line::Context(bytes) | Line::Remove(bytes) | Line::Add(bytes) => bytes,
        }
    }

    /// Stands in the old file.
    pub fn is_old(&self) -> bool {
        !matches!(self, Line::Add(_))
    }

    /// Stands in the new file.
    pub fn is_new(&self) -> bool {
        !matches!(self, Line::Remove(_))
    }
}

/// A reply in which there is no patch to place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPatch {
    pub kind: NoPatchKind,
    /// What was found instead, for the model: bounded, one or two sentences.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPatchKind {
    Empty,
    /// Text, but nothing in it is a patch.
    Prose,
    /// The sentinel on a line of its own, and no patch beside it: nothing needs to change.
    NoChange,
    /// The reply ends inside a patch.
    Truncated,
    /// It means to be a patch and cannot be read as one.
    Malformed,
}

/// A patch that no guard set may allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub kind: RefusedKind,
    pub path: Option<RepoPath>,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusedKind {
    /// Absolute, `..`, a drive, an empty part, NUL or control bytes, or a name that some file system reads as another.
    UnsafePath,
    /// `.git` in any spelling, or what git itself takes orders from.
    GitInternals,
    /// Matches the repository's `protect` globs, or is one of the files that hold the rules.
    Protected,
    /// Credentials and the like.
    Sensitive,
    /// Not one of the files that this patch may touch.
    OutOfScope,
    /// A path below a symbolic link, or a link that leads out of the repository.
    Symlink,
    /// A gitlink.
    Submodule,
    /// A mode that no patch may set.
    Mode,
    /// Too many bytes, lines or files.
    TooLarge,
    /// Two sections that cannot both hold.
    Conflicting,
}

/// A patch that does not fit the tree. Nothing was placed, of any file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Misfit {
    /// Never empty: every hunk that does not fit, not the first.
    pub at: Vec<MisfitAt>,
}

/// One hunk, or one file, that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MisfitAt {
    pub path: RepoPath,
    /// Number of the hunk in its file, from 1; None when the file as a whole does not fit.
    pub hunk: Option<usize>,
    /// Stable, kebab-case: `no-such-file`, `exists`, `not-found`, `ambiguous`, `conflict`, `binary`, …
    pub code: &'static str,
    /// What did not fit and what stands there instead, with line numbers; bounded.
    pub message: String,
}

macro_rules! display_message {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.message)
            }
        }
    )*};
}
display_message!(NoPatch, Refused);

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, at) in self.at.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            match at.hunk {
                Some(hunk) => write!(f, "{}, hunk {hunk}: {}", at.path, at.message)?,
                None => write!(f, "{}: {}", at.path, at.message)?,
            }
        }
        Ok(())
    }
}
