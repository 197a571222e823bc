//! Files that do not parse any more, one format as often as the other.

use super::block::{joined, lines};
use super::verify::{Format, parses};
use super::{Files, Planted, Random, is_own, one};

type Damage = fn(&[&str], Format, &mut Random) -> Option<String>;

const DAMAGES: [(&str, Damage); 10] = [
    ("cut short", cut_short),
    ("bracket lost", |all, _, random| {
        edit(all, random, |line| line.ends_with([')', ']', '}']), |line| line[..line.len() - 1].to_owned())
    }),
    ("quote lost", |all, _, random| {
        edit(all, random, |line| line.matches('"').count() == 2, |line| line.replacen('"', "", 1))
    }),
    ("end of line lost", |all, _, random| {
        edit(all, random, |line| line.ends_with([':', ',', ';', '{']), |line| line[..line.len() - 1].to_owned())
    }),
    ("indented wrongly", |all, _, random| edit(all, random, |line| line.starts_with("  "), |line| format!(" {line}"))),
    ("quotes mangled", |all, _, random| {
        edit(all, random, |line| line.contains("\"\"\""), |line| line.replacen("\"\"\"", "\"\">", 1))
    }),
    ("prose in it", |all, _, random| {
        let prose = one(&["Here is the updated file:", "Sure! Here's the code you asked for.", "```"], random)?;
        Some(joined(&[&[*prose], all].concat()))
    }),
    ("comma too many", |all, _, random| {
        edit(
            all,
            random,
            |line| line.trim_end().ends_with(['"', 'e', '}', ']']) && !line.trim().is_empty(),
            |line| format!("{line},,"),
        )
    }),
    ("equals for colon", |all, format, random| {
        let (from, to) = if matches!(format, Format::Toml | Format::Ini) { (" = ", ": ") } else { (": ", " = ") };
        edit(all, random, |line| line.contains(from), |line| line.replacen(from, to, 1))
    }),
    ("unquoted value", |all, _, random| {
        edit(all, random, |line| line.matches('"').count() == 2 && line.contains('='), |line| line.replace('"', ""))
    }),
];

pub fn broken(files: &Files, random: &mut Random) -> Option<Planted> {
    let format = *one(&Format::ALL, random)?;
    let real = files.some(random, |path| is_own(path) && Format::from_path(path) == Some(format) && !on_purpose(path));
    let made = if real.is_empty() { derived(files, format, random) } else { None };
    for (path, text, base) in real.into_iter().map(|(path, text)| (path, text, None)).chain(made) {
        if text.lines().count() < 3 || parses(format, &text) != Some(true) {
            continue;
        }
        for _ in 0..6 {
            let (name, damage) = one(&DAMAGES, random)?;
            let Some(after) = damage(&lines(&text), format, random) else { continue };
            if after != text && parses(format, &after) == Some(false) {
                let planted = Planted::new(&path, after, format.name(), *name);
                return Some(Planted { base, ..planted });
            }
        }
    }
    None
}

/// Broken files are what some tests are about.
fn on_purpose(path: &str) -> bool {
    ["invalid", "broken", "malformed", "error", "bad", "fail"].iter().any(|word| path.to_lowercase().contains(word))
}

/// Formats that few repositories have, made of what a tree's JSON holds.
fn derived(files: &Files, format: Format, random: &mut Random) -> Option<(String, String, Option<String>)> {
    if !matches!(format, Format::Ndjson | Format::Json5 | Format::Jsonc | Format::Ini) {
        return None;
    }
    let found = files.some(random, |path| is_own(path) && path.ends_with("package.json"));
    let (_, text) = found.into_iter().next()?;
    let value: serde_json::Value = serde_json::from_str(&text).ok()?;
    let members = value.as_object()?;
    let scalars = members.iter().filter(|(_, value)| value.is_string());
    let text = match format {
        Format::Ndjson => {
            members.iter().map(|(key, value)| format!("{}\n", serde_json::json!({ key: value }))).collect()
        }
        Format::Json5 => format!(
            "// settings\n{}\n",
            scalars
                .map(|(key, value)| format!("  '{key}': {value},\n"))
                .fold("{\n".to_owned(), |all, line| all + &line)
                + "}"
        ),
        Format::Jsonc => format!("// settings\n{value:#}\n"),
        _ => scalars
            .filter(|(key, _)| key.chars().all(char::is_alphanumeric))
            .map(|(key, value)| format!("{key} = {}\n", value.as_str().unwrap_or_default()))
            .fold("[metadata]\n".to_owned(), |all, line| all + &line),
    };
    let path = match format {
        Format::Ndjson => "data.ndjson",
        Format::Json5 => "settings.json5",
        Format::Jsonc => "settings.jsonc",
        _ => "setup.cfg",
    };
    (!files.has(path)).then(|| (path.to_owned(), text.clone(), Some(text)))
}

/// Between a fifth of the file and its last line, at times in the middle of a line.
fn cut_short(all: &[&str], _: Format, random: &mut Random) -> Option<String> {
    let from = all.len() / 5;
    let end = from + random.below(all.len() - from);
    let mut text = joined(&all[..end]);
    if random.below(2) == 0 {
        let line = all.get(end)?;
        text.extend(line.chars().take(line.chars().count() / 2));
    }
    Some(text)
}

/// One line of those that suit, changed.
fn edit(
    all: &[&str],
    random: &mut Random,
    suits: impl Fn(&str) -> bool,
    change: impl Fn(&str) -> String,
) -> Option<String> {
    let places: Vec<usize> = (0..all.len()).filter(|at| suits(all[*at])).collect();
    let at = *one(&places, random)?;
    let line = change(all[at]);
    Some(joined(&[&all[..at], &[line.as_str()], &all[at + 1..]].concat()))
}
