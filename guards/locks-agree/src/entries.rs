//! What is wrong with the entries of one lock file.

use std::collections::{HashMap, HashSet};

use crate::lock::{Entry, Format, Lock, canonical};
use crate::problem::Problem;

const BY_HAND: &str = "Do not write lock files by hand: put the file back as it was, and let the tool write it";

pub fn help(format: Format) -> String {
    format!("{BY_HAND} (`{}`).", format.command())
}

/// Problems of one side.
pub fn problems(format: Format, lock: &Lock) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: HashSet<[&str; 4]> = HashSet::new();
    let mut by_digest: HashMap<&str, &Entry> = HashMap::new();
    for entry in &lock.entries {
        let title = format!("{} {}", entry.name, entry.version);
        for digest in entry.digests.iter().filter(|digest| !digest.is_well_formed()) {
            let message = format!("the digest of {title} is no digest: `{}`", shown(&digest.value));
            problems.push(Problem::error("digest-malformed", digest.value.clone(), entry.line, message, help(format)));
        }
        if let Some(address) = entry.addresses.iter().find(|address| names_another_version(entry, address)) {
            let file = address.rsplit('/').next().unwrap_or(address);
            let message = format!("{title} comes from `{file}`, which is another version");
            problems.push(Problem::error(
                "version-mismatch",
                format!("{title}:{file}"),
                entry.line,
                message,
                help(format),
            ));
        }
        let identity = [&entry.name, &entry.version, &entry.source, &entry.variant].map(String::as_str);
        if tells_apart(format) && !seen.insert(identity) {
            let message = format!("{title} is there twice");
            problems.push(Problem::error("entry-twice", title.clone(), entry.line, message, help(format)));
        }
        for digest in entry.digests.iter().filter(|digest| digest.is_well_formed()) {
            let other = by_digest.insert(&digest.value, entry);
            if let Some(other) = other.filter(|other| other.name == entry.name && is_other(other, entry)) {
                let message = format!("{title} has the digest of {} {}", other.name, other.version);
                problems.push(Problem::error(
                    "digest-stale",
                    format!("{title}:{}", other.version),
                    entry.line,
                    message,
                    help(format),
                ));
            }
        }
    }
    if format.locks_all() {
        problems.extend(needs(format, lock));
    }
    problems
}

fn shown(value: &str) -> String {
    value.chars().take(24).collect()
}

/// Two entries of a package that cannot be the same file. A `go.mod` may stay as it was in a new version.
fn is_other(one: &Entry, other: &Entry) -> bool {
    one.version != other.version && ![one, other].iter().any(|entry| entry.version.ends_with("/go.mod"))
}

/// Whether two entries with one name, version, source and variant are one too many.
fn tells_apart(format: Format) -> bool {
    matches!(format, Format::Cargo | Format::Uv | Format::Go | Format::Pnpm | Format::Composer)
}

/// Whether a file's name ends in a version that is not the entry's.
fn names_another_version(entry: &Entry, address: &str) -> bool {
    let file = address.rsplit('/').next().unwrap_or_default().split(['#', '?']).next().unwrap_or_default();
    let Some(stem) = file.strip_suffix(".tgz").filter(|_| address.contains("/-/")).or_else(|| python_file(file)) else {
        return false;
    };
    let short = entry.name.rsplit('/').next().unwrap_or(&entry.name);
    if canonical(stem).strip_prefix(&canonical(short)).is_none()
        || !file.ends_with(".tgz") && entry.version.contains(['+', '!'])
    {
        return false;
    }
    let rest = &stem[short.len().min(stem.len())..];
    let version = rest.trim_start_matches(['-', '_']);
    let begins_with_digit = version.starts_with(|c: char| c.is_ascii_digit());
    let plain = |text: &str| text.to_ascii_lowercase().replace(['_', '-', '+'], ".");
    let (version, wanted) = (plain(version), plain(&entry.version));
    if file.ends_with(".tgz") {
        return begins_with_digit && version != wanted && !wanted.is_empty();
    }
    // A wheel goes on with its tags; an old source file may write the version in other ways.
    begins_with_digit && !version.starts_with(&wanted) && version.chars().next() != wanted.chars().next()
}

