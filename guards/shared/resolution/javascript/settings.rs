//! `paths` and `baseUrl` of `tsconfig.json` and `jsconfig.json` (<https://www.typescriptlang.org/tsconfig/#paths>).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use crate::tree::{Tree, above, folder, join};

/// What the settings above a file say, by folder.
#[derive(Default)]
pub struct Settings {
    folders: RefCell<BTreeMap<String, Rc<Folder>>>,
}

/// What the settings in one folder, and those that they extend, say together.
#[derive(Default)]
pub(super) struct Folder {
    /// Pattern, and the places that it stands for.
    pub(super) paths: Vec<(String, Vec<String>)>,
    pub(super) bases: Vec<String>,
    root_dirs: bool,
    /// One of them cannot be read, or extends what is not in the tree.
    pub(super) unknown: bool,
}

/// Files, one of which extends the next.
const EXTENDED: usize = 6;

impl Settings {
    pub fn has_root_dirs(&self, tree: &Tree, importer: &str) -> bool {
        above(folder(importer)).any(|at| self.folder(tree, at).root_dirs)
    }

    pub(super) fn folder(&self, tree: &Tree, at: &str) -> Rc<Folder> {
        if let Some(known) = self.folders.borrow().get(at) {
            return known.clone();
        }
        let mut settings = Folder::default();
        let prefix = if at.is_empty() { String::new() } else { format!("{at}/") };
        let mut names = vec![format!("{prefix}tsconfig.json"), format!("{prefix}jsconfig.json")];
        names.retain(|name| tree.is_file(name));
        if !names.is_empty() || at.is_empty() {
            let others = format!("/{prefix}tsconfig.*.json");
            names.extend(tree.find(&[&others], 20).iter().cloned());
        }
        for name in names {
            settings.read(tree, &name, EXTENDED);
        }
        let settings = Rc::new(settings);
        self.folders.borrow_mut().insert(at.to_owned(), settings.clone());
        settings
    }
}

impl Folder {
    fn read(&mut self, tree: &Tree, path: &str, depth: usize) {
        let options = jsonc_parser::ParseOptions::default();
        let value = tree.text(path).and_then(|text| jsonc_parser::parse_to_serde_value::<Value>(&text, &options).ok());
        let (Some(value), 1..) = (value, depth) else {
            self.unknown = true;
            return;
        };
        let own = &value["compilerOptions"];
        self.root_dirs |= !own["rootDirs"].is_null();
        let base = own["baseUrl"].as_str().and_then(|base| join(folder(path), base));
        self.bases.extend(base.clone());
        let from = base.unwrap_or_else(|| folder(path).to_owned());
        for (pattern, places) in own["paths"].as_object().into_iter().flatten() {
            let places = places.as_array().into_iter().flatten().filter_map(Value::as_str);
            let places = places.filter_map(|place| join(&from, place)).collect();
            self.paths.push((pattern.clone(), places));
        }
        let extends = match &value["extends"] {
            Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect::<Vec<_>>(),
        };
        for one in extends {
            // A package's settings say nothing of this tree.
            if !one.starts_with('.') {
                continue;
            }
            let Some(place) = join(folder(path), one) else { continue };
            let files = [place.clone(), format!("{place}.json"), format!("{place}/tsconfig.json")];
            match files.into_iter().find(|file| tree.is_file(file)) {
                Some(file) => self.read(tree, &file, depth - 1),
                None => self.unknown = true,
            }
        }
    }
}
