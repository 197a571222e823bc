//! Kinds of replies by somebody who had not read the readers: what agents, chat pages, mail programs, editors and shells make of an
//! edit, written down from what is known of them alone. Half of them have a second edit beside them, of another file.

use super::super::corpus::Source;
use super::super::edit::{Edit, Hunk};
use super::super::random::Random;
use super::super::trial::{Trial, Want, file};
use super::{Make, fenced};

pub mod calls;
pub mod calls_unknown;
pub mod chats;
pub mod labels;
pub mod objects;
pub mod second_thoughts;
pub mod shells;
pub mod signs;

/// A file that the commits do not have, for the edit beside.
const PATH: &str = "company/settings.txt";
const BEFORE: &str = "colour = red\nsize = 3\nshape = round\nweight = 7\nprice = 12\n";
const AFTER: &str = "colour = red\nsize = 4\nshape = round\nweight = 7\nprice = 12\n";
const DIFF: &str = "```diff\n--- a/company/settings.txt\n+++ b/company/settings.txt\n@@ -1,5 +1,5 @@\n colour = red\n-size = 3\n\
                    +size = 4\n shape = round\n weight = 7\n price = 12\n```\n";

/// The reply has one result, and any reader of this format knows it.
fn certain(source: &Source, random: &mut Random, text: impl Fn(&Edit) -> Option<String>) -> Option<Trial> {
    let edit = source.plain()?;
    beside(Trial::right(edit, text(edit)?), random)
}

/// A reader may refuse the reply; what it places must be this.
fn open(source: &Source, random: &mut Random, text: impl Fn(&Edit) -> Option<String>) -> Option<Trial> {
    let edit = source.plain()?;
    let trial = Trial::right(edit, text(edit)?);
    beside(or_nothing(trial), random)
}

/// The reply does not say one thing.
fn undecided(source: &Source, random: &mut Random, text: impl Fn(&Edit) -> Option<String>) -> Option<Trial> {
    let edit = source.plain()?;
    beside(Trial::refused(edit, text(edit)?), random)
}

fn or_nothing(trial: Trial) -> Trial {
    match trial.want {
        Want::Result(files) => Trial { want: Want::AllOrNothing(files), ..trial },
        Want::AllOrNothing(_) | Want::Refusal => trial,
    }
}

/// The trial alone, or with a plain diff of another file above or below it.
fn beside(trial: Trial, random: &mut Random) -> Option<Trial> {
    let reply = String::from_utf8(trial.reply.clone()).ok()?;
    let line = if reply.ends_with('\n') { "" } else { "\n" };
    let text = match random.below(4) {
        0 => format!("{DIFF}\n{reply}"),
        1 => format!("{reply}{line}\n{DIFF}"),
        _ => return Some(trial),
    };
    let mut trial = Trial { reply: text.into_bytes(), ..trial };
    trial.tree.insert(PATH.to_owned(), file(BEFORE));
    if let Want::Result(files) | Want::AllOrNothing(files) = &mut trial.want {
        files.insert(PATH.to_owned(), file(AFTER));
    }
    Some(trial)
}

/// The trial with another change of the tree beside the edit's: a file that is there before, or after, or both.
fn with_file(mut trial: Trial, path: &str, before: Option<&str>, after: Option<&str>) -> Trial {
    if let Some(before) = before {
        trial.tree.insert(path.to_owned(), file(before));
    }
    if let (Want::Result(files) | Want::AllOrNothing(files), Some(after)) = (&mut trial.want, after) {
        files.insert(path.to_owned(), file(after));
    }
    trial
}

/// The hunks alone.
fn body(edit: &Edit) -> String {
    edit.hunks(3).iter().map(Hunk::text).collect()
}

fn diff_fence(edit: &Edit) -> String {
    fenced("diff", &edit.unified(3))
}

/// The one SEARCH/REPLACE pair of an edit that has one.
fn one_block(edit: &Edit) -> Option<(String, String)> {
    let blocks = edit.blocks(2)?;
    (blocks.len() == 1).then(|| blocks.into_iter().next()).flatten()
}

/// SEARCH/REPLACE blocks in aider's marks.
fn aider_blocks(edit: &Edit) -> Option<String> {
    let one = |(old, new): &(String, String)| format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n");
    Some(edit.blocks(2)?.iter().map(one).collect())
}
