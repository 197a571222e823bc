//! A patch in any format, before it is placed; and the three failures between a reply and a candidate.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Account, AccountPart, FileMode, Note, RepoPath};

/// What `extract` found in a reply: one section for each file, in the reply's order. Nothing in it is trusted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    pub format: PatchFormat,
    pub files: Vec<FilePatch>,
    /// The commit message, where the format carries one.
    pub message: Option<String>,
    pub header_counts: HeaderCounts,
    pub sections: Sections,
    pub tail: Tail,
    /// What `repair` and `extract` changed. For people: no stage decides by a note.
    pub notes: Vec<Note>,
    /// What every line of the reply was read as: what was not read would be lost.
    pub account: Account,
}

impl Patch {
    /// A patch that was written by a program: nothing in it had to be repaired.
    pub fn new(format: PatchFormat, files: Vec<FilePatch>) -> Self {
        Patch {
            format,
            files,
            message: None,
            header_counts: HeaderCounts::Trusted,
            sections: Sections::Single,
            tail: Tail::Complete,
            notes: Vec::new(),
            account: Account::made_by_program(),
        }
    }

    /// The format in which the section of a file was written.
    pub fn format_of(&self, file: &FilePatch) -> PatchFormat {
        file.format.unwrap_or(self.format)
    }
}

/// Whether the hunk headers of a patch agree with the hunks below them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HeaderCounts {
    #[default]
    Trusted,
    /// The line counts of one header or more were wrong. Its line numbers are then doubtful too.
    Repaired,
}

/// Whether each file's hunks stood in one section of the reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sections {
    #[default]
    Single,
    /// Several sections of one file were joined, so its hunks need not be in the order of the file.
    Merged,
}

/// Whether the reply was read to the end of what its writer meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tail {
    #[default]
    Complete,
    /// Nothing is below the last hunk, which ends with less context than the others, and the counts are wrong: it is complete
    /// only if it ends where its file ends.
    Doubtful,
    /// Nothing is below the last hunk, and its header counts more lines on one side than it has, so many of them `old` ones; all
    /// other counts are right. If these are the last lines of a file, it was cut off among them.
    Short { old: usize },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "patchFormat")]
pub enum PatchFormat {
    GitDiff,
    UnifiedDiff,
    V4a,
    SearchReplace,
    WholeFile,
    JsonList,
    /// Calls of an editing tool, as JSON.
    StrReplace,
}

impl PatchFormat {
    /// Whether a reply of this format is a sequence of small edits, each of which goes on from those above it. A diff, an envelope and
    /// a file may each be the whole change.
    pub fn is_sequence(self) -> bool {
        match self {
            PatchFormat::SearchReplace | PatchFormat::StrReplace => true,
            PatchFormat::GitDiff
            | PatchFormat::UnifiedDiff
            | PatchFormat::V4a
            | PatchFormat::JsonList
            | PatchFormat::WholeFile => false,
        }
    }

    /// The name in sentences.
    pub fn label(self) -> &'static str {
        match self {
            PatchFormat::GitDiff => "git diff",
            PatchFormat::UnifiedDiff => "unified diff",
            PatchFormat::V4a => "V4A patch",
            PatchFormat::SearchReplace => "search/replace blocks",
            PatchFormat::WholeFile => "whole files",
            PatchFormat::JsonList => "JSON patch list",
            PatchFormat::StrReplace => "str_replace edits",
        }
    }
}

/// How the patch changes one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePatch {
    /// The file's path after the change (for a deletion: the path that goes).
    pub path: RepoPath,
    pub op: FileOp,
    /// The mode that the patch sets; None leaves it as it is.
    pub mode: Option<FileMode>,
    /// The blob id from git's `index` line that the patch was made from, in hex; often abbreviated, often made up.
    pub claimed_blob: Option<String>,
    pub existence: Existence,
    pub written_by: Author,
    /// Of a section in another format than its patch, that format.
    pub format: Option<PatchFormat>,
    /// A text in place of a file is meant as a change of it: it may be a part of the file, if the file shows of which lines.
    pub may_be_part: bool,
}

/// What the patch says about whether the file exists before the change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Existence {
    /// What the operation says.
    #[default]
    AsOperation,
    /// The file is to be edited, although its whole content is given: JSON's `modify`.
    MustExist,
    /// Nothing: a name and the content of a file. The name may be another file's, written wrong.
    Unsaid,
}

