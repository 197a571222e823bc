//! Documents of which only plain sentences differ: every link, every piece of code and all markup that a program may read is kept, in its order.

use guardhost_core::change::RepoPath;

use super::unproved::{Unproved, because};

/// Names without their endings, in lower case, of what stands beside a program for people. Not of licences, nor of what agents read.
const NAMES: [&str; 13] = [
    "authors",
    "changelog",
    "changes",
    "code_of_conduct",
    "contributing",
    "contributors",
    "history",
    "install",
    "maintainers",
    "news",
    "readme",
    "support",
    "upgrading",
];

/// Folders of documents.
const FOLDERS: [&str; 4] = ["doc", "docs", "documentation", "manual"];

/// Whether only people read the file, as far as its path tells. Prompts, templates and skills of agents are documents too, and programs read
/// them: so a document counts only where documents stand.
pub fn is_for_people(path: &RepoPath) -> bool {
    let path = path.to_string().to_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let Some((stem, "md" | "markdown" | "rst")) = name.rsplit_once('.') else { return false };
    let mut folders = folders.split('/').filter(|folder| !folder.is_empty());
    let is_known = NAMES.contains(&stem) || path.split('/').next().is_some_and(|first| FOLDERS.contains(&first));
    let for_agents =
        ["agents", "claude", "gemini", "skill", "copilot-instructions", "license", "licence", "copying", "notice"];
    is_known && !for_agents.contains(&stem) && !folders.any(|folder| folder.starts_with('.'))
}

/// # Errors
/// [`Unproved::Because`]: what differs beside sentences.
pub fn same_document(old: &str, new: &str, path: &RepoPath) -> Result<(), Unproved> {
    let indents = path.to_string().to_lowercase().ends_with(".rst");
    match structural_lines(old, indents) == structural_lines(new, indents) {
        true if old == new => because("nothing differs in its text"),
        true => Ok(()),
        false => because("a heading, link, piece of code or other markup differs"),
    }
}

/// The lines that are more than sentences.
fn structural_lines(text: &str, indents: bool) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut kept, mut fence, mut in_comment) = (Vec::new(), None::<&str>, false);
    let mut front_matter = lines.first().copied().filter(|line| matches!(line.trim_end(), "---" | "+++" | ";;;"));
    for (number, line) in lines.iter().copied().enumerate() {
        let trimmed = line.trim_start();
        if let Some(end) = front_matter {
            kept.push(line);
            if number > 0 && line.trim_end() == end.trim_end() {
                front_matter = None;
            }
            continue;
        }
        match fence {
            Some(open) => {
                kept.push(line);
                if trimmed.starts_with(open) && trimmed.trim_end().trim_start_matches(&open[..1]).is_empty() {
                    fence = None;
                }
                continue;
            }
            None if trimmed.starts_with("```") || trimmed.starts_with("~~~") => {
                let sign = &trimmed[..1];
                fence = Some(&trimmed[..trimmed.len() - trimmed.trim_start_matches(sign).len()]);
                kept.push(line);
                continue;
            }
            None => {}
        }
        let was_in_comment = in_comment;
        for (at, _) in line.match_indices("<!--").chain(line.match_indices("-->")) {
            in_comment = line[at..].starts_with('<');
        }
        // What a line of signs underlines is a heading.
        let is_underlined = lines.get(number + 1).is_some_and(|next| is_rule(next));
        let is_indented = line.starts_with("    ") || line.starts_with('\t') || indents && line.starts_with(' ');
        let is_blank = trimmed.is_empty();
        if !is_blank && (was_in_comment || is_underlined || is_indented || !is_sentence(trimmed)) {
            kept.push(line);
        }
    }
    kept
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.chars().all(|c| !c.is_alphanumeric() && !c.is_whitespace())
}

/// Words and the signs between them, and nothing with which markup is written.
fn is_sentence(line: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || " .,;:!?'\"()-*/%&–—…‘’“”".contains(c);
    line.chars().all(is_plain)
        && line.chars().any(char::is_alphanumeric)
        && !line.contains("::")
        && !line.starts_with([':', '.'])
        && !line
            .split_whitespace()
            .any(|word| word.starts_with("--") || word.contains("://") || word.starts_with("www."))
}
