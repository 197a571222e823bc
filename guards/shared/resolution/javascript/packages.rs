//! Which package an import names, and whether the project has it.

use guard_sdk::Ecosystem;

use super::aliases::is_alias;
use super::manifest;
use crate::import::{Import, Need};
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{Tree, above, folder, join};

pub fn meaning(resolver: &Resolver, importer: &str, written: &str, import: &Import) -> Meaning {
    let tree = resolver.tree();
    let Some((package, below)) = split(written) else { return Meaning::Unknown };
    let first = written.split('/').next().unwrap_or(written);
    if is_builtin(written) || PROVIDED.contains(&first) || PROVIDED.contains(&package) {
        return Meaning::Standard;
    }
    let Some((_, own)) = manifest::nearest(tree, importer) else { return Meaning::Unknown };
    if let Some(sibling) = tree.manifests(Ecosystem::Npm).find(|manifest| manifest.name.as_deref() == Some(package)) {
        return in_workspace(tree, &sibling.path, package, below);
    }
    let typed = package
        .strip_prefix('@')
        .map_or_else(|| format!("@types/{package}"), |rest| format!("@types/{}", rest.replace('/', "__")));
    let declared = |name: &str| SECTIONS.iter().any(|section| !own[*section][name].is_null());
    if declared(package) || declared(&typed) {
        return Meaning::Package(package.to_owned());
    }
    let above = || tree.manifests(Ecosystem::Npm).filter(|manifest| covers(folder(&manifest.path), importer));
    let has = |name: &str| above().any(|manifest| manifest.dependencies.iter().any(|one| one.name == name));
    let brought = || BRINGS.iter().any(|(bringer, brought)| brought.contains(&package) && has(bringer));
    // The modules of Ember stand in `ember-source`, under names of their own.
    let of_ember = || ["@ember/", "@glimmer/"].iter().any(|scope| package.starts_with(scope)) && has("ember-source");
    // What a framework writes into the bundler's aliases, under scopes that no package has.
    let by_alias = || ALIASED.iter().any(|(framework, scopes)| scopes.contains(&first) && has(framework));
    if has(package) || has(&typed) || brought() || of_ember() || by_alias() {
        return Meaning::Package(package.to_owned());
    }
    let mut names: Vec<&str> =
        above().flat_map(|manifest| &manifest.dependencies).map(|dependency| dependency.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let unreadable = above().any(|manifest| manifest.problem.is_some());
    if import.need == Need::Type
        || unreadable
        || names.is_empty()
        || is_folder(tree, importer, first)
        || is_named(tree, package, &typed)
    {
        return Meaning::Unknown;
    }
    let nearest = nearest(package, names.iter().copied(), 3);
    Meaning::NoPackage { name: package.to_owned(), nearest, declared: names.len() }
}

/// The file that an import names below a package of the workspace, by its place in the tree.
pub fn file_of_workspace(tree: &Tree, written: &str) -> Option<String> {
    let (package, below) = split(written).filter(|(_, below)| !below.is_empty())?;
    let sibling = tree.manifests(Ecosystem::Npm).find(|manifest| manifest.name.as_deref() == Some(package))?;
    let place = join(folder(&sibling.path), below)?;
    super::files::find(tree, &place)
}

/// The package of `a/b` and `@a/b/c`, and what follows it; None where no package can have the name.
fn split(written: &str) -> Option<(&str, &str)> {
    if is_alias(written) || written.ends_with('/') {
        return None;
    }
    let mut slashes = written.match_indices('/').map(|(at, _)| at);
    let end = if written.starts_with('@') { slashes.next().and_then(|_| slashes.next()) } else { slashes.next() };
    let package = &written[..end.unwrap_or(written.len())];
    let (scope, name) =
        package.strip_prefix('@').map_or(("x", package), |rest| rest.split_once('/').unwrap_or(("", "")));
    let fits = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.len() <= 214
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-._~".contains(c))
    };
    // A file's name, as browsers and old bundlers take it.
    let file = end.is_none() && [".js", ".ts", ".css", ".json"].iter().any(|ending| package.ends_with(ending));
    (fits(scope) && fits(name) && !file).then(|| (package, end.map_or("", |end| &written[end + 1..])))
}

