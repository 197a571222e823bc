//! File names in the headers of a diff: quoted as git quotes them, with or without `a/` and `b/`, with time stamps after them.

use guardhost_core::change::RepoPath;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// `/dev/null`
    Nothing,
    Path(Vec<u8>),
}

/// The name after `--- ` or `+++ `, and whether text after it was cut off that no tool writes.
pub(super) fn side(text: &[u8]) -> (Name, bool) {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    if let Some((name, _)) = quoted(text.trim_ascii()) {
        return (Name::Path(name), false);
    }
    // git and diff put a tab before the time stamp, and git puts one after a name with blanks in it.
    let name = text.split(|byte| *byte == b'\t').next().unwrap_or_default();
    let bare = unmarked(undated(name).trim_ascii());
    let bare = bare.strip_prefix(b"`").and_then(|bare| bare.strip_suffix(b"`")).unwrap_or(bare);
    match bare {
        b"/dev/null" => (Name::Nothing, false),
        _ => (Name::Path(bare.to_vec()), bare != name),
    }
}

/// Whether the two lines are what a test compares, as its output has them above the difference: `--- Expected`, `+++ Received`.
pub(super) fn are_of_a_test(old: &[u8], new: &[u8]) -> bool {
    const SIDES: [&[u8]; 10] = [
        b"expected",
        b"received",
        b"actual",
        b"got",
        b"want",
        b"wanted",
        b"snapshot",
        b"result",
        b"expectation",
        b"output",
    ];
    // Go heads the result of each test so, with its time in parentheses.
    if [&b"--- FAIL: "[..], b"--- PASS: ", b"--- SKIP: "].iter().any(|head| old.starts_with(head))
        && old.ends_with(b"s)")
    {
        return true;
    }
    let word = |line: &[u8], mark: &[u8]| line.strip_prefix(mark).map(|text| side(text).0);
    let is_side = |name: &Option<Name>| matches!(name, Some(Name::Path(name)) if SIDES.iter().any(|side| name.eq_ignore_ascii_case(side)));
    let (old, new) = (word(old, b"--- "), word(new, b"+++ "));
    // One file that is called so has the name on both sides.
    is_side(&old) && is_side(&new) && old != new
}

/// Without ` (old)` and the like at the end, which models write for the two sides of one file.
fn unmarked(name: &[u8]) -> &[u8] {
    const SIDES: [&[u8]; 8] = [b"old", b"new", b"original", b"modified", b"before", b"after", b"updated", b"current"];
    let word = || {
        let open = name.iter().rposition(|byte| *byte == b'(')?;
        let inner = name[open + 1..].strip_suffix(b")")?;
        SIDES.iter().any(|side| inner.eq_ignore_ascii_case(side)).then(|| name[..open].trim_ascii_end())
    };
    word().filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// Without ` 2024-05-01 12:00:00…` at the end.
fn undated(name: &[u8]) -> &[u8] {
    let date = |text: &[u8]| {
        let shape = b"dddd-dd-dd";
        text.len() >= shape.len()
            && text
                .iter()
                .zip(shape)
                .all(|(byte, want)| if *want == b'd' { byte.is_ascii_digit() } else { byte == want })
    };
    let cut = (0..name.len()).find(|&at| name[at] == b' ' && date(&name[at + 1..]));
    &name[..cut.unwrap_or(name.len())]
}

/// A name in double quotes with C escapes (git's `quote.c`), and what follows it.
pub(super) fn quoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut name = Vec::new();
    loop {
        let (&byte, tail) = rest.split_first()?;
        rest = tail;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (&escape, tail) = rest.split_first()?;
                rest = tail;
                name.push(match escape {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => escape,
                    b'0'..=b'3' => {
                        let digits = rest.get(..2).filter(|two| two.iter().all(|d| (b'0'..=b'7').contains(d)))?;
                        rest = &rest[2..];
                        ((escape - b'0') << 6) | ((digits[0] - b'0') << 3) | (digits[1] - b'0')
                    }
                    _ => return None,
                });
            }
            _ => name.push(byte),
        }
    }
}

