//! Replies about several files: all of them, or none.

use super::super::edit::{Edit, Hunk, letters, places};
use super::super::trial::Trial;
use super::context::misquoted;
use super::search::{marked, named};
use super::{Make, fenced, pick, v4a};

pub const KINDS: [(&str, Make); 14] = [
    ("one diff", |source, _| {
        let edits = source.several()?;
        Some(Trial::all_right(edits, edits.iter().map(Edit::git).collect::<String>()))
    }),
    ("a fence for each", |source, _| {
        let edits = source.several()?;
        let one = |edit: &Edit| format!("`{}` first:\n\n{}\n", edit.path, fenced("diff", &edit.unified(3)));
        Some(Trial::all_right(edits, edits.iter().map(one).collect::<String>()))
    }),
    ("a diff, one hunk misquoted", |source, random| {
        let edits = source.several()?;
        let (last, before) = edits.split_last()?;
        let bad = misread(last, random)?;
        let text: String = before.iter().map(Edit::git).collect();
        Some(Trial::all_refused(edits, text + &last.names() + &bad.text()))
    }),
    ("a diff, a folder too many in one path", |source, _| {
        let edits = source.several()?;
        let text: String = edits[..edits.len() - 1].iter().map(Edit::git).collect();
        let lost = Edit { path: format!("project/{}", edits.last()?.path), ..edits.last()?.clone() };
        Some(Trial::all_right(edits, text + &lost.unified(3)))
    }),
    ("bare @@ lines", |source, _| {
        let edits = source.several()?;
        let hunks = || edits.iter().flat_map(|edit| edit.hunks(3).into_iter().map(move |hunk| (edit, hunk)));
        let alone = hunks().all(|(edit, hunk)| places(&edit.before, &hunk.side('-')) == 1);
        let text: String = edits.iter().map(|edit| edit.unified_with(|hunk| format!("@@\n{}", hunk.body()))).collect();
        alone.then(|| Trial::all_right(edits, text))
    }),
    ("SEARCH/REPLACE", |source, _| {
        let edits = source.several()?;
        Some(Trial::all_right(edits, blocks(edits)?))
    }),
    ("SEARCH/REPLACE, one misquoted", |source, random| {
        let edits = source.several()?;
        let (last, before) = edits.split_last()?;
        let bad = misread(last, random)?;
        let text = blocks(before)? + &named(&last.path, &marked(&(bad.side_text('-'), bad.side_text('+'))));
        Some(Trial::all_refused(edits, text))
    }),
    ("V4A", |source, _| {
        let edits = source.several()?;
        let sections: Option<String> = edits.iter().map(v4a::update).collect();
        Some(Trial::all_right(edits, v4a::patch(&sections?)))
    }),
    ("V4A, one misquoted", |source, random| {
        let edits = source.several()?;
        let (last, before) = edits.split_last()?;
        let sections: Option<String> = before.iter().map(v4a::update).collect();
        let bad = format!("{}@@\n{}", v4a::head(last), misread(last, random)?.body());
        Some(Trial::all_refused(edits, v4a::patch(&(sections? + &bad))))
    }),
    ("whole files", |source, _| {
        let edits = source.several()?;
        let one = |edit: &Edit| format!("{}\n{}\n", edit.path, fenced("", &edit.after));
        edits
            .iter()
            .all(|edit| edit.after.lines().count() > 5)
            .then(|| Trial::all_right(edits, edits.iter().map(one).collect::<String>()))
    }),
    ("whole files in tags", |source, _| {
        let edits = source.several()?;
        let one = |edit: &Edit| format!("<file path=\"{}\">\n{}</file>\n", edit.path, edit.after);
        edits
            .iter()
            .all(|edit| edit.after.lines().count() > 5)
            .then(|| Trial::all_right(edits, edits.iter().map(one).collect::<String>()))
    }),
    ("JSON", |source, _| {
        let edits = source.several()?;
        let list: Vec<_> = edits
            .iter()
            .map(|edit| serde_json::json!({"action": "modify", "path": edit.path, "content": edit.after}))
            .collect();
        Some(Trial::all_right(edits, serde_json::json!({"patches": list}).to_string()))
    }),
    ("diff and SEARCH/REPLACE", |source, _| {
        let edits = source.several()?;
        let text = fenced("diff", &edits[0].unified(3)) + "\n" + &blocks(&edits[1..])?;
        Some(Trial::all_right(edits, text))
    }),
    ("diff, the second file's header lost", |source, _| {
        // The second file's hunks stand below the first file's header.
        let edits = source.several()?;
        // Nor was it made in the first file before.
        let strange = |hunk: &Hunk| {
            let is_there = |side: char| places(&edits[0].before, &hunk.side(side)) > 0;
            !is_there('-') && !is_there('+') && hunk.count('-') > 3
        };
        let hunks = edits[1].hunks(3);
        let text = edits[0].unified(3) + &hunks.iter().map(Hunk::text).collect::<String>();
        hunks.iter().all(strange).then(|| Trial::all_refused(edits, text))
    }),
];

fn blocks(edits: &[Edit]) -> Option<String> {
    let one =
        |edit: &Edit| Some(edit.blocks(3)?.iter().map(|block| named(&edit.path, &marked(block))).collect::<String>());
    edits.iter().map(one).collect()
}

/// A hunk that removes a line which the file has otherwise.
fn misread(edit: &Edit, random: &mut super::Random) -> Option<Hunk> {
    let mut hunk = edit.hunks(3).swap_remove(0);
    let at = *pick(random, &hunk.positions('-', |text| letters(text) > 8))?;
    hunk.lines[at].text = misquoted(&hunk.lines[at].text, random)?;
    (places(&edit.before, &hunk.side('-')) == 0).then_some(hunk)
}
