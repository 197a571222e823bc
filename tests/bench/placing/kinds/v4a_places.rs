//! V4A where order, anchors and repeats decide, or nothing does.

use super::super::edit::places;
use super::super::random::Random;
use super::super::trial::Trial;
use super::context::misquoted;
use super::pair::Pair;
use super::twins::removed_of_the_other;
use super::v4a::{head, patch, update};
use super::{Make, pick};

pub const KINDS: [(&str, Make); 14] = [
    ("twins, no anchor", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair, None)))
    }),
    ("twins, anchored", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::right(&pair.edit(), written(&pair, Some(&pair.own[0]))))
    }),
    ("twins, a hunk for each", |source, random| {
        let pair = Pair::new(source, random)?;
        let edit = pair.edit_with(&pair.applied(&pair.own), &pair.applied(&pair.copy));
        let hunk = format!("@@\n{}", pair.hunk.body());
        Some(Trial::right(&edit, patch(&format!("{}{hunk}{hunk}", head(&edit)))))
    }),
    ("twins, one more hunk than places", |source, random| {
        let pair = Pair::new(source, random)?;
        let edit = pair.edit();
        let hunk = format!("@@\n{}", pair.hunk.body());
        Some(Trial::refused(&edit, patch(&format!("{}{}", head(&edit), hunk.repeat(3)))))
    }),
    ("twins, another hunk between", |source, random| {
        // The second and last hunk can only be the block below the first.
        let mut pair = Pair::new(source, random)?.copy_below();
        let (at, between) = pair.change_between(random)?;
        let changed = pair.with_between(at, &between.lines[2].text);
        // Own stays as it was; the copy below is changed.
        let own = pair.applied(&pair.own).iter().map(|line| format!("{line}\n")).collect::<String>();
        let as_it_was = pair.own.iter().map(|line| format!("{line}\n")).collect::<String>();
        let copy = pair.copy.iter().map(|line| format!("{line}\n")).collect::<String>();
        let new_copy = pair.applied(&pair.copy).iter().map(|line| format!("{line}\n")).collect::<String>();
        let after = changed.after.strip_suffix(&copy)?.replacen(&own, &as_it_was, 1) + &new_copy;
        let edit = super::super::edit::Edit { after, ..changed };
        Some(Trial::right(&edit, patch(&format!("{}@@\n{}@@\n{}", head(&edit), between.body(), pair.hunk.body()))))
    }),
    ("repeat of a hunk with one place", |source, random| {
        let edit = source.plain()?;
        let section = update(edit)?;
        let hunk = pick(random, &edit.hunks(3))?.body();
        Some(Trial::right(edit, patch(&format!("{section}@@\n{hunk}"))))
    }),
    ("near twins", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.tell_apart(random)?;
        Some(Trial::right(&pair.edit(), written(&pair, None)))
    }),
    ("near twins, telling line misquoted", |source, random| {
        let pair = misread(Pair::new(source, random)?, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair, None)))
    }),
    ("near twins, telling line misquoted, anchored", |source, random| {
        let pair = misread(Pair::new(source, random)?, random)?;
        Some(Trial::right(&pair.edit(), written(&pair, Some(&pair.own[0]))))
    }),
    ("near twins, replaced line is the other's", |source, random| {
        let pair = removed_of_the_other(Pair::new(source, random)?, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair, None)))
    }),
    ("near twins, replaced line is the other's, anchored", |source, random| {
        let pair = removed_of_the_other(Pair::new(source, random)?, random)?;
        Some(Trial::refused(&pair.edit(), written(&pair, Some(&pair.own[0]))))
    }),
    ("anchor names the other twin's block", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.tell_apart(random)?;
        Some(Trial::refused(&pair.edit(), written(&pair, Some(&pair.copy[0]))))
    }),
    ("hunks out of order", |source, _| {
        let edit = source.plain()?;
        update(edit)?;
        let hunks = edit.hunks(3);
        let text: String = hunks.iter().rev().map(|hunk| format!("@@\n{}", hunk.body())).collect();
        (hunks.len() > 1).then(|| Trial::right(edit, patch(&(head(edit) + &text))))
    }),
    ("anchor that is nowhere", |source, _| {
        let edit = source.plain()?;
        let section = update(edit)?;
        let made_up = "def a_function_that_is_nowhere():";
        // The hunk's own lines stand once, and the anchor names nothing else.
        let text = patch(&section.replacen("@@\n", &format!("@@ {made_up}\n"), 1));
        (places(&edit.before, &[made_up]) == 0).then(|| Trial::right(edit, text))
    }),
];

fn written(pair: &Pair, anchor: Option<&str>) -> String {
    let anchor = anchor.map_or(String::new(), |line| format!(" {line}"));
    patch(&format!("{}@@{anchor}\n{}", head(&pair.edit()), pair.hunk.body()))
}

/// The line that tells the two apart reads otherwise.
fn misread(mut pair: Pair, random: &mut Random) -> Option<Pair> {
    let nth = pair.tell_apart(random)?;
    pair.hunk.lines[nth].text = misquoted(&pair.hunk.lines[nth].text, random)?;
    Some(pair)
}
