//! Configuration, and what it names: included files, hooks, attributes and exclusions, wherever they lie.
//!
//! Conditions of includes are not evaluated, and no setting is taken to override another: what git would read under any condition is
//! watched. So is what does not exist yet.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::ConfigLevel;
use guardhost_os::{PATH_LIST_SEPARATOR, os_str, os_string};

use super::WatchedFolders;
use super::look::{Look, or_none, read_regular};

/// More files than any configuration has. What they include by and by is not watched.
const MOST: usize = 512;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WatchedSetting {
    path: PathBuf,
    name: PathBuf,
    extent: Extent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    File,
    /// A folder and what is in it, without what is in folders below it.
    Folder,
    Tree,
}

pub(super) fn look_at(settings: &[WatchedSetting], look: &mut Look<'_>) -> io::Result<()> {
    settings.iter().try_for_each(|WatchedSetting { path, name, extent }| {
        look.tree(path, name, &|entry| match extent {
            Extent::File => false,
            Extent::Folder => entry == name,
            Extent::Tree => true,
        })
    })
}

/// Every file and folder that steers git in this repository, as far as files say so.
pub(super) fn find(folders: &WatchedFolders) -> io::Result<Vec<WatchedSetting>> {
    let places = SettingPlaces::new();
    let mut found = SettingsFound { folders, settings: BTreeSet::new() };
    found.add(folders.common.join("hooks"), Extent::Tree)?;
    for name in ["info/attributes", "info/exclude"] {
        found.add(folders.common.join(name), Extent::File)?;
    }
    // Where git looks unless a setting names another file.
    let attributes = places.system.iter().map(|folder| folder.join("gitattributes"));
    let defaults = places.xdg.iter().flat_map(|folder| ["ignore", "attributes"].map(|name| folder.join(name)));
    attributes.chain(defaults).try_for_each(|path| found.add(path, Extent::File))?;

    let mut files = vec![folders.common.join("config"), folders.git.join("config.worktree")];
    files.extend(places.system.iter().map(|folder| folder.join("gitconfig")));
    files.extend(places.xdg.iter().map(|folder| folder.join("config")));
    files.extend(places.home.iter().map(|folder| folder.join(".gitconfig")));
    let mut read = BTreeSet::new();
    while let Some(file) = files.pop().filter(|_| read.len() < MOST) {
        if !read.insert(file.clone()) {
            continue;
        }
        found.add(file.clone(), Extent::File)?;
        let text = read_regular(&file)?.unwrap_or_default();
        for (named, value) in named(&text) {
            let base = match named {
                SettingTarget::Include => file.parent().unwrap_or(Path::new("/")),
                SettingTarget::Hooks | SettingTarget::File => folders.root(),
            };
            let Some(path) = places.resolve(value, base) else { continue };
            match named {
                SettingTarget::Include => files.push(path),
                SettingTarget::Hooks => found.add(path, Extent::Folder)?,
                SettingTarget::File => found.add(path, Extent::File)?,
            }
        }
    }
    Ok(found.settings.into_iter().collect())
}

struct SettingsFound<'a> {
    folders: &'a WatchedFolders,
    settings: BTreeSet<WatchedSetting>,
}

impl SettingsFound<'_> {
    /// With the targets of links: of the path itself, and of what is in the folder.
    fn add(&mut self, path: PathBuf, extent: Extent) -> io::Result<()> {
        let mut paths = vec![(path.clone(), extent)];
        if extent != Extent::File {
            for entry in or_none_or_file(fs::read_dir(&path))?.into_iter().flatten() {
                let entry = entry?;
                if entry.file_type()?.is_symlink() {
                    paths.push((entry.path(), Extent::File));
                }
            }
        }
        for (path, extent) in paths {
            // What cannot be resolved leads nowhere yet; whatever changes that changes a link.
            let target = fs::canonicalize(&path).ok().filter(|target| *target != path);
            for path in [Some(path), target].into_iter().flatten() {
                let name = self.folders.name_of(&path);
                self.settings.insert(WatchedSetting { path, name, extent });
            }
        }
        Ok(())
    }
}

fn or_none_or_file<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        other => or_none(other),
    }
}

/// Where git looks for configuration beside the repository's own.
struct SettingPlaces {
    system: Vec<PathBuf>,
    xdg: Vec<PathBuf>,
    home: Vec<PathBuf>,
}

