//! Lock files and their manifests, out of step.

use super::block::{joined, lines};
use super::{Files, Planted, Random, is_own, one};

/// The whole file, however large.
fn text(files: &Files, path: &str) -> Option<String> {
    String::from_utf8(files.objects.blob(files.entry(path)?.oid).ok()?.to_vec()).ok()
}

/// One of the folders that have both files, and the texts of both.
fn pair(files: &Files, random: &mut Random, manifest: &str, lock: &str) -> Option<(String, String, String)> {
    let folders: Vec<&str> = files
        .paths()
        .filter(|path| is_own(path) && !path.contains("test") && !path.contains("example"))
        .filter_map(|path| path.strip_suffix(lock))
        .filter(|folder| folder.is_empty() || folder.ends_with('/'))
        .collect();
    let folder = *one(&folders, random)?;
    Some((folder.to_owned(), text(files, &format!("{folder}{manifest}"))?, text(files, &format!("{folder}{lock}"))?))
}

/// A manifest, its lock, the lines behind which a dependency goes, and the dependency.
#[rustfmt::skip]
const AHEAD: [(&str, &str, &str, &str); 7] = [
    ("Cargo.toml", "Cargo.lock", "[dependencies]", "fast-schema-walker = \"1.2\""),
    ("package.json", "package-lock.json", "  \"dependencies\": {", "    \"fast-schema-walker\": \"^1.2.0\","),
    ("package.json", "yarn.lock", "  \"dependencies\": {", "    \"fast-schema-walker\": \"^1.2.0\","),
    ("package.json", "pnpm-lock.yaml", "  \"dependencies\": {", "    \"fast-schema-walker\": \"^1.2.0\","),
    ("go.mod", "go.sum", "require (", "\tgithub.com/fastkit/schema-walker v1.2.0"),
    ("composer.json", "composer.lock", "    \"require\": {", "        \"fastkit/schema-walker\": \"^1.2\","),
    ("pyproject.toml", "uv.lock", "dependencies = [", "    \"fast-schema-walker>=1.2\","),
];

pub fn manifest_ahead(files: &Files, random: &mut Random) -> Option<Planted> {
    for _ in 0..AHEAD.len() * 2 {
        let (manifest, lock, behind, line) = one(&AHEAD, random)?;
        let Some((folder, before, _)) = pair(files, random, manifest, lock) else { continue };
        let all = lines(&before);
        let Some(at) = all.iter().position(|line| line == behind) else { continue };
        let mut line = (*line).to_owned();
        if all.get(at + 1).is_none_or(|next| next.trim_start().starts_with('}')) {
            line = line.trim_end_matches(',').to_owned();
        }
        let after = joined(&[&all[..=at], &[line.as_str()], &all[at + 1..]].concat());
        return Some(Planted::new(&format!("{folder}{manifest}"), after, *lock, line.trim()));
    }
    None
}

/// An entry of `Cargo.lock` by its lines, without the blank one behind it.
fn entries(all: &[&str]) -> Vec<std::ops::Range<usize>> {
    let starts: Vec<usize> = (0..all.len()).filter(|at| all[*at] == "[[package]]").collect();
    let end = |at: usize| {
        (at + 1..all.len()).find(|at| all[*at].is_empty() || all[*at].starts_with('[')).unwrap_or(all.len())
    };
    starts.into_iter().map(|at| at..end(at)).collect()
}

fn field<'t>(lines: &[&'t str], key: &str) -> Option<&'t str> {
    lines.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'))
}

/// `Cargo.lock` with one of its entries from the registry changed.
fn cargo(
    files: &Files,
    random: &mut Random,
    plant: impl Fn(&[&str], std::ops::Range<usize>) -> Option<(Vec<String>, String)>,
) -> Option<Planted> {
    let (folder, _, lock) = pair(files, random, "Cargo.toml", "Cargo.lock")?;
    let all = lines(&lock);
    let held: Vec<_> =
        entries(&all).into_iter().filter(|entry| field(&all[entry.clone()], "checksum").is_some()).collect();
    let (after, what) = plant(&all, one(&held, random)?.clone())?;
    Some(Planted::new(&format!("{folder}Cargo.lock"), joined(&after), "Cargo.lock", what))
}

