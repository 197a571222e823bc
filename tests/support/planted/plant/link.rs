//! Links to nowhere.

use super::block::{joined, lines};
use super::{Files, Planted, Random, is_doc, one};

/// Lines of prose that a sentence may be added to.
fn prose(all: &[&str]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut code = false;
    for (at, line) in all.iter().enumerate() {
        code ^= line.starts_with("```");
        let plain =
            !code && line.len() > 30 && line.starts_with(|c: char| c.is_ascii_uppercase()) && line.ends_with('.');
        if plain && at > 0 && all[at - 1].is_empty() {
            found.push(at);
        }
    }
    found
}

fn grow(
    files: &Files,
    random: &mut Random,
    plant: impl Fn(&str, &str, &mut Random) -> Option<(String, &'static str)>,
) -> Option<Planted> {
    files.some(random, is_doc).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let places = prose(&all);
        let at = *one(&places, random)?;
        let (sentence, kind) = plant(&path, &text, random)?;
        let line = format!("{} {sentence}", all[at]);
        let after = [&all[..at], &[line.as_str()], &all[at + 1..]].concat();
        Some(Planted::new(&path, joined(&after), kind, sentence))
    })
}

#[rustfmt::skip]
const TARGETS: [&str; 8] = [
    "docs/guide/encoder.md", "guide/getting-started-fast.md", "./ADVANCED_USAGE.md", "docs/api/reference-of-all.md", "examples/quickstart/run_me.py", "./docs/TROUBLESHOOTING-2.md",
    "../ARCHITECTURE_OVERVIEW.md", "docs/images/architecture-overview.png",
];

pub fn invented(files: &Files, random: &mut Random) -> Option<Planted> {
    grow(files, random, |path, _, random| {
        let target = one(&TARGETS, random)?;
        let name = target.rsplit('/').next()?;
        if files.paths().any(|other| other.ends_with(name)) || (target.starts_with("..") && !path.contains('/')) {
            return None;
        }
        Some(match random.below(4) {
            0 => (format!("![overview]({target})"), "image"),
            1 => (format!("See [the guide][guide-of-it].\n\n[guide-of-it]: {target}"), "definition"),
            2 => (format!("See the <a href=\"{target}\">guide</a>."), "html"),
            _ => (format!("See [the guide]({target}) for more."), "link"),
        })
    })
}

pub fn anchor(files: &Files, random: &mut Random) -> Option<Planted> {
    // A heading that a link of the same document means is renamed.
    let renamed = |path: &str, text: &str, random: &mut Random| {
        if includes(text) {
            return None;
        }
        let all = lines(text);
        let headings: Vec<usize> = (0..all.len()).filter(|at| is_meant(&all, *at)).collect();
        let at = *one(&headings, random)?;
        let (marks, _) = all[at].split_once(' ')?;
        let line = format!("{marks} Further notes of this kind");
        let after = [&all[..at], &[line.as_str()], &all[at + 1..]].concat();
        Some(Planted::new(path, joined(&after), "heading renamed", format!("{} is called otherwise", all[at])))
    };
    if random.below(3) == 0 {
        return files.some(random, is_doc).into_iter().find_map(|(path, text)| renamed(&path, &text, random));
    }
    grow(files, random, |path, text, random| {
        let anchor = one(&["advanced-configuration-of-it", "how-to-run-it-twice", "frequently-asked-things"], random)?;
        if text.contains(anchor) || includes(text) {
            return None;
        }
        let other = if path.contains('/') || path == "README.md" { "" } else { "README.md" };
        if !other.is_empty() && !files.has(other) {
            return None;
        }
        Some((format!("See [below]({other}#{anchor})."), if other.is_empty() { "own" } else { "another document's" }))
    })
}

/// A plain heading that stands once and that a link of the document points to.
fn is_meant(all: &[&str], at: usize) -> bool {
    let Some((marks, title)) = all[at].split_once(' ') else { return false };
    let plain = title.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ') && title.len() > 3;
    if !plain || !(2..=4).contains(&marks.len()) || !marks.chars().all(|c| c == '#') {
        return false;
    }
    let slug = title.to_lowercase().replace(' ', "-");
    let link = format!("](#{slug})");
    let same = all.iter().filter(|line| line.starts_with('#') && line.ends_with(&format!(" {title}"))).count();
    same == 1
        && all.iter().any(|line| line.contains(&link))
        && !all.iter().any(|line| line.contains(&format!("\"{slug}\"")))
}

/// What comes in from elsewhere may hold the heading: then it is no mistake for sure.
fn includes(text: &str) -> bool {
    ["{%", "{{", "--8<--", ":::"].iter().any(|sign| text.contains(sign))
}
