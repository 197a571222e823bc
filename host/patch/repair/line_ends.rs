//! A mark at the end of every line of a patch, with which an editor or `cat -A` shows where lines end.

use guardhost_core::change::Note;
use guardhost_core::stop::Watch;

/// Carriage returns, paragraph marks and arrows of the Return key. A patch of a file that ends lines so has them in its content alone.
const MARKS: [&str; 5] = ["^M", "^M$", "¶", "⏎", "↵"];

/// The text without the mark, where both names of a diff end in it, and so does every line from there on up to a blank one or a fence.
pub(super) fn strip(text: &[u8], watch: &Watch) -> Option<(Vec<u8>, Note)> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    let ends = |line: Option<&&[u8]>, start: &str, mark: &str| {
        line.is_some_and(|line| line.starts_with(start.as_bytes()) && line.ends_with(mark.as_bytes()))
    };
    let (first, mark) = (0..lines.len()).find_map(|at| {
        watch.visit();
        let is_head = |mark: &&&str| ends(lines.get(at), "--- ", mark) && ends(lines.get(at + 1), "+++ ", mark);
        MARKS.iter().find(is_head).map(|mark| (at, mark.as_bytes()))
    })?;
    // Lines of the head above the names may have it, too.
    let from = lines[..first].iter().rposition(|line| !line.ends_with(mark)).map_or(0, |above| above + 1);
    let is_end = |line: &&[u8]| line.trim_ascii().is_empty() || line.starts_with(b"```");
    let to = lines[first..].iter().position(is_end).map_or(lines.len(), |end| first + end);
    if !lines[from..to].iter().all(|line| line.ends_with(mark)) {
        return None;
    }
    let plain: Vec<&[u8]> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| if (from..to).contains(&at) { &line[..line.len() - mark.len()] } else { *line })
        .collect();
    Some((plain.join(&b'\n'), Note::new("line-ends", "the end of every line was marked")))
}
