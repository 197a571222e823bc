//! Files that a build makes, so that a checkout has none of them.

use guard_sdk::files::Globs;

use crate::tree::{Tree, above, folder};

#[rustfmt::skip]
const FOLDERS: [&str; 17] = [
    "dist", "build", "out", "target", "node_modules", "generated", "__generated__", "gen", "_generated", "autogen", ".next", ".nuxt", ".svelte-kit", ".astro", "pkg", "coverage", "bindings",
];

/// Files by which a build is told what to make.
#[rustfmt::skip]
const BUILDS: [&str; 26] = [
    "*.toml", "setup.py", "setup.cfg", "tox.ini", "meson.build", "CMakeLists.txt", "*.cmake", "Makefile", "*.mk", "*.mak", "*.sh", "*.bzl", "BUILD", "BUILD.bazel", "build.rs", "package.json", "*.yml", "*.yaml",
    "*.in", "noxfile.py", "Justfile", "justfile", "Dockerfile", "turbo.json", "project.json", ".npmignore",
];

/// Whether a file that is not in the tree may be made by a build: git ignores it, its name or folder says so, or a build's script
/// names it.
pub fn may_be(tree: &Tree, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let by_name =
        ["_pb2", "_pb2_grpc", "_generated", ".generated", ".gen", "_version", "_build", "bindings", "generated"];
    is_made_folder(folder(path))
        || by_name.iter().any(|part| name.contains(part))
        || is_ignored_by_name(tree, path)
        || is_built(tree, name, stem)
}

/// Whether a folder, or one that it stands in, has a name of those that builds write to.
pub fn is_made_folder(path: &str) -> bool {
    path.split('/').any(|part| FOLDERS.contains(&part))
}

fn is_built(tree: &Tree, name: &str, stem: &str) -> bool {
    if stem.is_empty() || stem.len() > 100 {
        return false;
    }
    let hits = tree.search(&[stem], &BUILDS, 100);
    hits.iter().any(|hit| stem.starts_with('_') || hit.text.contains(name))
}

/// Whether git ignores the file itself: where its folder is in the tree, that all files with its ending are ignored says nothing of it.
pub fn is_ignored_by_name(tree: &Tree, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (at, ending) = (folder(path), name.find('.').map_or("", |at| &name[at..]));
    let other = if at.is_empty() { format!("any-other-name{ending}") } else { format!("{at}/any-other-name{ending}") };
    is_ignored(tree, path) && !(tree.is_folder(at) && is_ignored(tree, &other))
}

/// Whether a `.gitignore` at or above its folder has a pattern for it, and no later line of that file an exception.
pub fn is_ignored(tree: &Tree, path: &str) -> bool {
    above(folder(path)).any(|at| {
        let file = if at.is_empty() { ".gitignore".to_owned() } else { format!("{at}/.gitignore") };
        let inside = path.get(at.len()..).unwrap_or(path).trim_start_matches('/');
        let text = if tree.is_file(&file) { tree.text(&file) } else { None };
        text.is_some_and(|text| {
            let lines = text.lines().take(2_000).map(|line| (line, line.trim().strip_prefix('!')));
            let last = lines.filter(|(line, exception)| covers(exception.unwrap_or(line), inside)).last();
            last.is_some_and(|(_, exception)| exception.is_none())
        })
    })
}

/// Whether a line of a `.gitignore` covers a path below it, or a folder that the path stands in.
fn covers(line: &str, path: &str) -> bool {
    let line = line.trim();
    let pattern = line.trim_end_matches('/');
    if pattern.is_empty() || pattern.starts_with(['#', '!']) || pattern.len() > 300 {
        return false;
    }
    let Ok(globs) = Globs::new(&[pattern]) else { return false };
    // With a slash at its end it names folders alone, and as git all that stands in them.
    match line.len() > pattern.len() {
        true => above(folder(path)).any(|at| !at.is_empty() && globs.matches(at)),
        false => globs.matches(path),
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn patterns() {
        for (line, path) in [
            ("*.pyc", "a/b.pyc"),
            ("dist/", "a/dist/b.js"),
            ("/src/_version.py", "src/_version.py"),
            ("src/gen", "src/gen/a.py"),
            ("**/gen/*.ts", "a/b/gen/c.ts"),
        ] {
            assert!(covers(line, path), "{line} {path}");
        }
        for (line, path) in
            [("# a", "a"), ("/a", "b/a"), ("!a", "a"), ("a/b", "c/a/b"), ("", "a"), ("*.gradle/", "a/build.gradle")]
        {
            assert!(!covers(line, path), "{line} {path}");
        }
    }
}
