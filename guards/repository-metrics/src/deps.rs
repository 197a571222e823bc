//! What the code needs, and whether it is written down so that it can be had again.

use guard_sdk::Manifest;
use guard_sdk::analysis::{Measurement, Point, Tree};

use crate::languages;
use crate::material::is_beside;
use crate::practice::Practice;

/// Lock files that are looked at.
const MOST_LOCKS: u32 = 1_000;

pub fn measure(tree: &Tree) -> Measurement {
    let languages = languages::main(tree);
    let mut ecosystems: Vec<&Practice> = Vec::new();
    for language in languages {
        if !ecosystems.iter().any(|known| known.ecosystem == language.ecosystem) {
            ecosystems.push(language);
        }
    }
    if ecosystems.is_empty() {
        return Measurement::NotMeasured(languages::NONE.to_owned());
    }
    let manifests = tree.facts().manifests();
    let mut points = Vec::new();
    let parts = ecosystems.len();
    let (of_manifest, of_lock, of_version) =
        (languages::shares(500, parts), languages::shares(300, parts), languages::shares(200, parts));
    for (at, language) in ecosystems.into_iter().enumerate() {
        // The one nearest to the root speaks for the others.
        let mut own: Vec<&Manifest> =
            manifests.iter().filter(|manifest| manifest.ecosystem == language.ecosystem).collect();
        own.sort_by_key(|manifest| (manifest.path.matches('/').count(), manifest.path.as_str()));
        let name = language.name;
        points.push(match own.first() {
            None => {
                let help = format!("Declare what the {name} code needs in {}.", language.manifest);
                Point::missed("manifest", of_manifest[at], format!("no manifest declares what {name} needs"), help)
            }
            Some(Manifest { path, problem: Some(problem), .. }) => {
                Point::part("manifest", 0, of_manifest[at], format!("it cannot be read: {problem}"))
                    .at(path)
                    .help("Fix it.")
            }
            Some(Manifest { path, .. }) => {
                Point::earned("manifest", of_manifest[at], format!("it declares what {name} needs")).at(path)
            }
        });
        points.push(match lock(tree, language, &own) {
            None if needs_nothing(language, &own) => Point::earned(
                "lock-file",
                of_lock[at],
                format!("{name} needs no package whose version could be locked"),
            ),
            Some(path) => {
                Point::earned("lock-file", of_lock[at], format!("the versions of {name} are locked")).at(path)
            }
            None => {
                let help = format!("Commit the lock file that the package manager of {name} writes.");
                Point::missed("lock-file", of_lock[at], format!("no lock file pins the versions of {name}"), help)
            }
        });
        let says = own.iter().find_map(|manifest| Some((&manifest.path, version(tree, &manifest.path, language)?)));
        points.push(match says {
            Some((path, line)) => {
                Point::earned("language-version", of_version[at], format!("it says which {name} it needs"))
                    .at(path)
                    .line(line)
            }
            None => {
                let help = format!("Say in {} which version of {name} it needs.", language.manifest);
                Point::missed("language-version", of_version[at], format!("nothing says which {name} it needs"), help)
            }
        });
    }
    Measurement::Measured(points)
}

/// Whether no manifest declares a dependency.
fn needs_nothing(language: &Practice, manifests: &[&Manifest]) -> bool {
    let is_empty = |manifest: &&Manifest| manifest.problem.is_none() && manifest.dependencies.is_empty();
    language.declares_as_data && !manifests.is_empty() && manifests.iter().all(is_empty)
}

/// A lock file beside a manifest of the code itself, or above it.
fn lock(tree: &Tree, language: &Practice, manifests: &[&Manifest]) -> Option<String> {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let paths = manifests.iter().map(|manifest| manifest.path.as_str());
    let code: Vec<&str> = paths.filter(|path| !is_beside(path)).collect();
    let belongs = |path: &String| code.is_empty() || code.iter().any(|of| of.starts_with(&folder(path)));
    // One in the root stands above all.
    if let Some(path) = tree.first(language.locks) {
        return Some(path.to_owned());
    }
    let found = tree.find(language.locks, MOST_LOCKS).into_iter().find(belongs);
    found.or_else(|| {
        let lists = if language.lists.is_empty() { Vec::new() } else { tree.find(language.lists, MOST_LOCKS) };
        lists.into_iter().filter(belongs).find(|path| tree.text(path).is_ok_and(|text| is_pinned(&text)))
    })
}

/// Whether every requirement of the list is one version.
fn is_pinned(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    let mut requirements = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '-'])).peekable();
    requirements.peek().is_some() && requirements.all(|line| ["==", " @ "].iter().any(|pin| line.contains(pin)))
}

/// The line of a manifest that names a version of the language.
fn version(tree: &Tree, path: &str, language: &Practice) -> Option<u32> {
    let text = tree.text(path).ok()?;
    let line = text.lines().position(|line| language.version.iter().any(|word| line.contains(word)))?;
    u32::try_from(line + 1).ok()
}
