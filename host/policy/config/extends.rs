//! `[extends]`: rules that several repositories share. A copy lies in the repository, so that the base commit holds all that judges it:
//! nothing is fetched to judge, and whoever reviews an update sees which rules it changes.

use serde::Deserialize;
use toml::{Table, Value};

use super::{ComponentSource, Digest, FILE};
use crate::guard_files::in_repository;
use guardhost_core::change::RepoPath;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_core::renamed_guards::current_id;
use guardhost_core::setting::SettingPath;

/// Where the copy of shared rules lies that come from elsewhere.
pub const EXTENDED: &str = ".guards/extends.toml";

/// `[extends]` of `guards.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extends {
    /// A file on a web server, an artifact of a registry, or a file of this repository (`path:`).
    pub source: ComponentSource,
    /// Of the file. Whatever comes from elsewhere needs one.
    pub digest: Option<Digest>,
    /// Ids of its guards that do not judge here.
    #[serde(default)]
    pub without: Vec<String>,
}

/// Finds the file of shared rules, by its path from the root of the repository. None when there is none.
pub type ReadShared<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>>;

/// For rules that extend nothing.
///
/// # Errors
/// Never.
pub fn nothing_shared(_: &str) -> Result<Option<Vec<u8>>> {
    Ok(None)
}

impl Extends {
    /// The path of the rules, from the root of the repository.
    pub fn file(&self) -> &str {
        match &self.source {
            ComponentSource::Path(path) => path,
            ComponentSource::Builtin | ComponentSource::Https(_) | ComponentSource::Oci(_) => EXTENDED,
        }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        match (&self.source, &self.digest) {
            (ComponentSource::Builtin, _) => {
                Err("extends.source names a file: \"path:FILE\", \"https://…\" or \"oci://…\"".to_owned())
            }
            (ComponentSource::Https(_) | ComponentSource::Oci(_), None) => {
                Err("shared rules from elsewhere need a digest; `host guard extend` writes it".to_owned())
            }
            (ComponentSource::Path(_), _) | (_, Some(_)) => Ok(()),
        }
    }

    /// The shared rules, as they were reviewed.
    ///
    /// # Errors
    /// [`FaultKind::Config`]: they are not in the repository, or are others than those of the digest.
    pub(super) fn read(&self, read: ReadShared) -> Result<String> {
        let (file, source) = (self.file(), &self.source);
        let wrong = |what: String, hint: &str| {
            let at = SettingPath::default().key("extends");
            Fault::new(FaultKind::Config, what).hint(hint).code("extends").setting(at)
        };
        // What lies in the repository is not fetched.
        let again = match self.source.is_remote() {
            true => "fetch the rules that guards.toml names: host guard extend",
            false => "restore it; or name other rules: host guard extend SOURCE; or none: host guard extend --remove",
        };
        if in_repository(file) == RepoPath::from(FILE) {
            return Err(wrong(format!("{FILE} extends itself"), again).into());
        }
        let Some(bytes) = read(file)? else {
            return Err(wrong(format!("it extends {source}, and there is no {file}"), again).into());
        };
        let actual = Digest::of(&bytes);
        if let Some(expected) = self.digest.as_ref().filter(|expected| **expected != actual) {
            let what = format!("{file} is not what it extends ({source}): expected {expected}, actual {actual}");
            return Err(wrong(what, "restore it; or, to take it as it is: host guard extend").into());
        }
        String::from_utf8(bytes).map_err(|_| wrong(format!("{file} is not UTF-8"), again).into())
    }
}

/// The rules of a repository on top of those that it shares. Tables are merged, and of a value or a list that both have the repository's
/// counts; but nothing that protects is lost: what is in [`JOINED`] counts from both. Guards are the same by their id, scopes by their
/// name. The repository's own entries come first, so that their indexes are those of its file.
pub(super) fn merged(own: Table, shared: Table, without: &[String]) -> Table {
    let mut shared = shared;
    for key in ["schema", "extends"] {
        shared.remove(key);
    }
    // `guards = []` of the repository stands for a set, and so do its own guards for that of the shared rules.
    if own.contains_key("guards") {
        shared.remove("guard");
    }
    if own.contains_key("guard") {
        shared.remove("guards");
    }
    if let Some(Value::Array(guards)) = shared.get_mut("guard") {
        guards.retain(|guard| !without.iter().any(|id| name_of(guard, "id").is_some_and(|own| own == current_id(id))));
    }
    tables(own, shared, &mut Vec::new())
}

