//! Single blocks that vanish while the text around them stands: swapped for something else, cut out, or gone from behind
//! the line that announces them. Whoever does that on purpose keeps the example's words, or changes the text around it.

use guard_sdk::{Finding, Hunk};

use crate::document::{Block, Document, size};
use crate::elsewhere::{Elsewhere, words};
use crate::includes;
use crate::loss::first_line;
use crate::pair::Pair;

/// Share of a block's words, at most, that the block in its place has too; and of that one's, those that it had.
const WORDS_KEPT: f64 = 0.2;
/// Share of its phrases, at most, that came again in the change: with more it was moved.
const MOVED: f64 = 0.25;
/// Share of them, at most, that are met anywhere, when it went with some of the text around it.
const PHRASES_KEPT: f64 = 0.6;
/// Different words, at least, that make a block tell one from another.
const WORDS: usize = 5;

pub fn find(pair: &Pair, elsewhere: &Elsewhere, minimum: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, block) in pair.before.blocks.iter().enumerate() {
        let stands = pair.after.blocks.iter().any(|after| after.code == block.code);
        if stands || size(&block.code) < minimum || pair.is_rewritten() {
            continue;
        }
        // Last, because it reads all that the change touches.
        let moved = || pair.moved(&block.code, elsewhere) >= MOVED;
        findings.extend(missing(pair, elsewhere, index, block).filter(|_| !moved()));
    }
    findings
}

/// What speaks for a block being gone, or another standing in its place.
fn missing(pair: &Pair, elsewhere: &Elsewhere, index: usize, block: &Block) -> Option<Finding> {
    if block.lead.as_ref().is_some_and(|lead| includes::follow(pair.after, lead)) {
        return None;
    }
    if let Some(line) = cut_out(pair, block) {
        return Some(lost(pair, block, line));
    }
    let lead = block.lead.as_ref()?;
    if count(pair.before, lead) != count(pair.after, lead) {
        return None;
    }
    let nth = led(pair.before, lead).position(|(other, _)| other == index).unwrap_or_default();
    match led(pair.after, lead).nth(nth) {
        // A neighbour that moved up below the same line took no block's place.
        Some((_, after)) if pair.before.blocks.iter().any(|other| other.code == after.code) => None,
        Some((_, after)) if is_unrelated(block, after) => Some(swapped(pair, block, after)),
        Some(_) => None,
        None if pair.kept_share(&block.code, elsewhere) >= PHRASES_KEPT => None,
        None => dangling(pair, lead).map(|line| lost(pair, block, line)),
    }
}

/// Blocks of that lead, with their places among all.
fn led<'d>(document: &'d Document, lead: &str) -> impl Iterator<Item = (usize, &'d Block)> {
    document.blocks.iter().enumerate().filter(move |(_, block)| block.lead.as_deref() == Some(lead))
}

fn count(document: &Document, lead: &str) -> usize {
    document.lines().filter(|(_, line)| *line == lead).count()
}

fn is_unrelated(before: &Block, after: &Block) -> bool {
    let (old, new) = (vocabulary(&before.code), vocabulary(&after.code));
    let kept = old.iter().filter(|word| new.binary_search(word).is_ok()).count() as f64;
    // Three commands that became one share few of their words with it, and it most of its own with them.
    old.len() >= WORDS && kept <= WORDS_KEPT * old.len() as f64 && kept <= WORDS_KEPT * new.len() as f64
}

/// Different words with a letter in them, in lower case, sorted.
fn vocabulary(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let has_letter = |word: &&str| word.len() > 1 && word.contains(|c: char| !c.is_ascii_digit() && c != '_');
    let mut words: Vec<String> = words(&lower).filter(has_letter).map(str::to_string).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Where in the candidate a block is missing of which only its own lines, and a blank one or two, were taken away. A diff may
/// slide along equal lines, such as fences, so the hunk need not meet the block line by line.
fn cut_out(pair: &Pair, block: &Block) -> Option<u32> {
    let lines = block.lines.end - block.lines.start;
    // Who takes the words with it that lead to it takes a part of the text, and not a block out of it.
    let is_of_block = |text: &str| text.is_empty() || block.lines.clone().any(|line| pair.before.line(line) == text);
    let takes_text = |hunk: &Hunk| {
        let mut removed = hunk.old_start..hunk.old_start + hunk.old_lines;
        !removed.all(|line| block.lines.contains(&line) || is_of_block(pair.before.line(line)))
    };
    let only_it = |hunk: &&Hunk| {
        let end = block.lines.end.min(hunk.old_start + hunk.old_lines);
        let common = end.saturating_sub(block.lines.start.max(hunk.old_start));
        hunk.new_lines == 0 && hunk.old_lines <= lines + 2 && common > 0 && common + 2 >= lines && !takes_text(hunk)
    };
    pair.hunks.iter().find(only_it).map(|hunk| hunk.new_start.max(1))
}

/// The line of the candidate that ends in a colon and announces nothing any more.
fn dangling(pair: &Pair, lead: &str) -> Option<u32> {
    if !lead.ends_with(':') || count(pair.after, lead) != 1 {
        return None;
    }
    let (line, _) = pair.after.lines().find(|(_, line)| *line == lead)?;
    let next = pair.after.lines().skip(line as usize).find(|(_, text)| !text.is_empty());
    match next {
        Some((next, text)) if pair.after.is_code(next) || announced(text) => None,
        _ => Some(line),
    }
}

/// A list, a table, a quote, an image, a component: something that a colon may well announce.
fn announced(line: &str) -> bool {
    line.starts_with(['-', '*', '+', '|', '>', '<', '!', '`', ':', '.', '{', '$', '[', '='])
        || line.starts_with(|c: char| c.is_ascii_digit())
}

fn swapped(pair: &Pair, before: &Block, after: &Block) -> Finding {
    let lines = &after.lines;
    Finding::error(
        "code-swapped",
        format!("the code block `{}` of {} was swapped for an unrelated one", first_line(before), pair.path),
    )
    .at(pair.path, lines.start)
    .to(lines.end - 1)
    .help("Bring the block back as it was. A new example goes beside it, with text that introduces it.")
}

/// At the last line before the gap that says something.
fn lost(pair: &Pair, block: &Block, line: u32) -> Finding {
    let said = (1..=line).rev().find(|line| !pair.after.line(*line).is_empty()).unwrap_or(line);
    Finding::error(
        "block-lost",
        format!(
            "the code block `{}` of {} is gone, and the text around it stands as it was",
            first_line(block),
            pair.path
        ),
    )
    .at(pair.path, said)
    .help(format!("Bring the block back below this line, as it was:\n{}", excerpt(block)))
}

/// Lines of a lost block that are shown.
const SHOWN: usize = 12;

fn excerpt(block: &Block) -> String {
    let lines: Vec<&str> = block.code.trim_end().lines().collect();
    let cut = |line: &&str| line.chars().take(120).collect::<String>();
    let mut shown: Vec<String> = lines.iter().take(SHOWN).map(cut).collect();
    if lines.len() > SHOWN {
        shown.push(format!("… and {} more lines of it", lines.len() - SHOWN));
    }
    shown.join("\n")
}
