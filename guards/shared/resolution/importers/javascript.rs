//! Which imports of JavaScript and TypeScript mean a file.

use guard_sdk::files::Language;
use guard_sdk::files::relative::{folder, join};

use super::{Target, Ways};
use crate::javascript::files::{ENDINGS, stem};

pub const WAYS: Ways = Ways {
    language: Language::JavaScript,
    key,
    places: |key| {
        ENDINGS.iter().flat_map(|ending| [format!("{key}{ending}"), format!("{key}/index{ending}")]).collect()
    },
    word: |target| target.last().split('.').next().unwrap_or_default(),
    is_meant: |target, module, importer, _| is(target, module, importer),
    below: |module, name| format!("{module}.{name}"),
    is_declared_in: |_, _, _| false,
    is_given_by_parent: |_, _| false,
    has_child: |_, _| false,
    is_dead: |_, _| false,
};

fn key(path: &str) -> String {
    let path = stem(path);
    path.strip_suffix("/index").unwrap_or(path).to_owned()
}

fn is(target: &Target, module: &str, importer: &str) -> bool {
    let module = module.split(['?', '#']).next().unwrap_or(module);
    if module.starts_with("./") || module.starts_with("../") || module == "." || module == ".." {
        return join(folder(importer), module).is_some_and(|path| target.key == path || target.key == key(&path));
    }
    // What bundlers are told to call the root of a project's own sources: another project means its own by it.
    let Some(inside) = module.strip_prefix("@/").or_else(|| module.strip_prefix("~/")) else { return false };
    let project = target.key.strip_suffix(&format!("src/{}", key(inside)));
    target.key == inside
        || project.is_some_and(|root| (root.is_empty() || root.ends_with('/')) && importer.starts_with(root))
}