fn owned(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// `key = "old"` of an entry becomes `key = "new"`.
fn replaced(
    all: &[&str],
    entry: std::ops::Range<usize>,
    key: &str,
    change: impl Fn(&str) -> String,
) -> Option<(Vec<String>, String)> {
    let at = entry.clone().find(|at| all[*at].starts_with(&format!("{key} = ")))?;
    let old = field(&all[entry.clone()], key)?;
    let new = change(old);
    let mut after = owned(all);
    after[at] = format!("{key} = \"{new}\"");
    Some((after, format!("{key} of {} is {new}", field(&all[entry], "name")?)))
}

/// The last digit of a version or of a digest, one up.
fn bumped(text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if let Some(last) = letters.iter_mut().rev().find(|c| c.is_ascii_digit()) {
        *last = if *last == '9' { '1' } else { (*last as u8 + 1) as char };
    }
    letters.into_iter().collect()
}

pub fn digest_stale(files: &Files, random: &mut Random) -> Option<Planted> {
    let npm = random.below(2) == 0;
    let planted = npm.then(|| {
        npm_lock(files, random, |all, entry| {
            let (version, resolved) = (key(all, &entry, "\"version\": \"")?, key(all, &entry, "\"resolved\": \"")?);
            let old = all[version].split('"').nth(3)?;
            let mut after = owned(all);
            after[version] = all[version].replace(old, &bumped(old));
            after[resolved] = all[resolved].replace(&format!("-{old}.tgz"), &format!("-{}.tgz", bumped(old)));
            (after[resolved] != all[resolved]).then(|| (after, format!("{old} is {}", bumped(old))))
        })
    });
    planted.flatten().or_else(|| cargo(files, random, |all, entry| replaced(all, entry, "version", bumped)))
}

pub fn digest_changed(files: &Files, random: &mut Random) -> Option<Planted> {
    cargo(files, random, |all, entry| replaced(all, entry, "checksum", bumped))
}

pub fn digest_malformed(files: &Files, random: &mut Random) -> Option<Planted> {
    cargo(files, random, |all, entry| replaced(all, entry, "checksum", |old| old[..old.len() - 3].to_owned()))
}

pub fn entry_twice(files: &Files, random: &mut Random) -> Option<Planted> {
    cargo(files, random, |all, entry| {
        let mut after = owned(&all[..entry.end]);
        after.push(String::new());
        after.extend(owned(&all[entry.start..]));
        Some((after, format!("{} stands there twice", field(&all[entry], "name")?)))
    })
}

pub fn entry_unneeded(files: &Files, random: &mut Random) -> Option<Planted> {
    cargo(files, random, |all, entry| {
        let mut after = owned(&all[..entry.start]);
        let digest = field(&all[entry.clone()], "checksum")?.chars().rev().collect::<String>();
        let source = field(&all[entry.clone()], "source")?;
        let fields = format!(
            "[[package]]\nname = \"fast-schema-walker\"\nversion = \"1.2.0\"\nsource = \"{source}\"\nchecksum = \"{digest}\"\n"
        );
        after.extend(fields.lines().map(str::to_owned));
        after.push(String::new());
        after.extend(owned(&all[entry.start..]));
        Some((after, "fast-schema-walker is locked, and nothing requires it".to_owned()))
    })
}

pub fn dependency_unlocked(files: &Files, random: &mut Random) -> Option<Planted> {
    cargo(files, random, |all, entry| {
        let name = field(&all[entry.clone()], "name")?;
        let required = all.iter().any(|line| line.trim() == format!("\"{name}\","));
        let alone = all.iter().filter(|line| **line == format!("name = \"{name}\"")).count() == 1;
        let end = (entry.end + 1).min(all.len());
        (required && alone).then(|| (owned(&[&all[..entry.start], &all[end..]].concat()), format!("{name} is gone")))
    })
}

pub fn version_mismatch(files: &Files, random: &mut Random) -> Option<Planted> {
    npm_lock(files, random, |all, entry| {
        let version = key(all, &entry, "\"version\": \"")?;
        let old = all[version].split('"').nth(3)?;
        let resolved = key(all, &entry, "\"resolved\": \"")?;
        all[resolved].contains(&format!("-{old}.tgz")).then_some(())?;
        let mut after = owned(all);
        after[version] = all[version].replace(old, &bumped(old));
        Some((after, format!("{old} is {}", bumped(old))))
    })
}

fn key(all: &[&str], entry: &std::ops::Range<usize>, start: &str) -> Option<usize> {
    entry.clone().find(|at| all[*at].trim_start().starts_with(start))
}

fn npm_lock(
    files: &Files,
    random: &mut Random,
    plant: impl Fn(&[&str], std::ops::Range<usize>) -> Option<(Vec<String>, String)>,
) -> Option<Planted> {
    let (folder, _, lock) = pair(files, random, "package.json", "package-lock.json")?;
    let all = lines(&lock);
    let starts: Vec<usize> =
        (0..all.len()).filter(|at| all[*at].starts_with("    \"node_modules/") && all[*at].ends_with('{')).collect();
    let at = *one(&starts, random)?;
    let end = (at..all.len()).find(|at| all[*at].starts_with("    }"))?;
    key(&all, &(at..end), "\"integrity\": ")?;
    let (after, what) = plant(&all, at..end)?;
    Some(Planted::new(&format!("{folder}package-lock.json"), joined(&after), "package-lock.json", what))
}
