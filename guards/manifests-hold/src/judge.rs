//! What the change makes missing: by what a file newly names, and by what it takes from the tree.

use guard_sdk::files::{Globs, Kind, kind_of, relative};
use guard_sdk::{Change, File, Finding, Side, Status};
use resolution::Resolver;

use crate::missing::{Missing, missing};
use crate::named::{self, Named};
use crate::table::Names;
use crate::{Settings, development, features_of_cargo, ignored, placed, shadowed, table, too_new, unbound};

pub struct Judge<'c> {
    change: &'c Change,
    settings: &'c Settings,
    before: Resolver<'c>,
    after: Resolver<'c>,
}

/// Manifests of a change that are looked at because it takes away what they name.
const MOST: u32 = 400;

impl<'c> Judge<'c> {
    pub fn new(change: &'c Change, settings: &'c Settings) -> Self {
        let (before, after) = (Resolver::new(change, Side::Before), Resolver::new(change, Side::After));
        Judge { change, settings, before, after }
    }

    pub fn is_concerned(&self, path: &str) -> bool {
        let is_material =
            matches!(kind_of(path), Kind::Test | Kind::TestData | Kind::Example | Kind::Template | Kind::Vendored);
        named::may_name(path) && !is_material && !self.settings.ignore.matches(path)
    }

    /// None when it does not parse, which others say.
    pub fn touched(&self, file: &File) -> Option<Vec<Finding>> {
        let after = named::all(file.path(), &file.after().text().ok()?)?;
        let old_path = file.old_path().unwrap_or(file.path());
        let old_text = if file.before().is_regular() { file.before().text().ok() } else { None };
        let before = old_text.and_then(|text| named::all(old_path, &text)).unwrap_or_default();
        Some(self.news((old_path, &before), (file.path(), &after)))
    }

    /// What the program needs beyond what its manifest promises.
    pub fn program(&self, file: &File) -> Vec<Finding> {
        if self.settings.ignore.matches(file.path()) {
            return Vec::new();
        }
        let (before, after) = (&self.before, &self.after);
        let mut found = unbound::findings(file);
        found.extend(ignored::findings(before, after, file));
        found.extend(shadowed::findings(after, file));
        found.extend(match file.name() {
            "setup.py" => Vec::new(),
            "package.json" | "pyproject.toml" => development::moved(self.change, before, after, file.path()),
            _ => {
                let mut found = development::imported(before, after, file);
                found.extend(too_new::findings(before, after, file));
                found.extend(features_of_cargo::findings(before, after, file));
                found.extend(placed::findings(before, after, file));
                found
            }
        });
        found
    }

    /// Of manifests that stay as they are.
    pub fn untouched(&self) -> Vec<Finding> {
        let needles = self.gone();
        if needles.is_empty() {
            return Vec::new();
        }
        let (globs, needles) = (table::globs(), needles.iter().map(String::as_str).collect::<Vec<_>>());
        let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
        let hits = self.change.repo(Side::After).search(&needles, &globs, MOST);
        let mut paths: Vec<String> = hits.into_iter().map(|hit| hit.path).collect();
        paths.dedup();
        paths.retain(|path| self.is_concerned(path) && !self.change.files().any(|file| file.path() == path));
        let all = |path: &String| named::all(path, &self.after.tree().text(path)?);
        let named = paths.iter().filter_map(|path| Some((path, all(path)?)));
        named.flat_map(|(path, all)| self.news((path, &all), (path, &all))).collect()
    }

    /// Words by which a manifest would name what the change takes away: files, their folders, and what programs may lose.
    fn gone(&self) -> Vec<String> {
        let tree = self.after.tree();
        let mut words: Vec<String> = Vec::new();
        for file in self.change.files() {
            let is_there = file.after().exists();
            let old = if is_there { file.old_path() } else { Some(file.path()) };
            let stem = |path: &str| {
                let name = path.rsplit('/').next().unwrap_or(path);
                name.split('.').next().unwrap_or(name).to_owned()
            };
            match old.filter(|old| !tree.is_file(old)) {
                Some(old) => {
                    words.extend([stem(old), old.rsplit('/').next().unwrap_or(old).to_owned()]);
                    let lost =
                        relative::above(relative::folder(old)).filter(|at| !at.is_empty() && !tree.is_folder(at));
                    words.extend(lost.filter_map(|at| at.rsplit('/').next()).map(str::to_owned));
                }
                None if is_there && file.before().exists() && file.path().ends_with(".py") => {
                    words.push(match stem(file.path()).as_str() {
                        "__init__" => stem(relative::folder(file.path())),
                        stem => stem.to_owned(),
                    });
                }
                None => {}
            }
        }
        words.retain(|word| !word.is_empty());
        words.sort();
        words.dedup();
        words.truncate(200);
        words
    }

    /// Whether the change moves a file that a path or glob names, or that stands below it.
    fn is_moved(&self, named: &str) -> bool {
        let globs = Globs::new(&[format!("/{named}")]).unwrap_or_default();
        let mut moved = self.change.files().filter(|file| file.status() == Status::Renamed);
        moved.any(|file| file.old_path().is_some_and(|old| globs.matches(old)))
    }

    fn news(&self, (old_path, before): (&str, &[Named]), (path, after): (&str, &[Named])) -> Vec<Finding> {
        let generated = &self.settings.generated;
        let mut findings: Vec<Finding> = Vec::new();
        let mut said: Vec<Missing> = Vec::new();
        for named in after {
            for lost in missing(&self.after, path, named, after, generated) {
                let old = before.iter().find(|old| old.key == named.key && old.value == named.value);
                let old = old.map(|old| missing(&self.before, old_path, old, before, generated));
                let is_old = old.as_ref().is_some_and(|old| old.iter().any(|old| old.what == lost.what));
                // The base named it, and had it. That a glob names nothing any more does harm where the files are elsewhere now.
                let is_glob = named.names == Names::Glob || named.value.contains('*');
                let is_broken = old.is_some() && !is_old && (!is_glob || self.is_moved(&lost.what));
                if !is_old && (lost.is_certain || is_broken) && !said.contains(&lost) {
                    findings.push(finding(path, named, &lost, is_broken));
                    said.push(lost);
                }
            }
        }
        findings
    }
}

fn finding(path: &str, named: &Named, lost: &Missing, is_broken: bool) -> Finding {
    let Named { key, value, .. } = named;
    let Missing { rule, what, .. } = lost;
    let gone = if is_broken { "which the change takes away" } else { "which does not exist" };
    let (message, help) = match *rule {
        "script-missing" => (
            format!("`{key}` runs the script `{what}`, which {path} does not have"),
            "Name a script of the manifest, or add it.".to_owned(),
        ),
        "entry-missing" => (
            format!("`{key}` is {value}, and there is no {what}"),
            format!("Name a function that exists, or add {what} in the same patch."),
        ),
        _ => (
            format!("`{key}` names {what}, {gone}"),
            format!("Name a file of the repository, or add {what}; what a build makes stands in .gitignore."),
        ),
    };
    Finding::error(rule, message).at(path, named.line).help(help)
}
