//! The changes that a guard is certified with.

use std::collections::BTreeMap;

use super::CertifyOptions;
use super::rng::Rng;
use crate::embedded::below;
use guardhost_core::change::{FileMode, RepoPath, Task, TaskMode};
use guardhost_core::error::Result;
use guardhost_engine::GuardInput;
use guardhost_git::{ScratchFiles, ScratchRepository};

/// Changes, each with a name for messages.
pub struct Corpus(pub Vec<(String, GuardInput)>);

/// The generated changes are of that many seeds, from the given one on.
const SEEDS: u64 = 3;

/// Texts of every length below this: a guard may break on one length in a hundred.
const LENGTHS: usize = 128;

const MEBIBYTE: usize = 1 << 20;

/// Large inputs are judged one path at a time, for this many paths only.
const LARGE_PATHS: usize = 6;

impl Corpus {
    pub fn inputs(&self) -> Vec<GuardInput> {
        self.0.iter().map(|(_, input)| input.clone()).collect()
    }

    /// The changes of several files, with the files in reverse order, each with its index in the corpus.
    pub fn reversed(&self) -> Vec<(usize, GuardInput)> {
        let several = self.0.iter().enumerate().filter(|(_, (_, input))| input.candidate.files.len() > 1);
        let reverse = |(at, (_, input)): (usize, &(String, GuardInput))| {
            let mut input = input.clone();
            input.candidate.files.reverse();
            (at, input)
        };
        several.map(reverse).collect()
    }
}

/// The SDK's shared cases, `options.changes` generated ones, and odd bytes in files at `paths`.
pub fn corpus(scratch: &ScratchRepository, paths: &[String], options: &CertifyOptions) -> Result<Corpus> {
    let mut found = Vec::new();
    let mut add = |name: String, before: ScratchFiles, after: ScratchFiles, task: Option<Task>| -> Result<()> {
        let candidate = scratch.candidate(&before, &after)?;
        found.push((name, GuardInput { candidate, task, settings: options.settings.clone() }));
        Ok(())
    };
    for (name, (before, after)) in shared() {
        add(format!("case {name}"), before, after, None)?;
    }
    for (nth, seed) in (options.seed..=options.seed.saturating_add(SEEDS - 1)).enumerate() {
        let mut rng = Rng::new(seed);
        for at in (nth..options.changes).step_by(SEEDS as usize) {
            let (before, after) = generated(&mut rng, paths);
            add(format!("generated {at} of seed {seed}"), before, after, task(at, paths))?;
        }
    }
    if let Some(path) = paths.first() {
        for length in 0..LENGTHS {
            let text: Vec<u8> = b"word and word\n".iter().copied().cycle().take(length).collect();
            add(format!("a text of {length} bytes in {path}"), ScratchFiles::new(), vec![file(path, &text)], None)?;
        }
    }
    for (name, bytes) in odd() {
        let all = |bytes: &[u8]| paths.iter().map(|path| file(path, bytes)).collect::<ScratchFiles>();
        add(format!("{name}, new"), ScratchFiles::new(), all(&bytes), None)?;
        add(format!("{name}, was a line before"), all(b"one\n"), all(&bytes), None)?;
        add(format!("{name}, becomes a line"), all(&bytes), all(b"one\n"), None)?;
    }
    for (name, bytes) in large() {
        for path in paths.iter().take(LARGE_PATHS) {
            add(format!("{name} in {path}"), vec![file(path, b"one\n")], vec![file(path, &bytes)], None)?;
        }
    }
    Ok(Corpus(found))
}

pub fn file(path: &str, bytes: &[u8]) -> (RepoPath, FileMode, Vec<u8>) {
    (RepoPath::from(path), FileMode::File, bytes.to_vec())
}

fn shared() -> BTreeMap<&'static str, (ScratchFiles, ScratchFiles)> {
    let mut cases: BTreeMap<&str, (ScratchFiles, ScratchFiles)> = BTreeMap::new();
    for (path, mode, bytes) in below("sdk/cases") {
        let mut parts = path.splitn(3, '/');
        let (Some(name), Some(side), Some(file)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (before, after) = cases.entry(name).or_default();
        let files = if side == "before" { before } else { after };
        files.push((RepoPath::from(file), mode, bytes.to_vec()));
    }
    cases
}

/// Two of three changes come with a task; one of these is to repair a build.
fn task(at: usize, paths: &[String]) -> Option<Task> {
    let mode = [None, Some(TaskMode::Normal), Some(TaskMode::CompileFix)][at % 3]?;
    let hints = paths.first().map(|path| RepoPath::from(path.as_str())).into_iter().collect();
    Some(Task { text: "Change what has to change.".to_owned(), hints, mode, ..Task::default() })
}