fn covers(folder: &str, path: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn in_workspace(tree: &Tree, path: &str, package: &str, below: &str) -> Meaning {
    let Some(manifest) = manifest::read(tree, path) else { return Meaning::Unknown };
    match manifest::exports(&manifest, below) {
        true => Meaning::Package(package.to_owned()),
        false => {
            let keys = manifest["exports"].as_object().into_iter().flatten().map(|(key, _)| key.as_str());
            let wanted = format!("./{below}");
            let nearest = nearest(&wanted, keys, 1).pop().map(|key| key.replacen('.', package, 1));
            Meaning::NoModule { place: None, nearest }
        }
    }
}

/// `src/x` and the like: what a bundler or a base folder finds in the tree.
fn is_folder(tree: &Tree, importer: &str, first: &str) -> bool {
    above(folder(importer)).any(|at| {
        let place = if at.is_empty() { first.to_owned() } else { format!("{at}/{first}") };
        let source = if at.is_empty() { format!("src/{first}") } else { format!("{at}/src/{first}") };
        tree.is_folder(&place) || tree.is_folder(&source) || super::files::find(tree, &place).is_some()
    })
}

/// Whether the base names the package in quotes anywhere: other imports, ambient modules, aliases of a bundler, import maps; or a lock
/// file has it.
fn is_named(tree: &Tree, package: &str, typed: &str) -> bool {
    let globs = [
        "*.js",
        "*.mjs",
        "*.cjs",
        "*.jsx",
        "*.ts",
        "*.mts",
        "*.cts",
        "*.tsx",
        "*.vue",
        "*.svelte",
        "*.astro",
        "*.mdx",
        "*.html",
        "*.json",
        "*.json5",
        "*.yaml",
        "*.yml",
        "*.lock",
        "deno.jsonc",
        "*.json.j2",
        "!**/node_modules/**",
    ];
    let quoted = |text: &str, name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            let begins = before.ends_with(['"', '\'', '`', '/', ' ']) && !before.ends_with("./") || before.is_empty();
            begins && after.starts_with(['"', '\'', '`', '/', '@', ':'])
        })
    };
    for name in [package, typed] {
        // Other names hold it; they must not use up the hits.
        let hits = tree.search_base(&[name], &globs, 400);
        let own = |path: &str| path.ends_with("package.json");
        if hits.iter().any(|hit| !own(&hit.path) && quoted(&hit.text, name)) {
            return true;
        }
        let locks = ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", ".pnp.cjs"];
        if tree.search(&[name], &locks, 200).iter().any(|hit| quoted(&hit.text, name)) {
            return true;
        }
    }
    tree.is_file("bun.lockb")
}

pub fn is_builtin(module: &str) -> bool {
    BUILT_IN.contains(&module)
}

const SECTIONS: [&str; 5] =
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "bundledDependencies"];

/// Node's own modules: `builtinModules` of Node 20, and what came up to Node 25.
#[rustfmt::skip]
pub const BUILT_IN: [&str; 62] = [
    "assert", "assert/strict", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram", "diagnostics_channel", "dns", "dns/promises", "domain", "events", "fs", "fs/promises", "http",
    "http2", "https", "inspector", "inspector/promises", "module", "net", "os", "path", "path/posix", "path/win32", "perf_hooks", "process", "punycode", "querystring", "readline", "readline/promises", "repl", "stream",
    "stream/consumers", "stream/promises", "stream/web", "string_decoder", "sys", "timers", "timers/promises", "tls", "trace_events", "tty", "url", "util", "util/types", "v8", "vm", "wasi", "worker_threads", "zlib",
    "sea", "sqlite", "test", "test/reporters", "test/mock", "quic", "ffi", "vfs",
];

/// What editors, runtimes and runners give to their programs.
#[rustfmt::skip]
const PROVIDED: [&str; 14] = ["vscode", "electron", "bun", "deno", "k6", "obsidian", "atom", "aws-sdk", "original-fs", "cloudflare", "ava", "photoshop", "uxp", "csstype"];

/// Names that a framework makes available to the pages of a site: <https://docusaurus.io/docs/docusaurus-core>, <https://docusaurus.io/docs/advanced/client>.
#[rustfmt::skip]
const ALIASED: &[(&str, &[&str])] = &[
    ("@docusaurus/core", &["@docusaurus", "@theme", "@theme-original", "@theme-init", "@site", "@generated"]),
];

/// What brings others with it, so that its users need not declare them.
#[rustfmt::skip]
const BRINGS: &[(&str, &[&str])] = &[
    ("vitepress", &["vite", "vue"]), ("vitest", &["vite"]), ("astro", &["vite"]), ("nuxt", &["vite", "vue", "h3", "nitropack", "ofetch", "ufo"]), ("vite", &["rollup", "esbuild", "postcss", "rolldown"]),
    ("jest", &["babel-jest", "jest-environment-node", "@jest/globals"]), ("eslint", &["@eslint/js", "espree", "@eslint/eslintrc", "globals", "estree"]), ("next", &["webpack", "postcss", "styled-jsx"]),
    ("@docusaurus/core", &["@docusaurus/types", "prism-react-renderer", "webpack", "@theme/Layout", "@site/src"]), ("react-dom", &["react"]), ("@testing-library/react", &["@testing-library/dom"]),
    ("typescript-eslint", &["@typescript-eslint/parser", "@typescript-eslint/eslint-plugin", "@typescript-eslint/utils"]), ("express", &["body-parser", "qs"]), ("webpack", &["tapable", "webpack-sources"]),
];
