//! What the code needs, and whether it is written down so that it can be had again.

use guard_sdk::analysis::{Measurement, Point, Tree};
use guard_sdk::{Ecosystem, Manifest};

use crate::languages::{self, Language};
use crate::material::is_beside;

/// Lock files that are looked at.
const MOST_LOCKS: u32 = 1_000;

pub fn measure(tree: &Tree) -> Measurement {
    let languages = languages::main(tree);
    let mut ecosystems: Vec<(Ecosystem, Language)> = Vec::new();
    for language in languages {
        let ecosystem = ecosystem(language);
        if !ecosystems.iter().any(|(known, _)| *known == ecosystem) {
            ecosystems.push((ecosystem, language));
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
    for (at, (ecosystem, language)) in ecosystems.into_iter().enumerate() {
        // The one nearest to the root speaks for the others.
        let mut own: Vec<&Manifest> = manifests.iter().filter(|manifest| manifest.ecosystem == ecosystem).collect();
        own.sort_by_key(|manifest| (manifest.path.matches('/').count(), manifest.path.as_str()));
        let name = language.name();
        points.push(match own.first() {
            None => {
                let help = format!("Declare what the {name} code needs in {}.", usual(language));
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
                let help = format!("Say in {} which version of {name} it needs.", usual(language));
                Point::missed("language-version", of_version[at], format!("nothing says which {name} it needs"), help)
            }
        });
    }
    Measurement::Measured(points)
}

/// Whether no manifest declares a dependency. Only of manifests that are data: what a program declares is not always seen.
fn needs_nothing(language: Language, manifests: &[&Manifest]) -> bool {
    let is_data = match language {
        Language::Go | Language::Rust | Language::JavaScript | Language::TypeScript => true,
        Language::Python | Language::Ruby | Language::Php | Language::Java | Language::Kotlin => false,
    };
    let is_empty = |manifest: &&Manifest| manifest.problem.is_none() && manifest.dependencies.is_empty();
    is_data && !manifests.is_empty() && manifests.iter().all(is_empty)
}

fn ecosystem(language: Language) -> Ecosystem {
    match language {
        Language::Python => Ecosystem::Python,
        Language::JavaScript | Language::TypeScript => Ecosystem::Npm,
        Language::Rust => Ecosystem::Cargo,
        Language::Go => Ecosystem::Go,
        Language::Ruby => Ecosystem::Ruby,
        Language::Php => Ecosystem::Php,
        Language::Java => Ecosystem::Maven,
        Language::Kotlin => Ecosystem::Gradle,
    }
}

/// The manifest that people expect.
fn usual(language: Language) -> &'static str {
    match language {
        Language::Python => "pyproject.toml",
        Language::JavaScript | Language::TypeScript => "package.json",
        Language::Rust => "Cargo.toml",
        Language::Go => "go.mod",
        Language::Ruby => "a Gemfile",
        Language::Php => "composer.json",
        Language::Java => "pom.xml",
        Language::Kotlin => "build.gradle.kts",
    }
}

/// A lock file beside a manifest of the code itself, or above it.
fn lock(tree: &Tree, language: Language, manifests: &[&Manifest]) -> Option<String> {
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let paths = manifests.iter().map(|manifest| manifest.path.as_str());
    let code: Vec<&str> = paths.filter(|path| !is_beside(path)).collect();
    let belongs = |path: &String| code.is_empty() || code.iter().any(|of| of.starts_with(&folder(path)));
    // One in the root stands above all.
    if let Some(path) = tree.first(locks(language)) {
        return Some(path.to_owned());
    }
    let found = tree.find(locks(language), MOST_LOCKS).into_iter().find(belongs);
    found.or_else(|| {
        let lists =
            if language == Language::Python { tree.find(&["requirements*.txt"], MOST_LOCKS) } else { Vec::new() };
        lists.into_iter().filter(belongs).find(|path| tree.text(path).is_ok_and(|text| is_pinned(&text)))
    })
}

/// Whether every requirement of the list is one version.
fn is_pinned(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    let mut requirements = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '-'])).peekable();
    requirements.peek().is_some() && requirements.all(|line| ["==", " @ "].iter().any(|pin| line.contains(pin)))
}

fn locks(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => {
            &["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml", "requirements*.lock"]
        }
        Language::JavaScript | Language::TypeScript => &[
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock",
            "bun.lockb",
            "deno.lock",
        ],
        Language::Rust => &["Cargo.lock"],
        Language::Go => &["go.sum"],
        Language::Ruby => &["Gemfile.lock"],
        Language::Php => &["composer.lock"],
        Language::Java | Language::Kotlin => &["gradle.lockfile", "*.lockfile", "verification-metadata.xml", "pom.xml"],
    }
}

/// The line of a manifest that names a version of the language.
fn version(tree: &Tree, path: &str, language: Language) -> Option<u32> {
    let words: &[&str] = match language {
        Language::Python => &["requires-python", "python_requires", "python_version", "\npython ="],
        Language::JavaScript | Language::TypeScript => &["\"engines\"", "\"packageManager\""],
        Language::Rust => &["rust-version", "edition"],
        Language::Go => &["go 1."],
        Language::Ruby => &["ruby ", "required_ruby_version"],
        Language::Php => &["\"php\""],
        Language::Java => &["maven.compiler", "<release>", "java.version", "sourceCompatibility"],
        Language::Kotlin => &["jvmToolchain", "sourceCompatibility", "languageVersion"],
    };
    let text = tree.text(path).ok()?;
    let line = text.lines().position(|line| words.iter().any(|word| line.contains(word)))?;
    u32::try_from(line + 1).ok()
}
