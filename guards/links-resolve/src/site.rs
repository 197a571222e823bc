//! Whether a document is a page of a site: then its generator decides what a link means, and routes, aliases and generated pages
//! stand in no tree.

use guard_sdk::Side;

use crate::shelf::Shelf;

/// What a generator reads, beside or above its pages.
#[rustfmt::skip]
const CONFIGS: [&str; 45] = [
    "mkdocs.yml", "mkdocs.yaml", "zensical.toml", "properdocs.yml", "book.toml", "conf.py", "_config.yml", "_config.toml", "antora.yml", "docs.json", "mint.json", "_quarto.yml", "myst.yml",
    "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "sidebars.js", "sidebars.ts", "astro.config.mjs", "astro.config.ts", "astro.config.js",
    "next.config.js", "next.config.mjs", "next.config.ts", "gatsby-config.js", "gatsby-config.ts", "nuxt.config.ts", "nuxt.config.js", "eleventy.config.js", ".eleventy.js", "rspress.config.ts",
    "hugo.toml", "hugo.yaml", "config.toml", "source/conf.py", "src/conf.py", "_sidebar.md", "SUMMARY.md", "_toc.yml", "_toctree.yml", "vite.config.js",
    // A site that takes its pages from a folder beside its own.
    "website/docusaurus.config.js", "website/docusaurus.config.ts", "website/siteConfig.js", "docs/config.json",
];
/// Folders that only a generator's own folder has.
const FOLDERS: [&str; 2] = [".vitepress", ".vuepress"];

/// Folders in which the pages of a site, and what goes with them unchanged, lie.
const ROOTS: [&str; 12] = [
    "",
    "docs",
    "doc",
    "content",
    "src",
    "static",
    "public",
    "source",
    "website",
    "assets",
    "docs/public",
    "src/pages",
];

/// The folders from the document's own up to the root, which is empty.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let own = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    std::iter::successors(Some(own), |folder| match *folder {
        "" => None,
        folder => Some(folder.rsplit_once('/').map_or("", |(above, _)| above)),
    })
}

pub fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_string() } else { format!("{folder}/{path}") }
}

/// Whether a document is a page of a site. A README at the root belongs to the forge, whatever stands beside it.
pub fn is_page(shelf: &Shelf, side: Side, path: &str) -> bool {
    let Some((folder, _)) = path.rsplit_once('/') else { return false };
    shelf.is_of_site(side, folder, || folders_above(path).any(|folder| is_site(shelf, side, folder)))
}

/// Whether a generator's configuration stands in the folder.
fn is_site(shelf: &Shelf, side: Side, folder: &str) -> bool {
    CONFIGS.iter().any(|config| matches!(shelf.stat(side, &join(folder, config)), Ok(Some(_))))
        || FOLDERS.iter().any(|own| shelf.is_dir(side, &join(folder, own)) == Ok(true))
}

/// Where `/path` may lie.
pub fn roots(path: &str) -> impl Iterator<Item = String> {
    folders_above(path).flat_map(|folder| ROOTS.into_iter().map(move |root| join(folder, root)))
}

/// Where a page stands in the language that it was written in first, for each folder of its path that is named as a language is.
pub fn in_other_languages(path: &str) -> impl Iterator<Item = String> {
    let parts: Vec<&str> = path.split('/').collect();
    let languages = (0..parts.len()).filter(|at| is_language(parts[*at])).collect::<Vec<_>>();
    languages.into_iter().flat_map(move |at| {
        let with = |name: &[&str]| [&parts[..at], name, &parts[at + 1..]].concat().join("/");
        [with(&["en"]), with(&["en-US"]), with(&[])]
    })
}

/// Where the page stands of which one below a folder of translations, such as `i18n/de/pages/a.md`, is the translation.
pub fn originals(path: &str) -> impl Iterator<Item = String> {
    /// Folders that may lie between a language and its pages.
    const BETWEEN: usize = 3;
    const TRANSLATIONS: [&str; 5] = ["i18n", "l10n", "locales", "locale", "translations"];
    let parts: Vec<&str> = path.split('/').collect();
    let is_language = |at: &usize| TRANSLATIONS.contains(&parts[at - 1]) && is_language(parts[*at]);
    let language = (1..parts.len().saturating_sub(1)).find(is_language);
    language.into_iter().flat_map(move |at| {
        let above = parts[..at - 1].join("/");
        let tails: Vec<String> = (at + 1..parts.len()).take(BETWEEN).map(|from| parts[from..].join("/")).collect();
        tails.into_iter().flat_map(move |tail| {
            let above = above.clone();
            ROOTS.into_iter().map(move |root| join(&join(&above, root), &tail))
        })
    })
}

/// Configurations that may be of the page's site.
pub fn configs(path: &str) -> impl Iterator<Item = String> {
    folders_above(path).flat_map(|folder| CONFIGS.into_iter().map(move |config| join(folder, config)))
}

/// `pt`, `pt-BR`, `zh-hant`, `es_ES`.
fn is_language(name: &str) -> bool {
    let (language, region) = name.split_once(['-', '_']).unwrap_or((name, ""));
    let letters = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic());
    (2..=3).contains(&language.len())
        && letters(language)
        && letters(region)
        && language.chars().all(|c| c.is_ascii_lowercase())
        && (if region.is_empty() { language.len() == 2 } else { (2..=4).contains(&region.len()) })
}
