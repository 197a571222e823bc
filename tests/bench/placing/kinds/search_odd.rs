//! SEARCH/REPLACE that lost a marker, elides, builds on itself, or fits at two places.

use super::super::corpus::Source;
use super::super::edit::{Edit, Line, letters, places};
use super::super::trial::{Trial, Want};
use super::context::misquoted;
use super::pair::{Pair, renamed};
use super::search::{Block, marked, named};
use super::twins::removed_of_the_other;
use super::{Make, base_name, pick};

pub const KINDS: [(&str, Make); 21] = [
    ("no SEARCH marker", |source, _| broken(source, |text| text.replacen("<<<<<<< SEARCH\n", "", 1))),
    ("no divider", |source, _| broken(source, |text| text.replacen("=======\n", "", 1))),
    ("no REPLACE marker", |source, _| broken(source, |text| text.replacen(">>>>>>> REPLACE\n", "", 1))),
    ("no REPLACE marker, divider twice", |source, _| {
        broken(source, |text| text.replacen(">>>>>>> REPLACE\n", "=======\n", 1))
    }),
    ("no SEARCH marker beside a good block", |source, _| {
        let edit = source.plain()?;
        let blocks = edit.blocks(3)?;
        let (last, before) = blocks.split_last()?;
        let good: String = before.iter().map(|block| named(&edit.path, &marked(block))).collect();
        let bad = named(&edit.path, &marked(last).replacen("<<<<<<< SEARCH\n", "", 1));
        (!before.is_empty()).then(|| Trial::refused(edit, good + &bad))
    }),
    ("SEARCH is empty and the file is there", |source, _| {
        let edit = source.plain()?;
        let (_, replace) = edit.blocks(3)?.pop()?;
        Some(Trial::refused(edit, named(&edit.path, &marked(&(String::new(), replace)))))
    }),
    ("dots for lines in both halves", |source, _| {
        let edit = source.plain().filter(|edit| !edit.has_dots())?;
        elided(edit).map(|block| Trial::right(edit, named(&edit.path, &marked(&block))))
    }),
    ("dots for lines in SEARCH only", |source, _| {
        let edit = source.plain().filter(|edit| !edit.has_dots())?;
        let (search, replace) = elided(edit)?;
        let replace: String =
            replace.lines().filter(|line| line.trim() != "...").map(|line| format!("{line}\n")).collect();
        Some(Trial::refused(edit, named(&edit.path, &marked(&(search, replace)))))
    }),
    ("block that searches what the one before wrote", |source, random| {
        let edit = source.plain()?;
        let hunks = edit.hunks(2);
        let hunk = hunks.first().filter(|_| hunks.len() == 1)?;
        let at = *pick(random, &hunk.positions('+', |text| letters(text) > 6))?;
        let first = edit.blocks(2)?.pop()?;
        let mut draft = hunk.clone();
        draft.lines[at] = Line::new('+', renamed(&hunk.lines[at].text)?);
        let draft = draft.side_text('+');
        let second = (draft.clone(), first.1.clone());
        let alone = places(&edit.before, &draft.lines().collect::<Vec<_>>()) == 0;
        let text = named(&edit.path, &marked(&(first.0, draft))) + &named(&edit.path, &marked(&second));
        alone.then(|| Trial::right(edit, text))
    }),
    ("draft and correction", |source, _| {
        let edit = source.plain()?;
        let (search, replace) = edit.blocks(3)?.pop()?;
        let other = format!("{}_first_try\n", replace.trim_end());
        let gone = places(&edit.after, &search.lines().collect::<Vec<_>>()) == 0;
        let text =
            named(&edit.path, &marked(&(search.clone(), replace))) + &named(&edit.path, &marked(&(search, other)));
        gone.then(|| Trial::refused(edit, text))
    }),
    ("twins, one block", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair)))
    }),
    ("twins, a block for each", |source, random| {
        let pair = Pair::new(source, random)?;
        let edit = pair.edit_with(&pair.applied(&pair.own), &pair.applied(&pair.copy));
        Some(Trial::right(&edit, written(&pair).repeat(2)))
    }),
    ("near twins", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.tell_apart(random)?;
        Some(Trial::right(&pair.edit(), written(&pair)))
    }),
    ("near twins, telling line misquoted", |source, random| {
        let mut pair = Pair::new(source, random)?;
        let nth = pair.tell_apart(random)?;
        pair.hunk.lines[nth].text = misquoted(&pair.hunk.lines[nth].text, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair)))
    }),
    ("near twins, replaced line is the other's", |source, random| {
        let pair = removed_of_the_other(Pair::new(source, random)?, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair)))
    }),
    ("already there", |source, _| {
        let edit = source.plain()?;
        let blocks = edit.blocks(3)?;
        let stands = |block: &Block| {
            places(&edit.after, &block.1.lines().collect::<Vec<_>>()) == 1
                && places(&edit.after, &block.0.lines().collect::<Vec<_>>()) == 0
        };
        blocks.iter().all(stands).then_some(())?;
        let text: String = blocks.iter().map(|block| named(&edit.path, &marked(block))).collect();
        Some(Trial::right(&Edit::new(&edit.path, &*edit.after, &*edit.after), text))
    }),
    ("SEARCH and REPLACE are the same", |source, _| {
        let edit = source.plain()?;
        let (search, _) = edit.blocks(3)?.pop()?;
        let same = Edit::new(&edit.path, &*edit.before, &*edit.before);
        // Nothing is asked for: no change is the one result.
        Some(Trial::right(&same, named(&edit.path, &marked(&(search.clone(), search)))))
    }),
    ("path of no file", |source, _| {
        let edit = source.plain()?;
        let text: String =
            edit.blocks(3)?.iter().map(|block| named(&format!("project/{}", edit.path), &marked(block))).collect();
        Some(Trial::right(edit, text))
    }),
    ("path is the base name", |source, _| {
        let edit = source.plain().filter(|edit| edit.path.contains('/'))?;
        let text: String = edit.blocks(3)?.iter().map(|block| named(base_name(&edit.path), &marked(block))).collect();
        Some(Trial::right(edit, text))
    }),
    ("path of another file", |source, _| {
        let [edit, other, ..] = source.edits.as_slice() else { return None };
        let blocks = edit.blocks(3).filter(|_| edit.is_plain() && other.is_plain())?;
        let absent = blocks.iter().all(|block| places(&other.before, &block.0.lines().collect::<Vec<_>>()) == 0);
        let text: String = blocks.iter().map(|block| named(&other.path, &marked(block))).collect();
        absent.then(|| Trial::refused(edit, text).beside(&other.path, &other.before))
    }),
    ("carriage returns in the file", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.blocks(3)?.iter().map(|block| named(&edit.path, &marked(block))).collect();
        let crlf = |text: &str| text.replace('\n', "\r\n");
        Some(Trial::right(&Edit::new(&edit.path, crlf(&edit.before), crlf(&edit.after)), text))
    }),
];

