//! The file of an edit that no words name: the only one of the repository that has the lines which it searches for.

use super::account::Surroundings;
use super::lines::{Lines, joined};
use bstr::ByteSlice;
use guardhost_core::change::RepoPath;
use guardhost_core::error::Result;

/// Lines above the edit in which another file may be named.
const REACH: usize = 40;

/// None where no file has the lines or several have them, the words above name another file, or the repository is too large to look.
pub(super) fn only_holder(old: &[&[u8]], lines: &Lines, at: usize, files: &Surroundings) -> Result<Option<RepoPath>> {
    let text = joined(old);
    let has_substance = text.iter().filter(|byte| byte.is_ascii_alphanumeric()).nth(SHORTEST).is_some();
    if !has_substance {
        return Ok(None);
    }
    let mut named = Vec::new();
    for line in &lines[at.saturating_sub(REACH)..at] {
        named.extend(files.mentioned(line)?);
    }
    let holds = |content: &[u8]| {
        let is_begin = |at: usize| at == 0 || content[at - 1] == b'\n';
        content.find_iter(text.trim_end_with(|c| c == '\n')).any(is_begin)
    };
    let holder = files.only_file_where(holds)?;
    Ok(holder.filter(|holder| named.is_empty() || named.contains(holder)))
}

/// Letters and digits of lines that do not stand in two files by chance.
const SHORTEST: usize = 11;
