//! What an assistant says about a file, written into the file: before its first line, or after its last.

use std::ops::Range;

use guard_sdk::Finding;

use crate::fence::Fence;
use crate::sides::Sides;

/// Remarks without which the text is right.
#[derive(Debug, PartialEq)]
pub struct Chatter {
    /// The first remark's line, from 1, and its text.
    line: u32,
    says: String,
    /// The bytes of the remarks, with the lines of a code fence within them.
    parts: [Range<usize>; 2],
}

/// Lines at each end that are looked at.
const LINES: usize = 12;

impl Chatter {
    /// None when the text is not right without its remarks either: then they are not what is wrong with it, or not all.
    pub fn find(text: &str, holds: &dyn Fn(&str) -> bool) -> Option<Chatter> {
        let (head, tail) = (head(text), text.len() - tail(text));
        [(head, text.len()), (0, tail), (head, tail)].into_iter().find_map(|(start, end)| {
            let rest = text.get(start..end).filter(|rest| rest.len() < text.len() && !rest.trim().is_empty())?;
            let inner = match Fence::around(rest) {
                Some(fence) => start + fence.open.end..start + fence.close.start,
                None => start..end,
            };
            holds(&text[inner.clone()]).then(|| Chatter::around(text, start, inner))
        })
    }

    fn around(text: &str, start: usize, inner: Range<usize>) -> Chatter {
        let (from, remarks) = if start > 0 { (0, text) } else { (inner.end, &text[inner.end..]) };
        let lines = remarks.lines().enumerate().filter(|(_, line)| is_remark(line.trim()));
        let (offset, says) = lines.map(|(at, line)| (at, line.trim())).next().unwrap_or_default();
        let above = text[..from].bytes().filter(|byte| *byte == b'\n').count();
        let says = says.chars().take(80).collect();
        Chatter { line: (above + offset) as u32 + 1, says, parts: [0..inner.start, inner.end..text.len()] }
    }

    pub fn finding(self, finding: Finding, sides: &Sides) -> Finding {
        let message = format!("`{}` is a remark about the file, and does not belong into it", self.says);
        let finding = Finding { message, ..finding.at(sides.path, self.line) }
            .help("Delete this line: write the file's content alone, without a word before or after it.");
        sides.deleting(finding, "Remove the remarks around the content", self.parts)
    }
}

/// Bytes of the remarks at the beginning, with the blank lines around them.
fn head(text: &str) -> usize {
    remarks(text.split_inclusive('\n'))
}

fn tail(text: &str) -> usize {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let last = lines[lines.len().saturating_sub(LINES)..].iter().rev().copied();
    // From the end, a list comes before the sentence that announces it.
    let mut length = 0;
    let mut all = 0;
    for line in last {
        all += line.len();
        match line.trim() {
            "" => {}
            line if is_remark(line) => length = all,
            line if is_item(line) => {}
            _ => break,
        }
    }
    length
}

fn remarks<'t>(lines: impl Iterator<Item = &'t str>) -> usize {
    let (mut length, mut all) = (0, 0);
    for line in lines.take(LINES) {
        all += line.len();
        match line.trim() {
            "" if length > 0 => length = all,
            "" => {}
            line if is_remark(line) => length = all,
            line if is_item(line) && length > 0 => length = all,
            _ => break,
        }
    }
    length
}

/// A sentence, or the beginning of an answer.
fn is_remark(line: &str) -> bool {
    const OPENINGS: [&str; 18] = [
        "here",
        "sure",
        "certainly",
        "okay",
        "ok",
        "absolutely",
        "below",
        "note",
        "explanation",
        "updated",
        "summary",
        "changes",
        "key",
        "let",
        "i",
        "i've",
        "i'll",
        "this",
    ];
    let line = line.trim_start_matches(['*', '#', '_', ' ']).replace('’', "'");
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(first) = words.first() else { return false };
    let plain = |word: &str| {
        let word = word.trim_matches(|c: char| ".,:;!?()*_`\"'".contains(c));
        !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-')
    };
    let bare = first.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
    let opens = OPENINGS.contains(&bare.as_str()) || bare == "here's";
    let ends = line.trim_end_matches(['*', '_', '`']).ends_with(['.', ':', '!', '?']);
    let sentence = first.starts_with(char::is_uppercase) && words.len() >= 4;
    let mostly = words.iter().filter(|word| plain(word)).count() * 3 >= words.len() * 2;
    mostly && ends && (opens || sentence)
}

/// Of a list in Markdown.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "• "].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && number.starts_with(". "))
}
