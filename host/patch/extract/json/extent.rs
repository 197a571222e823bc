//! Where the JSON that begins in a line ends.

use super::super::lines::Lines;

/// Its text, and the line and the column after it; None when it never ends. Only brackets and strings are looked at.
pub(super) fn text(lines: &Lines, start: usize, column: usize) -> (Vec<u8>, Option<(usize, usize)>) {
    let mut text = Vec::new();
    let (mut depth, mut in_string, mut is_escaped) = (0usize, false, false);
    for at in start..lines.len() {
        let from = if at == start { column } else { 0 };
        if at > start {
            text.push(b'\n');
        }
        for (end, byte) in lines[at].iter().enumerate().skip(from) {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if in_string => is_escaped = true,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                text.extend_from_slice(&lines[at][from..=end]);
                return (text, Some((at, end + 1)));
            }
        }
        text.extend_from_slice(&lines[at][from..]);
    }
    (text, None)
}
