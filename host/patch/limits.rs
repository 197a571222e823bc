//! What a reply may hold before anything is read. A reply of a model has a thousandth of it; these numbers bound the work of
//! a reply, or of a patch file, that was made to be expensive.

use std::time::Duration;

/// Bytes of one reply: the most that a patch file may have.
pub(crate) const REPLY_BYTES: usize = 64 << 20;

/// Lines of one reply. 32 MB of references to them; a patch at the default limit of 8 MiB has about 300,000.
pub(crate) const LINES: usize = 2_000_000;

/// Sections of one reply, before those of one file are joined. `Rules::max_files` bounds the files.
pub(crate) const SECTIONS: usize = 20_000;

/// Hunks of all sections together.
pub(crate) const HUNKS: usize = 100_000;

/// Notes of one reply. What is noted after that is only counted.
pub(crate) const NOTES: usize = 200;

/// Bytes that the reader of damaged JSON looks at, in all its readings together.
pub(crate) const JSON_WORK: usize = 64 << 20;

/// Bytes of unread lines, and of files that they may quote, that are looked at again to tell what they are, in all. Above it they are
/// not looked at, and refuse the reply.
pub(crate) const UNREAD_WORK: usize = 32 << 20;

/// Bytes of files that are searched while a reply is read, to tell what its edits mean: 256 edits of a file of 1 MiB, a second of work.
pub(crate) const SEARCHED_BYTES: usize = 256 << 20;

/// Bytes that one edit may write when it replaces every occurrence of its text: as many as a patch may have by default.
pub(crate) const WRITTEN_BYTES: usize = 8 << 20;

/// Misfits of one file after which no more hunks are looked for: each costs a search of the whole file, 1 ms in 100,000 lines,
/// and a model needs no more of them to see that it has another file before it.
pub(crate) const MISFITS: usize = 20;

/// Differing lines of the two halves of a block, one multiplied by the other, above which they are not compared line by line.
pub(crate) const COMPARED_LINES: usize = 4_000_000;

/// Wall clock of each stage. Its work is bounded by the numbers above and takes milliseconds; this ends what they do not foresee, and
/// nothing else on the slowest machine.
pub(crate) const STAGE: Duration = Duration::from_secs(120);

/// What is too large about a reply, before any of its lines is read.
pub(crate) fn exceeded(reply: &[u8]) -> Option<String> {
    if reply.len() > REPLY_BYTES {
        return Some(format!("The reply has {} bytes; {REPLY_BYTES} are allowed.", reply.len()));
    }
    let lines = reply.iter().filter(|byte| **byte == b'\n').count();
    (lines > LINES).then(|| format!("The reply has {lines} lines; {LINES} are allowed."))
}
