//! What other files of JavaScript and TypeScript may say of a name.

use std::collections::BTreeSet;

use guard_sdk::{Change, Hit, Side};

pub struct Elsewhere<'c> {
    change: &'c Change,
    path: &'c str,
    /// Other files see what a script binds, and it sees what they bind.
    is_module: bool,
    /// Imports are written in when the project is built.
    imports_itself: bool,
}

const CODE: [&str; 11] =
    ["*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.html", "*.vue", "*.svelte"];

/// Of linters, test runners and bundlers.
const CONFIGURATION: [&str; 6] =
    [".eslintrc*", "eslint.config.*", "*.config.*", ".jshintrc", ".oxlintrc.json", "package.json"];

impl<'c> Elsewhere<'c> {
    pub fn of(change: &'c Change, path: &'c str, is_module: bool) -> Self {
        const PLUGINS: [&str; 7] =
            ["unplugin-auto-import", "nuxt", "nuxt3", "nitro", "nitropack", "wxt", "ProvidePlugin"];
        let folders = path.match_indices('/').map(|(at, _)| &path[..=at]).chain([""]);
        let configuration: Vec<String> = folders
            .filter(|folder| !folder.contains(['*', '?', '[', '!', '\\']))
            .flat_map(|folder| {
                ["package.json", "webpack.config.*", "vite.config.*"].map(|name| format!("/{folder}{name}"))
            })
            .collect();
        let globs: Vec<&str> = configuration.iter().map(String::as_str).collect();
        let imports_itself = !change.repo(Side::After).search(&PLUGINS, &globs, 1).is_empty();
        Elsewhere { change, path, is_module, imports_itself }
    }

    /// Whether another file may bind the name for this one.
    pub fn provides(&self, name: &str) -> bool {
        self.imports_itself || self.is_configured(name) || self.is_global(name)
    }

    /// `globals: { name: "readonly" }`, `define: { name: value }`.
    fn is_configured(&self, name: &str) -> bool {
        let hits = self.hits(name, &CONFIGURATION);
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
        let hits = self.hits(name, &CODE);
        if !self.is_module && !hits.is_empty() {
            return true;
        }
        let given = ["globalThis.", "global.", "window.", "self."].map(|object| format!("{object}{name}"));
        // The page of a manual gives its scripts names that the program does not have.
        let is_page = |path: &str| ["doc", "example", "website", "demo"].iter().any(|word| path.contains(word));
        let counts = |hit: &&Hit| !is_page(&hit.path) || is_page(self.path);
        if hits.iter().filter(counts).any(|hit| given.iter().any(|given| hit.text.contains(given))) {
            return true;
        }
        let declaring: BTreeSet<&str> =
            hits.iter().filter(|hit| declares(&hit.text, name)).map(|hit| hit.path.as_str()).collect();
        declaring.into_iter().take(20).any(|path| {
            self.change
                .repo(Side::After)
                .text(path)
                .is_ok_and(|text| is_ambient(&text) || text.contains("declare global"))
        })
    }

    /// Lines of other files that hold the name.
    fn hits(&self, name: &str, globs: &[&str]) -> Vec<Hit> {
        let hits = self.change.repo(Side::After).search(&[name], globs, 500);
        hits.into_iter().filter(|hit| hit.path != self.path).collect()
    }
}

/// `declare const name`, `interface name`, `function name`.
fn declares(line: &str, name: &str) -> bool {
    let Some((before, _)) = line.split_once(name) else { return false };
    let before = before.trim_end();
    ["var", "let", "const", "function", "class", "interface", "type", "namespace", "enum", "module"]
        .iter()
        .any(|word| before.ends_with(word))
}

/// What a file without imports and exports declares, all files see.
fn is_ambient(text: &str) -> bool {
    !text.lines().any(|line| line.starts_with("import ") || line.starts_with("export ") || line.contains("require("))
}
