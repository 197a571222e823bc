//! A document of which little is left: of its code, or of all of it.

use guard_sdk::{Change, Finding, Severity};

use crate::Settings;
use crate::document::{Block, Document, size};
use crate::elsewhere::{Elsewhere, words};
use crate::includes::fetches;
use crate::pair::Pair;

/// Who made the change: what was learnt from the commits of people excuses nobody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// People, by all commits of the change.
    People,
    /// A model that was given a task, or an agent that names itself in a commit.
    Model,
    /// No task and no message is known, as before a commit is made.
    Unknown,
}

impl Author {
    pub fn new(change: &Change) -> Self {
        match (change.is_by_people(), change.task().is_none() && change.commits().is_empty()) {
            (true, _) => Author::People,
            (false, true) => Author::Unknown,
            (false, false) => Author::Model,
        }
    }

    /// Whether this one may take a section away with its blocks, unasked. To lose all code is never an edit, but that people take the one
    /// or two blocks of a short page away on purpose; of more, somebody would have said so.
    fn may_cut(self, none_left: bool, blocks: usize) -> bool {
        match self {
            Author::People => !none_left || blocks <= 2,
            Author::Unknown => !none_left,
            Author::Model => false,
        }
    }
}

/// `replaced`: whether another document took the place of this one, or those beside it are written anew by the same change.
pub fn find(
    pair: &Pair,
    settings: &Settings,
    elsewhere: &Elsewhere,
    author: Author,
    replaced: impl FnOnce() -> bool,
) -> Vec<Finding> {
    let floor = settings.shrink_floor;
    let shrunk = |old: &str, new: &str, minimum: usize| {
        let (was, is) = (size(old), size(new));
        let too_small = was >= minimum && (is as f64) < floor * was as f64;
        (too_small && pair.kept_share(old, elsewhere) < floor).then_some((was, is))
    };
    let code = (pair.before.code(), pair.after.code());
    let mut findings = Vec::new();
    if shows_files_instead(pair, elsewhere, floor) {
        return findings;
    }
    if let Some(sizes) = shrunk(&pair.before.text, &pair.after.text, settings.min_text) {
        findings.push(doc_shrunk(pair, sizes));
    }
    // Of a document without any code left, the first character counts.
    let none_left = size(&code.1) == 0;
    let is_little = size(&code.0) < settings.min_code;
    if let Some(sizes) = shrunk(&code.0, &code.1, if none_left { 1 } else { settings.min_code }) {
        let lost = lost(pair, elsewhere, floor);
        if !lost.is_empty() {
            let finding = code_loss(pair, sizes, &lost);
            // Who wrote more text than the code had has written the page anew, or this part of it, and not cut it.
            let (gone, written) = (sizes.0 - sizes.1, pair.written());
            // Of little code, any sentence would be more.
            let gone = if is_little { settings.min_code } else { gone };
            let is_rewritten = written >= 2 * gone || (pair.is_rewritten() && written >= gone);
            let is_an_edit = || is_an_edit(pair, &lost) && author.may_cut(none_left, lost.len());
            let is_excused = is_rewritten || (is_little && author != Author::Model) || is_an_edit();
            findings.push(if findings.is_empty() && is_excused { warning(finding) } else { finding });
        }
    }
    // People put another text in the place of one, as a policy for a policy; a model that was to edit a page does not.
    let is_another = author == Author::People && pair.is_another(settings.min_text);
    if findings.iter().any(|finding| finding.severity == Severity::Error) && (is_another || replaced()) {
        return findings.into_iter().map(warning).collect();
    }
    findings
}

/// Whether lines that fetch code from files came for the blocks that went, while the text stayed.
fn shows_files_instead(pair: &Pair, elsewhere: &Elsewhere, floor: f64) -> bool {
    let fetched = |document: &Document| document.lines().filter(|(_, line)| fetches(line)).count();
    let came = fetched(pair.after).saturating_sub(fetched(pair.before));
    let said = |document: &Document| size(&document.text) - size(&document.code()).min(size(&document.text));
    came > 0
        && said(pair.after) as f64 >= floor * said(pair.before) as f64
        && came >= lost(pair, elsewhere, floor).len()
}

fn warning(finding: Finding) -> Finding {
    Finding { severity: Severity::Warning, ..finding }
}

fn doc_shrunk(pair: &Pair, (was, is): (usize, usize)) -> Finding {
    let path = pair.path;
    Finding::error("doc-shrunk", format!("{path} lost {} of its text: of {was} characters, {is} are left", percent(was, is)))
        .at(path, 1)
        .help(format!("Give {path} whole: keep every section that the task does not ask to remove. A text that moves must arrive in the same change."))
}

fn lost<'p>(pair: &Pair<'p>, elsewhere: &Elsewhere, floor: f64) -> Vec<&'p Block> {
    let stands = |block: &Block| pair.after.blocks.iter().any(|after| after.code == block.code);
    pair.before
        .blocks
        .iter()
        .filter(|block| !stands(block) && pair.kept_share(&block.code, elsewhere) < floor)
        .collect()
}

/// Blocks, at most, that go with a section: of more, somebody would have said that they are to go.
const SECTION: usize = 3;

/// Whether each block went with the line that leads to it, as a section goes: whatever share of a short document it was.
fn is_an_edit(pair: &Pair, lost: &[&Block]) -> bool {
    // A directive or an attribute is the block's own.
    let is_text = |lead: &str| !lead.starts_with(['[', '.']);
    let went = |lead: &str| is_text(lead) && !pair.after.lines().any(|(_, line)| is_like(lead, line));
    lost.len() <= SECTION && lost.iter().all(|block| block.lead.as_deref().is_some_and(went))
}

/// Whether a line has half of another's words, and is a heading if that is one.
fn is_like(lead: &str, line: &str) -> bool {
    if lead.starts_with('#') && !line.starts_with('#') {
        return false;
    }
    let there: Vec<&str> = words(line).collect();
    let (all, kept) =
        words(lead).fold((0, 0), |(all, kept), word| (all + 1, kept + usize::from(there.contains(&word))));
    kept * 2 >= all
}

fn code_loss(pair: &Pair, (was, is): (usize, usize), lost: &[&Block]) -> Finding {
    let shown: Vec<String> = lost.iter().take(5).map(|block| format!("`{}`", first_line(block))).collect();
    let more = if lost.len() > shown.len() { ", …" } else { "" };
    let first = lost.first().map_or(1, |block| pair.place(block.lines.start));
    let path = pair.path;
    Finding::error(
        "code-loss",
        format!("{path} lost {} of its code: of {was} characters in code blocks, {is} are left", percent(was, is)),
    )
    .at(path, first)
    .help(format!("Keep every code block verbatim. Missing: {}{more}", shown.join(", ")))
}

/// The first line of a block that says something; of one that is all signs, the first that is not blank.
pub fn first_line(block: &Block) -> String {
    let mut lines = block.code.lines().map(str::trim);
    let says = |line: &&str| line.contains(char::is_alphanumeric);
    let line = lines.clone().find(says).or_else(|| lines.find(|line| !line.is_empty())).unwrap_or("…");
    match line.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    }
}

fn percent(was: usize, is: usize) -> String {
    format!("{} %", (was - is) * 100 / was)
}
