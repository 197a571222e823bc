//! One walk over the reply, from the first line to the last: whatever begins first is read by its own parser to its end, so
//! that what stands inside it is never taken for a patch of its own.

use super::Notes;
use super::lines::{Fence, Lines, blank, malformed, quote, skip_blank, truncated};
use super::unified::Missing;
use super::whole_file::{self, Block};
use super::{json_list, names, search_replace, unified, v4a};
use guardhost_core::change::{FileOp, FilePatch, Line, NoPatch, PatchFormat, RepoPath};

/// What the walk gathered, in the reply's order.
#[derive(Default)]
pub(super) struct Scan {
    pub found: Vec<(PatchFormat, FilePatch)>,
    pub blocks: Vec<Block>,
    pub message: Option<String>,
    /// Hunks with wrong counts.
    wrong_counts: usize,
    /// What the last hunk lacks, and where its section begins, when the reply ends with it.
    last: Option<(Missing, usize)>,
    /// Below a section of a diff; whether a blank line parts us from it.
    below: Option<Parted>,
}

#[derive(Clone, Copy)]
struct Parted(bool);

pub(super) fn scan(lines: &Lines, hints: &[RepoPath], notes: &mut Notes) -> Result<Scan, NoPatch> {
    let mut scan = Scan::default();
    let mut fence: Option<Fence> = None;
    let mut at = 0;
    while at < lines.len() {
        if fence.as_ref().is_some_and(|fence| fence.closed_by(lines[at])) {
            fence = None;
            (scan.last, scan.below) = (None, None);
            at += 1;
        } else if let Some(next) = scan.patch(lines, at, fence.as_ref(), hints, notes)? {
            at = next;
        } else if let Some(opened) = Fence::open(lines, at).filter(|_| fence.is_none()) {
            (fence, at) = scan.fence(lines, opened, hints, notes)?;
        } else {
            scan.stray(lines, at, fence.is_some())?;
            at += 1;
        }
    }
    if fence.is_some() && !scan.found.is_empty() {
        notes.add("open-fence", "the fence around the patch is never closed");
    }
    match (scan.last, fence) {
        (Some((Missing::Lines | Missing::End, start)), Some(_)) => {
            Err(truncated(start, "the last hunk has fewer lines than its @@ line says"))
        }
        // Without a fence it takes more to tell: a writer who counts well elsewhere, and an end in the middle of a change.
        (Some((Missing::End, start)), None) if scan.wrong_counts == 1 => {
            Err(truncated(start, "the last hunk breaks off and has fewer lines than its @@ line says"))
        }
        _ => Ok(scan),
    }
}

impl Scan {
    /// Reads the patch that begins at this line, if one does; gives the line behind it.
    fn patch(
        &mut self,
        lines: &Lines,
        at: usize,
        fence: Option<&Fence>,
        hints: &[RepoPath],
        notes: &mut Notes,
    ) -> Result<Option<usize>, NoPatch> {
        if v4a::starts(lines, at) {
            let (files, next) = v4a::parse(lines, at, fence, notes)?;
            self.add(PatchFormat::V4a, files);
            return Ok(Some(next));
        }
        if unified::starts(lines, at) {
            let section = unified::parse(lines, at, fence, hints, notes)?;
            self.add(if section.git { PatchFormat::GitDiff } else { PatchFormat::UnifiedDiff }, vec![section.file]);
            self.wrong_counts += section.wrong_counts;
            // What follows the section, be it a word of prose, shows that the reply went on.
            let ends = skip_blank(lines, section.next) == lines.len();
            self.last = ends.then_some((section.missing, at));
            self.below = Some(Parted(false));
            return Ok(Some(section.next));
        }
        if search_replace::starts(lines, at) {
            let path = names::before(lines, at, fence, hints)
                .or_else(|| {
                    self.path_of(&[PatchFormat::SearchReplace]).filter(|last| !names::other_named(lines, at, last))
                })
                .or_else(|| only(hints, "a block without a file name", notes))
                .ok_or_else(|| {
                    malformed(at, "the block has no file name; write the path alone on the line before it")
                })?;
            let (file, next) = search_replace::parse(lines, at, &path, notes)?;
            self.add(PatchFormat::SearchReplace, vec![file]);
            return Ok(Some(next));
        }
        if let Some(column) = json_list::starts(lines, at) {
            let parsed = json_list::parse(lines, at, column)?;
            self.add(PatchFormat::JsonList, parsed.files);
            self.message = self.message.take().or(parsed.message);
            return Ok(Some(parsed.next));
        }
        if unified::header(lines[at]).is_some() {
            return self.nameless(lines, at, fence, hints, notes).map(Some);
        }
        match lines[at] {
            b"***************" => Err(malformed(at, "context diffs are not accepted; send a unified diff")),
            _ => Ok(None),
        }
    }

