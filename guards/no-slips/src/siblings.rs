//! A fragment that is fixed in one place and stands in others as it was: whoever copied it copied the mistake.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::files::{Kind, Language, kind_of};
use guard_sdk::text::lines_in;
use guard_sdk::{Change, File, Finding, Side};

/// Lines of the base around a fixed one that are compared too, on each side.
const AROUND: usize = 2;
/// Lines that a fix takes away at most; a longer one is written anew.
const LONGEST: u32 = 6;
/// Lines that are alike at least, the fixed ones included, and their characters.
const LEAST: (usize, usize) = (4, 100);
/// Lines among which those around are looked for, on each side: the others are blank.
const NEAR: u32 = 40;
/// Letters and digits of the line that is searched for.
const TELLING: usize = 16;
/// Fixes of one change that are looked for: one search serves them all.
const MENDS: usize = 16;
/// Places that are looked at, and that a finding names.
const PLACES: (u32, usize) = (200, 5);

/// Lines that a change replaces, among those around them.
struct ReplacedLines<'c> {
    file: File<'c>,
    /// In the candidate, from 1.
    line: u32,
    /// Of the base, without white space around them and without blank lines.
    fragment: Vec<String>,
    /// Which of them the change takes away, and which of those is searched for.
    replaced: std::ops::Range<usize>,
    needle: usize,
}

/// Warnings: only a person knows whether the others are meant as they are.
pub fn judge<'c>(change: &'c Change, files: impl Iterator<Item = File<'c>>) -> Vec<Finding> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let (mut mends, mut came): (Vec<ReplacedLines>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    for file in files {
        let (Ok(before), Ok(after)) = (file.before().text(), file.after().text()) else { continue };
        came.extend(file.added_lines().into_iter().flatten().map(|line| line.text.trim().to_owned()));
        let is_read = kind_of(file.path()) == Kind::Code && Language::from_path(file.path()).is_some();
        if is_read && file.before().is_regular() && mends.len() < MENDS {
            mends.extend(from_file(file, &before));
        }
        texts.insert(file.path().to_owned(), after);
    }
    // What the change writes again elsewhere was moved.
    mends.retain(|mend| !mend.fragment[mend.replaced.clone()].iter().any(|line| came.contains(line)));
    mends.truncate(MENDS);
    let needles: Vec<&str> = mends.iter().map(|mend| mend.fragment[mend.needle].as_str()).collect();
    let globs: BTreeSet<String> = mends.iter().flat_map(|mend| near(mend.file.path())).collect();
    if needles.is_empty() {
        return Vec::new();
    }
    let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
    let mut others: BTreeMap<usize, Vec<(String, u32)>> = BTreeMap::new();
    for hit in change.repo(Side::After).search(&needles, &globs, PLACES.0) {
        let mend = &mends[hit.needle as usize];
        if kind_of(&hit.path) != Kind::Code || Language::from_path(&hit.path) != Language::from_path(mend.file.path()) {
            continue;
        }
        let text = texts
            .entry(hit.path.clone())
            .or_insert_with(|| change.repo(Side::After).text(&hit.path).unwrap_or_default());
        if is_alike(mend, text, hit.line) {
            others.entry(hit.needle as usize).or_default().push((hit.path, hit.line));
        }
    }
    others.into_iter().map(|(at, places)| finding(&mends[at], &places)).collect()
}

/// Files of the same language below the folder that holds the file's own: copies stand near, and a whole repository costs too much.
fn near(path: &str) -> Vec<String> {
    let above = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let base = above(&above(path));
    let of_language = Language::from_path(path).map(Language::globs).unwrap_or_default();
    // No globs at all would be the whole repository.
    let name = path.rsplit('/').next().unwrap_or(path);
    let own = name.rsplit_once('.').map_or(name.to_owned(), |(_, ending)| format!("*.{ending}"));
    let globs = if of_language.is_empty() { vec![own.as_str()] } else { of_language.to_vec() };
    globs.into_iter().map(|glob| if base.is_empty() { glob.to_owned() } else { format!("{base}/**/{glob}") }).collect()
}

/// Numbers, from 1, and texts of the lines near a run that are not blank.
fn near_lines(text: &str, first: u32, count: u32) -> Vec<(u32, &str)> {
    let from = first.saturating_sub(NEAR).max(1);
    let trimmed = lines_in(text, [(from, first + count + NEAR - from)]).into_iter();
    trimmed.map(|(number, line)| (number, line.trim())).filter(|(_, line)| !line.is_empty()).collect()
}

fn from_file<'c>(file: File<'c>, before: &str) -> Vec<ReplacedLines<'c>> {
    let hunks = file.hunks().into_iter().filter(|hunk| (1..=LONGEST).contains(&hunk.old_lines) && hunk.new_lines > 0);
    let mend = |(start, count, line): (u32, u32, u32)| {
        let near = near_lines(before, start, count);
        let at = |line: u32| near.partition_point(|(number, _)| *number < line);
        let (first, end) = (at(start), at(start + count));
        let from = first.saturating_sub(AROUND);
        let fragment: Vec<String> =
            near[from..(end + AROUND).min(near.len())].iter().map(|(_, text)| (*text).to_owned()).collect();
        let replaced = first - from..end - from;
        let telling = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        let needle = replaced.clone().max_by_key(|at| telling(&fragment[*at]))?;
        let is_telling = telling(&fragment[needle]) >= TELLING && !is_common(&fragment[needle]);
        let is_long = fragment.len() >= LEAST.0 && fragment.iter().map(String::len).sum::<usize>() >= LEAST.1;
        (is_telling && is_long).then_some(ReplacedLines { file, line, fragment, replaced, needle })
    };
    hunks.filter_map(|hunk| mend((hunk.old_start, hunk.old_lines, hunk.new_start))).collect()
}

/// What every file says: imports, comments, declarations of packages.
fn is_common(line: &str) -> bool {
    let starts =
        ["import ", "from ", "use ", "using ", "package ", "require", "//", "#", "*", "/*", "export ", "include"];
    starts.iter().any(|start| line.starts_with(start)) || line.contains("require(")
}

/// Whether the whole fragment stands around that line of the text.
fn is_alike(mend: &ReplacedLines, text: &str, line: u32) -> bool {
    let near = near_lines(text, line, 1);
    let Ok(at) = near.binary_search_by_key(&line, |(number, _)| *number) else { return false };
    let Some(start) = at.checked_sub(mend.needle) else { return false };
    let stands = |nth: usize| near.get(start + nth).is_some_and(|(_, text)| *text == mend.fragment[nth]);
    (0..mend.fragment.len()).all(stands)
}

fn finding(mend: &ReplacedLines, places: &[(String, u32)]) -> Finding {
    let path = mend.file.path();
    let count = places.len();
    let noun = if count == 1 { "one other place stands" } else { "other places stand" };
    let number = if count == 1 { String::new() } else { format!("{count} ") };
    let message = format!("{number}{noun} as this one was before the change, with the lines around it");
    let found = Finding::warning("sibling-left", message)
        .at(path, mend.line)
        .help("If what is fixed here is wrong there too, fix it in all of them, or let them share the code.");
    places.iter().take(PLACES.1).fold(found, |found, (path, line)| found.related(path, *line..=*line, "the same lines"))
}
