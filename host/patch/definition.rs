//! Definitions in a text, by their first line and their margins: a function or a class with a name, as most languages lay them out.

use std::ops::Range;

use bstr::ByteSlice;

/// Words before the name of what is defined.
const KEYWORDS: [&[u8]; 11] =
    [b"def", b"class", b"fn", b"func", b"function", b"struct", b"enum", b"interface", b"trait", b"fun", b"module"];

/// Words before a keyword.
const MODIFIERS: [&[u8]; 14] = [
    b"export",
    b"default",
    b"async",
    b"pub",
    b"public",
    b"private",
    b"protected",
    b"static",
    b"abstract",
    b"final",
    b"override",
    b"unsafe",
    b"const",
    b"declare",
];

/// A definition with the marks above it (`@decorator`, `#[attribute]`), up to its last line.
pub(crate) struct NamedDefinition<'t> {
    pub name: &'t [u8],
    /// Its lines, with the marks.
    pub lines: Range<usize>,
    /// How many lines of marks it has.
    pub marks: usize,
}

impl<'t> NamedDefinition<'t> {
    /// The definition that the text is as a whole, blank lines around it aside.
    pub fn in_text(text: &[&'t [u8]]) -> Option<Self> {
        let first = text.iter().position(|line| !line.trim_ascii().is_empty())?;
        let last = text.iter().rposition(|line| !line.trim_ascii().is_empty())?;
        let own = margin(text[first]);
        let head = (first..=last).find(|at| margin(text[*at]) == own && defined(text[*at]).is_some())?;
        let definition = NamedDefinition::at(text, head)?;
        let is_one = definition.lines == (first..last + 1) && definition.lines.len() > definition.marks + 1;
        (is_one && !has_empty_block(&text[head..=last])).then_some(definition)
    }

    /// The only definition of that name in the text, without a margin.
    pub fn named(text: &[&'t [u8]], name: &[u8]) -> Option<Self> {
        let mut heads = (0..text.len()).filter(|at| defined(text[*at]) == Some(name));
        let (head, None) = (heads.next()?, heads.next()) else { return None };
        NamedDefinition::at(text, head).filter(|_| margin(text[head]) == 0)
    }

    /// The definition whose first line is `head`.
    fn at(text: &[&'t [u8]], head: usize) -> Option<Self> {
        let name = defined(text[head])?;
        let own = margin(text[head]);
        // A mark may have several lines.
        let is_above =
            |line: &&&[u8]| !line.trim_ascii().is_empty() && (margin(line) > own || is_closing(line) || is_mark(line));
        let above = text[..head].iter().rev().take_while(is_above).count();
        let first = text[head - above..head].iter().position(|line| is_mark(line) && margin(line) == own);
        let marks = first.map_or(0, |first| above - first);
        let mut end = head + 1;
        for (at, line) in text.iter().enumerate().skip(head + 1) {
            let is_inside = margin(line) > own || margin(line) == own && is_closing(line);
            match line.trim_ascii().is_empty() {
                true => {}
                false if is_inside => end = at + 1,
                false => break,
            }
        }
        is_closed(&text[head..end]).then_some(NamedDefinition { name, lines: head - marks..end, marks })
    }
}

/// Whether the lines close all that they open: a text between quotation marks may have lines without a margin.
fn is_closed(lines: &[&[u8]]) -> bool {
    let count = |what: &[u8]| lines.iter().map(|line| line.find_iter(what).count()).sum::<usize>();
    [(b"{", b"}"), (b"(", b")"), (b"[", b"]")].iter().all(|(open, close)| count(*open) == count(*close))
        && [&b"\"\"\""[..], b"'''", b"`"].iter().all(|quote| count(quote) % 2 == 0)
}

fn margin(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Whether a line that opens a block by its colon has none below it: lines of it are left out.
fn has_empty_block(lines: &[&[u8]]) -> bool {
    let texts: Vec<&[u8]> = lines.iter().copied().filter(|line| !line.trim_ascii().is_empty()).collect();
    let is_open = |line: &[u8]| line.trim_ascii_end().ends_with(b":");
    texts.windows(2).any(|two| is_open(two[0]) && margin(two[1]) <= margin(two[0]))
        || texts.last().is_some_and(|last| is_open(last))
}

/// `@decorator`, `#[attribute]`
fn is_mark(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    text.starts_with(b"@") || text.starts_with(b"#[")
}

/// Whether the line closes what is open: the end of a block, or of a list of parameters.
pub(crate) fn is_closing(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    matches!(text.first(), Some(b'}' | b')' | b']' | b'{')) || text == b"end"
}

/// The name that the line defines.
fn defined(line: &[u8]) -> Option<&[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let mut words = line.trim_ascii_start().split(|byte| matches!(byte, b' ' | b'\t'));
    let keyword = words.by_ref().find(|word| !MODIFIERS.contains(word))?;
    let name = words.next().filter(|_| KEYWORDS.contains(&keyword))?;
    let length = name.iter().take_while(|byte| is_word(byte)).count();
    (length > 0).then(|| &name[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&[u8]> {
        text.lines().map(str::as_bytes).collect()
    }

    #[test]
    fn a_text_that_is_one_definition() {
        let name = |text: &str| NamedDefinition::in_text(&lines(text)).map(|found| found.name.to_vec());
        assert_eq!(name("@cached\ndef total(\n    rows,\n) -> int:\n    return 1\n").unwrap(), b"total");
        assert_eq!(
            name("export async function load(\n  url: string,\n): Promise<void> {\n  run();\n}\n").unwrap(),
            b"load"
        );
        assert_eq!(name("def total(rows):\n    return 1\n\nprint(total([]))\n"), None);
        assert_eq!(name("def total(rows):\n"), None);
        assert_eq!(name("default: 1\n  x: 2\n"), None);
    }

    #[test]
    fn the_only_one_of_a_name() {
        let text = lines("import re\n\n@cached\ndef a():\n    b = 1\n\n    return b\n\n\ndef b():\n    return 2\n");
        let found = NamedDefinition::named(&text, b"a").unwrap();
        assert_eq!((found.lines, found.marks), (2..7, 1));
        assert!(NamedDefinition::named(&text, b"c").is_none());
        assert!(NamedDefinition::named(&lines("def a():\n    x\nif y:\n    def a():\n        z\n"), b"a").is_none());
    }
}
