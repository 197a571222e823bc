//! `@@` lines as models write them. The text of the hunks is right and stands once in the file.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk, places};
use super::super::random::Random;
use super::super::trial::Trial;
use super::Make;

pub const KINDS: [(&str, Make); 21] = [
    ("numbers one off", |source, random| {
        headed(source, random, |hunk, random| shifted(hunk, 1 + random.below(2) as i64))
    }),
    ("numbers far off", |source, random| {
        headed(source, random, |hunk, random| shifted(hunk, 20 + random.below(200) as i64))
    }),
    ("numbers all zero", |source, random| headed(source, random, |_, _| "@@ -0,0 +0,0 @@".into())),
    ("numbers all one", |source, random| headed(source, random, |hunk, _| ranges(hunk, 1, 1))),
    ("new number wrong", |source, random| {
        headed(source, random, |hunk, random| ranges(hunk, hunk.old, 1 + random.below(900)))
    }),
    ("no counts", |source, random| headed(source, random, |hunk, _| format!("@@ -{} +{} @@", hunk.old, hunk.new))),
    ("one count for all", |source, random| {
        headed(source, random, |hunk, _| format!("@@ -{},7 +{},7 @@", hunk.old, hunk.new))
    }),
    ("counts swapped", |source, random| {
        headed(source, random, |hunk, _| {
            format!("@@ -{},{} +{},{} @@", hunk.old, hunk.count('+'), hunk.new, hunk.count('-'))
        })
    }),
    ("counts one too low", |source, random| headed(source, random, |hunk, _| counts(hunk, -1))),
    ("counts one too high", |source, random| closed(headed(source, random, |hunk, _| counts(hunk, 1)))),
    ("counts far too high", |source, random| {
        closed(headed(source, random, |hunk, random| counts(hunk, 3 + random.below(20) as i64)))
    }),
    ("dots for numbers", |source, random| headed(source, random, |_, _| "@@ ... @@".into())),
    ("signs without numbers", |source, random| headed(source, random, |_, _| "@@ -,+ @@".into())),
    ("one line number in words", |source, random| headed(source, random, |hunk, _| format!("@@ line {} @@", hunk.old))),
    ("bare @@ on both ends", |source, random| headed(source, random, |_, _| "@@ @@".into())),
    ("heading without numbers", |source, random| {
        headed(source, random, |hunk, _| format!("@@ {}", hunk.heading).trim().into())
    }),
    ("heading between @@", |source, random| {
        let named = |hunk: &Hunk| !hunk.heading.is_empty();
        source.plain()?.hunks(3).iter().all(named).then_some(())?;
        headed(source, random, |hunk, _| format!("@@ {} @@", hunk.heading))
    }),
    ("heading invented", |source, random| {
        headed(source, random, |hunk, _| format!("@@ -{} +{} @@ the part about parsing", hunk.old, hunk.new))
    }),
    ("no @@ line", |source, _| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        (hunks.len() == 1).then_some(())?;
        alone(edit, 3)?;
        Some(Trial::right(edit, edit.names() + &hunks[0].body()))
    }),
    ("one line of context", |source, _| {
        let edit = alone(source.plain()?, 1)?;
        Some(Trial::right(edit, edit.unified(1)))
    }),
    ("ten lines of context", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(edit, edit.unified(10)))
    }),
];

/// The edit, where the old lines of every hunk stand once in the file, so that no number is needed.
pub fn alone(edit: &Edit, context: u32) -> Option<&Edit> {
    let hunks = edit.hunks(context);
    hunks.iter().all(|hunk| places(&edit.before, &hunk.side('-')) == 1).then_some(edit)
}

/// The diff with other `@@` lines.
fn headed(source: &Source, random: &mut Random, header: fn(&Hunk, &mut Random) -> String) -> Option<Trial> {
    let edit = alone(source.plain()?, 3)?;
    Some(Trial::right(edit, edit.unified_with(|hunk| header(hunk, random) + "\n" + &hunk.body())))
}

/// In a closed fence, which shows that nothing was cut off.
fn closed(trial: Option<Trial>) -> Option<Trial> {
    let trial = trial?;
    let reply = [b"```diff\n", trial.reply.as_slice(), b"```\n"].concat();
    Some(Trial { reply, ..trial })
}

fn ranges(hunk: &Hunk, old: usize, new: usize) -> String {
    Hunk { old, new, ..hunk.clone() }.header()
}

fn shifted(hunk: &Hunk, by: i64) -> String {
    let at = |number: usize| number.saturating_add_signed(by as isize).max(1);
    ranges(hunk, at(hunk.old), at(hunk.new))
}

fn counts(hunk: &Hunk, by: i64) -> String {
    let count = |side: char| hunk.count(side).saturating_add_signed(by as isize);
    format!("@@ -{},{} +{},{} @@ {}", hunk.old, count('-'), hunk.new, count('+'), hunk.heading).trim_end().to_owned()
}
