//! Which hunks of earlier commits a change turns around.

use std::collections::HashMap;

use guard_sdk::{EditedFile, File, Hunk, ReplacedLines};

use crate::telling::{Brought, Words, differing, says_something};

/// The hunks of the change in one file.
pub struct ChangedLines {
    path: String,
    before: String,
    after: String,
    /// Of both texts, once a hunk asks for them.
    words: Option<Words>,
    hunks: Vec<ChangedHunk>,
    /// In which hunks a line stands, of those that say something.
    at: HashMap<String, Vec<usize>>,
}

/// A hunk of the change, with its lines and without their ends.
struct ChangedHunk {
    old: Vec<String>,
    new: Vec<String>,
    /// Where it stands in the candidate, from 1.
    line: u32,
    /// A hunk counts for the newest commit alone, since what an older one did was done again by then.
    is_used: bool,
}

impl ChangedLines {
    /// None where a side is no text.
    pub fn new(file: &File) -> Option<Self> {
        Some(Self::between(file.path(), file.before().text().ok()?, file.after().text().ok()?, &file.hunks()))
    }

    fn between(path: &str, before_text: String, after_text: String, hunks: &[Hunk]) -> Self {
        let (before, after): (Vec<&str>, Vec<&str>) = (before_text.lines().collect(), after_text.lines().collect());
        let taken = |lines: &[&str], start: u32, count: u32| -> Vec<String> {
            let first = (start as usize).saturating_sub(1);
            let range = first..(first + count as usize).min(lines.len());
            lines.get(range).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect()
        };
        let hunks: Vec<ChangedHunk> = hunks
            .iter()
            .map(|hunk| ChangedHunk {
                old: taken(&before, hunk.old_start, hunk.old_lines),
                new: taken(&after, hunk.new_start, hunk.new_lines),
                line: hunk.new_start.max(1),
                is_used: false,
            })
            .collect();
        let mut at: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, hunk) in hunks.iter().enumerate() {
            for line in hunk.old.iter().chain(&hunk.new).filter(|line| says_something(line)) {
                let hunks = at.entry(line.clone()).or_default();
                if hunks.last() != Some(&number) {
                    hunks.push(number);
                }
            }
        }
        ChangedLines { path: path.to_owned(), before: before_text, after: after_text, words: None, hunks, at }
    }

    /// Whether the change keeps all that a hunk of the earlier commit brought, at another place of the file.
    fn moves(&mut self, hunk: &ReplacedLines, of_commit: &Brought) -> bool {
        let words = self.words.get_or_insert_with(|| Words::new(&self.before, &self.after));
        words.still_hold(&Brought::new([hunk]), of_commit)
    }

    /// Where the change begins, from 1.
    pub fn first_line(&self) -> u32 {
        self.hunks.first().map_or(1, |hunk| hunk.line)
    }

    /// Lines that the change takes away or brings.
    pub fn lines(&self) -> usize {
        self.hunks.iter().map(|hunk| hunk.old.len() + hunk.new.len()).sum()
    }

    /// Whether the change writes most of the file anew.
    pub fn is_redesign(&self) -> bool {
        let replaced: usize = self.hunks.iter().map(|hunk| hunk.old.len()).sum();
        replaced * 2 >= self.before.lines().count()
    }

    pub fn use_all(&mut self) {
        self.hunks.iter_mut().for_each(|hunk| hunk.is_used = true);
    }
}

/// How much of a commit a change turns around, in lines that say something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Lines that the commit had taken away, and that come back.
    pub back: usize,
    /// Lines that the commit had brought, and that go again.
    pub gone: usize,
    /// Hunks of the commit, and those of them that are turned around.
    pub hunks: usize,
    pub turned: usize,
}

impl Extent {
    /// Fewer lines come back by chance: a version, a setting that is switched on and off. Where far more goes again than comes back, the
    /// change ends what the commit began, which is ordinary work.
    pub fn is_taken_back(self) -> bool {
        self.back >= 3 && self.lines() >= 6 && self.back * 3 >= self.gone
    }

    /// Of a whole file that is put back, by the hunks of the change: what comes back, and what goes.
    pub fn whole(change: &ChangedLines) -> Extent {
        let mut all = Extent { hunks: change.hunks.len(), turned: change.hunks.len(), ..Extent::default() };
        for hunk in &change.hunks {
            let (gone, back) = differing(&change.path, &hunk.old, &hunk.new);
            all = Extent { back: all.back + back, gone: all.gone + gone, ..all };
        }
        all
    }

    pub fn lines(self) -> usize {
        self.back + self.gone
    }

    pub fn and(self, other: Extent) -> Extent {
        Extent {
            back: self.back + other.back,
            gone: self.gone + other.gone,
            hunks: self.hunks + other.hunks,
            turned: self.turned + other.turned,
        }
    }
}

