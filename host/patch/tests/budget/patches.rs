//! Patches that are made to be expensive to check or to place.

use guardhost_core::change::{FileMode, FileOp, FilePatch, Hunk, Line, Patch, PatchFormat, RepoPath};

use crate::support::random::Random;

const FORMATS: [PatchFormat; 6] = [
    PatchFormat::GitDiff,
    PatchFormat::UnifiedDiff,
    PatchFormat::V4a,
    PatchFormat::SearchReplace,
    PatchFormat::WholeFile,
    PatchFormat::StrReplace,
];

/// Few of them, so that most lines of a file are equal.
const LINES: [&str; 7] = ["}", "", "    }", "\t}", "x", "...", "fn f() {"];

/// Bytes of its lines and paths.
pub fn size(patch: &Patch) -> usize {
    let of = |hunks: &[Hunk]| hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.bytes().len() + 1).sum();
    let file = |file: &FilePatch| {
        let content: usize = match &file.op {
            FileOp::Create(bytes) | FileOp::Write(bytes) => bytes.len(),
            FileOp::Modify(hunks)
            | FileOp::Delete(hunks)
            | FileOp::Rename { hunks, .. }
            | FileOp::Copy { hunks, .. } => of(hunks),
        };
        content + file.path.as_bytes().len()
    };
    patch.files.iter().map(file).sum()
}

/// As many files as are allowed, with long, deep and strange paths.
pub fn with_odd_paths(random: &mut Random) -> Patch {
    let (depth, parts) = ([3, 30, 99, 2_000][random.below(4)], 1 + random.below(5));
    let file = |_| {
        let file = FilePatch::new(path(random, depth, parts), FileOp::Create(b"x\n".to_vec()));
        let op = match random.below(6) {
            0 => FileOp::Write(vec![b'x'; random.below(1_000)]),
            1 => FileOp::Delete(Vec::new()),
            2 => FileOp::Copy { from: path(random, depth, parts), hunks: Vec::new() },
            3 => FileOp::Rename { from: path(random, depth, parts), hunks: Vec::new() },
            _ => file.op,
        };
        let mode = [None, None, None, Some(FileMode::Symlink), Some(FileMode::Executable)][random.below(5)];
        FilePatch { op, mode, ..file }
    };
    Patch::new(PatchFormat::GitDiff, (0..500).map(file).collect())
}

fn path(random: &mut Random, depth: usize, kinds: usize) -> RepoPath {
    const PARTS: [&str; 5] = ["a", "b", "A", "\u{e9}", "e\u{301}"];
    let parts: Vec<String> =
        (0..1 + random.below(depth)).map(|_| format!("{}{}", PARTS[random.below(kinds)], random.below(20))).collect();
    let path = parts.join("/");
    RepoPath::new(&path.as_bytes()[..path.floor_char_boundary(4_000)])
}

/// Hunks that fit in many places of a file, and the file.
pub fn with_repeated_lines(random: &mut Random) -> (Patch, String) {
    let kinds = 1 + random.below(LINES.len());
    let line = |random: &mut Random| LINES[random.below(kinds)];
    let text: String = (0..10_000).map(|_| format!("{}\n", line(random))).collect();
    let (hunks, length) = [(400, 4), (60, 40), (4, 3_000)][random.below(3)];
    let is_numbered = random.below(2) == 0;
    let hunks: Vec<Hunk> = (0..hunks)
        .map(|_| {
            let lines = (0..1 + random.below(length)).map(|_| {
                let bytes = line(random).as_bytes().to_vec();
                match random.below(6) {
                    0 => Line::Remove(bytes),
                    1 => Line::Add(bytes),
                    _ => Line::Context(bytes),
                }
            });
            let lines = lines.collect();
            let anchors = if random.below(4) == 0 { vec![line(random).as_bytes().to_vec()] } else { Vec::new() };
            let old_start = is_numbered.then(|| random.below(10_000) as u32);
            Hunk { old_start, lines, anchors, ..Hunk::default() }
        })
        .collect();
    let format = FORMATS[random.below(FORMATS.len())];
    (Patch::new(format, vec![FilePatch::new(RepoPath::from("a.txt"), FileOp::Modify(hunks))]), text)
}

/// Hunks that fit nowhere, each of which is compared with the whole file.
pub fn with_unlike_hunks(count: usize) -> (Patch, String) {
    let text: String = (0..count * 4).map(|at| format!("line {at}\n")).collect();
    let hunk = |at: usize| Hunk {
        lines: vec![
            Line::Context(format!("line {at}").into()),
            Line::Remove(format!("line {} wrong", at + 1).into()),
            Line::Context(format!("line {}", at + 2).into()),
        ],
        ..Hunk::default()
    };
    let hunks = (0..count).map(|at| hunk(at * 4)).collect();
    (Patch::new(PatchFormat::GitDiff, vec![FilePatch::new(RepoPath::from("a.txt"), FileOp::Modify(hunks))]), text)
}
