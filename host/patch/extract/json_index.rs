//! What the reader of JSON asks about lines far below: gathered in one pass, when it is first asked.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::sync::LazyLock;

use bstr::{ByteSlice, Finder};

use super::labels::{TextSide, half_of_member};

/// Words by which the objects that are read are told from others.
const KEYS: [&str; 31] = [
    "\"files\": {",
    "\"files\":{",
    "\"changes\": [",
    "patches",
    "\"patches\"",
    "\"path\"",
    "'path'",
    "\"content\"",
    "'content'",
    "\"action\"",
    "'action'",
    "old_str",
    "file_text",
    "\"file_path\"",
    "\"file\"",
    "insert_line",
    "\"search\"",
    "\"replace\"",
    "\"diff\"",
    "\"patch\"",
    "filePath",
    "oldString",
    "oldText",
    "old_text",
    "TargetContent",
    "\"operation\"",
    "\"old\"",
    "\"new\"",
    "\"new_lines\"",
    "*** Begin Patch",
    "\\n@@ ",
];

/// The same for members that are called an old text, and a new one.
pub(super) const HALVES: [&str; 2] = ["an old text", "a new text"];

/// Bytes of the longest name of such a member, and more.
const NAME: usize = 32;

/// Lines in which all members of one object begin, since newlines in strings are escaped.
const NEAR: usize = 200;

/// What looks for [`KEYS`]: to make it anew for each line would take longer than to look.
static FINDERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| KEYS.iter().map(Finder::new).collect());

#[derive(Default)]
pub(super) struct JsonIndex {
    tables: OnceCell<Tables>,
    /// The line that was asked about last, and what is near it: a line is asked about many keys.
    near: Cell<Option<(usize, u64)>>,
}

struct Tables {
    /// The lines that have one of [`KEYS`] and [`HALVES`] or more: one bit for each.
    keys: Vec<(u32, u64)>,
    /// For each line, the smallest sum of brackets over all beginnings of the text from it to the next fence. Below 0, that text
    /// closes what is not open.
    lowest: Vec<i32>,
}

impl JsonIndex {
    fn tables(&self, lines: &[&[u8]]) -> &Tables {
        self.tables.get_or_init(|| {
            let mut lowest = vec![0; lines.len() + 1];
            for at in (0..lines.len()).rev() {
                let is_fence = lines[at].trim_ascii_start().starts_with(b"```");
                lowest[at] = if is_fence { 0 } else { lowest_from(lines[at], lowest[at + 1]) };
            }
            let bits = |line: &[u8]| -> u64 {
                if !line.contains(&b':') {
                    return 0;
                }
                // The arguments of a call may be JSON in a string, once or twice. No key is in the line alone.
                let plain = match line.contains(&b'\\') {
                    true => Cow::Owned(line.replace(br#"\\\""#, br#"""#).replace(br#"\""#, br#"""#)),
                    false => Cow::Borrowed(line),
                };
                let is_in = |(_, key): &(u32, &Finder)| key.find(&*plain).is_some();
                let words: u64 = (0..).zip(FINDERS.iter()).filter(is_in).map(|(bit, _)| 1 << bit).sum();
                words | halves(&plain) << KEYS.len()
            };
            let keys = (0..).zip(lines).map(|(at, line)| (at, bits(line))).filter(|(_, bits)| *bits != 0).collect();
            Tables { keys, lowest }
        })
    }

    /// Whether one of `keys`, which are of [`KEYS`] and [`HALVES`], is in the line `at` or soon below it.
    pub fn is_near(&self, lines: &[&[u8]], at: usize, keys: &[&str]) -> bool {
        let mut bits = self.bits_near(lines, at);
        while bits != 0 {
            let bit = bits.trailing_zeros() as usize;
            if keys.contains(KEYS.get(bit).unwrap_or_else(|| &HALVES[bit - KEYS.len()])) {
                return true;
            }
            bits &= bits - 1;
        }
        false
    }

    fn bits_near(&self, lines: &[&[u8]], at: usize) -> u64 {
        if let Some((_, bits)) = self.near.get().filter(|(last, _)| *last == at) {
            return bits;
        }
        let all = &self.tables(lines).keys;
        let from = all.partition_point(|(line, _)| (*line as usize) < at);
        let near = all[from..].iter().take_while(|(line, _)| (*line as usize) < at + NEAR);
        let bits = near.fold(0, |all, (_, bits)| all | bits);
        self.near.set(Some((at, bits)));
        bits
    }

    /// Whether the text after the byte `column` of the line `at` closes nothing that is not open.
    pub fn closes_nothing(&self, lines: &[&[u8]], at: usize, column: usize) -> bool {
        let Some(rest) = lines.get(at).map(|line| &line[column..]) else { return true };
        rest.trim_ascii_start().starts_with(b"```") || lowest_from(rest, self.tables(lines).lowest[at + 1]) == 0
    }
}

/// The halves that the members in the line are called: one bit for each of [`HALVES`].
fn halves(line: &[u8]) -> u64 {
    let mut parts = line.split(|byte| *byte == b'"').peekable();
    let mut bits = 0;
    while let Some(name) = parts.next() {
        let is_member = parts.peek().is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
        let name = std::str::from_utf8(name).ok().filter(|name| is_member && name.len() <= NAME);
        bits |= match name.and_then(half_of_member) {
            Some(TextSide::Old) => 1,
            Some(TextSide::New) => 2,
            None => 0,
        };
    }
    bits
}

fn lowest_from(line: &[u8], after: i32) -> i32 {
    line.iter().rev().fold(after, |lowest, byte| match byte {
        b'{' | b'[' => 0.min(lowest + 1),
        b'}' | b']' => lowest - 1,
        _ => lowest,
    })
}
