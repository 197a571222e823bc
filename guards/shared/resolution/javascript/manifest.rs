//! `imports` and `exports` of `package.json` (<https://nodejs.org/api/packages.html>).

use serde_json::Value;

use super::files;
use crate::meaning::Meaning;
use crate::resolver::Resolver;
use crate::tree::{Tree, above, folder, join};

/// The nearest manifest at or above a file: its folder and what it holds.
pub fn nearest(tree: &Tree, importer: &str) -> Option<(String, Value)> {
    above(folder(importer)).find_map(|at| {
        let path = if at.is_empty() { "package.json".to_owned() } else { format!("{at}/package.json") };
        tree.is_file(&path).then(|| Some((at.to_owned(), read(tree, &path)?)))?
    })
}

pub fn read(tree: &Tree, path: &str) -> Option<Value> {
    serde_json::from_str(&tree.text(path)?).ok()
}

/// `#x`, which a package imports from itself.
pub fn private(resolver: &Resolver, importer: &str, written: &str) -> Meaning {
    let tree = resolver.tree();
    let Some((at, manifest)) = nearest(tree, importer) else { return Meaning::Unknown };
    let Some(imports) = manifest["imports"].as_object() else { return Meaning::Unknown };
    let Some((target, rest)) = imports.iter().find_map(|(key, target)| Some((target, matched(key, written)?))) else {
        let names = imports.keys().map(String::as_str);
        let nearest = crate::nearest::nearest(written, names, 1).pop();
        // Frameworks make up aliases of this form.
        let frameworks = ["nuxt", "@nuxt/kit", "nitropack", "@adonisjs/core", "nitro"];
        let declared = |name: &&str| {
            ["dependencies", "devDependencies", "peerDependencies"].iter().any(|kind| !manifest[*kind][*name].is_null())
        };
        return match frameworks.iter().any(declared) {
            true => Meaning::Unknown,
            false => Meaning::NoModule { place: None, nearest },
        };
    };
    let mut places = Vec::new();
    collect(target, &mut places);
    for place in &places {
        if !place.starts_with('.') {
            return Meaning::Package((*place).to_owned());
        }
        let place = join(&at, &place.replace('*', rest));
        if let Some(path) = place.and_then(|place| files::find(tree, &place)) {
            return Meaning::File(path);
        }
    }
    let first = places.first().and_then(|place| join(&at, &place.replace('*', rest)));
    first.map_or(Meaning::Unknown, |place| files::missing(resolver, &place))
}

/// Whether the `exports` of a package let that path below it be imported; true where it does not say.
pub fn exports(manifest: &Value, below: &str) -> bool {
    match &manifest["exports"] {
        Value::Object(all) if all.keys().any(|key| key.starts_with('.')) => {
            let wanted = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
            all.iter().any(|(key, target)| {
                !target.is_null() && (matched(key, &wanted).is_some() || key.ends_with('/') && wanted.starts_with(key))
            })
        }
        Value::Object(_) | Value::String(_) | Value::Array(_) => below.is_empty() || below == "package.json",
        _ => true,
    }
}

fn matched<'w>(key: &str, written: &'w str) -> Option<&'w str> {
    match key.split_once('*') {
        Some((before, after)) => written.strip_prefix(before)?.strip_suffix(after),
        None => (key == written).then_some(""),
    }
}

/// Every path that a target names, under whatever condition.
fn collect<'v>(target: &'v Value, found: &mut Vec<&'v str>) {
    match target {
        Value::String(place) => found.push(place),
        Value::Array(all) => all.iter().for_each(|one| collect(one, found)),
        Value::Object(all) => all.values().for_each(|one| collect(one, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::exports;

    #[test]
    fn paths_of_packages() {
        let manifest =
            json!({"exports": {".": "./a.js", "./b": {"import": "./b.mjs"}, "./c/*": "./c/*.js", "./d": null}});
        for below in ["", "b", "c/x"] {
            assert!(exports(&manifest, below), "{below}");
        }
        for below in ["d", "e", "c"] {
            assert!(!exports(&manifest, below), "{below}");
        }
        assert!(exports(&json!({}), "x") && !exports(&json!({"exports": "./a.js"}), "x"));
    }
}
