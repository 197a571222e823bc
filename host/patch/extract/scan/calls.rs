//! Calls of tools, whether as JSON or as a chat template writes them, and lists of patches in JSON.

use super::super::account::{Closing, Seen, reports_failure};
use super::super::json::{self, Parsed};
use super::super::lines::{Lines, blank, malformed, quote, split};
use super::super::{names, template};
use super::result::Outcome;
use super::{Scanner, result, scan_at};
use guardhost_core::change::{FilePatch, HeaderCounts, NoPatch, PatchFormat, RepoPath};

/// A diff in a JSON string in the arguments of a call: no provider nests deeper.
const DEPTH: usize = 4;

const MAY_HAVE_FAILED: &str = "this result may say that the call above was not made; send what is meant alone";

impl Scanner<'_, '_> {
    pub(super) fn json(&mut self, at: usize) -> Result<usize, NoPatch> {
        let mut commands = Vec::new();
        let (parsed, next) = json::parse(self.lines, at, &mut commands)?;
        self.take(at, parsed, commands)?;
        Ok(next)
    }

    /// Leaves the edits from the number `first` on out, which end above the line `next`, if their result says that they failed; the line
    /// below that.
    pub(super) fn leave_failed_out(&mut self, at: usize, first: usize, next: usize) -> Result<Option<usize>, NoPatch> {
        let after = match result::outcome(self.lines, at, next) {
            Outcome::Made => return Ok(None),
            Outcome::Unclear(at) => return Err(malformed(at, MAY_HAVE_FAILED)),
            Outcome::Failed(after) => after,
        };
        // One result of several calls does not tell which of them failed.
        let is_framed = |at: &usize| blank(self.lines[*at]) || names::is_frame(self.lines[*at]);
        let above = (0..at).rev().find(|at| !is_framed(at)).map_or(0, |above| above + 1);
        if first > 0 && self.end_of_edit.is_some_and(|end| above <= end) {
            return Err(malformed(next, MAY_HAVE_FAILED));
        }
        let failed = self.found.files.drain(first..).map(|(_, file)| (at, first, file.path));
        self.failed.extend(failed);
        self.found.account.leave_frame_out(at, self.lines);
        self.is_below_call = false;
        Ok(Some(after))
    }

    /// A call that failed was not made; what it was for is done only if a later one edits the same file.
    pub(super) fn refuse_failures(&self) -> Result<(), NoPatch> {
        let is_done = |(_, from, path): &&(usize, usize, RepoPath)| {
            self.found.files[*from..].iter().any(|(_, file)| file.path == *path)
        };
        match self.failed.iter().find(|failed| !is_done(failed)) {
            Some((at, _, path)) => {
                let why = format_args!("the call failed, as its result says, and no later one edits {path}");
                Err(malformed(*at, why))
            }
            None => Ok(()),
        }
    }

    pub(super) fn template(&mut self, at: usize) -> Result<usize, NoPatch> {
        let mut commands = Vec::new();
        let (calls, next) = template::parse(self.lines, at)?;
        let parsed = json::calls(calls, at, &mut commands)?;
        self.take(at, parsed, commands)?;
        Ok(next)
    }

    fn take(&mut self, at: usize, parsed: Parsed, commands: Vec<String>) -> Result<(), NoPatch> {
        self.found.account.run(at, commands);
        match parsed {
            Parsed::List { files, message } => {
                self.add(PatchFormat::JsonList, files)?;
                self.found.message = self.found.message.take().or(message);
            }
            Parsed::Edits(mut files) => {
                let why = json::placed(&mut files, self.lines, at, self.files)
                    .unwrap_or_else(|error| Some(format!("the file of an edit cannot be read: {error}")));
                why.map_or(Ok(()), |why| Err(malformed(at, why)))?;
                if json::unescape(&mut files, self.files).unwrap_or(false) {
                    self.notes.add(
                        "json-escaped",
                        format_args!("the strings of the call in line {} were escaped twice", at + 1),
                    );
                }
                self.add(PatchFormat::StrReplace, files)?;
                self.is_below_call = true;
            }
            Parsed::Texts(texts) => self.inner(at, &texts)?,
            Parsed::Reading => self.is_below_call = false,
            // What a tool read may speak of anything.
            Parsed::Result(text) if self.is_below_call && reports_failure(&text) => {
                return Err(malformed(at, MAY_HAVE_FAILED));
            }
            Parsed::Result(_) => self.is_below_call = false,
            // It is judged by what it looks like.
            Parsed::Other => self.seen = Some(Seen::Unread { is_fenced: false }),
        }
        Ok(())
    }

    /// Patches in strings of JSON. Lines in messages about them count from the beginning of their string.
    fn inner(&mut self, at: usize, texts: &[String]) -> Result<(), NoPatch> {
        if self.depth >= DEPTH {
            return Err(malformed(at, "the patch is in a string of JSON in a string of JSON; send it as text"));
        }
        for text in texts {
            let mut lines = Lines::new(split(text.as_bytes()), self.lines.watch());
            let found = scan_at(&mut lines, self.hints, self.files, self.notes, self.depth + 1)?;
            if found.files.is_empty() {
                return Err(malformed(
                    at,
                    format_args!("the string in this JSON holds no patch: {}", quote(text.as_bytes())),
                ));
            }
            if found.header_counts == HeaderCounts::Repaired {
                self.found.header_counts = HeaderCounts::Repaired;
            }
            self.found.tail = found.tail;
            let edits: Vec<&FilePatch> = found.files.iter().map(|(_, file)| file).collect();
            let (lines, blocks) = (&lines, &found.blocks);
            let closing = Closing {
                lines,
                blocks,
                block_edits: &[],
                edits: &edits,
                hints: self.hints,
                files: self.files,
                is_envelope: true,
                is_sequence: found.files.iter().all(|(format, _)| format.is_sequence()),
            };
            found.account.close(&closing, self.notes)?;
            self.found.as_written.extend(found.as_written);
            for (format, file) in found.files {
                self.add(format, vec![file])?;
            }
        }
        Ok(())
    }
}
