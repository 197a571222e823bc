//! SEARCH/REPLACE as aider asks for it, in its common spellings and with common damage.

use super::super::corpus::Source;
use super::super::edit::{Edit, letters, near_places, places};
use super::super::random::Random;
use super::super::trial::{Trial, Want, file};
use super::context::misquoted;
use super::{Make, pick};

pub type Block = (String, String);

pub const KINDS: [(&str, Make); 20] = [
    ("path above the fence", |source, _| each(source, |path, text| named(path, &text))),
    ("path in the fence", |source, _| each(source, |path, text| format!("```\n{path}\n{text}```\n"))),
    ("path in the info of the fence", |source, _| each(source, |path, text| format!("```{path}\n{text}```\n"))),
    ("path in bold above the fence", |source, _| {
        each(source, |path, text| format!("**{path}**\n```python\n{text}```\n"))
    }),
    ("path as a heading with a colon", |source, _| {
        each(source, |path, text| format!("### `{path}`:\n```\n{text}```\n"))
    }),
    ("blank line between path and fence", |source, _| each(source, |path, text| format!("{path}\n\n```\n{text}```\n"))),
    ("no fence", |source, _| each(source, |path, text| format!("{path}\n{text}\n"))),
    ("all blocks in one fence", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.blocks(3)?.iter().map(|block| marked(block) + "\n").collect();
        Some(Trial::right(edit, named(&edit.path, &text)))
    }),
    ("path above the first block only", |source, _| {
        let edit = source.plain()?;
        let blocks = edit.blocks(3)?;
        let text: Vec<String> = blocks.iter().map(|block| format!("```\n{}```\n", marked(block))).collect();
        (blocks.len() > 1).then(|| Trial::right(edit, format!("{}\n{}", edit.path, text.join("\n"))))
    }),
    ("path hinted by the task", |source, _| {
        let edit = source.plain()?;
        let text: String = edit.blocks(3)?.iter().map(|block| format!("```\n{}```\n", marked(block))).collect();
        Some(Trial::right(edit, text).hinting(&edit.path))
    }),
    ("one line each", |source, _| {
        let edit = source.plain()?;
        Some(Trial::right(
            edit,
            edit.blocks(0)?.iter().map(|block| named(&edit.path, &marked(block))).collect::<String>(),
        ))
    }),
    ("blocks from below to above", |source, _| {
        let edit = source.plain()?;
        let blocks = edit.blocks(3)?;
        let text: String = blocks.iter().rev().map(|block| named(&edit.path, &marked(block))).collect();
        (blocks.len() > 1).then(|| Trial::right(edit, text))
    }),
    ("same block twice", |source, _| each(source, |path, text| named(path, &text).repeat(2))),
    ("blank line in front of SEARCH text", |source, _| {
        let edit = source.plain()?;
        let spurious = |(old, new): &Block| named(&edit.path, &marked(&(format!("\n{old}"), format!("\n{new}"))));
        let inside = edit.hunks(3).iter().all(|hunk| hunk.old > 1 && !hunk.lines[0].text.trim().is_empty());
        let blank = edit
            .blocks(3)?
            .iter()
            .any(|block| places(&edit.before, &format!("\n{}", block.0).lines().collect::<Vec<_>>()) > 0);
        (inside && !blank).then_some(())?;
        Some(Trial::right(edit, edit.blocks(3)?.iter().map(spurious).collect::<String>()))
    }),
    ("trailing white space stripped", |source, _| {
        let edit = source.plain()?;
        let odd = |text: &str| text.lines().any(|line| line != line.trim_end());
        let stripped = |text: &str| -> String { text.lines().map(|line| format!("{}\n", line.trim_end())).collect() };
        let blocks = edit.blocks(3)?;
        (blocks.iter().any(|block| odd(&block.0)) && !odd(&edit.after)).then_some(())?;
        // Where that is what the commit changes, both halves read alike when stripped.
        let changes = |hunk: &super::super::edit::Hunk| {
            let side =
                |sign: char| hunk.lines.iter().filter(move |line| line.sign == sign).map(|line| line.text.trim_end());
            side('-').any(|removed| side('+').any(|added| added == removed))
        };
        (!edit.hunks(3).iter().any(changes)).then_some(())?;
        let text: String =
            blocks.iter().map(|(old, new)| named(&edit.path, &marked(&(stripped(old), stripped(new))))).collect();
        Some(Trial::right(edit, text))
    }),
    ("margin stripped", |source, _| {
        let edit = source.plain()?;
        let margin = super::wrapping::margin(edit)?;
        let strip = |text: &str| -> String {
            text.lines().map(|line| format!("{}\n", line.strip_prefix(&margin).unwrap_or_default())).collect()
        };
        let text: String =
            edit.blocks(3)?.iter().map(|(old, new)| named(&edit.path, &marked(&(strip(old), strip(new))))).collect();
        Some(Trial::right(edit, text))
    }),
    ("margin added", |source, _| {
        let edit = source.plain()?;
        let indent = if edit.before.contains("\n\t") { "\t" } else { "    " };
        let shift = |text: &str| -> String {
            text.lines().map(|line| format!("{}\n", format!("{indent}{line}").trim_end())).collect()
        };
        let blank_ends = edit.after.lines().any(|line| line != line.trim_end())
            || edit.before.lines().any(|line| line != line.trim_end());
        let blocks = edit.blocks(3)?;
        let text: String =
            blocks.iter().map(|(old, new)| named(&edit.path, &marked(&(shift(old), shift(new))))).collect();
        (!blank_ends).then(|| Trial::right(edit, text))
    }),
    ("unchanged line misquoted in both halves", |source, random| {
        let edit = source.plain()?;
        let text = misread(edit, random)?;
        Some(Trial::right(edit, text))
    }),
    ("line to be replaced misquoted", |source, random| {
        let edit = source.plain()?;
        let hunks = edit.hunks(3);
        let mut hunk = hunks.first()?.clone();
        let at = *pick(random, &hunk.positions('-', |text| letters(text) > 8))?;
        hunk.lines[at].text = misquoted(&hunk.lines[at].text, random)?;
        let gone = places(&edit.before, &hunk.side('-')) == 0;
        let text = named(&edit.path, &marked(&(hunk.side_text('-'), hunk.side_text('+'))));
        gone.then(|| Trial::refused(edit, text))
    }),
    ("new file", |source, _| {
        let edit = source.plain()?;
        let text = named(&edit.path, &marked(&(String::new(), edit.after.clone())));
        let mut trial = Trial::right(edit, text).beside("README", "here\n");
        trial.tree.remove(&edit.path);
        if let Want::Result(files) = &mut trial.want {
            files.insert(edit.path.clone(), file(&*edit.after));
        }
        Some(trial)
    }),
];

