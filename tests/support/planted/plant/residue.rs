//! What a patch, a conversation or a tool leaves behind.

use guardhost_core::change::FileMode;

use super::block::{any, definitions, depth, family, functions, joined, language, lines};
use super::{Files, Planted, Random, is_own, one};

/// Files about patches and about conversations may hold such lines.
fn is_plain(path: &str) -> bool {
    let lower = path.to_lowercase();
    let about = [
        "diff", "patch", "merge", "git", "conflict", "prompt", "chat", "agent", "model", "message", "hunk", "markdown",
    ];
    is_own(path) && language(path).is_some() && !about.iter().any(|word| lower.contains(word))
}

/// A line before a definition at the margin, where code begins for certain.
fn before_definition(files: &Files, random: &mut Random, lines_of: &[&[&str]]) -> Option<Planted> {
    let added = *one(lines_of, random)?;
    files.some(random, is_plain).into_iter().find_map(|(path, text)| {
        let format = language(&path)?;
        let about = ["<<<", ">>>>", "@@", "```", "diff --git", "+++ "];
        if about.iter().any(|sign| text.contains(sign)) {
            return None;
        }
        let all = lines(&text);
        let blocks = definitions(format, &all);
        let at = any(&blocks, random, |block| block.lines.start > 0)?.lines.start;
        let after = joined(&[&all[..at], added, &all[at..]].concat());
        Some(Planted::new(&path, after, family(format), added[0]))
    })
}

pub fn diff(files: &Files, random: &mut Random) -> Option<Planted> {
    #[rustfmt::skip]
    let kinds: [&[&str]; 5] = [
        &["@@ -10,6 +10,7 @@"], &["diff --git a/src/app b/src/app"], &["--- a/src/app", "+++ b/src/app"], &["*** Begin Patch"], &["\\ No newline at end of file"],
    ];
    before_definition(files, random, &kinds)
}

pub fn edit_block(files: &Files, random: &mut Random) -> Option<Planted> {
    before_definition(
        files,
        random,
        &[&[">>>>>>> REPLACE"], &["<<<<<<< SEARCH"], &[">>>>>>> feature"], &["<<<<<<< HEAD"]],
    )
}

pub fn fence(files: &Files, random: &mut Random) -> Option<Planted> {
    before_definition(files, random, &[&["```"], &["```python"], &["```", "", "```js"]])
}

pub fn signs(files: &Files, random: &mut Random) -> Option<Planted> {
    let sign = *one(&["+", "-"], random)?;
    files.some(random, is_plain).into_iter().find_map(|(path, text)| {
        let format = language(&path)?;
        let all = lines(&text);
        let functions = functions(format, &all);
        let calm = |line: &str| !line.trim().is_empty() && !line.contains(['"', '\'', '`', '/', '*', '#']);
        let block = any(&functions, random, |block| {
            let quiet = all[block.lines.clone()].iter().all(|line| !line.contains(['`']) && !line.contains("\"\"\""));
            quiet && all[block.body.clone()].iter().filter(|line| calm(line)).count() >= 3
        })?;
        let lead = all[block.lines.start].starts_with(['"', '\'']);
        let some: Vec<usize> = block.body.clone().filter(|at| calm(all[*at]) && !lead).take(3).collect();
        let marked = |(at, line): (usize, &&str)| match some.contains(&at) {
            true => format!("{sign}{line}"),
            false => (*line).to_owned(),
        };
        let after: Vec<String> = all.iter().enumerate().map(marked).collect();
        Some(Planted::new(
            &path,
            joined(&after),
            family(format),
            format!("{sign} before three lines of {}", block.name),
        ))
    })
}

pub fn chatter(files: &Files, random: &mut Random) -> Option<Planted> {
    let (first, sentence) = *one(
        &[
            (true, "Here's the updated file:"),
            (true, "Sure! Here is the updated code:"),
            (false, "Let me know if you'd like any further changes!"),
            (false, "This should fix the issue. Let me know if you have any questions."),
        ],
        random,
    )?;
    let wanted = |path: &str| is_plain(path) || (is_own(path) && path.ends_with("README.md"));
    let (path, text) =
        files.some(random, wanted).into_iter().find(|(_, text)| !text.trim().is_empty() && !text.contains(sentence))?;
    let after = if first { format!("{sentence}\n\n{text}") } else { format!("{text}\n{sentence}\n") };
    let kind = language(&path).map_or("markdown", family);
    Some(Planted::new(&path, after, kind, sentence))
}

