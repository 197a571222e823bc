//! One pass over the reply, from the first line to the last. What begins first is read by its own parser to its end, so that
//! nothing inside it is taken for another patch.

mod calls;
mod fenced;
mod hunks;
mod result;

use super::account::{OpenAccount, Seen, Surroundings};
use super::lines::{Lines, blank, indent, malformed, quote};
use super::whole_file::Block;
use super::{Notes, filename_token, heredoc, json, names, quoted_line, search_replace, template, unified, v4a, xml};
use crate::fence::Fence;
use crate::formats;
use crate::limits::{HUNKS, SECTIONS};
use guardhost_core::change::{FileOp, FilePatch, HeaderCounts, NoPatch, NoPatchKind, PatchFormat, RepoPath, Tail};
use hunks::{LastHunk, MIXED_MARGINS, UNFINISHED};

/// What the scan found, in the reply's order.
#[derive(Default)]
pub(super) struct ScanResult {
    pub files: Vec<(PatchFormat, FilePatch)>,
    /// Fenced blocks that hold no patch in another format.
    pub blocks: Vec<Block>,
    pub message: Option<String>,
    pub header_counts: HeaderCounts,
    pub tail: Tail,
    pub account: OpenAccount,
    /// Names without the prefix that both sides of a diff have, and with it.
    pub as_written: Vec<(RepoPath, RepoPath)>,
    /// Of all sections.
    hunks: usize,
}

/// In the order in which they are tried on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parser {
    V4a,
    Unified,
    SearchReplace,
    /// SEARCH/REPLACE and whole files, in tags.
    Xml,
    /// A whole file in a shell command.
    Heredoc,
    /// A call as the chat template of a model writes it.
    Template,
    Json,
    /// A whole file below a token with its name.
    FilenameToken,
    WholeFile,
}

impl Parser {
    const ALL: [Parser; 9] = [
        Parser::V4a,
        Parser::Unified,
        Parser::SearchReplace,
        Parser::Xml,
        Parser::Heredoc,
        Parser::Template,
        Parser::Json,
        Parser::FilenameToken,
        Parser::WholeFile,
    ];
}

struct Scanner<'s, 'r> {
    lines: &'s mut Lines<'r>,
    hints: &'s [RepoPath],
    files: &'s Surroundings<'s>,
    notes: &'s mut Notes,
    /// The fence around the current line.
    fence: Option<Fence<'r>>,
    found: ScanResult,
    /// Hunks with wrong counts.
    wrong_counts: usize,
    /// The last hunk, if nothing follows it.
    last_hunk: Option<LastHunk>,
    /// The last edit is a hunk of a diff, with nothing but blank lines below it so far.
    is_below_hunk: bool,
    /// How many lines the last hunk lacks on each side, if the last edit is a hunk that lacks some.
    unfinished: Option<(usize, usize)>,
    /// The fence around the last diff, and whether the diff was indented.
    margin: Option<(Option<usize>, bool)>,
    /// What the parser of this line says of it.
    seen: Option<Seen>,
    /// Patches inside strings of JSON inside one another.
    depth: usize,
    /// The last object of the reply was the call of an edit.
    is_below_call: bool,
    /// The line below the last edit.
    end_of_edit: Option<usize>,
    /// Calls that failed: where each stands, the number of edits above it, and its file.
    failed: Vec<(usize, usize, RepoPath)>,
}

pub(super) fn scan(
    lines: &mut Lines,
    hints: &[RepoPath],
    files: &Surroundings,
    notes: &mut Notes,
) -> Result<ScanResult, NoPatch> {
    scan_at(lines, hints, files, notes, 0)
}

fn scan_at(
    lines: &mut Lines,
    hints: &[RepoPath],
    files: &Surroundings,
    notes: &mut Notes,
    depth: usize,
) -> Result<ScanResult, NoPatch> {
    let scanner = Scanner {
        lines,
        hints,
        files,
        notes,
        fence: None,
        found: ScanResult::default(),
        wrong_counts: 0,
        last_hunk: None,
        is_below_hunk: false,
        unfinished: None,
        margin: None,
        seen: None,
        depth,
        is_below_call: false,
        end_of_edit: None,
        failed: Vec::new(),
    };
    scanner.scan()
}

