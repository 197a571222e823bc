//! Mistakes that concern a file as a whole.

use guardhost_core::change::{RepoPath, Task};

use super::block::{joined, lines};
use super::{Files, Planted, Random, is_doc, is_own, one};

const TEXTS: [&str; 17] =
    ["py", "rs", "js", "ts", "tsx", "jsx", "go", "rb", "toml", "yml", "yaml", "json", "css", "html", "sh", "java", "c"];

fn ending(path: &str) -> &str {
    path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending)
}

/// Anything but documents, where a fence is at home.
fn is_source(path: &str) -> bool {
    is_own(path) && TEXTS.contains(&ending(path)) && !path.contains("prompt")
}

pub fn fenced(files: &Files, random: &mut Random) -> Option<Planted> {
    files.some(random, is_source).into_iter().find_map(|(path, text)| {
        if text.starts_with("```") || text.trim().is_empty() {
            return None;
        }
        let language = if random.below(4) == 0 { "" } else { ending(&path) };
        let after = format!("```{language}\n{text}```\n");
        Some(Planted::new(&path, after, ending(&path), "wrapped whole"))
    })
}

pub fn conflict(files: &Files, random: &mut Random) -> Option<Planted> {
    let wanted = |path: &str| {
        (is_source(path) || is_doc(path))
            && !["conflict", "merge", "patch", "diff"].iter().any(|word| path.contains(word))
    };
    files.some(random, wanted).into_iter().find_map(|(path, text)| {
        let all = lines(&text);
        let at = random.below(all.len().checked_sub(3)?);
        let inside = all[..at].iter().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1;
        // In a document's code they may be meant.
        if inside {
            return None;
        }
        let ours = &all[at..at + 2];
        let after =
            [&all[..at], &["<<<<<<< HEAD"], ours, &["=======", "something else", ">>>>>>> feature"], &all[at + 2..]]
                .concat();
        Some(Planted::new(&path, joined(&after), ending(&path), format!("at line {}", at + 1)))
    })
}

#[rustfmt::skip]
const MANIFESTS: [&str; 20] = [
    "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "uv.lock", "Cargo.toml", "Cargo.lock", "go.mod",
    "go.sum", "Gemfile", "Gemfile.lock", "composer.json", "pom.xml", "build.gradle", "poetry.lock", "requirements-dev.txt",
];

/// The task names a source file, and the change touches a manifest too.
pub fn manifest(files: &Files, random: &mut Random) -> Option<Planted> {
    let is_code = |path: &str| {
        is_own(path) && ["py", "rs", "js", "ts", "go", "rb"].contains(&ending(path)) && !path.ends_with("setup.py")
    };
    let (code, source) = files.some(random, is_code).into_iter().next()?;
    let is_manifest =
        |path: &str| is_own(path) && path.rsplit('/').next().is_some_and(|name| MANIFESTS.contains(&name));
    let (path, text) = files.some(random, is_manifest).into_iter().next()?;
    let comment = if code.ends_with(".py") || code.ends_with(".rb") { "#" } else { "//" };
    let text_of = [format!("Let {code} accept an empty input"), format!("Mend the crash in `{code}`")];
    let task =
        Task { text: one(&text_of, random)?.clone(), hints: vec![RepoPath::from(code.as_str())], ..Task::default() };
    let name = path.rsplit('/').next()?.to_owned();
    let mut planted = Planted::new(&path, format!("{text}\n"), name, format!("beside {code}"));
    planted.also.push((code, format!("{source}{comment} An empty input is fine.\n")));
    planted.task = Some(task);
    Some(planted)
}
