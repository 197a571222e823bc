//! Packages that only those who develop the program have, where the program itself imports them.

use guard_sdk::files::{Kind, Language, kind_of, relative};
use guard_sdk::{Change, DependencyKind, Ecosystem, File, Finding, Manifest, Side};
use resolution::{Import, Meaning, Need, Resolver, language_of};

use crate::published;

/// Whose file it is; None where a compiler tells, or nobody can.
fn ecosystem(path: &str) -> Option<Ecosystem> {
    match language_of(path)? {
        Language::Python => Some(Ecosystem::Python),
        Language::JavaScript => Some(Ecosystem::Npm),
        _ => None,
    }
}

/// Findings for the imports that a file newly has.
pub fn imported(before: &Resolver, after: &Resolver, file: &File) -> Vec<Finding> {
    let path = file.path();
    let Some(ecosystem) = ecosystem(path).filter(|_| kind_of(path) == Kind::Code) else { return Vec::new() };
    let old_path = file.old_path().unwrap_or(path);
    let old = if file.before().is_regular() { before.imports(old_path) } else { None };
    let Some(imports) = after.imports(path) else { return Vec::new() };
    let mut findings = Vec::new();
    let mut said: Vec<String> = Vec::new();
    for import in imports.iter().filter(|import| may_count(path, import)) {
        let module = top(&ecosystem, &import.module);
        let was_there = |old: &Vec<Import>| old.iter().any(|old| top(&ecosystem, &old.module) == module);
        if old.as_ref().is_some_and(|old| was_there(old)) || said.contains(&module) {
            continue;
        }
        let Meaning::Package(_) = after.meaning(path, import) else { continue };
        let Some(manifest) = only_for_development(after, &ecosystem, path, &module) else { continue };
        if published::is_shipped(after.tree(), &ecosystem, &manifest, path)
            && !is_practice(before, &ecosystem, path, &module)
        {
            findings.push(finding(path, import.line, &module, &manifest.path));
            said.push(module);
        }
    }
    findings
}

/// Findings for packages that the manifest declared for everybody, and declares only for development now.
pub fn moved(change: &Change, before: &Resolver, after: &Resolver, manifest_path: &str) -> Vec<Finding> {
    let find = |resolver: &Resolver, ecosystem| {
        resolver.tree().manifests(ecosystem).find(|manifest| manifest.path == manifest_path).cloned()
    };
    let mut findings = Vec::new();
    for ecosystem in [Ecosystem::Npm, Ecosystem::Python] {
        let (Some(old), Some(new)) = (find(before, ecosystem.clone()), find(after, ecosystem.clone())) else {
            continue;
        };
        let moved = new.dependencies.iter().filter(|one| is_only(&new, &one.name) && is_for_all(&old, &one.name));
        for one in moved {
            let importer = first_importer(change, after, &ecosystem, &new, &one.name);
            if let Some((path, line)) = importer {
                findings.push(finding(&path, line, &one.name, manifest_path).help(format!(
                    "Leave {} among the dependencies of the package, or import it only in tests.",
                    one.name
                )));
            }
        }
    }
    findings
}

fn is_for_all(manifest: &Manifest, name: &str) -> bool {
    manifest.dependencies.iter().any(|one| one.name == name && one.kind == DependencyKind::Normal)
}

fn is_only(manifest: &Manifest, name: &str) -> bool {
    let mut kinds = manifest.dependencies.iter().filter(|one| one.name == name).map(|one| &one.kind).peekable();
    kinds.peek().is_some() && kinds.all(|kind| *kind == DependencyKind::Dev)
}