/// The name after `rename from ` and similar headers: quoted or bare, never with a prefix.
pub(super) fn bare(text: &[u8]) -> Vec<u8> {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    quoted(text).map_or_else(|| text.to_vec(), |(name, _)| name)
}

/// Both names of a `diff --git` line. Unquoted names may hold blanks, so only a split that makes both sides name the same
/// file counts, or the only split there is.
pub(super) fn pair(text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = text.trim_ascii();
    if let Some((old, rest)) = quoted(text) {
        let rest = rest.trim_ascii();
        return Some((old, quoted(rest).map_or_else(|| rest.to_vec(), |(new, _)| new)));
    }
    if let Some(open) = text.windows(2).position(|two| two == b" \"") {
        return Some((text[..open].to_vec(), quoted(&text[open + 1..])?.0));
    }
    let splits = || (0..text.len()).filter(|&at| text[at] == b' ').map(|at| (&text[..at], &text[at + 1..]));
    let same = splits().find(|(old, new)| {
        old == new || matches!((after_prefix(old), after_prefix(new)), (Some(old), Some(new)) if old == new)
    });
    let only = || splits().next().filter(|_| splits().count() == 1);
    same.or_else(only).map(|(old, new)| (old.to_vec(), new.to_vec()))
}

/// `a/x` → `x`, for any first part of one letter (git's mnemonic prefixes are a b c i o w).
fn after_prefix(name: &[u8]) -> Option<&[u8]> {
    match name {
        [letter, b'/', rest @ ..] if b"abciow".contains(letter) && !rest.is_empty() => Some(rest),
        _ => None,
    }
}

/// Folders that are copies of the repository before a change and after it.
const OLD: [&[u8]; 4] = [b"original", b"orig", b"old", b"before"];
const NEW: [&[u8]; 4] = [b"modified", b"updated", b"new", b"after"];

/// The name below the first folder, if that is one of `folders`.
fn below<'n>(name: &'n [u8], folders: &[&[u8]]) -> Option<&'n [u8]> {
    let at = name.iter().position(|byte| *byte == b'/')?;
    folders.contains(&&name[..at]).then(|| &name[at + 1..])
}

/// Both names without their prefixes, and what was wrong with the prefixes.
pub(super) fn unprefixed(old: Vec<u8>, new: Vec<u8>, hints: &[RepoPath]) -> (Vec<u8>, Vec<u8>, Option<&'static str>) {
    let hinted = |name: &[u8]| hints.iter().any(|hint| hint.as_bytes() == name);
    match (after_prefix(&old), after_prefix(&new)) {
        (Some(o), Some(n)) if old[0] == b'a' && new[0] == b'b' => (o.to_vec(), n.to_vec(), None),
        (Some(o), Some(n)) if o == n && old[0] != new[0] => (o.to_vec(), n.to_vec(), None),
        // The same letter twice is a mistake, which git accepts, or a real folder in a diff without prefixes. No tool writes one
        // of the other letters twice.
        (Some(o), Some(n)) if o == n && !hinted(&old) && matches!(old[0], b'a' | b'b') => {
            (o.to_vec(), n.to_vec(), Some("both names have the same prefix"))
        }
        // `diff -u original/x modified/x`: two folders with the file as it was and as it is.
        _ if below(&old, &OLD).is_some_and(|o| below(&new, &NEW) == Some(o)) => {
            let path = below(&old, &OLD).unwrap_or_default().to_vec();
            (path.clone(), path, None)
        }
        (Some(o), None) if o == new => (new.clone(), new, Some("the new name has no b/")),
        (None, Some(n)) if n == old => (old.clone(), old, Some("the old name has no a/")),
        _ => (old, new, Some("the names have no a/ and b/")),
    }
}

/// The name without its prefix, where the other side is `/dev/null`; and whether it has no known prefix.
pub(super) fn unprefixed_one(name: Vec<u8>, prefix: u8) -> (Vec<u8>, bool) {
    match name.as_slice() {
        [letter, b'/', rest @ ..] if (*letter == prefix || matches!(letter, b'a' | b'b')) && !rest.is_empty() => {
            (rest.to_vec(), false)
        }
        _ => (name, true),
    }
}
