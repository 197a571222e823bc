//! A hunk for one of two blocks that are alike, with one line misquoted: the result is the commit's, or a misfit.

use guardhost_core::change::{FileOp, Hunk, Line, Patch, PatchFormat};
use proptest::prelude::{Strategy as Values, *};

use crate::apply::{Lab, check, git_diff, place};
use crate::support::text::read;

const POOL: [&str; 14] = [
    "    row = fetch(key)",
    "    check(row)",
    "    total += row.value",
    "    return row.value",
    "    log.debug(row)",
    "    for item in row:",
    "        item.close()",
    "    if row is None:",
    "        raise KeyError(key)",
    "    with lock:",
    "",
    "",
    "    }",
    "    pass",
];

/// Two functions of the same lines but for one, among lines of their own.
#[derive(Debug, Clone)]
struct File {
    lines: Vec<String>,
    /// Where the blocks begin, and how long they are.
    blocks: [usize; 2],
    length: usize,
}

fn file() -> impl Values<Value = File> {
    let pool = || prop::sample::select(POOL.to_vec()).prop_map(str::to_owned);
    let block = prop::collection::vec(pool(), 2..9);
    (block, prop::collection::vec(pool(), 0..6), any::<Option<prop::sample::Index>>(), pool(), any::<bool>()).prop_map(
        |(block, between, other, line, has_heads)| {
            let head = |name: &str| if has_heads { vec![format!("def {name}(key):")] } else { Vec::new() };
            let mut twin = block.clone();
            if let Some(other) = other {
                twin[other.index(block.len())] = line;
            }
            let (length, mut lines) = (block.len(), vec!["import os".to_owned(), String::new()]);
            lines.extend(head("user"));
            let first = lines.len();
            lines.extend(block);
            lines.extend(between);
            lines.extend(head("group"));
            let second = lines.len();
            lines.extend(twin);
            lines.extend(["", "", "DONE = True"].map(str::to_owned));
            File { lines, blocks: [first, second], length }
        },
    )
}

#[derive(Debug, Clone)]
struct Change {
    block: usize,
    at: prop::sample::Index,
    delete: usize,
    insert: Vec<String>,
    context: u32,
}

fn change() -> impl Values<Value = Change> {
    let new = prop::sample::select(vec!["    row.touch()", "    check(row)", "    }", "    return row.value or 0", ""]);
    let insert = prop::collection::vec(new.prop_map(str::to_owned), 0..3);
    (0..2usize, any::<prop::sample::Index>(), 0..3usize, insert, 1..5u32)
        .prop_map(|(block, at, delete, insert, context)| Change { block, at, delete, insert, context })
}

/// How the line reads in the patch.
#[derive(Debug, Clone)]
enum Misquotation {
    /// Of another line of the file.
    Line(prop::sample::Index),
    /// A letter is a sign.
    Sign(prop::sample::Index),
    /// A piece is missing.
    Cut(prop::sample::Index, prop::sample::Index),
    /// Something follows.
    Longer(&'static str),
    /// Deeper, or less deep.
    Margin(bool),
}

fn misquotation() -> impl Values<Value = Misquotation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        3 => index().prop_map(Misquotation::Line),
        1 => index().prop_map(Misquotation::Sign),
        1 => (index(), index()).prop_map(|(a, b)| Misquotation::Cut(a, b)),
        1 => prop::sample::select(vec![" or 0", "s", "  # why", ", b"]).prop_map(Misquotation::Longer),
        1 => any::<bool>().prop_map(Misquotation::Margin),
    ]
}

