//! Which calls are looked at, what they call, and whether they fit.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::rc::Rc;

use guard_generated::is_material;
use guard_sdk::{Change, Finding, Side, Status};
use resolution::{Meaning, Offer, Resolver};

use crate::files::Files;
use crate::outline::{Call, Outline, Target};
use crate::wrong::Wrong;

/// Calls of so many changed functions are looked for.
const MOST_NAMES: usize = 60;
const MOST_HITS: u32 = 2_000;
/// An import is followed through so many files that pass the name on.
const MOST_STEPS: usize = 4;

pub struct Judge<'c> {
    change: &'c Change,
    resolver: Resolver<'c>,
    before: Files<'c>,
    after: Files<'c>,
    /// By path in the candidate.
    pub touched: BTreeMap<&'c str, Touched<'c>>,
}

pub struct Touched<'c> {
    /// None for a file that is new.
    old_path: Option<&'c str>,
    changed: Vec<RangeInclusive<u32>>,
}

/// A function: the file that defines it, and its key there.
type Place = (String, String);

impl<'c> Judge<'c> {
    pub fn new(change: &'c Change) -> Self {
        let files = change.files().filter(|file| file.after().is_regular() && !is_material(file.path()));
        let touched = files.filter_map(|file| {
            change.languages(Side::After).language(file.path()).filter(|language| language.has_signatures)?;
            let is_new = !file.before().is_regular() || matches!(file.status(), Status::Added | Status::Copied);
            let old_path = (!is_new).then(|| file.old_path().unwrap_or(file.path()));
            Some((file.path(), Touched { old_path, changed: file.changed_lines() }))
        });
        let touched = touched.collect();
        let (before, after) = (Files::new(change, Side::Before), Files::new(change, Side::After));
        Judge { change, resolver: Resolver::new(change, Side::After), before, after, touched }
    }

    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let changed = self.changed();
        let names = changed.iter().map(|(_, key)| bare(key).to_owned()).collect();
        let callers = self.callers(&changed);
        for path in self.touched.keys().copied().chain(callers.iter().map(String::as_str)) {
            self.judge(path, &names, &mut findings);
        }
        if self.before.is_exhausted() || self.after.is_exhausted() {
            let message = "not every call was judged: the change concerns more code than one call can read";
            findings.push(Finding::info("not-judged", message));
        }
        self.joined(findings)
    }

    /// The calls that one changed signature leaves behind, as one finding with all places: it has one cause, and is fixed once.
    fn joined(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let mut joined: Vec<Finding> = Vec::new();
        for finding in findings {
            let defined =
                |finding: &Finding| finding.related.first().map(|place| (place.path.clone(), place.lines.clone()));
            let same = |first: &&mut Finding| {
                finding.rule == "caller-left-behind"
                    && first.rule == finding.rule
                    && first.severity == finding.severity
                    && defined(first) == defined(&finding)
            };
            let (Some(first), Some(path), Some(line)) =
                (joined.iter_mut().find(same), finding.path.as_deref(), finding.line)
            else {
                joined.push(finding);
                continue;
            };
            let text = self.change.repo(Side::After).text(path).unwrap_or_default();
            let source = text.lines().nth(line as usize - 1).unwrap_or_default().trim().to_owned();
            first.related.push(guard_sdk::Related {
                path: path.to_owned(),
                lines: line..=finding.end_line.unwrap_or(line),
                message: source,
            });
        }
        for finding in &mut joined {
            let more = finding.related.len().saturating_sub(1);
            if finding.rule == "caller-left-behind" && more > 0 {
                finding.message.push_str(&format!("; so do {more} more calls"));
            }
        }
        joined
    }

    /// Functions of touched files whose parameters changed.
    fn changed(&self) -> BTreeSet<Place> {
        let mut changed = BTreeSet::new();
        for (path, touched) in &self.touched {
            let Some(old) = touched.old_path.and_then(|old| self.before.outline(old)) else { continue };
            let Some(new) = self.after.outline(path) else { continue };
            for (key, function) in &new.functions {
                if old.functions.get(key).is_some_and(|old| old.signature != function.signature) {
                    changed.insert((path.to_string(), key.clone()));
                }
            }
        }
        changed
    }

    /// Files that the change does not touch and that may call one of these functions.
    fn callers(&self, changed: &BTreeSet<Place>) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        // By the endings of their language.
        let mut wanted: BTreeMap<Vec<String>, Vec<&str>> = BTreeMap::new();
        for (path, key) in changed {
            let name = key.strip_prefix("new ").unwrap_or(key);
            let language = self.change.languages(Side::After).language(path);
            // A method is called on its own object, in its own file.
            if let Some(language) = language.filter(|_| !name.contains('.')) {
                wanted.entry(language.endings).or_default().push(name);
            }
        }
        for (endings, mut names) in wanted {
            let globs: Vec<String> = endings.iter().map(|ending| format!("*.{ending}")).collect();
            let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
            names.truncate(MOST_NAMES);
            let hits = self.change.repo(Side::After).search(&names, &globs, MOST_HITS);
            paths.extend(hits.into_iter().map(|hit| hit.path));
        }
        paths.retain(|path| !is_material(path) && !self.touched.contains_key(path.as_str()));
        paths
    }

    /// The calls of one file that the change brings in, and those of functions that it gives other parameters.
    fn judge(&self, path: &str, names: &BTreeSet<String>, findings: &mut Vec<Finding>) {
        let Some(outline) = self.after.outline(path) else { return };
        let mut places: BTreeMap<&Target, Option<Place>> = BTreeMap::new();
        for call in &outline.calls {
            // A comment that the base has excuses the call.
            if call.excused_by.is_some_and(|line| !self.writes(path, (line, line))) {
                continue;
            }
            if !self.is_in_changed_lines(path, call) && !self.may_mean(path, &call.target, names) {
                continue;
            }
            let place = places.entry(&call.target).or_insert_with(|| self.place(path, &outline, &call.target));
            if let Some(place) = place {
                findings.extend(self.misfit(path, call, place));
            }
        }
    }

    /// Whether the function may be one of these, as far as its name tells.
    fn may_mean(&self, path: &str, target: &Target, names: &BTreeSet<String>) -> bool {
        match target {
            _ if names.is_empty() => false,
            Target::Own(key) => names.contains(bare(key)),
            Target::Member { name, .. } => names.contains(bare(name)),
            Target::Imported(name) => {
                let import = self.import(path, bare(name));
                import.and_then(taken).is_some_and(|name| name == "default" || names.contains(&name))
            }
        }
    }

    /// Where the function that is called is defined.
    fn place(&self, path: &str, outline: &Outline, target: &Target) -> Option<Place> {
        match target {
            Target::Own(key) => outline.functions.contains_key(key).then(|| (path.to_owned(), key.clone())),
            Target::Imported(name) => self.imported(path, name, MOST_STEPS),
            Target::Member { module, name } => {
                let import = self.import(path, module)?;
                // `from package import module`, `import module`, `import * as module`.
                self.exported(&self.resolver.bound_module(path, &import)?, name, MOST_STEPS)
            }
        }
    }

    fn imported(&self, path: &str, name: &str, steps: usize) -> Option<Place> {
        let (prefix, local) = split(name);
        let import = self.import(path, local)?;
        let Meaning::File(file) = self.resolver.module(path, &import) else { return None };
        let of = taken(import)?;
        self.exported(&file, &format!("{prefix}{of}"), steps)
    }

    /// What a module gives by a name, followed through modules that pass it on.
    fn exported(&self, file: &str, name: &str, steps: usize) -> Option<Place> {
        let outline = self.after.outline(file)?;
        let (prefix, bare) = split(name);
        if let Some(own) = outline.exports.get(bare) {
            let key = format!("{prefix}{own}");
            if outline.functions.contains_key(&key) {
                return Some((file.to_owned(), key));
            }
        }
        (steps > 0 && self.resolver.offers(file, bare) == Offer::Yes).then(|| self.imported(file, name, steps - 1))?
    }

    /// The only import of a file that binds a name.
    fn import(&self, path: &str, local: &str) -> Option<resolution::Import> {
        let imports = self.resolver.imports(path)?;
        let mut imports = imports.iter().filter(|import| import.local == local);
        let import = imports.next()?;
        (imports.next().is_none() && !import.is_local && import.inside.is_empty()).then(|| import.clone())
    }

    fn misfit(&self, path: &str, call: &Call, place: &Place) -> Option<Finding> {
        let (file, key) = place;
        let defining = self.after.outline(file)?;
        let function = defining.functions.get(key)?;
        let misfits = function.signature.misfits(&call.arguments);
        if misfits.is_empty() || (function.is_open && self.is_defined_again(file, key)) {
            return None;
        }
        let old_file = self.touched.get(file.as_str()).map_or(Some(file.as_str()), |touched| touched.old_path);
        let old = old_file.and_then(|old| self.before.outline(old));
        let old = old.as_ref().and_then(|old| old.functions.get(key)).map(|function| &function.signature);
        let fitted = old.is_some_and(|old| old.misfits(&call.arguments).is_empty());
        let is_new = self.is_new(path, call);
        if !fitted && !is_new {
            return None;
        }
        let wrong = Wrong {
            path,
            call,
            name: key,
            signature: &function.signature,
            misfits,
            is_left: fitted && !is_new,
            defined: (file, function.line),
        };
        Some(wrong.finding())
    }

    fn is_in_changed_lines(&self, path: &str, call: &Call) -> bool {
        self.writes(path, call.lines)
    }

    /// Whether the change writes one of these lines.
    fn writes(&self, path: &str, (first, last): (u32, u32)) -> bool {
        let runs = self.touched.get(path).map_or(&[][..], |touched| &touched.changed);
        runs.iter().any(|run| *run.start() <= last && first <= *run.end())
    }
    /// Whether the change brings the call in: it stands in a changed line, and the base has no such call.
    fn is_new(&self, path: &str, call: &Call) -> bool {
        let Some(touched) = self.touched.get(path) else { return false };
        if !self.is_in_changed_lines(path, call) {
            return false;
        }
        let old: Option<Rc<Outline>> = touched.old_path.and_then(|old| self.before.outline(old));
        let same = |old: &Call| old.target == call.target && old.arguments == call.arguments;
        match (old, touched.old_path) {
            (Some(old), _) => !old.calls.iter().any(same),
            (None, None) => true,
            // The base does not parse: what it called is not known.
            (None, Some(_)) => false,
        }
    }

    /// Whether another class has a method of that name: the object may be one of those.
    fn is_defined_again(&self, file: &str, key: &str) -> bool {
        let name = key.rsplit('.').next().unwrap_or(key);
        let language = self.change.languages(Side::After).language(file);
        let globs: Vec<String> =
            language.iter().flat_map(|language| &language.endings).map(|ending| format!("*.{ending}")).collect();
        let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
        let hits = self.change.repo(Side::After).search(&[name], &globs, MOST_HITS);
        let defines = |text: &str| {
            text.contains(&format!("def {name}("))
                || text.contains(&format!(".{name} ="))
                || text.trim_start().starts_with(&format!("{name} ="))
                || text.contains(&format!("\"{name}\""))
                || text.contains(&format!("'{name}'"))
        };
        hits.len() == MOST_HITS as usize || hits.iter().filter(|hit| defines(&hit.text)).count() != 1
    }
}

/// `new C` is the constructor of `C`.
fn split(name: &str) -> (&str, &str) {
    name.strip_prefix("new ").map_or(("", name), |bare| ("new ", bare))
}

/// The name by which it is called: `m` of `C.m`, `C` of `new C`.
fn bare(key: &str) -> &str {
    let name = split(key).1;
    name.rsplit('.').next().unwrap_or(name)
}

/// The name that an import takes out of its module; of Rust, the last of its path.
fn taken(import: resolution::Import) -> Option<String> {
    match import.name {
        None if import.module.contains("::") => Some(last(&import.module).to_owned()),
        name => name,
    }
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
