//! How file systems read names: what they ignore, fold, cut off, or read as another name.

use unicode_normalization::UnicodeNormalization;

/// Code points that HFS+ ignores when it compares names; git's list (`next_hfs_char` in utf8.c).
fn ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Code points that show nothing, or change the order in which others are shown: two names that differ in these look alike. The
/// property `Default_Ignorable_Code_Point` of Unicode, and the marks around annotations.
fn hides(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The name as a file system compares it that ignores letter case. Folds more than any of them does (`ſ` is `s`, `ß` is `ss`):
/// two names that are equal on one of them are equal here.
pub(super) fn folded(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let plain = text.chars().filter(|c| !ignorable(*c)).nfc();
    plain.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Why some file system would read this part of a path as another name, if so.
pub(super) fn unsafe_part(part: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(part);
    Some(match part {
        b"" => "it has an empty part",
        b"." | b".." => "it has `.` or `..` as a part",
        _ if part.len() > 255 => "it has a part of more than 255 bytes",
        _ if part.contains(&b'\\') => "a backslash separates folders on Windows; use `/`",
        _ if text.chars().any(char::is_control) => "it holds control characters",
        _ if text.chars().any(ignorable) => "it holds characters that some file systems ignore",
        _ if text.chars().any(hides) => "it holds characters that do not show",
        _ if part.contains(&b':') => "a colon names a drive or a stream on Windows",
        _ if matches!(part.last(), Some(b' ' | b'.')) => "Windows cuts off a blank or a dot at the end",
        _ if is_device(part) => "it is the name of a device on Windows",
        _ if is_short_name(part) => "it looks like Windows' short form of another name",
        _ => return None,
    })
}

/// `NUL`, `aux.txt`, `com1 .log`: with any extension.
fn is_device(part: &[u8]) -> bool {
    let stem = part.split(|byte| *byte == b'.').next().unwrap_or_default().trim_ascii_end().to_ascii_lowercase();
    match stem.as_slice() {
        b"con" | b"prn" | b"aux" | b"nul" | b"conin$" | b"conout$" => true,
        [b'c', b'o', b'm', number @ ..] | [b'l', b'p', b't', number @ ..] => {
            matches!(number, [b'1'..=b'9']) || ["¹", "²", "³"].iter().any(|raised| number == raised.as_bytes())
        }
        _ => false,
    }
}

/// `GUARDS~1.TOM` is `guards.toml` where short names are on.
fn is_short_name(part: &[u8]) -> bool {
    let mut pieces = part.splitn(2, |byte| *byte == b'.');
    let (stem, extension) = (pieces.next().unwrap_or_default(), pieces.next().unwrap_or_default());
    let Some(tilde) = stem.iter().rposition(|byte| *byte == b'~') else { return false };
    let number = &stem[tilde + 1..];
    (1..=6).contains(&tilde)
        && stem.len() <= 8
        && extension.len() <= 3
        && !number.is_empty()
        && number.iter().all(u8::is_ascii_digit)
}
