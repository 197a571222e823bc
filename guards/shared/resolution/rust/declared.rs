//! The files of modules that are declared with `mod name;`.

use super::walk::{Place, Walk};
use crate::generated;
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::tree::{folder, join};

impl Walk<'_, '_> {
    /// `mod name;`
    pub(super) fn declared(&self, here: &Place, name: &str) -> Meaning {
        match self.file_of(here, name) {
            Some(path) => Meaning::File(path),
            None => {
                let tree = self.resolver.tree();
                let places = self.places(here, name);
                if places.is_empty() || places.iter().any(|place| generated::may_be(tree, place)) || self.is_moved(here)
                {
                    return Meaning::Unknown;
                }
                let siblings = tree.children(folder(&places[0]), &[".rs"]);
                let nearest = nearest(name, siblings.iter().map(String::as_str), 1).pop();
                Meaning::NoModule { place: Some(places[0].clone()), nearest }
            }
        }
    }

    /// Where the file of `mod name;` may stand.
    pub(super) fn places(&self, here: &Place, name: &str) -> Vec<String> {
        let last = here.file.rsplit('/').next().unwrap_or_default();
        let owns_folder = last == "mod.rs" || self.krate.is_root(&here.file);
        let stem = here.file.strip_suffix(".rs").unwrap_or(&here.file);
        let mut at = if owns_folder { folder(&here.file).to_owned() } else { stem.to_owned() };
        for part in &here.inside {
            at = if at.is_empty() { part.clone() } else { format!("{at}/{part}") };
        }
        let prefix = if at.is_empty() { String::new() } else { format!("{at}/") };
        vec![format!("{prefix}{name}.rs"), format!("{prefix}{name}/mod.rs")]
    }

    pub(super) fn file_of(&self, here: &Place, name: &str) -> Option<String> {
        let tree = self.resolver.tree();
        let file = self.resolver.rust.file(tree, &here.file)?;
        let declared = file.root.at(&here.inside)?.declared.get(name)?;
        match declared {
            Some(path) if here.inside.is_empty() => join(folder(&here.file), path).filter(|path| tree.is_file(path)),
            Some(_) => None,
            None => self.places(here, name).into_iter().find(|path| tree.is_file(path)),
        }
    }

    /// Whether a `#[path]` or an `include!` may have brought a file to another place.
    fn is_moved(&self, here: &Place) -> bool {
        let name = here.file.rsplit('/').next().unwrap_or_default();
        let Some(stem) = name.strip_suffix(".rs").filter(|stem| !stem.is_empty()) else { return true };
        let hits = self.resolver.tree().search(&[stem], &["*.rs"], 2_000);
        hits.iter().any(|hit| hit.text.contains(name) && (hit.text.contains("#[path") || hit.text.contains("include!")))
    }
}