pub fn marked((search, replace): &Block) -> String {
    format!("<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

/// As aider's prompt has it.
pub fn named(path: &str, text: &str) -> String {
    format!("{path}\n```\n{text}```\n\n")
}

/// Each block of the edit written by `write`.
pub fn each(source: &Source, write: fn(&str, String) -> String) -> Option<Trial> {
    let edit = source.plain()?;
    let text: String = edit.blocks(3)?.iter().map(|block| write(&edit.path, marked(block))).collect();
    Some(Trial::right(edit, text))
}

/// One context line reads otherwise, in SEARCH and REPLACE alike: the reply asks for no change of it.
fn misread(edit: &Edit, random: &mut Random) -> Option<String> {
    let mut hunks = edit.hunks(3);
    let alone = |lines: &[&str]| lines.len() > 3 && near_places(&edit.before, lines, 2) == 1;
    hunks.iter().all(|hunk| alone(&hunk.side('-'))).then_some(())?;
    let at = *pick(random, &hunks[0].positions(' ', |text| letters(text) > 8))?;
    hunks[0].lines[at].text = misquoted(&hunks[0].lines[at].text, random)?;
    Some(hunks.iter().map(|hunk| named(&edit.path, &marked(&(hunk.side_text('-'), hunk.side_text('+'))))).collect())
}