impl SettingPlaces {
    fn new() -> Self {
        let at = |level| {
            // SAFETY: reads libgit2's search path; nothing in this program sets it.
            let paths = unsafe { git2::opts::get_search_path(level) };
            let paths = paths.map(|paths| paths.into_bytes()).unwrap_or_default();
            let paths = paths.split(|byte| *byte == PATH_LIST_SEPARATOR).filter(|path| !path.is_empty());
            paths.map(|path| PathBuf::from(os_str(path))).collect()
        };
        SettingPlaces { system: at(ConfigLevel::System), xdg: at(ConfigLevel::XDG), home: at(ConfigLevel::Global) }
    }

    /// None for what only git can resolve: `~user` and `%(prefix)`.
    fn resolve(&self, value: OsString, base: &Path) -> Option<PathBuf> {
        match value.as_encoded_bytes() {
            [] => None,
            [b'~', b'/', rest @ ..] => Some(self.home.first()?.join(os_str(rest))),
            [b'~', ..] => None,
            [b'%', b'(', ..] => None,
            _ => Some(base.join(value)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingTarget {
    /// Another file of configuration.
    Include,
    /// A folder of hooks.
    Hooks,
    File,
}

/// What a configuration file names, by git's rules for these files (git-config(1)).
fn named(text: &[u8]) -> Vec<(SettingTarget, OsString)> {
    let mut found = Vec::new();
    let mut section = Vec::new();
    let text = without_continuations(text);
    for line in text.split(|byte| *byte == b'\n') {
        let mut line = line.trim_ascii();
        if let Some(header) = line.strip_prefix(b"[") {
            let end = header.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
            section = header[..end.unwrap_or(header.len())].to_ascii_lowercase();
            line = after_header(header).trim_ascii();
        }
        let Some(at) = line.iter().position(|byte| *byte == b'=') else { continue };
        let key = line[..at].trim_ascii().to_ascii_lowercase();
        let named = match (section.as_slice(), key.as_slice()) {
            (b"include" | b"includeif", b"path") => SettingTarget::Include,
            (b"core", b"hookspath") => SettingTarget::Hooks,
            // A program that git runs, unless it is a truth value.
            (b"core", b"attributesfile" | b"excludesfile" | b"fsmonitor") => SettingTarget::File,
            _ => continue,
        };
        found.push((named, os_string(value(&line[at + 1..]))));
    }
    found
}

fn without_continuations(text: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        joined.extend_from_slice(&rest[..at]);
        rest = match &rest[at + 1..] {
            [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => rest,
            [next, rest @ ..] => {
                joined.extend_from_slice(&[b'\\', *next]);
                rest
            }
            [] => &[],
        };
    }
    joined.extend_from_slice(rest);
    joined
}

/// What follows `]` in the line of a header, of which the subsection's name may contain any byte between its quotes.
fn after_header(header: &[u8]) -> &[u8] {
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in header.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b']' if !quoted => return &header[at + 1..],
            _ => {}
        }
    }
    &[]
}

/// Without quotes, escapes, comment, and the white space around it.
fn value(text: &[u8]) -> Vec<u8> {
    let mut value = Vec::new();
    // The length without white space that no quotes hold.
    let mut kept = 0;
    let mut quoted = false;
    let mut bytes = text.trim_ascii_start().iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' | b';' if !quoted => break,
            b'\\' => value.extend(bytes.next().map(|escaped| match escaped {
                b'n' => b'\n',
                b't' => b'\t',
                b'b' => 8,
                other => *other,
            })),
            other => value.push(*other),
        }
        if quoted || !byte.is_ascii_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_configuration_names_is_found_however_it_is_written() {
        let text = br#"
            path = none
            [core]
                hooksPath = ~/hooks # comment
                ATTRIBUTESFILE="a b;c" ; comment
                excludesfile = C:\\x\
y
            [include] path = one
            [includeIf "gitdir:~/a]\"b/"] path = two
            [includeif "onbranch:x"]
                Path = "three "
            [submodule "x"]
                path = none
        "#;
        let expected = [
            (SettingTarget::Hooks, "~/hooks"),
            (SettingTarget::File, "a b;c"),
            (SettingTarget::File, "C:\\xy"),
            (SettingTarget::Include, "one"),
            (SettingTarget::Include, "two"),
            (SettingTarget::Include, "three "),
        ];
        assert_eq!(named(text), expected.map(|(named, value)| (named, value.into())));
    }
}
