//! Who imports a name that a file no longer offers.

use std::collections::{BTreeMap, BTreeSet};

use guard_sdk::{Change, Repo, Side, Status};

use super::{How, Need};
use crate::effort::Effort;
use crate::language::language_of;
use crate::touched::Touched;
use guard_sdk::files::Language;
use guard_sdk::language::Outline;
use outline::is_test;
use resolution::importers::{self, Target, is_dead};

/// Lines that name something lost, in all files together.
const MOST_HITS: u32 = 8_000;
/// Files that are read because of them.
const MOST_FILES: usize = 100;

/// A host takes no more needles at once.
const MOST_NAMES: usize = 1_000;

pub struct Lost<'t> {
    pub touched: &'t Touched<'t>,
    /// Names that the file offered.
    pub names: Vec<String>,
    /// Where the file stood nothing stands.
    pub whole: bool,
}

/// Needs by the index of the loss and the name; the empty name stands for the file itself.
pub type Importers = BTreeMap<(usize, String), Need>;

pub fn find(change: &Change, effort: &Effort, lost: &[Lost]) -> Importers {
    let mut needs = Importers::new();
    for language in importers::languages() {
        let here: Vec<(usize, &Lost)> =
            (0..).zip(lost).filter(|(_, lost)| lost.touched.language == Some(language)).collect();
        if !here.is_empty() {
            search(change, effort, language, &here, &mut needs);
        }
    }
    needs
}

fn search(change: &Change, effort: &Effort, language: Language, lost: &[(usize, &Lost)], needs: &mut Importers) {
    let repo = change.repo(Side::After);
    let arrived = arrived(change, language);
    let targets: Vec<Missed> =
        lost.iter().filter_map(|(index, lost)| missed((*index, lost), language, repo, effort)).collect();
    let mut needles: Vec<&str> = Vec::new();
    for one in &targets {
        needles.extend(one.names.iter().map(String::as_str).filter(|name| *name != "default"));
        if one.is_searched() {
            needles.push(one.target.as_str());
        }
    }
    needles.sort_unstable();
    needles.dedup();
    needles.retain(|needle| !needle.is_empty() && needle.len() <= 400);
    needles.truncate(MOST_NAMES);
    if needles.is_empty() {
        return;
    }
    let mut paths: Vec<(String, BTreeSet<&str>)> = Vec::new();
    for hit in repo.search(&needles, language.module_globs(), MOST_HITS) {
        let needle = needles[hit.needle as usize];
        match paths.last_mut().filter(|(path, _)| *path == hit.path) {
            Some((_, found)) => drop(found.insert(needle)),
            None => paths.push((hit.path, BTreeSet::from([needle]))),
        }
    }
    // Those nearby first: they are the likeliest.
    paths.sort_by_key(|(path, _)| !targets.iter().any(|one| one.target.is_near(path)));
    let mut left = MOST_FILES;
    for (path, found) in &paths {
        let Ok(text) = repo.text(path) else { continue };
        let named = |one: &Missed| {
            let word = one.target.as_str();
            one.target.is_near(path) || found.contains(word) || (!one.is_searched() && text.contains(word))
        };
        if !targets.iter().any(|one| *path != one.target.path && named(one)) {
            continue;
        }
        left = left.saturating_sub(1);
        if left == 0 || !effort.read(Some(language), text.len()) {
            break;
        }
        let Some(outline) = effort.outline(Side::After, path) else { continue };
        if is_dead(language, &repo, path) {
            continue;
        }
        if !effort.resolve(targets.len() * outline.imports.len()) {
            break;
        }
        for one in &targets {
            if *path != one.touched.path() && *path != one.target.path {
                look(one, &arrived, path, &outline, needs);
            }
        }
    }
}

/// What is missed where a file stood.
struct Missed<'t, 'r> {
    index: usize,
    touched: &'t Touched<'t>,
    target: Target<'r>,
    names: Vec<String>,
    whole: bool,
}

