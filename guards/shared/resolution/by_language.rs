//! Finds what imports mean, each by the rules of the language of its file.

use crate::import::Import;
use crate::language::Language;
use crate::meaning::{Meaning, Offer};
use crate::resolver::Resolver;
use crate::{go, javascript, python, rust};

impl Resolver<'_> {
    /// The module that an import names, whatever it takes out of it. Of Rust, where a path does not show which of its parts is the
    /// last module, the file that the item of the path stands in.
    pub fn module(&self, importer: &str, import: &Import) -> Meaning {
        match Language::from_path(importer) {
            Some(Language::Python) => python::module(self, importer, import),
            Some(Language::JavaScript) => javascript::module(self, importer, import),
            Some(Language::Rust) => rust::meaning(self, importer, import),
            Some(Language::Go) => go::meaning(self, importer, import),
            None => Meaning::Unknown,
        }
    }

    /// The whole import: its module, and in it its name.
    pub fn meaning(&self, importer: &str, import: &Import) -> Meaning {
        match Language::from_path(importer) {
            Some(Language::Python) => python::meaning(self, importer, import),
            Some(Language::JavaScript) => javascript::meaning(self, importer, import),
            Some(Language::Rust) => rust::meaning(self, importer, import),
            Some(Language::Go) => go::meaning(self, importer, import),
            None => Meaning::Unknown,
        }
    }

    /// The file that stands behind the name which an import binds, where that is a module: `name.f` is a function of that file.
    pub fn bound_module(&self, importer: &str, import: &Import) -> Option<String> {
        let Meaning::File(file) = self.meaning(importer, import) else { return None };
        let is_bound = match Language::from_path(importer)? {
            Language::Python => python::binds_module(import, &file),
            Language::JavaScript => import.name.is_none(),
            Language::Rust => rust::binds_module(import, &file),
            // A package is a folder.
            Language::Go => false,
        };
        is_bound.then_some(file)
    }

    /// Whether a file of Python, JavaScript or TypeScript has a name that others may import.
    pub fn offers(&self, path: &str, name: &str) -> Offer {
        match Language::from_path(path) {
            Some(Language::Python) => python::offers(self, path, name),
            Some(Language::JavaScript) => javascript::offers(self, path, name),
            Some(Language::Rust | Language::Go) | None => Offer::Unknown,
        }
    }
}