const LINES: [&str; 16] = [
    "",
    "# A heading",
    "def f(x): return x + 1",
    "fn f(x: u32) -> u32 { x + 1 }",
    "export const f = (x) => x + 1;",
    "key = \"value\"",
    "  - item: [1, 2, 3]",
    "{\"a\": 1, \"b\": [true, null]}",
    "See [the guide](docs/guide.md) and ![a picture](a.png).",
    "```python",
    "```",
    "// TODO: later",
    "naïve café 漢字 🙂",
    "\ttabs\tand blanks   ",
    "import os, sys",
    "<<<<<<< ours",
];

/// A random change: files that are edited, added, deleted and renamed.
fn generated(rng: &mut Rng, paths: &[String]) -> (ScratchFiles, ScratchFiles) {
    let (mut before, mut after) = (BTreeMap::<&str, Vec<u8>>::new(), BTreeMap::<&str, Vec<u8>>::new());
    for _ in 0..=rng.below(4) {
        let Some(path) = rng.pick(paths) else { continue };
        let old = lines(rng);
        match rng.below(6) {
            0 => drop(after.insert(path, text(&old, rng))),
            1 => drop(before.insert(path, text(&old, rng))),
            2 => {
                // A rename, if another path is free.
                if let Some(to) = rng.pick(paths).filter(|to| !before.contains_key(to.as_str()) && *to != path) {
                    let bytes = text(&old, rng);
                    before.insert(path, bytes.clone());
                    after.remove(path.as_str());
                    after.insert(to, bytes);
                }
            }
            _ => {
                let mut new = old.clone();
                for _ in 0..=rng.below(5) {
                    let at = rng.below(new.len() + 1);
                    match (rng.below(3), new.get_mut(at)) {
                        (0, Some(_)) => drop(new.remove(at)),
                        (1, Some(line)) => *line = LINES[rng.below(LINES.len())],
                        _ => new.insert(at, LINES[rng.below(LINES.len())]),
                    }
                }
                before.insert(path, text(&old, rng));
                after.insert(path, text(&new, rng));
            }
        }
    }
    let files = |files: BTreeMap<&str, Vec<u8>>| files.iter().map(|(path, bytes)| file(path, bytes)).collect();
    (files(before), files(after))
}

fn lines(rng: &mut Rng) -> Vec<&'static str> {
    (0..rng.below(40)).map(|_| LINES[rng.below(LINES.len())]).collect()
}

/// One file in eight has Windows line endings, and one in eight has no final line feed.
fn text(lines: &[&str], rng: &mut Rng) -> Vec<u8> {
    let ending = if rng.below(8) == 0 { "\r\n" } else { "\n" };
    let text = lines.iter().flat_map(|line| [line, ending]).collect::<String>();
    if rng.below(8) == 0 { text.trim_end().as_bytes().to_vec() } else { text.into_bytes() }
}

/// Bytes that a careless guard breaks on.
fn odd() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("an empty file", Vec::new()),
        ("only a line feed", b"\n".to_vec()),
        ("only carriage returns", b"\r\r\r".to_vec()),
        ("bytes that are not UTF-8", b"a\xff\xfe\x80\n\xc3(\nb\n".to_vec()),
        ("half a character at the end", "one\n漢".as_bytes()[..5].to_vec()),
        ("NUL bytes", b"a\0b\0\0\nc\0".to_vec()),
        ("a byte order mark alone", b"\xef\xbb\xbf".to_vec()),
        ("UTF-16 with an odd byte", b"\xff\xfea\0\n\0b".to_vec()),
        ("surrogates in UTF-8", b"\xed\xa0\x80\xed\xb0\x80\n".to_vec()),
        (
            "controls and marks of direction",
            "\u{1b}[31m\u{202e}txt\u{200b}\u{feff}\u{2028}\u{85}\n".as_bytes().to_vec(),
        ),
        ("unclosed quotes and brackets", b"\"'`({[<!--/*```\n$$ \\".to_vec()),
        ("line endings of every kind", b"a\r\nb\nc\rd\r\n\n\r".to_vec()),
        ("numbers out of range", b"x = 99999999999999999999999999999999999999e9999\n- -0x\n{\"a\":1e99999}\n".to_vec()),
        ("a conflict", b"<<<<<<< a\none\n=======\ntwo\n>>>>>>> b\n".to_vec()),
    ]
}

fn large() -> Vec<(&'static str, Vec<u8>)> {
    let words = "lorem ipsum dolor sit amet ".repeat(MEBIBYTE / 27 + 1);
    let lines = "lorem ipsum dolor sit amet, consectetur adipiscing elit\n".repeat(MEBIBYTE / 56 + 1);
    vec![
        ("one line of 1 MiB", words.into_bytes()),
        ("1 MiB of lines", lines.into_bytes()),
        ("1 MiB of noise", noise(MEBIBYTE)),
        ("100,000 open brackets", b"[".repeat(100_000)),
        ("100,000 open parentheses", b"(".repeat(100_000)),
        ("30,000 levels of indentation and quotation", b"> - ".repeat(30_000)),
    ]
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(0);
    (0..bytes).map(|_| u8::try_from(rng.below(256)).unwrap_or_default()).collect()
}