impl Misquotation {
    fn applied_to(&self, line: &[u8], file: &File) -> Vec<u8> {
        let mut line = line.to_vec();
        match self {
            Misquotation::Line(other) => line = file.lines[other.index(file.lines.len())].clone().into_bytes(),
            Misquotation::Sign(at) if !line.is_empty() => {
                let at = at.index(line.len());
                line[at] = b'#';
            }
            Misquotation::Cut(a, b) if !line.is_empty() => {
                let (a, b) = (a.index(line.len()), b.index(line.len()));
                drop(line.drain(a.min(b)..=a.max(b)));
            }
            Misquotation::Sign(_) | Misquotation::Cut(..) => line = b"something".to_vec(),
            Misquotation::Longer(more) => line.extend_from_slice(more.as_bytes()),
            Misquotation::Margin(true) => line.splice(0..0, *b"    ").for_each(drop),
            Misquotation::Margin(false) => line = line.trim_ascii_start().to_vec(),
        }
        line
    }
}

/// What of the diff is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Diff,
    /// Numbers are lost.
    Headings,
    V4a,
    SearchReplace,
}

fn in_form(mut patch: Patch, form: Form) -> Patch {
    patch.format = match form {
        Form::Diff | Form::Headings => PatchFormat::GitDiff,
        Form::V4a => PatchFormat::V4a,
        Form::SearchReplace => PatchFormat::SearchReplace,
    };
    patch.files[0].claimed_blob = None;
    for hunk in hunks(&mut patch) {
        if form != Form::Diff {
            hunk.old_start = None;
        }
        if form == Form::SearchReplace {
            hunk.anchors.clear();
        }
    }
    patch
}

fn hunks(patch: &mut Patch) -> &mut Vec<Hunk> {
    match &mut patch.files[0].op {
        FileOp::Modify(hunks) => hunks,
        op => panic!("{op:?}"),
    }
}

/// Whether the old lines stand in the file as they are: then nothing in a patch without numbers shows that another place is meant.
fn stands(hunk: &Hunk, file: &File) -> bool {
    let trimmed = |line: &[u8]| line.trim_ascii_end().to_vec();
    let old: Vec<Vec<u8>> = hunk.lines.iter().filter(|line| line.is_old()).map(|line| trimmed(line.bytes())).collect();
    let lines: Vec<Vec<u8>> = file.lines.iter().map(|line| trimmed(line.as_bytes())).collect();
    lines.windows(old.len()).any(|window| window == old)
}

#[test]
fn one_misquoted_line_never_leads_to_another_place() {
    let form = prop::sample::select(vec![Form::Diff, Form::Headings, Form::V4a, Form::SearchReplace]);
    let index = any::<prop::sample::Index>;
    let strategy = (file(), change(), misquotation(), form, index(), index());
    check(strategy, |lab: &Lab, (file, change, misquotation, form, hunk, line)| {
        let mut after = file.lines.clone();
        let at = file.blocks[change.block] + change.at.index(file.length);
        after.splice(at..(at + change.delete).min(after.len()), change.insert.iter().cloned());
        let text = |lines: &[String]| lines.iter().map(|line| line.clone() + "\n").collect::<String>().into_bytes();
        let (before, after) = (text(&file.lines), text(&after));
        let diff = git_diff(&before, &after, change.context);
        prop_assume!(!diff.is_empty());
        let mut patch = in_form(read(diff, &[]).unwrap(), form);
        let hunks = hunks(&mut patch);
        let nth = hunk.index(hunks.len());
        let hunk = &mut hunks[nth];
        let old: Vec<usize> = (0..hunk.lines.len()).filter(|at| hunk.lines[*at].is_old()).collect();
        let (Line::Context(bytes) | Line::Remove(bytes) | Line::Add(bytes)) =
            &mut hunk.lines[old[line.index(old.len())]];
        // A single old line has no other beside it that could show the mistake.
        prop_assume!(old.len() > 1);
        *bytes = misquotation.applied_to(bytes, &file);
        prop_assume!(form == Form::Diff || !stands(hunk, &file));
        let shown = format!("{patch:#?}");
        if let Ok(placed) = place(patch, &lab.single(&before)) {
            prop_assert_eq!(placed.tree, lab.single(&after).tree.oid, "{}", shown);
        }
        Ok(())
    });
}
