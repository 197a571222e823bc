//! Where a name of JavaScript may be bound, if not in its file.

use guard_sdk::language::{Origin, SharedScope};

use crate::names::owned;

const CODE: [&str; 11] =
    ["*.js", "*.mjs", "*.cjs", "*.jsx", "*.ts", "*.mts", "*.cts", "*.tsx", "*.html", "*.vue", "*.svelte"];

/// Of linters, test runners and bundlers.
const CONFIGURATION: [&str; 6] =
    [".eslintrc*", "eslint.config.*", "*.config.*", ".jshintrc", ".oxlintrc.json", "package.json"];

/// Where a project says which plug-ins it is built with.
const MANIFESTS: [&str; 3] = ["package.json", "webpack.config.*", "vite.config.*"];

/// They write imports in.
const PLUG_INS: [&str; 7] = ["unplugin-auto-import", "nuxt", "nuxt3", "nitro", "nitropack", "wxt", "ProvidePlugin"];

const DECLARING: [&str; 10] =
    ["var", "let", "const", "function", "class", "interface", "type", "namespace", "enum", "module"];

pub fn all() -> Vec<Origin> {
    vec![Origin::Shared(SharedScope {
        code: owned(&CODE),
        configuration: owned(&CONFIGURATION),
        manifests: owned(&MANIFESTS),
        plug_ins: owned(&PLUG_INS),
        objects: owned(&["globalThis", "global", "window", "self"]),
        declaring: owned(&DECLARING),
        closing: owned(&["import ", "export ", "require("]),
        opening: owned(&["declare global"]),
    })]
}
