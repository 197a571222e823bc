//! Source files that get a name by which no guard judges them.

use guard_files::{Kind, Kinds};
use guardhost_core::change::{ChangeType, FileChange, RepoPath};

use super::Watchers;
use crate::facts::is_source;

/// Extensions of files from which others are made: templates, and samples that a person copies. A source file that becomes one is
/// source no more, and whatever needed it is the concern of the guards that judge the deletion of files.
const MADE_FROM: [&str; 22] = [
    "cookiecutter",
    "default",
    "dist",
    "ejs",
    "erb",
    "example",
    "handlebars",
    "hbs",
    "in",
    "j2",
    "jinja",
    "jinja2",
    "liquid",
    "mako",
    "mustache",
    "njk",
    "sample",
    "template",
    "templ",
    "tera",
    "tmpl",
    "tpl",
];

/// Extensions of data. Code is none, so whatever reads data rejects it under such a name, and a module of values may become one.
const DATA: [&str; 6] = ["json", "json5", "jsonc", "toml", "yaml", "yml"];

/// Extensions of style sheets and markup, which people convert from one language into another.
const STYLES: [&str; 8] = ["astro", "css", "htm", "html", "less", "sass", "scss", "svelte"];

/// Whether a rename takes a source file from the guards that ask for files of its name. `text` is that of the
/// candidate's file.
pub fn leaves_its_guards<'w>(
    file: &FileChange,
    text: &str,
    kinds: &Kinds,
    watchers: &impl Fn() -> &'w Watchers<'w>,
) -> bool {
    let Some(old) = file.old_path.as_ref().filter(|_| file.change_type == ChangeType::Rename) else { return false };
    let new = &file.path;
    // Two files that were only paired because they look alike are a deletion and an addition, which guards judge as such.
    let is_same = file.before.zip(file.after).is_some_and(|(before, after)| before.oid == after.oid);
    if !is_same && stem(old) != stem(new) {
        return false;
    }
    let made_from = |extension: &str| {
        // Django's templates of modules end in `.py-tpl`.
        let last = extension.rsplit(['-', '_']).next().unwrap_or(extension);
        MADE_FROM.contains(&last) || DATA.contains(&extension)
    };
    let extension = extension(new);
    let honest = old.file_name() == new.file_name()
        || extension.as_deref().is_some_and(made_from)
        || (extension.is_none() && text.starts_with("#!"))
        || new.to_string().contains("{{")
        || (is_test_data(old, kinds) && is_test_data(new, kinds));
    // `Dockerfile` and its like have many names, and no extension.
    let is_code = is_source(old) && self::extension(old).is_some_and(|extension| !STYLES.contains(&extension.as_str()));
    is_code && !honest && watchers().lose(old, new)
}

/// The name before its first dot; that of a hidden file, and of one in a folder of modules, is the whole.
fn stem(path: &RepoPath) -> String {
    let name = String::from_utf8_lossy(path.file_name()).into_owned();
    match name.split_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        Some(_) | None => name,
    }
}

/// In lower case.
fn extension(path: &RepoPath) -> Option<String> {
    let name = String::from_utf8_lossy(path.file_name()).to_ascii_lowercase();
    // A dot at the start marks a hidden file.
    let (_, extension) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    Some(extension.to_owned())
}

fn is_test_data(path: &RepoPath, kinds: &Kinds) -> bool {
    kinds.kind(&path.to_string()) == Kind::TestData
}