    /// Hunks without `---` and `+++`: of the file named before their fence, or of the one above as in aider's `udiff`, or of
    /// the only one there is.
    fn nameless(
        &mut self,
        lines: &Lines,
        start: usize,
        fence: Option<&Fence>,
        hints: &[RepoPath],
        notes: &mut Notes,
    ) -> Result<usize, NoPatch> {
        let header = unified::header(lines[start]);
        let begin = if header.is_some() { start + 1 } else { start };
        let body = unified::body(lines, begin, header.unwrap_or_default(), fence);
        if body.hunk.lines.iter().all(|line| matches!(line, Line::Context(_))) {
            // An e-mail's or a document's `@@`: nothing is changed by it.
            return Ok(body.next.max(start + 1));
        }
        let opened = fence.filter(|fence| skip_blank(lines, fence.at + 1) == start);
        let above = self.path_of(&[PatchFormat::GitDiff, PatchFormat::UnifiedDiff]);
        let path = opened
            .and_then(|fence| names::before(lines, start, Some(fence), hints))
            .or(above.filter(|above| opened.is_none_or(|fence| !names::other_named(lines, fence.at, above))))
            .or_else(|| only(hints, "a diff without a file name", notes))
            .ok_or_else(|| malformed(start, "a diff without a file name; begin it with --- and +++ lines"))?;
        if body.lost_blank.is_some() || !body.exact {
            notes.add("recount", format_args!("the hunk at line {} has wrong counts or lost blanks", start + 1));
        }
        let last = (skip_blank(lines, body.next) == lines.len()).then_some((body.missing, start));
        self.wrong_counts += usize::from(!body.exact);
        let op = FileOp::Modify(vec![body.hunk]);
        self.add(PatchFormat::UnifiedDiff, vec![FilePatch { path, op, mode: None, claims: None }]);
        self.last = last;
        self.below = Some(Parted(false));
        Ok(body.next)
    }

    /// Steps into a fence that holds a patch, takes any other as a block.
    fn fence<'a>(
        &mut self,
        lines: &Lines<'a>,
        fence: Fence<'a>,
        hints: &[RepoPath],
        notes: &mut Notes,
    ) -> Result<(Option<Fence<'a>>, usize), NoPatch> {
        let inside = fence.at + 1;
        let end = (inside..lines.len()).find(|&at| fence.closed_by(lines[at])).unwrap_or(lines.len());
        let named = names::before(lines, inside, Some(&fence), hints).is_some();
        let begins = |at: usize| {
            v4a::starts(lines, at)
                || unified::starts(lines, at)
                || search_replace::starts(lines, at)
                || (!named && json_list::starts(lines, at).is_some())
        };
        // A name, or words of introduction, may stand before the patch.
        let structured = (inside..end).filter(|&at| !blank(lines[at])).take(6).any(begins);
        let diff = matches!(fence.info.to_ascii_lowercase().as_slice(), b"diff" | b"patch" | b"udiff");
        if structured || (diff && (inside..end).any(|at| begins(at) || unified::header(lines[at]).is_some())) {
            return Ok((Some(fence), inside));
        }
        let changed = |at: usize| matches!(lines[at].first(), Some(b'+' | b'-'));
        if diff && (inside..end).any(changed) {
            let next = self.nameless(lines, skip_blank(lines, inside), Some(&fence), hints, notes)?;
            return Ok((Some(fence), next));
        }
        match whole_file::block(lines, &fence, hints) {
            Some((block, next)) => {
                self.blocks.push(block);
                Ok((None, next))
            }
            None => match whole_file::unclosed(lines, &fence, hints) {
                Some(cut) => Err(cut),
                None => Ok((Some(fence), inside)),
            },
        }
    }

    /// Changes that stand below a hunk and belong to none would be left out: what parts them from it cannot be read.
    fn stray(&mut self, lines: &Lines, at: usize, fenced: bool) -> Result<(), NoPatch> {
        let Some(Parted(parted)) = self.below else { return Ok(()) };
        if unified::signature(lines, at) {
            self.below = None;
            return Ok(());
        }
        // Behind a blank line prose may begin, and lists in it; only code is indented behind the mark.
        let change = match lines[at].trim_ascii_start() {
            [b'+' | b'-', b' ', b' ', ..] | [b'+' | b'-', b'\t', ..] => true,
            [b'+' | b'-', ..] => !parted,
            _ => false,
        };
        if change {
            return Err(malformed(at, format_args!("{} belongs to no hunk", quote(lines[at]))));
        }
        self.below = Some(Parted(parted || (!fenced && blank(lines[at]))));
        Ok(())
    }

    fn add(&mut self, format: PatchFormat, files: Vec<FilePatch>) {
        (self.last, self.below) = (None, None);
        self.found.extend(files.into_iter().map(|file| (format, file)));
    }

    /// The path of the last section, when it has one of these formats.
    fn path_of(&self, formats: &[PatchFormat]) -> Option<RepoPath> {
        self.found.last().filter(|(format, _)| formats.contains(format)).map(|(_, file)| file.path.clone())
    }
}

/// The only path that the task names.
fn only(hints: &[RepoPath], what: &str, notes: &mut Notes) -> Option<RepoPath> {
    let [only] = hints else { return None };
    notes.add("nameless", format_args!("{what}, taken for {}", quote(only.as_bytes())));
    Some(only.clone())
}