impl FilePatch {
    /// By a program. Neither sets a mode nor claims a blob; whether the file exists is as the operation says.
    pub fn new(path: RepoPath, op: FileOp) -> Self {
        FilePatch {
            path,
            op,
            mode: None,
            claimed_blob: None,
            existence: Existence::AsOperation,
            written_by: Author::Program,
            format: None,
            may_be_part: false,
        }
    }
}

/// Who wrote the text of a section: how far it can be taken for complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Author {
    /// The text is what it says, byte for byte.
    #[default]
    Program,
    /// A model, which may leave lines out and write `...` for them. `says_whole`: its reply says that the content of a
    /// [`FileOp::Write`] is the complete file. Otherwise that is only implied, and the content may be a part of one.
    Model { says_whole: bool },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOp {
    /// Edit an existing file. Without hunks only its mode changes.
    Modify(Vec<Hunk>),
    /// A file that must not exist yet. Content is complete, byte for byte.
    Create(Vec<u8>),
    /// The whole content of a file that may or may not exist (whole-file and JSON replies).
    Write(Vec<u8>),
    /// Hunks, when given, hold the deleted lines; they must match the file.
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

/// Lines to find in a file and the lines that replace them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// First line on the old side, from 1, as the header claims; None for `@@` alone and formats without numbers.
    pub old_start: Option<u32>,
    /// Text after the second `@@`, or V4A's anchor lines, outermost first: a line of the file somewhere above.
    pub anchors: Vec<Vec<u8>>,
    pub lines: Vec<Line>,
    /// Wherever the text of its old lines is in the file (`replace_all` of an editing tool).
    pub is_everywhere: bool,
    /// The text that an editing tool searches for ends with a line feed: its last line is a whole one.
    pub ends_line: bool,
    /// The hunk's last old line is the last line of the file (V4A's `*** End of File`).
    pub at_end: bool,
    /// `\ No newline at end of file` stood below the last old line.
    pub old_no_newline: bool,
    /// The same for the last new line.
    pub new_no_newline: bool,
    /// So many lines of context the header counts below the last line of a reply that ends here. A program that trims a
    /// reply takes blank lines; anything else was cut off.
    pub trimmed: u32,
    /// Its header counts other lines than it has.
    pub is_miscounted: bool,
    /// Of which diff of this file in the reply it is, from 0: a later one may be made from what an earlier one leaves.
    pub step: u32,
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

    /// Whether the line is in the old file.
    pub fn is_old(&self) -> bool {
        !matches!(self, Line::Add(_))
    }

    /// Whether the line is in the new file.
    pub fn is_new(&self) -> bool {
        !matches!(self, Line::Remove(_))
    }
}

/// A reply in which there is no patch to place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPatch {
    pub kind: NoPatchKind,
    /// What was found instead, for the model: one or two sentences, of bounded length.
    pub message: String,
    /// What each line was read as, where all were looked at; otherwise empty. For people.
    pub parts: Vec<AccountPart>,
}

impl NoPatch {
    /// Of a reply that was not read to its end.
    pub fn new(kind: NoPatchKind, message: impl Into<String>) -> Self {
        NoPatch { kind, message: message.into(), parts: Vec::new() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPatchKind {
    Empty,
    /// Text, but nothing in it is a patch.
    Prose,
    /// `NO_CHANGES_NEEDED` on a line of its own, and no patch.
    NoChange,
    /// The reply ends inside a patch.
    Truncated,
    /// It has parts of a patch and cannot be read as one.
    Malformed,
}

/// A patch that no guard set may allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub kind: RefusedKind,
    pub path: Option<RepoPath>,
    pub message: String,
}

impl Refused {
    /// For one path; the message names it before `why`.
    pub fn at(kind: RefusedKind, path: &RepoPath, why: impl fmt::Display) -> Self {
        Refused { kind, path: Some(path.clone()), message: format!("{path}: {why}") }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusedKind {
    /// Absolute, `..`, a drive, an empty part, NUL or control bytes, or a name that some file system reads as another.
    UnsafePath,
    /// `.git` in any spelling, or a file that configures git.
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
    /// Two sections that contradict each other.
    Conflicting,
}

/// A patch that does not fit the tree. No file of it was changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Misfit {
    /// Never empty: every hunk that does not fit, not only the first.
    pub at: Vec<MisfitAt>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "misfitAt")]
pub struct MisfitAt {
    pub path: RepoPath,
    /// From 1.
    pub hunk: Option<usize>,
    /// Stable, kebab-case: `no-such-file`, `exists`, `not-found`, `ambiguous`, `conflict`, `binary`, …
    pub code: &'static str,
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
