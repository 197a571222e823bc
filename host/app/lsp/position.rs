//! Between places of the protocol and offsets in a text.
//!
//! The protocol ends a line at CRLF, LF or CR, and counts columns in the units that client and server agreed on. Guards end a line at LF, and
//! count characters or bytes.

use lsp_types::{ClientCapabilities, Position, PositionEncodingKind, Range};

/// In which units columns are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnUnit {
    Utf8,
    /// What every client counts in, if nothing else was agreed.
    Utf16,
}

impl ColumnUnit {
    /// Bytes if the client counts in them too: nothing has to be converted then.
    pub fn agreed(client: &ClientCapabilities) -> Self {
        let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_ref());
        match offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8)) {
            true => ColumnUnit::Utf8,
            false => ColumnUnit::Utf16,
        }
    }

    /// As the server tells the client.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
            ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, character: char) -> usize {
        match self {
            ColumnUnit::Utf8 => character.len_utf8(),
            ColumnUnit::Utf16 => character.len_utf16(),
        }
    }
}

/// The place of an offset in bytes. One beyond the text is its end; one within a character is the character's beginning.
pub fn position(text: &str, offset: usize, unit: ColumnUnit) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let (mut line, mut start) = (0, 0);
    for next in line_starts(text).skip(1).take_while(|next| *next <= offset) {
        (line, start) = (line + 1, next);
    }
    let column: usize = text[start..offset].chars().map(|character| unit.length(character)).sum();
    Position::new(line, u32::try_from(column).unwrap_or(u32::MAX))
}

/// The offset in bytes of a place. A column beyond the line is the line's end, and a line beyond the text is the end of the text.
pub fn offset(text: &str, place: Position, unit: ColumnUnit) -> usize {
    let mut starts = line_starts(text).skip(place.line as usize);
    let Some(start) = starts.next() else { return text.len() };
    let line = &text[start..starts.next().unwrap_or(text.len())];
    let line = line.trim_end_matches(['\r', '\n']);
    let mut units = 0;
    for (at, character) in line.char_indices() {
        if units >= place.character as usize {
            return start + at;
        }
        units += unit.length(character);
    }
    start + line.len()
}

/// Both ends of some bytes.
pub fn range(text: &str, bytes: std::ops::Range<usize>, unit: ColumnUnit) -> Range {
    Range::new(position(text, bytes.start, unit), position(text, bytes.end, unit))
}

/// Where each line of the protocol begins.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let ends = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1))
}

/// The bytes of a line as guards count them, from 1, without what ends it. None beyond the text.
pub fn guard_line(text: &str, number: u32) -> Option<std::ops::Range<usize>> {
    let index = (number as usize).checked_sub(1)?;
    let start = match index {
        0 => 0,
        _ => text.match_indices('\n').nth(index - 1)?.0 + 1,
    };
    let line = text[start..].split('\n').next().unwrap_or_default();
    Some(start..start + line.trim_end_matches('\r').len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_the_units_of_the_client() {
        let text = "a\u{10400}b\r\nx\ry\n";
        for (at, utf8, utf16) in [
            (0, (0, 0), (0, 0)),
            (1, (0, 1), (0, 1)),
            (5, (0, 5), (0, 3)),
            (6, (0, 6), (0, 4)),
            (8, (1, 0), (1, 0)),
            (10, (2, 0), (2, 0)),
            (12, (3, 0), (3, 0)),
        ] {
            for (unit, (line, column)) in [(ColumnUnit::Utf8, utf8), (ColumnUnit::Utf16, utf16)] {
                let place = Position::new(line, column);
                assert_eq!(position(text, at, unit), place, "{at} {unit:?}");
                assert_eq!(offset(text, place, unit), at, "{place:?} {unit:?}");
            }
        }
        assert_eq!(position(text, 3, ColumnUnit::Utf16), Position::new(0, 1), "within a character");
        assert_eq!(offset(text, Position::new(0, 99), ColumnUnit::Utf16), 6, "not beyond the line");
        assert_eq!(offset(text, Position::new(9, 0), ColumnUnit::Utf16), text.len());
    }

    #[test]
    fn guards_end_a_line_at_a_line_feed() {
        let text = "a\r\nb\rc\n";
        assert_eq!(
            [0, 1, 2, 3, 4].map(|line| guard_line(text, line)),
            [None, Some(0..1), Some(3..6), Some(7..7), None]
        );
    }
}
