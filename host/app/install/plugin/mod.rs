//! A folder that agents take as a plugin: hooks, the MCP server, a skill. A team shares it, so it names no path of a machine.
//!
//! JSON has no comments in which a digest could stand, so a file of its own lists the digests of what was written.

mod files;

pub use files::{PluginFile, lines_for_agents};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use guardhost_core::component::Component;

use super::sealed::Authorship;
use super::target::FileKind;

/// The list, as `sha256sum --check` reads it.
const LIST: &str = "guardhost.sha256";

/// The first line of the list in a folder that was not there before; `sha256sum --check` reads it as a comment.
const MADE_FOLDER: &str = "# The folder was made for these files, and goes with them.\n";

/// Folders that are made for the files, deepest last, and go with them where they are empty.
pub(super) const MADE: [&str; 12] = [
    ".agents",
    ".agents/plugins",
    ".claude-plugin",
    "hooks",
    "plugin",
    "plugin/.claude-plugin",
    "plugin/.codex-plugin",
    "plugin/hooks",
    "plugin/skills",
    "plugin/skills/guardhost",
    "skills",
    "skills/guardhost",
];

/// The files of a plugin in this folder, and who wrote those that are there.
pub(super) fn files(folder: &Path) -> Vec<(PathBuf, FileKind)> {
    // What cannot be read is refused when it is to be written.
    let read = |path: &str| super::text(&folder.join(path)).ok().flatten();
    let list = read(LIST).unwrap_or_default();
    let makes_folder = !folder.exists() || list.starts_with(MADE_FOLDER);
    let listed = listed(&list).unwrap_or_default();
    let authorship = |file: PluginFile, text: &str| match listed.get(file.path()) {
        _ if text == file.text() => Authorship::Ours,
        Some(digest) if *digest == sha256(text) => Authorship::Ours,
        Some(_) => Authorship::Edited,
        None => Authorship::Other,
    };
    let of = |file: PluginFile| {
        let written = read(file.path()).map_or(Authorship::Ours, |text| authorship(file, &text));
        (folder.join(file.path()), FileKind::Plugin(file, written))
    };
    PluginFile::ALL.into_iter().map(of).chain([(folder.join(LIST), FileKind::PluginList { makes_folder })]).collect()
}

/// The list of what is written.
///
/// # Errors
/// A sentence: another file has its name.
pub(super) fn install_list(before: Option<&str>, makes_folder: bool) -> Result<String, String> {
    if before.is_some_and(|text| listed(text).is_none()) {
        Authorship::Other.may_be_written()?;
    }
    let head = if makes_folder { MADE_FOLDER } else { "" };
    let lines = PluginFile::ALL.into_iter().map(|file| format!("{}  {}\n", sha256(&file.text()), file.path()));
    Ok([head.to_owned()].into_iter().chain(lines).collect())
}

/// None: it is ours, and goes.
pub(super) fn remove_list(text: &str) -> Option<String> {
    listed(text).is_none().then(|| text.to_owned())
}

/// Digests by path. None for a file that is no such list.
fn listed(text: &str) -> Option<BTreeMap<&str, &str>> {
    let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let text = text.strip_prefix(MADE_FOLDER).unwrap_or(text);
    let lines = text.lines().map(|line| line.split_once("  ").filter(|(digest, _)| is_digest(digest)));
    lines.map(|line| line.map(|(digest, path)| (path, digest))).collect()
}

fn sha256(text: &str) -> String {
    Component::from(text.as_bytes()).digest().trim_start_matches("sha256:").to_owned()
}
