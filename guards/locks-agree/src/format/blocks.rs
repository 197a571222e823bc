//! `Cargo.lock`, `poetry.lock` and `uv.lock`: TOML in the one form that their tools write.

use crate::lock::{Digest, Entry, Lock, Root, canonical};

/// A `[[package]]` with its sub-tables.
struct Block<'t> {
    line: u32,
    /// Each with the sub-table that it stands in: `metadata.requires-dev`.
    lines: Vec<(&'t str, &'t str)>,
}

impl<'t> Block<'t> {
    /// The text at a key of the block itself.
    fn text(&self, key: &str) -> Option<&'t str> {
        let own = self.lines.iter().filter(|(table, _)| table.is_empty());
        own.filter_map(|(_, line)| value(line, key)).next()
    }

    /// The lines of a list at a key, in one line or in several.
    fn list(&self, table: &str, key: &str) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut is_open = false;
        for (_, line) in self.lines.iter().filter(|(of, _)| *of == table) {
            if is_open {
                is_open = *line != "]";
                found.extend(is_open.then_some(*line));
            } else if let Some(rest) = line.strip_prefix(key).and_then(|rest| rest.trim_start().strip_prefix('=')) {
                is_open = rest.trim() == "[";
                found.extend((!is_open).then_some(rest));
            }
        }
        found
    }
}

/// The text in quotes behind `key = `.
fn value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let rest = line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    rest.split_once('"').map(|(value, _)| value)
}

/// The text in quotes behind `key = ` anywhere in the line.
fn inline<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let mut rest = line;
    while let Some(at) = rest.find(key) {
        let is_key = at == 0 || rest[..at].ends_with([' ', '{', ',']);
        if let Some(value) = value(&rest[at..], key).filter(|_| is_key) {
            return Some(value);
        }
        rest = &rest[at + key.len()..];
    }
    None
}

/// The blocks, and the lines outside of them.
fn blocks(text: &str) -> (Vec<Block<'_>>, Vec<&str>) {
    let (mut blocks, mut others): (Vec<Block>, Vec<&str>) = Default::default();
    let mut table: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line == "[[package]]" {
            blocks.push(Block { line: number, lines: Vec::new() });
            table = Some("");
        } else if line.starts_with('[') && line.ends_with(']') && !line.contains(['"', ',', '{']) && line.len() > 2 {
            let name = line.trim_matches(['[', ']']);
            table = name.strip_prefix("package.").filter(|_| !blocks.is_empty());
            others.push(line);
        } else if let (Some(table), Some(block)) = (table, blocks.last_mut()) {
            block.lines.push((table, line));
        } else {
            others.push(line);
        }
    }
    (blocks, others)
}

fn entry(block: &Block) -> Option<Entry> {
    let text = |key: &str| block.text(key).unwrap_or_default().to_owned();
    Some(Entry {
        name: block.text("name")?.to_owned(),
        version: text("version"),
        source: text("source"),
        line: block.line,
        ..Entry::default()
    })
}

pub fn cargo(text: &str) -> Option<Lock> {
    let (blocks, others) = blocks(text);
    let mut lock = Lock::default();
    // The first format keeps its digests in a table of their own.
    if others.contains(&"[metadata]") {
        return None;
    }
    for block in &blocks {
        let mut entry = entry(block)?;
        entry.digests.extend(block.text("checksum").map(|checksum| Digest::hex(checksum, 64)));
        let requires = block.list("", "dependencies").into_iter().flat_map(|line| line.split('"').skip(1).step_by(2));
        entry.requires = requires.map(|name| name.split(" (").next().unwrap_or(name).to_owned()).collect();
        entry.is_own = entry.source.is_empty();
        if entry.is_own {
            let root = |name: &String| {
                let (name, version) = name.split_once(' ').unwrap_or((name, ""));
                Root { of: entry.name.clone(), name: name.to_owned(), requirement: version.to_owned() }
            };
            lock.roots.extend(entry.requires.iter().map(root));
        }
        lock.entries.push(entry);
    }
    Some(lock)
}

pub fn poetry(text: &str) -> Option<Lock> {
    let (blocks, others) = blocks(text);
    let mut lock = Lock {
        content: others.iter().find_map(|line| value(line, "content-hash")).map(str::to_owned),
        ..Lock::default()
    };
    for block in &blocks {
        let mut entry = entry(block)?;
        for line in block.list("", "files") {
            entry.addresses.extend(inline(line, "file").map(str::to_owned));
            entry.digests.extend(inline(line, "hash").map(Digest::prefixed));
        }
        lock.entries.push(entry);
    }
    Some(lock)
}

pub fn uv(text: &str) -> Option<Lock> {
    let (blocks, _) = blocks(text);
    let mut lock = Lock::default();
    for block in &blocks {
        let mut entry = entry(block)?;
        entry.source = block
            .lines
            .iter()
            .find(|(table, line)| table.is_empty() && line.starts_with("source"))
            .map_or("", |(_, line)| line)
            .to_owned();
        entry.is_own = ["editable", "virtual", "directory"].iter().any(|kind| entry.source.contains(kind));
        let sdist = block
            .lines
            .iter()
            .filter(|(table, line)| table.is_empty() && line.starts_with("sdist"))
            .map(|(_, line)| *line);
        for line in sdist.chain(block.list("", "wheels")) {
            entry.addresses.extend(inline(line, "url").map(str::to_owned));
            entry.digests.extend(inline(line, "hash").map(Digest::prefixed));
        }
        for (table, line) in &block.lines {
            if !table.starts_with("metadata") && line.contains("{ name = ") && !line.starts_with("source") {
                // Several of them may stand in one line.
                entry.requires.extend(
                    line.split("{ name = ").skip(1).filter_map(|rest| Some(rest.split('"').nth(1)?.to_owned())),
                );
            }
            if table.starts_with("metadata") {
                lock.roots.extend(line.split("{ name = ").skip(1).filter_map(|rest| {
                    let name = rest.split('"').nth(1)?;
                    let requirement = inline(rest.split(" }").next()?, "specifier").unwrap_or_default();
                    Some(Root {
                        of: canonical(&entry.name),
                        name: canonical(name),
                        requirement: requirement.to_owned(),
                    })
                }));
            }
        }
        lock.entries.push(entry);
    }
    Some(lock)
}