fn written(pair: &Pair) -> String {
    named(&pair.edit().path, &marked(&(pair.hunk.side_text('-'), pair.hunk.side_text('+'))))
}

/// All blocks well but the first, which is broken.
fn broken(source: &Source, damage: fn(&str) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let text: String = edit.blocks(3)?.iter().map(|block| named(&edit.path, &marked(block))).collect();
    Some(Trial { want: Want::Refusal, ..Trial::right(edit, damage(&text)) })
}

/// A block whose unchanged lines in the middle are `...` in both halves; the pieces around stand once in the file.
fn elided(edit: &Edit) -> Option<Block> {
    let hunks = edit.hunks(12);
    let hunk = hunks.first().filter(|_| hunks.len() == 1)?;
    let edge = hunk.lines.iter().position(|line| line.sign != ' ').filter(|edge| *edge >= 8)?;
    let side = |sign: char| {
        let rest: String = hunk.lines[edge - 2..]
            .iter()
            .filter(|line| line.sign == ' ' || line.sign == sign)
            .map(|line| format!("{}\n", line.text))
            .collect();
        let top: String = hunk.lines[..3].iter().map(|line| format!("{}\n", line.text)).collect();
        (top, rest)
    };
    let ((top, old), (_, new)) = (side('-'), side('+'));
    let alone = |text: &str| places(&edit.before, &text.lines().collect::<Vec<_>>()) == 1 && letters(text) > 8;
    (alone(&top) && alone(&old)).then(|| (format!("{top}...\n{old}"), format!("{top}...\n{new}")))
}
