//! Lines of a README that tell how parts of one project are installed, each with the same version.

use guard_sdk::{Change, Finding};

use crate::place::version_of;
use crate::{Edited, Settings, edited, own};

/// A line by which something is installed: `group:name:1.2.3`, `name@1.2.3`, `name==1.2.3`, `name = "1.2.3"`.
#[derive(Debug, Clone, PartialEq)]
struct Install {
    name: String,
    version: String,
    line: u32,
}

fn is_readme(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with("readme") && (name.ends_with(".md") || name.ends_with(".rst") || name.ends_with(".adoc"))
}

/// None: the change moves no version in such a line.
pub fn find(change: &Change, held: &Settings) -> Option<Vec<Finding>> {
    let found: Vec<Vec<Finding>> = edited(change, held, is_readme).iter().filter_map(of_file).collect();
    (!found.is_empty()).then(|| found.concat())
}

fn of_file(file: &Edited) -> Option<Vec<Finding>> {
    let (old, new) = (installs(&file.before), installs(&file.after));
    let count = |all: &[Install], name: &str, version: &str| {
        all.iter().filter(|one| one.name == name && one.version == version).count()
    };
    let fewer = |one: &&Install| count(&new, &one.name, &one.version) < count(&old, &one.name, &one.version);
    let became = |one: &Install| {
        let more = |is: &&Install| count(&new, &is.name, &is.version) > count(&old, &is.name, &is.version);
        new.iter().filter(more).find(|is| is.name == one.name && is.version != one.version)
    };
    let moved: Vec<(&Install, &Install)> =
        old.iter().filter(fewer).filter_map(|one| Some((one, became(one)?))).collect();
    if moved.is_empty() {
        return None;
    }
    let left = |was: &Install| {
        let is_left = |one: &&Install| {
            one.version == was.version
                && are_of_one_project(&one.name, &was.name)
                && count(&old, &one.name, &one.version) > 0
        };
        new.iter().filter(is_left).collect::<Vec<_>>()
    };
    let moved = moved.into_iter().filter(|(was, _)| !own::is_common(&was.version));
    let (was, is, left) = match moved.map(|(was, is)| (was, is, left(was))).find(|(.., left)| !left.is_empty()) {
        Some(found) => found,
        None => return Some(Vec::new()),
    };
    let (path, first) = (file.path, left[0]);
    let message = format!(
        "`{}` moves from {} to {}, and line {} of {path} still says {} of `{}`",
        was.name, was.version, is.version, first.line, was.version, first.name
    );
    let finding = Finding::error("version-left-behind", message)
        .at(path, is.line)
        .help(format!("Set line {} of {path} to {} as well, or leave the version alone.", first.line, is.version));
    let with = |finding: Finding, one: &&Install| {
        finding.related(path, one.line..=one.line, format!("`{}` is {}", one.name, one.version))
    };
    Some(vec![left.iter().fold(finding, with)])
}

/// Whether two names share a word that tells something, such as the group of an artifact or the scope of a package.
fn are_of_one_project(a: &str, b: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() >= 4);
        words.map(str::to_ascii_lowercase).collect()
    };
    let others = words(b);
    words(a).iter().any(|word| others.contains(word))
}

fn installs(text: &str) -> Vec<Install> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
            let rest = &text[start..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".-+".contains(c))).unwrap_or(rest.len());
            at = start + end.max(1);
            let is_inside = start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'.');
            let is_v =
                start > 0 && bytes[start - 1] == b'v' && !(start > 1 && bytes[start - 2].is_ascii_alphanumeric());
            let Some(version) = version_of(rest[..end].trim_end_matches(['.', '-'])) else { continue };
            let before = &text[..if is_v { start - 1 } else { start }];
            if let Some(name) = name(before).filter(|_| is_v || !is_inside) {
                found.push(Install { name, version, line });
            }
        }
    }
    found
}

/// The name before a version, if a sign between them says that it is one of that name.
fn name(before: &str) -> Option<String> {
    let is_quoted = before.ends_with(['"', '\'']);
    let open = before.trim_end_matches(['"', '\'']);
    let named = match (open.strip_suffix("=="), open.strip_suffix([':', '@'])) {
        (Some(named), _) => named,
        (_, Some(named)) if !is_quoted => named,
        _ => open.trim_end().strip_suffix('=').filter(|_| is_quoted)?.trim_end(),
    };
    let start = named.rfind(|c: char| !(c.is_ascii_alphanumeric() || "_.:/@-[]".contains(c))).map_or(0, |at| at + 1);
    let name = named[start..].trim_start_matches('[');
    (name != "version" && name.contains(|c: char| c.is_ascii_alphabetic())).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed() {
        for (text, said) in [
            ("implementation(\"com.a.big:cache:3.2.4\")", "com.a.big:cache 3.2.4"),
            ("npm install @scope/tool@v1.4.2", "@scope/tool 1.4.2"),
            ("pip install \"tool[all]==1.4.2\"", "tool[all] 1.4.2"),
            ("tool = \"1.4.2\"", "tool 1.4.2"),
            ("tool = { version = \"1.4.2\" }", ""),
            ("Since 1.4.2 it is fast, see 127.0.0.1.", ""),
            ("![a](https://img.shields.io/badge/v-1.4.2-blue)", ""),
        ] {
            let one = |one: Install| format!("{} {}", one.name, one.version);
            assert_eq!(installs(text).into_iter().map(one).collect::<Vec<_>>().join(", "), said, "{text}");
        }
    }
}