/// Lists that are joined: what one of them protects stays protected, and what one of them refuses is refused.
const JOINED: [&[&str]; 7] = [
    &["policy", "protect"],
    &["paths"],
    &["refuse"],
    &["runner"],
    &["linter"],
    &["trust", "keys"],
    &["trust", "source"],
];
/// Tables that are the same where this key is.
const NAMED: [(&str, &str); 3] = [("guard", "id"), ("language", "id"), ("scope", "name")];

fn tables(mut own: Table, shared: Table, at: &mut Vec<String>) -> Table {
    for (key, theirs) in shared {
        at.push(key.clone());
        let value = match own.remove(&key) {
            Some(ours) => values(ours, theirs, at),
            None => theirs,
        };
        own.insert(key, value);
        at.pop();
    }
    own
}

fn values(ours: Value, theirs: Value, at: &mut Vec<String>) -> Value {
    let is_joined =
        JOINED.iter().any(|joined| at.iter().map(String::as_str).take(joined.len()).eq(joined.iter().copied()));
    let named = NAMED.iter().find(|(list, _)| at.len() == 1 && at[0] == *list);
    match (ours, theirs) {
        (Value::Table(ours), Value::Table(theirs)) => Value::Table(tables(ours, theirs, at)),
        (Value::Array(ours), Value::Array(theirs)) if named.is_some() => {
            Value::Array(by_name(ours, theirs, named.map_or("", |(_, key)| key), at))
        }
        (Value::Array(mut ours), Value::Array(theirs)) if is_joined => {
            let new: Vec<Value> = theirs.into_iter().filter(|value| !ours.contains(value)).collect();
            ours.extend(new);
            Value::Array(ours)
        }
        (ours, _) => ours,
    }
}

/// Entries of the same name are merged, and the others follow.
fn by_name(ours: Vec<Value>, mut theirs: Vec<Value>, key: &str, at: &mut Vec<String>) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    for entry in ours {
        let same = name_of(&entry, key)
            .and_then(|name| theirs.iter().position(|other| name_of(other, key).as_deref() == Some(name.as_str())));
        all.push(match same {
            Some(index) => values(entry, theirs.remove(index), at),
            None => entry,
        });
    }
    all.extend(theirs);
    all
}

/// A guard's former id is its id of today.
fn name_of(entry: &Value, key: &str) -> Option<String> {
    Some(current_id(entry.get(key)?.as_str()?).to_owned())
}

#[cfg(test)]
mod tests {
    use super::merged;

    /// What each kind of value becomes: of the repository, of the shared rules, together.
    #[test]
    fn who_wins() {
        for (own, shared, together) in [
            ("policy.rounds = 2", "policy.rounds = 5", "policy.rounds = 2"),
            ("policy.rounds = 2", "policy.max_file_size = '1MiB'", "policy = {rounds = 2, max_file_size = '1MiB'}"),
            ("policy.protect = ['a']", "policy.protect = ['a', 'b']", "policy.protect = ['a', 'b']"),
            ("policy.unprotect = []", "policy.unprotect = ['x']", "policy.unprotect = []"),
            ("paths.test_data = ['a']", "paths.test_data = ['b']", "paths.test_data = ['a', 'b']"),
            ("", "[[guard]]\nid = 'a'", "[[guard]]\nid = 'a'"),
            ("[[guard]]\nid = 'b'", "[[guard]]\nid = 'a'", "[[guard]]\nid = 'b'\n[[guard]]\nid = 'a'"),
            (
                "[[guard]]\nid = 'a'\nmode = 'monitor'\nsettings.x = 1",
                "[[guard]]\nid = 'a'\ngrants = ['repo']\nsettings = {x = 2, y = 3}",
                "[[guard]]\nid = 'a'\nmode = 'monitor'\ngrants = ['repo']\nsettings = {x = 1, y = 3}",
            ),
            ("[[guard]]\nid = 'names-bound'", "[[guard]]\nid = 'no-undefined-names'", "[[guard]]\nid = 'names-bound'"),
            ("[[language]]\nid = 'b'", "[[language]]\nid = 'a'", "[[language]]\nid = 'b'\n[[language]]\nid = 'a'"),
            ("guards = []", "[[guard]]\nid = 'a'", "guards = []"),
            ("[[guard]]\nid = 'a'", "guards = []", "[[guard]]\nid = 'a'"),
            ("", "[[guard]]\nid = 'gone'\n[[guard]]\nid = 'a'", "[[guard]]\nid = 'a'"),
            ("[[refuse]]\nid = 'a'", "[[refuse]]\nid = 'b'", "[[refuse]]\nid = 'a'\n[[refuse]]\nid = 'b'"),
        ] {
            let table = |text: &str| text.parse::<toml::Table>().unwrap();
            let found = merged(table(own), table(shared), &["gone".to_owned()]);
            assert_eq!(found, table(together), "{own}\n{shared}");
        }
    }
}
