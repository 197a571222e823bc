//! A file as lines, each with its own ending, so that what a patch does not touch stays byte for byte as it is.

use bstr::ByteSlice;

/// The byte order mark that some editors put at the beginning of a file.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

pub struct Text<'a> {
    pub rows: Vec<Row<'a>>,
}

#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// Without the ending.
    pub text: &'a [u8],
    pub ending: Ending,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Lf,
    CrLf,
    /// Only a file's last line has none.
    None,
}

impl Ending {
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Ending::Lf => b"\n",
            Ending::CrLf => b"\r\n",
            Ending::None => b"",
        }
    }
}

impl<'a> Row<'a> {
    /// `line` includes its ending.
    fn new(line: &'a [u8]) -> Self {
        let (text, ending) = match line {
            [text @ .., b'\r', b'\n'] => (text, Ending::CrLf),
            [text @ .., b'\n'] => (text, Ending::Lf),
            text => (text, Ending::None),
        };
        Row { text, ending }
    }
}

impl<'a> Text<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Text { rows: bytes.lines_with_terminator().map(Row::new).collect() }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The ending that most lines have.
    pub fn ending(&self) -> Ending {
        let crlf = self.rows.iter().filter(|row| row.ending == Ending::CrLf).count();
        if crlf * 2 > self.rows.len() { Ending::CrLf } else { Ending::Lf }
    }

    /// True also for an empty file, which has no line without an ending.
    pub fn ends_with_newline(&self) -> bool {
        self.rows.last().is_none_or(|row| row.ending != Ending::None)
    }

    /// How mixed the endings are: how many lines end differently from the line above.
    pub fn mixture(&self) -> usize {
        self.rows.windows(2).filter(|pair| pair[1].ending != Ending::None && pair[0].ending != pair[1].ending).count()
    }
}

/// A line of a patch without the carriage return that belongs to its ending.
pub fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

pub fn trim_end(line: &[u8]) -> &[u8] {
    line.trim_end_with(|c| matches!(c, ' ' | '\t' | '\r'))
}

pub fn trim(line: &[u8]) -> &[u8] {
    trim_end(line).trim_start_with(|c| matches!(c, ' ' | '\t'))
}

/// Whether the line is more than white space.
pub fn has_text(line: &[u8]) -> bool {
    !trim(line).is_empty()
}

/// The blanks and tabs before the first other byte. A line of blanks is all margin.
pub fn margin(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    &line[..end]
}

/// How wide a margin is with tab stops every `width` columns.
pub fn columns(margin: &[u8], width: usize) -> usize {
    margin.iter().fold(0, |column, byte| if *byte == b'\t' { column / width * width + width } else { column + 1 })
}

/// Three letters or digits, or more: enough to tell a place from others. A brace or an empty line has no substance.
pub fn has_substance(line: &[u8]) -> bool {
    line.iter().filter(|byte| byte.is_ascii_alphanumeric() || **byte >= 0x80).nth(2).is_some()
}
