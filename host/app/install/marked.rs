//! Lines of ours in a text file of somebody else, between two lines that mark them.

const BEGIN: &str = "# >>> guardhost >>> written by `host install`; `host install --remove` takes it out";
const END: &str = "# <<< guardhost <<<";

/// The lines with their marks, each ended.
pub(super) fn block(lines: &str) -> String {
    format!("{BEGIN}\n{lines}{END}\n")
}

/// Puts a block into `text` at a line's beginning, which may be the end of the text.
pub(super) fn insert(text: &str, at: usize, block: &str) -> String {
    match text[..at].is_empty() || text[..at].ends_with('\n') {
        true => format!("{}{block}{}", &text[..at], &text[at..]),
        // The last line has no end, and gets it back when the block goes.
        false => format!("{}\n{}", &text[..at], block.trim_end_matches('\n')),
    }
}

/// The text without the block: the reverse of [`insert`]. None when there is no block.
pub(super) fn remove(text: &str) -> Option<String> {
    let begin = text.find(BEGIN)?;
    let end = begin + text[begin..].find(END)? + END.len();
    let (before, after) = (&text[..begin], &text[end..]);
    Some(match after.strip_prefix('\n') {
        Some(after) => format!("{before}{after}"),
        None => format!("{}{after}", before.strip_suffix('\n').unwrap_or(before)),
    })
}

/// The lines of the block without their marks. None when there is no block.
pub(super) fn lines(text: &str) -> Option<impl Iterator<Item = &str>> {
    let begin = text.find(BEGIN)?;
    let end = begin + text[begin..].find(END)?;
    Some(text[begin..end].lines().skip(1))
}
