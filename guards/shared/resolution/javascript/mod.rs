//! JavaScript and TypeScript: which file or package an import means.

mod aliases;
pub mod files;
mod manifest;
mod packages;
pub mod settings;

use crate::import::{Import, Need};
use crate::meaning::{Meaning, Offer};
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::tree::{folder, join};
use aliases::Aliased;

/// The file or package that an import's module means, without its name.
pub fn module(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    specifier(resolver, importer, &import.module, import)
}

fn specifier(resolver: &Resolver, importer: &str, written: &str, import: &Import) -> Meaning {
    // Loaders of webpack, and what is computed.
    if written.is_empty() || written.contains(['!', '*', '<', '{', '$', ' ', '\\', '\n']) && !written.starts_with('$') {
        return Meaning::Unknown;
    }
    let bare = written.split('?').next().unwrap_or(written);
    let bare = if bare.starts_with('#') { bare } else { bare.split('#').next().unwrap_or(bare) };
    if matches!(bare, "." | "..") || bare.starts_with("./") || bare.starts_with("../") {
        return files::relative(resolver, importer, bare);
    }
    if bare.starts_with('/') || bare.is_empty() {
        return Meaning::Unknown;
    }
    if let Some((scheme, rest)) = bare.split_once(':') {
        return match scheme {
            "node" if !packages::is_builtin(rest) => Meaning::NoModule {
                place: None,
                nearest: nearest(rest, packages::BUILT_IN.iter().copied(), 1).pop().map(|name| format!("node:{name}")),
            },
            _ => Meaning::Standard,
        };
    }
    match aliases::meaning(resolver, importer, bare) {
        Aliased::File(path) => return Meaning::File(path),
        // Where the place of a pattern is empty, compilers go on and look for a package.
        Aliased::Missing(place) => {
            let file = packages::file_of_workspace(resolver.tree(), bare);
            return file.map_or_else(|| files::missing(resolver, &place), Meaning::File);
        }
        Aliased::Unknown => return Meaning::Unknown,
        Aliased::No => {}
    }
    if bare.starts_with('#') {
        return manifest::private(resolver, importer, bare);
    }
    packages::meaning(resolver, importer, bare, import)
}

/// The whole import.
pub fn meaning(resolver: &Resolver, importer: &str, import: &Import) -> Meaning {
    let meaning = module(resolver, importer, import);
    let (Some(name), Meaning::File(path)) = (&import.name, &meaning) else { return meaning };
    // What a bundler makes of a file is no longer its module: `./w.js?worker` has a default export whatever the file exports.
    if import.module.contains('?') {
        return meaning;
    }
    // Of a script, the types that its comments define are imported as well, and others that a declaration elsewhere gives.
    let is_script = [".js", ".mjs", ".jsx"].iter().any(|ending| path.ends_with(ending));
    let may_be_type = is_script
        && (import.need == Need::Type || resolver.tree().text(path).is_some_and(|text| text.contains("@typedef")));
    if may_be_type || offers(resolver, path, name) != Offer::No {
        return meaning;
    }
    let module = resolver.outline(path);
    let known = module.iter().flat_map(|module| &module.offered).map(String::as_str);
    let nearest = nearest(name, known, 1).pop();
    Meaning::NoName { file: path.clone(), name: name.clone(), nearest }
}

/// Whether a file exports a name.
pub fn offers(resolver: &Resolver, path: &str, name: &str) -> Offer {
    let code = [".js", ".mjs", ".jsx", ".ts", ".mts", ".tsx"].iter().any(|ending| path.ends_with(ending));
    // Test runners, and declarations beside the code, may each give what the file does not.
    if !code || path.contains(".d.") || name == "__esModule" {
        return Offer::Unknown;
    }
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    if [".js", ".mjs", ".jsx"].iter().any(|ending| path.ends_with(ending))
        && resolver.tree().is_file(&format!("{stem}.d.ts"))
    {
        return Offer::Unknown;
    }
    let offer = resolver.offered(path, name, &|importer, module| follow(resolver, importer, module));
    // `export *` leaves the default out.
    if name == "default" && offer == Offer::Unknown {
        let module = resolver.outline(path);
        return match module {
            Some(module) if !module.open && !module.offered.contains("default") => Offer::No,
            _ => Offer::Unknown,
        };
    }
    offer
}

fn follow(resolver: &Resolver, importer: &str, module: &str) -> Option<String> {
    let relative = module.starts_with("./") || module.starts_with("../") || matches!(module, "." | "..");
    let place = relative.then(|| join(folder(importer), module))??;
    files::find(resolver.tree(), &place)
}
