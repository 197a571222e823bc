//! Documents that lose something.

use std::ops::Range;

use super::block::{joined, lines};
use super::{Files, Planted, Random, is_doc, one};

/// Characters of code, or of text, from which on a loss counts: what the guard says of itself.
const CODE: usize = 60;
const TEXT: usize = 800;

fn grow(
    files: &Files,
    random: &mut Random,
    plant: impl Fn(&[&str], &mut Random) -> Option<(String, String)>,
) -> Option<Planted> {
    files.some(random, is_doc).into_iter().find_map(|(path, text)| {
        let (after, what) = plant(&lines(&text), random)?;
        (after != text).then(|| Planted::new(&path, after, "markdown", what))
    })
}

/// Fenced blocks at the margin, fences included.
fn blocks(all: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for (at, line) in all.iter().enumerate().filter(|(_, line)| line.starts_with("```")) {
        match open.take() {
            None => open = Some(at),
            // A directive holds text as often as code.
            Some(start) if line.trim() == "```" && all[start].contains('{') => {}
            Some(start) if line.trim() == "```" => found.push(start..at + 1),
            Some(_) => return Vec::new(),
        }
    }
    found
}

fn code(all: &[&str], block: &Range<usize>) -> String {
    all[block.start + 1..block.end - 1].join("\n")
}

fn size(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}

/// One that says something, and stands only once.
fn a_block(all: &[&str], random: &mut Random) -> Option<Range<usize>> {
    let blocks = blocks(all);
    let alone = |block: &&Range<usize>| blocks.iter().filter(|other| code(all, other) == code(all, block)).count() == 1;
    let fit: Vec<_> = blocks.iter().filter(|block| size(&code(all, block)) >= CODE).filter(alone).cloned().collect();
    one(&fit, random).cloned()
}

pub fn block_lost(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |all, random| {
        let block = a_block(all, random)?;
        let end = block.end + usize::from(all.get(block.end).is_some_and(|line| line.is_empty()));
        Some((
            joined(&[&all[..block.start], &all[end..]].concat()),
            format!("lost the block at line {}", block.start + 1),
        ))
    })
}

pub fn blocks_lost(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |all, _| {
        let blocks = blocks(all);
        let code: usize = blocks.iter().map(|block| size(&code(all, block))).sum();
        let kept: Vec<&str> = all
            .iter()
            .enumerate()
            .filter(|(at, _)| !blocks.iter().any(|block| block.contains(at)))
            .map(|(_, line)| *line)
            .collect();
        (code >= CODE).then(|| (joined(&kept), format!("lost all {} blocks", blocks.len())))
    })
}

const OTHER: [&str; 3] = [
    "import pandas as pd\n\nframe = pd.read_csv(\"sales.csv\")\nprint(frame.groupby(\"region\").sum())",
    "curl -X POST https://billing.internal/v1/invoices \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  -d '{\"amount\": 1200}'",
    "SELECT region, SUM(amount) AS total\nFROM invoices\nWHERE paid = TRUE\nGROUP BY region;",
];

pub fn swapped(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |all, random| {
        let block = a_block(all, random)?;
        let words: std::collections::BTreeSet<String> = code(all, &block)
            .split(|c: char| !c.is_alphabetic())
            .map(str::to_lowercase)
            .filter(|word| word.len() > 2)
            .collect();
        // A block of a few words may well be swapped for another.
        if words.len() < 6 {
            return None;
        }
        let other = one(&OTHER, random)?;
        let after = [&all[..=block.start], &[*other], &all[block.end - 1..]].concat();
        Some((joined(&after), format!("swapped the block at line {}", block.start + 1)))
    })
}

pub fn collapsed(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |all, random| {
        let fit: Vec<_> = blocks(all)
            .into_iter()
            .filter(|block| {
                block.len() >= 5
                    && !code(all, block).contains("\\n")
                    && all[block.start + 1..block.end - 1].iter().filter(|line| !line.trim().is_empty()).count() >= 3
            })
            .collect();
        let block = one(&fit, random)?;
        let inner = code(all, block).replace('\n', "\\n");
        let after = [&all[..=block.start], &[inner.as_str()], &all[block.end - 1..]].concat();
        Some((joined(&after), format!("the block at line {} is one line", block.start + 1)))
    })
}

pub fn shrunk(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |all, random| {
        let text = all.join("\n");
        if size(&text) < TEXT {
            return None;
        }
        let goal = size(&text) / 5;
        let mut kept = String::new();
        // Either the beginning, or the headings with a word below each.
        if random.below(2) == 0 {
            for line in all {
                if size(&kept) + size(line) > goal {
                    break;
                }
                kept += &format!("{line}\n");
            }
        } else {
            for line in all.iter().filter(|line| line.starts_with('#')) {
                if size(&kept) + size(line) + 30 > goal {
                    break;
                }
                kept += &format!("{line}\n\nSee the documentation for details.\n\n");
            }
        }
        (!kept.trim().is_empty()).then(|| (kept, "cut down to a fifth".to_owned()))
    })
}

#[rustfmt::skip]
const MARKERS: [&str; 10] = [
    "... (truncated)", "<!-- rest of the file unchanged -->", "[... rest of document unchanged ...]", "(remaining sections unchanged)", "... rest of the README remains the same ...",
    "<!-- ... existing content ... -->", "[content omitted for brevity]", "... [rest of file unchanged]", "*(rest of the document remains unchanged)*", "<!-- remaining content unchanged -->",
];

pub fn marker(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |all, random| {
        let marker = one(&MARKERS, random)?;
        let headings: Vec<usize> =
            (1..all.len()).filter(|at| all[*at].starts_with("## ") && all.len() - at > 5).collect();
        let nth = random.below(headings.len());
        let from = *headings.get(nth)?;
        let to = if random.below(2) == 0 { all.len() } else { *headings.get(nth + 1).unwrap_or(&all.len()) };
        (to > from + 4).then(|| {
            (joined(&[&all[..from], &[*marker, ""], &all[to..]].concat()), format!("`{marker}` at line {}", from + 1))
        })
    })
}
