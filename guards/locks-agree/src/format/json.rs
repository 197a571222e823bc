//! `package-lock.json`, `Pipfile.lock` and `composer.lock`.

use serde_json::{Map, Value};

use crate::lock::{Digest, Entry, Lock, Root};

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Lines of keys, found in one pass: each key is looked for behind the last one.
struct Lines<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn line(&mut self, key: &str) -> u32 {
        let needle = format!("\"{key}\": {{");
        if let Some(found) = self.text[self.at..].find(&needle) {
            self.line += self.text[self.at..self.at + found].bytes().filter(|byte| *byte == b'\n').count() as u32;
            self.at += found;
        }
        self.line
    }
}

pub fn npm(text_of: &str) -> Option<Lock> {
    let value: Value = serde_json::from_str(text_of).ok()?;
    let packages = value["packages"].as_object()?;
    let mut lock = Lock { generation: value["lockfileVersion"].to_string(), ..Lock::default() };
    let mut lines = Lines { text: text_of, at: 0, line: 1 };
    for (path, package) in packages {
        let line = lines.line(path);
        let Some((_, name)) = path.rsplit_once("node_modules/") else {
            lock.roots.extend(roots(path, package));
            continue;
        };
        let flag = |key: &str| package[key].as_bool() == Some(true);
        let mut entry = Entry {
            name: name.to_owned(),
            version: text(package, "version"),
            source: text(package, "resolved"),
            variant: path.clone(),
            line,
            is_own: flag("link") || flag("inBundle") || flag("extraneous") || flag("optional"),
            ..Entry::default()
        };
        entry.digests.extend(package["integrity"].as_str().map(Digest::integrity));
        entry.addresses.push(entry.source.clone());
        entry.requires = object(&package["dependencies"]).map(|(name, _)| name.clone()).collect();
        for soft in ["peerDependencies", "optionalDependencies"] {
            lock.roots.extend(object(&package[soft]).map(|(name, _)| Root {
                of: "?".into(),
                name: name.clone(),
                requirement: String::new(),
            }));
        }
        lock.entries.push(entry);
    }
    Some(lock)
}

fn roots<'v>(path: &'v str, package: &'v Value) -> impl Iterator<Item = Root> + 'v {
    ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"].into_iter().flat_map(
        move |section| {
            object(&package[section]).map(move |(name, requirement)| Root {
                of: path.to_owned(),
                name: name.clone(),
                requirement: requirement.as_str().unwrap_or_default().to_owned(),
            })
        },
    )
}

pub fn pipenv(text_of: &str) -> Option<Lock> {
    let value: Value = serde_json::from_str(text_of).ok()?;
    let mut lock = Lock { content: value["_meta"]["hash"]["sha256"].as_str().map(str::to_owned), ..Lock::default() };
    let mut lines = Lines { text: text_of, at: 0, line: 1 };
    for (section, packages) in object(&value).filter(|(section, _)| *section != "_meta") {
        for (name, package) in object(packages) {
            let hashes =
                package["hashes"].as_array().into_iter().flatten().filter_map(Value::as_str).map(Digest::prefixed);
            lock.entries.push(Entry {
                // The same package may be locked for two sections.
                name: name.clone(),
                source: section.clone(),
                version: text(package, "version"),
                digests: hashes.collect(),
                line: lines.line(name),
                ..Entry::default()
            });
        }
    }
    Some(lock)
}

pub fn composer(text_of: &str) -> Option<Lock> {
    let value: Value = serde_json::from_str(text_of).ok()?;
    let mut lock = Lock { content: value["content-hash"].as_str().map(str::to_owned), ..Lock::default() };
    for section in ["packages", "packages-dev"] {
        for package in value[section].as_array().into_iter().flatten() {
            let mut entry =
                Entry { name: text(package, "name"), version: text(package, "version"), line: 1, ..Entry::default() };
            let sum = text(&package["dist"], "shasum");
            entry.digests.extend((!sum.is_empty()).then(|| Digest::hex(&sum, 40)));
            let needle = format!("\"name\": \"{}\"", entry.name);
            let above =
                text_of.find(&needle).map_or(0, |at| text_of[..at].bytes().filter(|byte| *byte == b'\n').count());
            entry.line = above as u32 + 1;
            lock.entries.push(entry);
        }
    }
    Some(lock)
}