impl<'r> Scanner<'_, 'r> {
    fn scan(mut self) -> Result<ScanResult, NoPatch> {
        let mut at = 0;
        while at < self.lines.len() {
            let (edits, blocks) = (self.found.files.len(), self.found.blocks.len());
            let is_fenced = self.fence.is_some();
            self.seen = None;
            let (next, otherwise) = if self.fence.as_ref().is_some_and(|fence| fence.closed_by(self.lines[at])) {
                self.fence = None;
                (self.last_hunk, self.is_below_hunk) = (None, false);
                (at + 1, Seen::Frame)
            } else if let Some(next) = self.patch(at)? {
                let has_edit = self.found.files.len() > edits;
                let after = if has_edit { self.leave_failed_out(at, edits, next)? } else { None };
                if has_edit && after.is_none() {
                    self.end_of_edit = Some(next);
                }
                (after.unwrap_or(next), Seen::Reading)
            } else if self.closes_nothing(at) {
                (at + 1, Seen::Frame)
            } else if let Some(fence) = Fence::open(self.lines[at], at).filter(|_| self.fence.is_none()) {
                (self.enter(fence)?, Seen::Frame)
            } else {
                self.is_below_hunk &= blank(self.lines[at]);
                // A recount would leave the line out.
                if is_fenced && self.unfinished.is_some() && !blank(self.lines[at]) {
                    return Err(malformed(at, UNFINISHED));
                }
                (at + 1, Seen::Unread { is_fenced })
            };
            let seen = match self.seen.take() {
                _ if self.found.files.len() > edits => Seen::Edit { number: edits, is_diff: self.is_below_hunk },
                Some(seen) => seen,
                None if self.found.blocks.len() > blocks => Seen::Block(blocks),
                None => otherwise,
            };
            self.found.account.see(at..next, seen);
            at = next;
        }
        if self.fence.is_some() && !self.found.files.is_empty() {
            self.refuse_unpaired_fence()?;
            self.notes.add("open-fence", "the fence around the patch is never closed");
        }
        self.refuse_truncated_hunk()?;
        self.refuse_failures()?;
        match self.tail() {
            // A patch in a string has its own.
            Tail::Complete => {}
            tail => self.found.tail = tail,
        }
        Ok(self.found)
    }

    /// A fence that begins below all edits and is never closed does not pair with another: then what stands between the fences above
    /// it may be outside of one, and the other way round.
    fn refuse_unpaired_fence(&self) -> Result<(), NoPatch> {
        let Some(at) = self.fence.as_ref().map(|fence| fence.at) else { return Ok(()) };
        match self.found.account.has_unread_text_between_edits_and(at, self.lines) {
            true => Err(malformed(
                at,
                "this fence is never closed, and the text between it and the patch may be in a fence or not; close every fence",
            )),
            false => Ok(()),
        }
    }

    /// Whether the line closes a fence that was never opened: marks alone below a hunk, and the next fence is opened anew.
    fn closes_nothing(&self, at: usize) -> bool {
        let is_bare =
            |at: usize| Fence::open(self.lines[at], at).is_some_and(|fence| fence.info.is_empty() && !fence.is_tag());
        if !self.is_below_hunk || self.fence.is_some() || !is_bare(at) {
            return false;
        }
        let next = (at + 1..self.lines.len()).find(|&at| Fence::open(self.lines[at], at).is_some());
        next.is_none_or(|next| !is_bare(next))
    }

    /// Reads the patch that begins at this line, if one does; gives the line after it.
    fn patch(&mut self, at: usize) -> Result<Option<usize>, NoPatch> {
        match Parser::ALL.into_iter().find(|parser| begins(*parser, self.lines, at)) {
            Some(Parser::V4a) => self.v4a(at).map(Some),
            Some(Parser::Unified) => self.unified(at).map(Some),
            Some(Parser::SearchReplace) => self.search_replace(at).map(Some),
            Some(Parser::Xml) => self.xml(at),
            Some(Parser::Heredoc) => self.heredoc(at),
            Some(Parser::Template) => self.template(at).map(Some),
            Some(Parser::Json) => self.json(at).map(Some),
            Some(Parser::FilenameToken) => self.filename_token(at),
            Some(Parser::WholeFile) | None => match self.lines[at] {
                line if unified::header(line).is_some() => self.nameless(at).map(Some),
                b"***************" => {
                    Err(malformed(at, "this context diff has no names; begin it with *** and --- lines"))
                }
                line if search_replace::closes(line).is_some() => {
                    Err(malformed(at, "this block has no <<<<<<< SEARCH line; send it again with all three markers"))
                }
                _ => self.quoted_line(at),
            },
        }
    }

    /// A line in place of another one, in words; only in a reply without another patch, where such words may tell what the patch does.
    fn quoted_line(&mut self, at: usize) -> Result<Option<usize>, NoPatch> {
        let is_header = |line: &[u8]| formats::begins_with(line, |row| row.headers) || Fence::open(line, 0).is_some();
        if self.fence.is_some() {
            return Ok(None);
        }
        let unreadable = |error| malformed(at, format_args!("a file that the words name cannot be read: {error}"));
        let found = quoted_line::at(self.lines, at, self.files).map_err(unreadable)?;
        let Some((file, next)) = found.filter(|_| !self.lines.iter().any(|line| is_header(line))) else {
            return Ok(None);
        };
        self.add(PatchFormat::SearchReplace, vec![file])?;
        Ok(Some(next))
    }

    fn v4a(&mut self, at: usize) -> Result<usize, NoPatch> {
        if !indent(self.lines[at]).is_empty() {
            self.lines.outdent(at);
        }
        let (files, next) = v4a::parse(self.lines, at, self.fence.as_ref(), self.notes)?;
        self.add(PatchFormat::V4a, files)?;
        Ok(next)
    }

    fn unified(&mut self, at: usize) -> Result<usize, NoPatch> {
        let is_indented = !indent(self.lines[at]).is_empty();
        let within = self.fence.as_ref().map(|fence| fence.at);
        let (other, was_indented) = self.margin.replace((within, is_indented)).unwrap_or((within, is_indented));
        if other == within && was_indented != is_indented {
            return Err(malformed(at, MIXED_MARGINS));
        }
        if is_indented {
            self.notes.add("indented-diff", "the diff was indented as a whole");
            self.lines.outdent(at);
        }
        let section = unified::parse(self.lines, at, self.fence.as_ref(), self.hints, self.notes)?;
        if let Some(written) = section.as_written {
            self.found.as_written.push((section.file.path.clone(), written));
        }
        let format = if section.is_git { PatchFormat::GitDiff } else { PatchFormat::UnifiedDiff };
        self.add(format, vec![section.file])?;
        self.wrong_counts += section.wrong_counts;
        if section.wrong_counts > 0 {
            self.found.header_counts = HeaderCounts::Repaired;
        }
        self.end_of_hunk(section.end, at, section.next)?;
        Ok(section.next)
    }

    fn search_replace(&mut self, at: usize) -> Result<usize, NoPatch> {
        let path = match self.path_of_edit(at) {
            Some(path) => path,
            None => {
                let missing = "the block has no file name; write the path alone on the line before it";
                let searched = search_replace::searched(self.lines, at).unwrap_or_default().to_vec();
                self.only_holder(&searched, at)?.ok_or_else(|| malformed(at, missing))?
            }
        };
        let (file, next) = search_replace::parse(self.lines, at, self.fence.as_ref(), &path, self.notes)?;
        if self.is_template(&file) {
            self.seen = Some(Seen::Reading);
            self.notes.add("template", format_args!("{path} stands for any file: the block shows the format"));
            return Ok(next);
        }
        self.add(PatchFormat::SearchReplace, vec![file])?;
        Ok(next)
    }

    /// Whether the edit shows the format, as instructions do: its name stands for any other, and the repository has no such folder.
    fn is_template(&self, file: &FilePatch) -> bool {
        let is_edit = matches!(file.op, FileOp::Modify(_));
        is_edit
            && file.path.as_bytes().starts_with(b"path/to/")
            && matches!(self.files.has_first_folder(&file.path), Ok(false))
    }

    /// The file of the edit that begins at the line: named above it, or that of the edit before, or the only one of the task.
    fn path_of_edit(&mut self, at: usize) -> Option<RepoPath> {
        names::before(self.lines, at, self.fence.as_ref(), self.hints)
            .or_else(|| names::in_words(self.lines, at, self.fence.as_ref()))
            .or_else(|| {
                let last = self.path_of(&[PatchFormat::SearchReplace]);
                last.filter(|last| !names::other_named(self.lines, at, last))
            })
            .or_else(|| self.only_hint("a block without a file name"))
            .or_else(|| names::bare_with_blanks(self.lines, at, self.fence.as_ref()))
    }

    fn xml(&mut self, at: usize) -> Result<Option<usize>, NoPatch> {
        let Some(start) = xml::starts(self.lines, at) else { return Ok(None) };
        let path = match start {
            xml::Start::Edit(..) => xml::enclosing(self.lines, at).or_else(|| self.path_of_edit(at)),
            xml::Start::File(_) | xml::Start::Text(_) => {
                names::in_tag(self.lines[at]).or_else(|| names::before(self.lines, at, None, self.hints))
            }
        };
        let path = path
            .ok_or_else(|| malformed(at, "the edit has no file name; write <file path=\"…\"> on the line before it"))?;
        let (format, file, next) = xml::parse(self.lines, at, start, path, self.notes)?;
        self.add(format, vec![file])?;
        Ok(Some(next))
    }

    fn heredoc(&mut self, at: usize) -> Result<Option<usize>, NoPatch> {
        let Some(command) = heredoc::starts(self.lines, at) else { return Ok(None) };
        let (format, file, next) = heredoc::parse(self.lines, at, command, self.files)?;
        self.add(format, vec![file])?;
        Ok(Some(next))
    }

    fn filename_token(&mut self, at: usize) -> Result<Option<usize>, NoPatch> {
        let Some(path) = filename_token::starts(self.lines, at) else { return Ok(None) };
        let (file, next) = filename_token::parse(self.lines, at, path)?;
        self.add(PatchFormat::WholeFile, vec![file])?;
        Ok(Some(next))
    }

    fn add(&mut self, format: PatchFormat, files: Vec<FilePatch>) -> Result<(), NoPatch> {
        (self.last_hunk, self.is_below_hunk, self.unfinished) = (None, false, None);
        for file in files {
            if let FileOp::Modify(hunks) | FileOp::Rename { hunks, .. } | FileOp::Copy { hunks, .. } = &file.op {
                self.found.hunks += hunks.len();
            }
            self.found.files.push((format, file));
        }
        match (self.found.files.len() > SECTIONS, self.found.hunks > HUNKS) {
            (true, _) => Err(too_many("sections", SECTIONS)),
            (_, true) => Err(too_many("hunks", HUNKS)),
            (false, false) => Ok(()),
        }
    }

    /// The path of the last section, when it has one of these formats.
    fn path_of(&self, formats: &[PatchFormat]) -> Option<RepoPath> {
        self.found.files.last().filter(|(format, _)| formats.contains(format)).map(|(_, file)| file.path.clone())
    }

    /// The only path that the task names.
    fn only_hint(&mut self, what: &str) -> Option<RepoPath> {
        let [only] = self.hints else { return None };
        self.notes.add("nameless", format_args!("{what}, taken for {}", quote(only.as_bytes())));
        Some(only.clone())
    }
}

/// Whether a patch for this parser begins at the line. A file in a fence is a patch only where the reply has no other, so none
/// begins here.
fn begins(parser: Parser, lines: &Lines, at: usize) -> bool {
    match parser {
        Parser::V4a => v4a::starts(lines, at),
        Parser::Unified => unified::starts(lines, at),
        Parser::SearchReplace => search_replace::starts(lines, at),
        Parser::Xml => xml::starts(lines, at).is_some(),
        Parser::Heredoc => heredoc::starts(lines, at).is_some(),
        Parser::Template => template::starts(lines, at),
        Parser::Json => json::starts(lines, at).is_some(),
        Parser::FilenameToken => filename_token::starts(lines, at).is_some(),
        Parser::WholeFile => false,
    }
}

fn too_many(what: &str, limit: usize) -> NoPatch {
    NoPatch::new(NoPatchKind::Malformed, format!("The reply has more than {limit} {what}. Send a smaller patch."))
}
