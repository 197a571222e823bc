//! What stands for a place by `paths` and `baseUrl` of the settings.

use super::files;
use crate::resolver::Resolver;
use crate::tree::{above, folder, join};

pub enum Aliased {
    File(String),
    /// A pattern matches, and no file is at the place it stands for.
    Missing(String),
    Unknown,
    /// No pattern matches.
    No,
}

pub fn meaning(resolver: &Resolver, importer: &str, written: &str) -> Aliased {
    let tree = resolver.tree();
    let mut missing: Option<String> = None;
    let mut unknown = false;
    // A pattern for a few names leads into what is installed: a package's manifest does not say what is there.
    let mut installed = false;
    for at in above(folder(importer)) {
        let settings = resolver.javascript.folder(tree, at);
        unknown |= settings.unknown;
        for (pattern, places) in &settings.paths {
            let Some(rest) = matched(pattern, written) else { continue };
            for place in places {
                let place = place.replacen('*', rest, 1);
                if let Some(path) = files::find(tree, &place) {
                    return Aliased::File(path);
                }
                installed |= pattern != "*" && place.contains("node_modules");
                // A whole name that the settings give a place: who imports it wrote neither, and other settings may know better.
                let is_whole = !pattern.contains('*');
                let is_package = place.contains("node_modules") || pattern == "*" || is_whole;
                if !is_package && missing.is_none() {
                    missing = Some(place);
                }
                unknown |= is_package;
            }
        }
        for base in &settings.bases {
            if let Some(path) = join(base, written).and_then(|place| files::find(tree, &place)) {
                return Aliased::File(path);
            }
        }
    }
    match missing {
        Some(_) if unknown => Aliased::Unknown,
        None if installed => Aliased::Unknown,
        Some(place) => Aliased::Missing(place),
        None if unknown && (written.starts_with(['@', '~', '#', '$']) && is_alias(written)) => Aliased::Unknown,
        None => Aliased::No,
    }
}

/// `@/x`, `~/x`: no package has such a name.
pub fn is_alias(written: &str) -> bool {
    let first = written.split('/').next().unwrap_or(written);
    matches!(first, "@" | "~" | "@@" | "~~" | "#") || first.starts_with(['$', '~', '#'])
}

fn matched<'w>(pattern: &str, written: &'w str) -> Option<&'w str> {
    match pattern.split_once('*') {
        Some((before, after)) => written.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == written).then_some(""),
    }
}
