//! Finds what imports mean, each by the rules of the language of its file. A language has rules if it has a row in [`RULES`].

use guard_sdk::files::{Language, join};

use crate::import::Import;
use crate::meaning::{Meaning, Offer};
use crate::resolver::Resolver;
use crate::{go, javascript, python, rust};

/// What is known of imports in a language, as that of a file whose modules it shares.
struct Rules {
    language: Language,
    module: fn(&Resolver, &str, &Import) -> Meaning,
    meaning: fn(&Resolver, &str, &Import) -> Meaning,
    /// Whether the name that the import binds is the module in the file, and not something out of it.
    binds_module: fn(&Import, &str) -> bool,
    offers: fn(&Resolver, &str, &str) -> Offer,
}

const RULES: [Rules; 4] = [
    Rules {
        language: Language::Python,
        module: python::module,
        meaning: python::meaning,
        binds_module: python::binds_module,
        offers: python::offers,
    },
    Rules {
        language: Language::JavaScript,
        module: javascript::module,
        meaning: javascript::meaning,
        binds_module: |import, _| import.name.is_none(),
        offers: javascript::offers,
    },
    Rules {
        language: Language::Rust,
        module: rust::meaning,
        meaning: rust::meaning,
        binds_module: rust::binds_module,
        offers: |_, _, _| Offer::Unknown,
    },
    Rules {
        language: Language::Go,
        module: go::meaning,
        meaning: go::meaning,
        // A package is a folder.
        binds_module: |_, _| false,
        offers: |_, _, _| Offer::Unknown,
    },
];

/// Of the files whose imports are known.
pub const GLOBS: &[&str] = &join::<12>(&[
    Language::Python.globs(),
    Language::JavaScript.module_globs(),
    Language::Rust.globs(),
    Language::Go.globs(),
]);

/// The language of a file whose imports are known, as that of the modules that it is one of.
pub fn language_of(path: &str) -> Option<Language> {
    rules(path).map(|rules| rules.language)
}

fn rules(path: &str) -> Option<&'static Rules> {
    let language = Language::from_path(path)?.of_modules();
    RULES.iter().find(|rules| rules.language == language)
}

impl Resolver<'_> {
    /// The module that an import names, whatever it takes out of it. Of Rust, where a path does not show which of its parts is the
    /// last module, the file that the item of the path stands in.
    pub fn module(&self, importer: &str, import: &Import) -> Meaning {
        rules(importer).map_or(Meaning::Unknown, |rules| (rules.module)(self, importer, import))
    }

    /// The whole import: its module, and in it its name.
    pub fn meaning(&self, importer: &str, import: &Import) -> Meaning {
        rules(importer).map_or(Meaning::Unknown, |rules| (rules.meaning)(self, importer, import))
    }

    /// The file that stands behind the name which an import binds, where that is a module: `name.f` is a function of that file.
    pub fn bound_module(&self, importer: &str, import: &Import) -> Option<String> {
        let Meaning::File(file) = self.meaning(importer, import) else { return None };
        (rules(importer)?.binds_module)(import, &file).then_some(file)
    }

    /// Whether a file has a name that others may import.
    pub fn offers(&self, path: &str, name: &str) -> Offer {
        rules(path).map_or(Offer::Unknown, |rules| (rules.offers)(self, path, name))
    }
}
