//! Names that a module does not show: whether a macro or a glob may give them.

use super::outline::Mod;
use super::walk::{End, Place, Walk, is_standard};
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::tree::folder;

impl Walk<'_, '_> {
    /// Whether a glob certainly gives no module or crate of that name.
    pub(super) fn lacks(&self, at: &Place, glob: &[String], name: &str) -> bool {
        match self.path(at, glob, 1, true) {
            End::Module(place) => matches!(self.follow(place, &[name.to_owned()], 1), End::Missing(_)),
            End::Enum(..) => true,
            // Of the standard library, modules are taken by their names.
            End::Outside(krate) => is_standard(&krate) && glob.len() > 1,
            End::Item(_) | End::Unknown | End::Missing(_) => false,
        }
    }

    /// Whether a macro that is called where items stand may have made an item of that name. The name is then in what the macro is
    /// given, or in its definition; or the definition is not in the tree.
    pub(super) fn may_call(&self, module: &Mod, name: &str) -> bool {
        let mut calls = module.calls.iter().filter(|call| !HARMLESS.contains(&call.as_str())).peekable();
        if module.calls.is_empty() {
            return false;
        }
        if module.handed.contains(name) || calls.clone().any(|call| call.contains("include") || call.is_empty()) {
            return true;
        }
        if calls.peek().is_none() {
            return false;
        }
        let tree = self.resolver.tree();
        let needles: Vec<&str> = calls.clone().map(String::as_str).collect();
        let defined = tree.search(&needles, &["*.rs"], 2_000);
        let is_defined = |call: &&String| {
            defined.iter().any(|hit| hit.text.contains("macro_rules!") && needles[hit.needle as usize] == call.as_str())
        };
        if !calls.all(|call| is_defined(&call)) {
            return true;
        }
        // A definition may hold the name, or put it together.
        let hits = tree.search(&[name, "paste", "concat_idents"], &["*.rs"], 400);
        hits.iter().any(|hit| {
            let line = hit.text.trim_start();
            let takes = line.starts_with("use ") || line.starts_with("pub use ") || line.starts_with("//");
            hit.needle > 0 || (!takes && hit.path != self.importer && hit.path.starts_with(folder(&self.krate.at)))
        })
    }

    pub(super) fn missing(&self, at: &Place, module: &Mod, name: &str, rest: &[String]) -> End {
        let tree = self.resolver.tree();
        // An exported macro stands at the root, wherever it is written.
        const MOST: u32 = 400;
        let hits = tree.search(&[name], &["*.rs"], MOST);
        // Of a word that stands everywhere, not every line was seen.
        let is_cut = hits.len() >= MOST as usize;
        if is_cut || hits.iter().any(|hit| hit.text.contains("macro_rules!") || hit.text.contains("concat_idents")) {
            return End::Unknown;
        }
        let nearest = nearest(name, module.names(), 1).pop();
        let places = self.places(at, name);
        // The file of a module that no `mod` declares is no module.
        let is_there = places.iter().any(|place| tree.is_file(place));
        End::Missing(match rest.is_empty() || is_there {
            true => Meaning::NoName { file: at.file.clone(), name: name.to_owned(), nearest },
            false => Meaning::NoModule { place: places.into_iter().next(), nearest },
        })
    }
}

/// Macros whose items are named where they are called, or that make none.
#[rustfmt::skip]
const HARMLESS: [&str; 17] = [
    "compile_error", "thread_local", "lazy_static", "bitflags", "cfg_if", "pin_project", "const_assert", "const_assert_eq", "assert_impl_all", "assert_not_impl_any", "criterion_group", "criterion_main", "assert", "assert_eq",
    "static_assertions", "global_asm", "shadow",
];