/// The stem of a wheel or of a source file of Python.
fn python_file(file: &str) -> Option<&str> {
    [".whl", ".tar.gz"].iter().find_map(|end| file.strip_suffix(end))
}

/// Names that are required and not there, and entries that nothing requires.
fn needs(format: Format, lock: &Lock) -> Vec<Problem> {
    let mut versions: HashMap<&str, Vec<&str>> = HashMap::new();
    lock.entries.iter().for_each(|entry| versions.entry(&entry.name).or_default().push(&entry.version));
    let mut required: HashSet<&str> = lock.roots.iter().map(|root| root.name.as_str()).collect();
    let mut problems = Vec::new();
    for entry in &lock.entries {
        for needed in &entry.requires {
            let (name, version) = needed.split_once(' ').unwrap_or((needed, ""));
            required.insert(name);
            let found = versions.get(name);
            let is_there = found.is_some_and(|versions| version.is_empty() || versions.contains(&version));
            if !is_there && (format != Format::Npm || !entry.is_own) {
                let message =
                    format!("{} {} requires {needed}, and the lock file does not have it", entry.name, entry.version);
                problems.push(Problem::error(
                    "dependency-unlocked",
                    format!("{}:{needed}", entry.name),
                    entry.line,
                    message,
                    help(format),
                ));
            }
        }
    }
    for entry in lock.entries.iter().filter(|entry| !entry.is_own && !required.contains(entry.name.as_str())) {
        // Names of Python's own requirements are written in many ways.
        if format == Format::Uv && required.contains(canonical(&entry.name).as_str()) {
            continue;
        }
        let message = format!("nothing requires {} {}", entry.name, entry.version);
        problems.push(Problem::error("entry-unneeded", entry.name.clone(), entry.line, message, help(format)));
    }
    problems
}

/// What only the comparison of both sides shows.
pub fn changes(format: Format, before: &Lock, after: &Lock) -> Vec<Problem> {
    let mut old: HashMap<(&str, &str, &str), Vec<&Entry>> = HashMap::new();
    let mut by_digest: HashMap<&str, &Entry> = HashMap::new();
    for entry in &before.entries {
        old.entry((&entry.name, &entry.version, &entry.source)).or_default().push(entry);
        by_digest.extend(entry.digests.iter().map(|digest| (digest.value.as_str(), entry)));
    }
    let mut problems = Vec::new();
    let mut changed = 0;
    for entry in &after.entries {
        let title = format!("{} {}", entry.name, entry.version);
        let stale = entry.digests.iter().filter_map(|digest| by_digest.get(digest.value.as_str()));
        if let Some(other) = stale.into_iter().find(|other| other.name == entry.name && is_other(other, entry)) {
            let message = format!(
                "{} was {} and is now {}, and its digest is still the same",
                entry.name, other.version, entry.version
            );
            problems.push(Problem::error(
                "digest-stale",
                format!("{title}:{}", other.version),
                entry.line,
                message,
                help(format),
            ));
        }
        let Some(was) = old.get(&(entry.name.as_str(), entry.version.as_str(), entry.source.as_str())) else {
            continue;
        };
        // npm installs one version in several folders, and old entries of it may have an older kind of digest.
        if was.iter().all(|was| is_changed(format, was, entry)) {
            changed += 1;
            let message = format!("{title} is the version that it was, and has another digest");
            problems.push(Problem::error("digest-changed", title, entry.line, message, help(format)));
        }
    }
    // A tool that writes its file anew may change all digests at once.
    if before.generation != after.generation || changed > 10 && changed * 4 > after.entries.len() {
        problems.retain(|problem| problem.rule != "digest-changed");
    }
    problems
}

fn is_changed(format: Format, was: &Entry, is: &Entry) -> bool {
    if was.digests.is_empty()
        || is.digests.is_empty()
        || is.version.is_empty()
        || was.source.contains("git") && !was.source.contains("registry")
    {
        return false;
    }
    // Of files that a registry adds to a version, the older ones stay.
    let shared = is.digests.iter().any(|digest| was.digests.contains(digest));
    let comparable = is.digests.iter().any(|digest| was.digests.iter().any(|old| old.algorithm == digest.algorithm));
    comparable
        && !shared
        && (format.has_one_digest()
            || was.addresses.iter().any(|address| is.addresses.contains(address))
            || format == Format::Pipenv)
}
