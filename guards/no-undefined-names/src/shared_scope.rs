//! What other files may say of a name, where all files of a program share a scope.

use std::collections::BTreeSet;

use guard_sdk::language::SharedScope;
use guard_sdk::{Change, Hit, Side};

use crate::origins::texts;

pub struct Elsewhere<'c> {
    change: &'c Change,
    path: &'c str,
    scope: &'c SharedScope,
    /// Other files see what a script binds, and it sees what they bind.
    is_module: bool,
}

impl<'c> Elsewhere<'c> {
    pub fn new(change: &'c Change, path: &'c str, scope: &'c SharedScope, is_module: bool) -> Self {
        Elsewhere { change, path, scope, is_module }
    }

    /// Whether imports are written in when the project is built.
    fn imports_itself(&self) -> bool {
        let folders = self.path.match_indices('/').map(|(at, _)| &self.path[..=at]).chain([""]);
        let manifests: Vec<String> = folders
            .filter(|folder| !folder.contains(['*', '?', '[', '!', '\\']))
            .flat_map(|folder| self.scope.manifests.iter().map(move |name| format!("/{folder}{name}")))
            .collect();
        let plug_ins = texts(&self.scope.plug_ins);
        let hits = self.change.repo(Side::After).search(&plug_ins, &texts(&manifests), 500);
        // A line that is cut before the name may have it whole.
        let is_cut = |hit: &Hit| !plug_ins.get(hit.needle as usize).is_some_and(|name| hit.text.contains(name));
        hits.iter().any(|hit| is_cut(hit) || plug_ins.iter().any(|name| has_whole(&hit.text, name)))
    }

    /// Whether another file may bind the name for this one.
    pub fn provides(&self, name: &str) -> bool {
        self.imports_itself() || self.is_configured(name) || self.is_global(name)
    }

    /// `globals: { name: "readonly" }`, `define: { name: value }`.
    fn is_configured(&self, name: &str) -> bool {
        let hits = self.hits(name, &self.scope.configuration);
        hits.iter().any(|hit| {
            let value = hit
                .text
                .split_once(name)
                .map_or("", |(_, rest)| rest.trim_start_matches(['"', '\'', '`']).trim_start());
            let Some(value) = value.strip_prefix(':') else { return false };
            // In a manifest, most keys are packages and settings.
            let is_permission = ["true", "false", "readonly", "writable", "writeable", "off"]
                .iter()
                .any(|word| value.trim_matches([' ', '"', '\'', ',']).starts_with(word));
            is_permission || !hit.path.ends_with("package.json")
        })
    }

    fn is_global(&self, name: &str) -> bool {
        let hits = self.hits(name, &self.scope.code);
        if !self.is_module && !hits.is_empty() {
            return true;
        }
        let given: Vec<String> = self.scope.objects.iter().map(|object| format!("{object}.{name}")).collect();
        // The page of a manual gives its scripts names that the program does not have.
        let is_page = |path: &str| ["doc", "example", "website", "demo"].iter().any(|word| path.contains(word));
        let counts = |hit: &&Hit| !is_page(&hit.path) || is_page(self.path);
        if hits.iter().filter(counts).any(|hit| given.iter().any(|given| hit.text.contains(given))) {
            return true;
        }
        let declaring: BTreeSet<&str> =
            hits.iter().filter(|hit| self.declares(&hit.text, name)).map(|hit| hit.path.as_str()).collect();
        declaring.into_iter().take(20).any(|path| {
            let has = |text: &str, marks: &[String]| marks.iter().any(|mark| text.contains(mark.as_str()));
            self.change
                .repo(Side::After)
                .text(path)
                .is_ok_and(|text| !self.is_closed(&text) || has(&text, &self.scope.opening))
        })
    }

    /// Lines of other files that hold the name.
    fn hits(&self, name: &str, globs: &[String]) -> Vec<Hit> {
        let hits = self.change.repo(Side::After).search(&[name], &texts(globs), 500);
        hits.into_iter().filter(|hit| hit.path != self.path).collect()
    }

    /// `declare const name`, `interface name`, `function name`.
    fn declares(&self, line: &str, name: &str) -> bool {
        let Some((before, _)) = line.split_once(name) else { return false };
        let before = before.trim_end();
        self.scope.declaring.iter().any(|word| before.ends_with(word.as_str()))
    }

    /// Whether other files do not see what a file declares: it imports or exports.
    fn is_closed(&self, text: &str) -> bool {
        let closes = |line: &str| {
            let mut marks = self.scope.closing.iter();
            marks.any(|mark| if mark.ends_with(' ') { line.starts_with(mark.as_str()) } else { line.contains(mark) })
        };
        text.lines().any(closes)
    }
}

/// Whether a line has a name that is no part of another: `react-native-nitro-modules` is no `nitro`.
fn has_whole(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    line.match_indices(name)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part))
}
