//! `requirements.txt` (<https://pip.pypa.io/en/stable/reference/requirements-file-format/>), with what it includes.

use guardhost_core::change::RepoPath;
use guardhost_core::error;

use super::super::DependencyKind;
use super::super::declared::{Declared, ManifestSource};

/// Files that one requirements file may include, directly or not.
const MAX_INCLUDES: usize = 32;

pub fn requirements(source: &ManifestSource) -> error::Result<Declared> {
    let mut declared = Declared::default();
    let name = String::from_utf8_lossy(source.path.file_name()).to_ascii_lowercase();
    let dev = ["dev", "test", "lint", "doc", "ci"].iter().any(|word| name.contains(word));
    let kind = if dev { DependencyKind::Dev } else { DependencyKind::Normal };
    read(source, &mut declared, kind, &mut vec![source.path.clone()])?;
    Ok(declared)
}

/// The requirements of a file beside `source`.
pub fn include(
    source: &ManifestSource,
    declared: &mut Declared,
    file: &str,
    kind: DependencyKind,
) -> error::Result<()> {
    follow(source, declared, file, kind, &mut Vec::new())
}

fn follow(
    source: &ManifestSource,
    declared: &mut Declared,
    file: &str,
    kind: DependencyKind,
    seen: &mut Vec<RepoPath>,
) -> error::Result<()> {
    let Some(path) = source.beside(file) else {
        declared.add_problem(format!("`{file}` is not inside the repository"));
        return Ok(());
    };
    if seen.contains(&path) {
        return Ok(());
    }
    if seen.len() == MAX_INCLUDES {
        declared.add_problem(format!("includes more than {MAX_INCLUDES} files"));
        return Ok(());
    }
    seen.push(path.clone());
    match source.read(&path)? {
        Ok(text) => read(&source.other(&path, &text), declared, kind, seen)?,
        Err(problem) => declared.add_problem(format!("cannot include `{file}`: {problem}")),
    }
    Ok(())
}

fn read(
    source: &ManifestSource,
    declared: &mut Declared,
    kind: DependencyKind,
    seen: &mut Vec<RepoPath>,
) -> error::Result<()> {
    let joined = source.text.replace("\\\r\n", "").replace("\\\n", "");
    for line in joined.lines().map(without_comment).filter(|line| !line.is_empty()) {
        let (option, value) = option(line);
        match option {
            Some("-r" | "--requirement") => follow(source, declared, value, kind, seen)?,
            // A local project has its own manifest; a URL may name its package (`#egg=`).
            Some("-e" | "--editable") => from_url(declared, value, kind),
            Some("-i" | "--index-url" | "--extra-index-url" | "-f" | "--find-links") => declared.has_own_index = true,
            // Hashes and constraints declare no dependency.
            Some(_) => {}
            None => {
                // Options of a requirement follow it on the line.
                let requirement = line.split(" --").next().unwrap_or(line).trim();
                let local =
                    requirement.starts_with(['.', '/']) || requirement.contains("://") && !requirement.contains('@');
                if local || requirement.starts_with("git+") {
                    from_url(declared, requirement, kind);
                } else {
                    declared.require(requirement, kind);
                }
            }
        }
    }
    Ok(())
}

/// A `#` begins a comment at the line's start or after white space.
fn without_comment(line: &str) -> &str {
    let starts = |(at, _): &(usize, &str)| *at == 0 || line[..*at].ends_with([' ', '\t']);
    let comment = line.match_indices('#').find(starts);
    comment.map_or(line, |(at, _)| &line[..at]).trim()
}

/// `-r file`, `-rfile`, `--requirement=file`.
fn option(line: &str) -> (Option<&str>, &str) {
    if let Some(long) = line.strip_prefix("--") {
        let end = long.find(['=', ' ']).map_or(line.len(), |end| end + 2);
        return (Some(&line[..end]), line[end..].trim_start_matches(['=', ' ']).trim());
    }
    if line.starts_with('-') && line.is_char_boundary(2) {
        return (Some(&line[..2]), line[2..].trim_start_matches(['=', ' ']).trim());
    }
    (None, line)
}

/// `…#egg=name`, or a wheel's file name, which begins with the name.
fn from_url(declared: &mut Declared, url: &str, kind: DependencyKind) {
    let plain = |text: &str| text.split(['&', '[', ';', ' ', '-']).next().unwrap_or_default().to_owned();
    let name = match url.split_once("egg=") {
        Some((_, egg)) => Some(egg.split(['&', '[', ';', ' ']).next().unwrap_or_default().to_owned()),
        None if url.ends_with(".whl") => url.rsplit('/').next().map(plain),
        None => None,
    };
    if let Some(name) = name {
        declared.add(&name, url, kind);
    }
}