impl Missed<'_, '_> {
    /// Whether the file itself is looked for, beside its names.
    fn is_searched(&self) -> bool {
        self.whole || self.names.iter().any(|name| name == "default")
    }
}

/// None when another file stands in for all of it.
fn missed<'t, 'r>(
    (index, lost): (usize, &Lost<'t>),
    language: Language,
    repo: Repo<'r>,
    effort: &Effort,
) -> Option<Missed<'t, 'r>> {
    let touched = lost.touched;
    let target = Target::new(language, touched.old_path, repo)?;
    let (mut names, mut whole) = (lost.names.clone(), lost.whole);
    if whole && let Some(path) = target.substitute() {
        whole = false;
        // What is not in a language that can be read may offer anything.
        let (language, text) = (effort.language(&path)?, repo.text(&path).ok()?);
        if !effort.read(language, text.len()) {
            return None;
        }
        let outline = effort.outline(Side::After, &path)?;
        if outline.is_open || !outline.globs.is_empty() {
            return None;
        }
        names.retain(|name| !outline.offers(name));
    }
    let read = |path: &str| {
        let size = repo.stat(path).ok()??.size;
        effort.read(Some(language), usize::try_from(size).ok()?).then(|| effort.outline(Side::After, path)).flatten()
    };
    if lost.whole && target.is_given_by_parent(&read) {
        return None;
    }
    Some(Missed { index, touched, target, names, whole })
}

/// Files that the change puts where none was.
fn arrived<'c>(change: &'c Change, language: Language) -> Vec<Target<'c>> {
    let new = change.files().filter(|file| match file.status() {
        Status::Added | Status::Renamed => true,
        // A module could be imported through the link that stood there.
        Status::TypeChanged | Status::Modified | Status::Deleted | Status::Copied => false,
    });
    let new = new.filter(|file| language_of(change, file.path()) == Some(Some(language)));
    new.filter_map(|file| Target::new(language, file.path(), change.repo(Side::After))).collect()
}

fn look(lost: &Missed, arrived: &[Target], path: &str, outline: &Outline, needs: &mut Importers) {
    let Missed { index, target, .. } = lost;
    let mut needed = |name: &str, line, how| {
        let need = Need { path: path.to_owned(), line, how };
        needs.entry((*index, name.to_owned())).or_insert(need);
    };
    // A whole source tree that moves is imported as before.
    let is = |means: &dyn Fn(&Target) -> bool| {
        means(target) && !(lost.whole && arrived.iter().any(|other| other.path != target.path && means(other)))
    };
    if lost.whole && target.is_declared_in(path, outline) {
        let line =
            outline.definitions.iter().find(|item| item.name == target.as_str()).map_or(1, |item| item.lines.first);
        needed("", line, How::Declares);
    }
    for take in outline.imports.iter().filter(|take| !take.is_optional) {
        let whole = is(&|target| target.is(&take.module, path, outline));
        if let (true, Some(name)) = (whole, &take.name) {
            if lost.names.contains(name) && !target.has_child(name) {
                needed(name, take.line, How::Imports);
            } else if lost.whole && !lost.touched.is_deleted() {
                needed("", take.line, How::Imports);
            }
        }
        // The file itself: `import a.b`, or `b` out of `a`.
        let itself = match &take.name {
            None => whole,
            Some(name) => is(&|target| target.is_taken((&take.module, name), path, outline)),
        };
        if itself {
            if lost.whole {
                needed("", take.line, How::Imports);
            }
            for name in &lost.names {
                let line = outline.line_of_member(&take.local, name);
                if let (Some(line), false) = (line, target.has_child(name)) {
                    needed(name, line, How::Uses);
                }
            }
        }
    }
}

/// Nobody imports from a file of tests.
pub fn is_imported(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !(is_test(path) && (name.starts_with("test_") || name.contains(".test.") || name.contains(".spec.")))
}
