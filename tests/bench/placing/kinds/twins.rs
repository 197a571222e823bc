//! Hunks whose lines stand at two places, or nearly: what names the place decides, and closeness never does.

use super::super::edit::{Hunk, letters, places};
use super::super::trial::Trial;
use super::context::misquoted;
use super::pair::{Pair, renamed};
use super::{Make, pick};

pub const DIFFS: [(&str, Make); 20] = [
    ("twins, true number", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::right(&pair.edit(), pair.diff(Some(pair.own_number()), "")))
    }),
    ("twins, true number and heading", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::right(&pair.edit(), pair.diff(Some(pair.own_number()), &pair.own[0])))
    }),
    ("twins, no number", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(None, "")))
    }),
    ("twins, wrong number", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(Some(pair.wrong_number()?), "")))
    }),
    ("twins, heading alone", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::right(&pair.edit(), pair.diff(None, &pair.own[0])))
    }),
    ("twins, wrong number and true heading", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::right(&pair.edit(), pair.diff(Some(pair.wrong_number()?), &pair.own[0])))
    }),
    ("twins, number against heading", |source, random| {
        let pair = Pair::new(source, random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(Some(pair.own_number()), &pair.copy[0])))
    }),
    ("near twins, bare", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.tell_apart(random)?;
        Some(Trial::right(&pair.edit(), pair.diff(None, "")))
    }),
    ("near twins, wrong number", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.tell_apart(random)?;
        Some(Trial::right(&pair.edit(), pair.diff(Some(pair.wrong_number()?), "")))
    }),
    ("near twins, number and heading name the other", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.tell_apart(random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(Some(pair.copy_number()), &pair.copy[0])))
    }),
    ("near twins, telling line misquoted, bare", |source, random| {
        let mut pair = Pair::new(source, random)?;
        let nth = pair.tell_apart(random)?;
        pair.hunk.lines[nth].text = misquoted(&pair.hunk.lines[nth].text, random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(None, "")))
    }),
    ("near twins, telling line misquoted, named", |source, random| {
        let mut pair = Pair::new(source, random)?;
        let nth = pair.tell_apart(random)?;
        pair.hunk.lines[nth].text = misquoted(&pair.hunk.lines[nth].text, random)?;
        Some(Trial::right(&pair.edit(), pair.diff(Some(pair.own_number()), &pair.own[0])))
    }),
    ("near twins, another line misquoted, named", |source, random| {
        let mut pair = Pair::new(source, random)?;
        let telling = pair.tell_apart(random)?;
        let all = pair.hunk.positions(' ', |text| letters(text) > 6);
        let others: Vec<usize> = all.into_iter().filter(|nth| *nth != telling).collect();
        let nth = *pick(random, &others)?;
        pair.hunk.lines[nth].text = misquoted(&pair.hunk.lines[nth].text, random)?;
        Some(Trial::right(&pair.edit(), pair.diff(Some(pair.own_number()), &pair.own[0])))
    }),
    ("near twins, removed line is the other's, named", |source, random| {
        let pair = removed_of_the_other(Pair::new(source, random)?, random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(Some(pair.own_number()), &pair.own[0])))
    }),
    ("near twins, removed line is the other's, bare", |source, random| {
        let pair = removed_of_the_other(Pair::new(source, random)?, random)?;
        Some(Trial::refused(&pair.edit(), pair.diff(None, "")))
    }),
    ("heading of a hunk further up", |source, random| {
        let mut pair = Pair::new(source, random)?.copy_below();
        let (at, between) = pair.change_between(random)?;
        let edit = pair.with_between(at, &between.lines[2].text);
        let second = pair.diff(None, &pair.own[0]);
        let (names, second) = second.split_at(second.find("@@")?);
        Some(Trial::right(&edit, format!("{names}@@\n{}{second}", between.body())))
    }),
    ("twins, both meant by two equal hunks", |source, random| {
        let pair = Pair::new(source, random)?;
        let edit = pair.edit_with(&pair.applied(&pair.own), &pair.applied(&pair.copy));
        let once = pair.diff(None, "");
        let hunk = &once[once.find("@@")?..];
        Some(Trial::right(&edit, format!("{once}{hunk}")))
    }),
    ("new lines stand at the twin, old ones nowhere", |source, random| {
        let mut pair = Pair::new(source, random)?;
        let diff = pair.diff(Some(pair.own_number()), "");
        let removed = *pick(random, &pair.hunk.positions('-', |text| letters(text) > 4))?;
        pair.set_own(removed, renamed(&pair.hunk.lines[removed].text)?);
        pair.copy = pair.applied(&pair.copy);
        let edit = pair.edit();
        (places(&edit.before, &pair.hunk.side('-')) == 0).then(|| Trial::refused(&edit, diff))
    }),
    ("new lines stand at the twin, old ones two lines off", |source, random| {
        let mut pair = Pair::new(source, random)?;
        pair.copy = pair.applied(&pair.copy);
        let edit = pair.edit();
        let number =
            if random.below(2) == 0 { pair.own_number() + 2 } else { pair.own_number().saturating_sub(2).max(1) };
        (places(&edit.before, &pair.hunk.side('-')) == 1).then(|| Trial::right(&edit, pair.diff(Some(number), "")))
    }),
    ("hunk of another block, with one line alike", |source, random| {
        let edit = source.plain()?;
        let mut hunks: Vec<Hunk> = edit.hunks(3);
        let at = random.below(hunks.len());
        let context = hunks[at].positions(' ', |text| letters(text) > 3);
        (context.len() > 2).then_some(())?;
        // All context but one line is of elsewhere; the removed lines agree.
        for nth in &context[1..] {
            hunks[at].lines[*nth].text = renamed(&renamed(&hunks[at].lines[*nth].text)?)?;
        }
        let text: String = hunks.iter().map(Hunk::text).collect();
        Some(Trial::refused(edit, edit.names() + &text))
    }),
];

/// The reply removes what only the copy has, and quotes a context line that only its own place has.
pub fn removed_of_the_other(mut pair: Pair, random: &mut super::Random) -> Option<Pair> {
    pair.tell_apart(random)?;
    let removed = *pick(random, &pair.hunk.positions('-', |text| letters(text) > 4))?;
    pair.set_own(removed, renamed(&pair.hunk.lines[removed].text)?);
    Some(pair)
}