pub fn nul(files: &Files, random: &mut Random) -> Option<Planted> {
    let (path, text) = files.some(random, is_plain).into_iter().find(|(_, text)| text.lines().count() > 3)?;
    let all = lines(&text);
    let at = random.below(all.len());
    let line = format!("{}\0", all[at]);
    Some(Planted::new(
        &path,
        joined(&[&all[..at], &[line.as_str()], &all[at + 1..]].concat()),
        "nul",
        format!("in line {}", at + 1),
    ))
}

pub fn byte_order_mark(files: &Files, random: &mut Random) -> Option<Planted> {
    let (path, text) =
        files.some(random, is_plain).into_iter().find(|(_, text)| !text.is_empty() && !text.starts_with('\u{feff}'))?;
    Some(Planted::new(&path, format!("\u{feff}{text}"), "mark", "a mark in front"))
}

pub fn line_endings(files: &Files, random: &mut Random) -> Option<Planted> {
    let some = random.below(2) == 0;
    let (path, text) = files.some(random, is_plain).into_iter().find(|(_, text)| text.lines().count() > 12)?;
    let all = lines(&text);
    let from = if some { all.len() - all.len() / 3 } else { 0 };
    let ended = |(at, line): (usize, &&str)| format!("{line}{}\n", if at >= from { "\r" } else { "" });
    let after: String = all.iter().enumerate().map(ended).collect();
    Some(Planted::new(&path, after, if some { "a third" } else { "whole" }, "lines end with CR LF"))
}

pub fn indentation(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_plain).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let format = language(&path)?;
        let deep = all.iter().filter(|line| line.starts_with("  ")).count();
        let even =
            all.iter().all(|line| !line.starts_with('\t') && !line.contains(['`', '\\']) && !line.contains("\"\"\""));
        let unit = if format.is_script() { 2 } else { 4 };
        if deep < 12 || !even {
            return None;
        }
        let flipped =
            |line: &&str| format!("{}{}", "\t".repeat(depth(line) / unit), &line[depth(line) / unit * unit..]);
        let after: Vec<String> = all.iter().map(flipped).collect();
        Some(Planted::new(&path, joined(&after), family(format), "indented with tabs"))
    })
}

/// The bit that makes a program of a file: lost by a script, or gained by a source.
pub fn mode(files: &Files, random: &mut Random) -> Option<Planted> {
    let lost = random.below(2) == 0;
    let wanted = |path: &str| {
        let mode = files.entry(path).map(|entry| entry.mode);
        match lost {
            true => is_own(path) && mode == Some(FileMode::Executable),
            false => is_plain(path) && mode == Some(FileMode::File),
        }
    };
    let suits = |text: &str| text.starts_with("#!") == lost;
    let candidates: Vec<String> =
        files.paths().filter(|path| language(path).is_some() || path.ends_with(".sh")).map(str::to_owned).collect();
    let suited: Vec<&String> = candidates.iter().filter(|path| wanted(path)).collect();
    for _ in 0..12 {
        let path = *one(&suited, random)?;
        let Some(text) = files.text(path).filter(|text| suits(text)) else { continue };
        let (kind, mode) = if lost { ("lost", FileMode::File) } else { ("gained", FileMode::Executable) };
        return Some(Planted { mode: Some(mode), ..Planted::new(path, text, kind, "the executable bit") });
    }
    None
}

pub fn junk(files: &Files, random: &mut Random) -> Option<Planted> {
    let (path, text) = files
        .some(random, |path| is_plain(path) && !path.contains("test") && !path.contains("example"))
        .into_iter()
        .next()?;
    let (folder, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
    let at = |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
    let (kind, path) = match random.below(7) {
        0 => ("orig", at(format!("{name}.orig"))),
        1 => ("rej", at(format!("{name}.rej"))),
        2 => ("bak", at(format!("{name}.bak"))),
        3 => ("swp", at(format!(".{name}.swp"))),
        4 => ("~", at(format!("{name}~"))),
        5 => ("pycache", at("__pycache__/module.cpython-312.pyc".to_owned())),
        _ => ("DS_Store", at(".DS_Store".to_owned())),
    };
    (!files.has(&path)).then(|| Planted::new(&path, text, kind, "a file that a tool leaves"))
}
