//! What the change's imports mean, and which of those that mean nothing are its own.

use std::collections::BTreeSet;

use guard_sdk::files::Language;
use guard_sdk::{Change, Finding, Side};
use resolution::{Import, Meaning, Need, Resolver, language_of};

use crate::say;
use crate::touched::Touched;

pub struct Judge<'c> {
    known: &'c [String],
    after: Resolver<'c>,
    before: Resolver<'c>,
}

impl<'c> Judge<'c> {
    pub fn new(change: &'c Change, known: &'c [String]) -> Self {
        Judge { known, after: Resolver::new(change, Side::After), before: Resolver::new(change, Side::Before) }
    }

    pub fn file(&mut self, touched: &Touched) -> Vec<Finding> {
        let path = touched.file.path();
        let marked = touched.is_marked.then(|| say::marked(path));
        if self.after.tree().is_exhausted() {
            return marked.into_iter().chain([say::not_judged(path)]).collect();
        }
        let mut findings: Vec<Finding> = marked.into_iter().collect();
        let Some(imports) = self.after.imports(path) else { return findings };
        let mut said: BTreeSet<(String, Option<String>)> = BTreeSet::new();
        for import in imports.iter().filter(|import| touched.may_bring(import) && import.need != Need::Optional) {
            let meaning = self.after.meaning(path, import);
            if !meaning.is_missing() || self.is_known(&meaning) || !self.is_new(touched, import, &meaning) {
                continue;
            }
            if self.after.tree().is_exhausted() || self.before.tree().is_exhausted() {
                findings.push(say::not_judged(path));
                break;
            }
            let about = match &meaning {
                Meaning::NoName { name, .. } => (import.module.clone(), Some(name.clone())),
                Meaning::NoPackage { name, .. } => (name.clone(), None),
                _ => (import.module.clone(), None),
            };
            if said.insert(about) {
                findings.extend(say::finding(path, import, &meaning));
            }
        }
        findings
    }

    fn is_known(&self, meaning: &Meaning) -> bool {
        matches!(meaning, Meaning::NoPackage { name, .. } if self.known.contains(name))
    }

    /// Whether the change brings the mistake in: in the base, the file did not have the import, or it meant something there.
    fn is_new(&self, touched: &Touched, import: &Import, meaning: &Meaning) -> bool {
        let (path, old_path) = (touched.file.path(), touched.file.old_path().unwrap_or(touched.file.path()));
        let same = |other: &&Import| {
            other.module == import.module
                && other.name == import.name
                && other.declares == import.declares
                && other.inside == import.inside
        };
        if touched.file.before().is_regular() {
            let before = self.before.imports(old_path);
            if let Some(old) = before.iter().flat_map(|all| all.iter()).find(same) {
                return folder(old_path) != folder(path) && !self.before.meaning(old_path, old).is_missing();
            }
        }
        !self.was_missing_elsewhere(path, import, meaning)
    }

    /// Whether another file of the base has the same import of a module by its full name, and it means nothing there either: the
    /// project has a path that cannot be seen.
    fn was_missing_elsewhere(&self, path: &str, import: &Import, meaning: &Meaning) -> bool {
        let is_full = match language_of(path) {
            Some(Language::Python | Language::JavaScript) => !import.module.starts_with('.'),
            Some(Language::Go) => true,
            _ => false,
        };
        let Some(language) = language_of(path).filter(|_| is_full && !matches!(meaning, Meaning::NoPackage { .. }))
        else {
            return false;
        };
        let word = |text: &str| {
            text.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default().to_owned()
        };
        let needle = import.name.clone().filter(|name| name != "default").unwrap_or_else(|| word(&import.module));
        if needle.is_empty() || !self.before.meaning(path, import).is_missing() {
            return false;
        }
        let hits = self.before.tree().search(&[&needle], language.globs(), 300);
        hits.iter().any(|hit| hit.path != path && hit.text.contains(&import.module))
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