/// What a change turns around of one file of a commit, with the first line where it does. `budget` is how many lines may still be
/// compared; None when it is used up.
pub fn turned_around(
    edited: &EditedFile,
    change: &mut ChangedLines,
    budget: &mut u64,
) -> Option<(Extent, Option<u32>)> {
    let (mut extent, mut line, mut brought) = (Extent::default(), None, None);
    for earlier in edited.lines.iter().flatten() {
        let telling = earlier.old.iter().chain(&earlier.new).find(|line| says_something(line));
        let Some(telling) = telling else { continue };
        let places = change.at.get(telling).map(Vec::as_slice).unwrap_or_default();
        // Most hunks stand nowhere near the change, and need no closer look.
        let (gone, back) = if places.is_empty() { (0, 0) } else { differing(&change.path, &earlier.new, &earlier.old) };
        if !places.is_empty() && back + gone == 0 {
            continue;
        }
        extent.hunks += 1;
        let mut turned = None;
        for number in places {
            let hunk = &change.hunks[*number];
            *budget = budget.checked_sub(cost(hunk, earlier))?;
            if !hunk.is_used && turns(hunk, earlier) {
                turned = Some(*number);
                break;
            }
        }
        let Some(number) = turned else { continue };
        let of_commit = brought.get_or_insert_with(|| Brought::new(edited.lines.iter().flatten()));
        if !change.moves(earlier, of_commit) {
            let hunk = &mut change.hunks[number];
            hunk.is_used = true;
            extent = extent.and(Extent { back, gone, turned: 1, hunks: 0 });
            line = line.or(Some(hunk.line));
        }
    }
    Some((extent, line))
}

/// Lines that [`turns`] compares at most, unless one line stands again and again.
fn cost(hunk: &ChangedHunk, earlier: &ReplacedLines) -> u64 {
    (hunk.old.len() + 2 * hunk.new.len() + 4 * (earlier.old.len() + earlier.new.len())) as u64
}

/// Whether a hunk of the change takes away what the earlier one brought, and brings what that took away. The hunk may hold more: an edit
/// beside the lines that were turned around, or among them, is one hunk with them.
fn turns(hunk: &ChangedHunk, earlier: &ReplacedLines) -> bool {
    let stands = earlier.new.iter().any(|line| says_something(line)) && holds(&hunk.new, &earlier.new);
    holds(&hunk.old, &earlier.new) && holds(&hunk.new, &earlier.old) && !stands
}

/// Places at which a part is looked for: of a line that stands more often nothing is told.
const STARTS: usize = 8;

/// Whether the lines hold those of the part, in order and close together: in a long hunk a few lines are found by chance.
fn holds(lines: &[String], part: &[String]) -> bool {
    let Some(first) = part.first() else { return true };
    let most = part.len() * 3 / 2 + 2;
    let starts = (0..lines.len()).filter(|at| lines[*at] == *first).take(STARTS);
    starts.map(|at| &lines[at..lines.len().min(at + most)]).any(|near| {
        let mut rest = part.iter();
        let mut wanted = rest.next();
        for line in near {
            if wanted == Some(line) {
                wanted = rest.next();
            }
        }
        wanted.is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn significant(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    fn whole(before: &str, after: &str) -> ChangedLines {
        let lines = |text: &str| text.lines().count() as u32;
        let hunk = Hunk { old_start: 1, old_lines: lines(before), new_start: 1, new_lines: lines(after) };
        ChangedLines::between("a", before.to_owned(), after.to_owned(), &[hunk])
    }

    #[test]
    fn a_hunk_counts_once_and_may_hold_more() {
        let earlier = ReplacedLines {
            old: significant(&["one = 1", "two = 2"]),
            new: significant(&["one = ten", "two = twenty"]),
        };
        let edited = EditedFile { path: "a".into(), before: String::new(), lines: Some(vec![earlier]) };
        let mut budget = 1_000;
        let mut more = whole("one = ten\ntwo = twenty\ntail\n", "one = 1\n# and\ntwo = 2\nanother tail\n");
        let found = turned_around(&edited, &mut more, &mut budget);
        assert_eq!(found, Some((Extent { back: 2, gone: 2, hunks: 1, turned: 1 }, Some(1))));
        let again = turned_around(&edited, &mut more, &mut budget).expect("enough is left");
        assert_eq!((again.0.turned, again.0.hunks), (0, 1));

        let mut kept = whole("one = ten\ntwo = twenty\n", "one = 1\ntwo = 2\none = ten\ntwo = twenty\n");
        assert_eq!(turned_around(&edited, &mut kept, &mut budget).expect("enough").0.turned, 0);
        assert_eq!(turned_around(&edited, &mut kept, &mut 3), None);
    }
}
