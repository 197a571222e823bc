//! Broken syntax in languages for which this machine may have no parser: the damage is one that no text survives.

use super::block::{joined, lines};
use super::{Files, Planted, Random, is_own, one};

/// What a line that stands alone at the margin closes, by the ending of the file.
const CLOSING: [(&str, &[&str]); 12] = [
    ("go", &["}", ")"]),
    ("php", &["}"]),
    ("rb", &["end"]),
    ("rake", &["end"]),
    ("css", &["}"]),
    ("scss", &["}"]),
    ("less", &["}"]),
    ("tf", &["}"]),
    ("hcl", &["}"]),
    ("xml", &[]),
    ("svg", &[]),
    ("csproj", &[]),
];

fn kind(path: &str) -> Option<(&'static str, &'static [&'static str])> {
    let name = path.rsplit('/').next()?;
    if name == "Dockerfile" {
        return Some(("dockerfile", &[]));
    }
    let (_, ending) = name.rsplit_once('.')?;
    CLOSING.iter().find(|(known, _)| *known == ending).copied()
}

fn on_purpose(path: &str) -> bool {
    let lower = path.to_lowercase();
    ["invalid", "broken", "malformed", "error", "bad", "fail", "blade", "stub"].iter().any(|word| lower.contains(word))
}

/// Text in which a line may mean nothing to the language.
fn quotes(text: &str) -> bool {
    ["<<", "=begin", "__END__", "`", "?>", "/*"].iter().any(|sign| text.contains(sign))
}

pub fn broken(files: &Files, random: &mut Random) -> Option<Planted> {
    let wanted = |path: &str| is_own(path) && kind(path).is_some() && !on_purpose(path);
    let kinds: std::collections::BTreeSet<&str> =
        files.paths().filter(|path| wanted(path)).filter_map(|path| Some(kind(path)?.0)).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let chosen = *one(&kinds, random)?;
    for (path, text) in files.some(random, |path| wanted(path) && kind(path).is_some_and(|(name, _)| name == chosen)) {
        let Some((name, closing)) = kind(&path) else { continue };
        let all = lines(&text);
        let damaged = match name {
            "dockerfile" => {
                all.iter().position(|line| line.starts_with("FROM ")).map(|at| (at, "Here is the updated Dockerfile:"))
            }
            "xml" | "svg" | "csproj" => None,
            _ if quotes(&text) => None,
            _ => {
                let places: Vec<usize> = (0..all.len()).filter(|at| closing.contains(&all[*at])).collect();
                one(&places, random).map(|at| (*at, ""))
            }
        };
        let (after, what) = match damaged {
            Some((at, "")) => {
                (joined(&[&all[..at], &all[at + 1..]].concat()), format!("lost line {}: {}", at + 1, all[at]))
            }
            Some((at, line)) => (joined(&[&all[..at], &[line], &all[at..]].concat()), "prose in it".to_owned()),
            None if matches!(name, "xml" | "svg" | "csproj") => {
                let Some(at) = text.rfind("</") else { continue };
                if text.contains("{{") || text.contains("<%") || text.contains("CDATA") {
                    continue;
                }
                (text[..at].to_owned(), "lost its last tag".to_owned())
            }
            None => continue,
        };
        return Some(Planted::new(&path, after, name, what));
    }
    None
}