/// A file of the package that imports it, and the line.
fn first_importer(
    change: &Change,
    after: &Resolver,
    ecosystem: &Ecosystem,
    manifest: &Manifest,
    name: &str,
) -> Option<(String, u32)> {
    let globs =
        if *ecosystem == Ecosystem::Python { Language::Python.globs() } else { Language::JavaScript.module_globs() };
    let words = match ecosystem {
        Ecosystem::Python => resolution::modules_of(name),
        _ => vec![name.to_owned()],
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let hits = change.repo(Side::After).search(&words, globs, 400);
    let mut paths: Vec<String> = hits
        .into_iter()
        .filter(|hit| hit.text.contains("import") || hit.text.contains("require"))
        .map(|hit| hit.path)
        .collect();
    paths.dedup();
    let inside = |path: &String| covers(&manifest.path, path) && kind_of(path) == Kind::Code;
    for path in paths.into_iter().filter(inside).take(20) {
        let Some(imports) = after.imports(&path) else { continue };
        let is_it =
            |import: &&Import| may_count(&path, import) && words.contains(&top(ecosystem, &import.module).as_str());
        let Some(import) = imports.iter().find(is_it) else { continue };
        let module = top(ecosystem, &import.module);
        let of = only_for_development(after, ecosystem, &path, &module).filter(|of| of.path == manifest.path);
        if of.is_some_and(|of| published::is_shipped(after.tree(), ecosystem, &of, &path)) {
            let line = import.line;
            return Some((path, line));
        }
    }
    None
}

/// Imports that fail where the package is not installed. A name in capitals out of TypeScript may be a type, which is gone when it runs.
fn may_count(path: &str, import: &Import) -> bool {
    let is_typed = [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending));
    import.need == Need::Required
        && !import.module.starts_with('.')
        && !(is_typed && import.local.starts_with(|c: char| c.is_uppercase()))
}

fn top(ecosystem: &Ecosystem, module: &str) -> String {
    let mut parts = module.split(if *ecosystem == Ecosystem::Python { '.' } else { '/' });
    let first = parts.next().unwrap_or_default();
    match parts.next().filter(|_| first.starts_with('@')) {
        Some(second) => format!("{first}/{second}"),
        None => first.to_owned(),
    }
}

fn covers(manifest: &str, path: &str) -> bool {
    let at = relative::folder(manifest);
    at.is_empty() || path.strip_prefix(at).is_some_and(|rest| rest.starts_with('/'))
}

/// The manifest that declares the package for development, where none that holds for the file declares it otherwise.
fn only_for_development(resolver: &Resolver, ecosystem: &Ecosystem, path: &str, module: &str) -> Option<Manifest> {
    let is_python = *ecosystem == Ecosystem::Python;
    let is_it = |name: &str| if is_python { resolution::is_distribution(name, module) } else { name == module };
    let may_be = |name: &str| if is_python { resolution::may_give(name, module) } else { name == module };
    let mut found: Option<&Manifest> = None;
    for manifest in resolver.tree().manifests(ecosystem.clone()) {
        // Of Python, a manifest anywhere may be what is installed.
        let holds = is_python || covers(&manifest.path, path);
        if manifest.problem.is_some() && covers(&manifest.path, path) {
            return None;
        }
        for one in manifest.dependencies.iter().filter(|_| holds) {
            if one.kind == DependencyKind::Dev {
                let is_nearer = found.is_none_or(|found| found.path.len() < manifest.path.len());
                if is_it(&one.name) && covers(&manifest.path, path) && is_nearer {
                    found = Some(manifest);
                }
            } else if may_be(&one.name) {
                return None;
            }
        }
    }
    found.cloned()
}

/// Whether other shipped code of the base imports it too: then it comes in a way that the manifest does not show.
fn is_practice(before: &Resolver, ecosystem: &Ecosystem, path: &str, module: &str) -> bool {
    let globs =
        if *ecosystem == Ecosystem::Python { Language::Python.globs() } else { Language::JavaScript.module_globs() };
    let hits = before.tree().search(&[module], globs, 400);
    let is_import = |text: &str| text.contains("import") || text.contains("require(") || text.contains("from ");
    before.tree().is_exhausted()
        || hits.iter().any(|hit| hit.path != path && kind_of(&hit.path) == Kind::Code && is_import(&hit.text))
}

fn finding(path: &str, line: u32, module: &str, manifest: &str) -> Finding {
    let message = format!(
        "{path} imports {module}, which {manifest} declares only for development: whoever installs the package has it not"
    );
    let help = format!("Do without {module} here, or declare it among the dependencies of the package.");
    Finding::error("development-only", message).at(path, line).help(help)
}
