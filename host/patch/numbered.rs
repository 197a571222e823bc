//! Lines that were quoted with their numbers before them, as `cat -n` and the reading tools of agents print them.

use guardhost_core::change::{Hunk, Line};

/// `     7\tcode` → (7, `code`), `7→code` and `7 | code`. A number alone is a numbered line that lost the blanks at its end. A tab needs the
/// padding of `cat -n` before the number: without it the line may be data.
pub(crate) fn numbered(line: &[u8]) -> Option<(u32, &[u8])> {
    let text = line.trim_ascii_start();
    let padding = line.len() - text.len();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    let rest = &text[digits..];
    let is_padded = padding > 0 && padding + digits >= 5;
    let content = match rest.strip_prefix("→".as_bytes()) {
        Some(content) => content,
        // `12 | code`, as the tools of Roo and Cline print it.
        None if rest.starts_with(b" |") => rest[2..].strip_prefix(b" ").unwrap_or(&rest[2..]),
        None if rest.is_empty() && is_padded => rest,
        None => rest.strip_prefix(b"\t").filter(|_| is_padded)?,
    };
    Some((number, content))
}

/// The lines without their numbers, and the first number; None unless every line has one and each is the next.
pub(crate) fn strip<'a>(lines: &[&'a [u8]]) -> Option<(u32, Vec<&'a [u8]>)> {
    let (first, _) = numbered(lines.first()?)?;
    let plain: Option<Vec<&[u8]>> = (first..)
        .zip(lines)
        .map(|(wanted, line)| numbered(line).filter(|(number, _)| *number == wanted).map(|(_, content)| content))
        .collect();
    // One line proves nothing, unless an arrow is in it.
    plain
        .filter(|_| lines.len() > 1 || lines[0].windows(3).any(|three| three == "→".as_bytes()))
        .map(|plain| (first, plain))
}

/// Takes the numbers from the hunk's lines when all its old lines have them. They say where it belongs.
pub(crate) fn strip_hunk(hunk: &mut Hunk) -> bool {
    let old: Vec<&[u8]> = hunk.lines.iter().filter(|line| line.is_old()).map(Line::bytes).collect();
    let Some((first, _)) = strip(&old) else { return false };
    for line in &mut hunk.lines {
        let (Line::Context(bytes) | Line::Remove(bytes) | Line::Add(bytes)) = line;
        if let Some((_, content)) = numbered(bytes) {
            *bytes = content.to_vec();
        }
    }
    hunk.old_start = hunk.old_start.or(Some(first));
    true
}
