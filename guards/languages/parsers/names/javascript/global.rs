//! Names that the environment binds.

use std::collections::HashSet;
use std::sync::LazyLock;

static SET: LazyLock<HashSet<&str>> = LazyLock::new(|| RUNTIME.split_ascii_whitespace().collect());

/// Whether a runtime, a browser or a test framework may provide it. `known_before` tells that the file itself bound the name before
/// the change: then the likes of `name` and `status`, which every browser has, are not what was meant.
pub fn is_global(name: &str, known_before: bool) -> bool {
    if known_before && has(CONFUSING, name) {
        return false;
    }
    name == "arguments" || SET.contains(name) || (!known_before && has(FRAMEWORKS, name))
}

/// The same in a place where a type stands.
pub fn is_global_type(name: &str) -> bool {
    matches!(name, "const" | "JSX" | "NodeJS" | "React") || SET.contains(name) || has(TYPES, name)
}

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

/// The environments of `globals` 17.14 (MIT) that runtimes, browsers, bundlers and test frameworks provide.
const RUNTIME: &str = include_str!("runtime.txt");
/// The other environments of `globals`, which are rare, and whose names are words of everyday code.
const FRAMEWORKS: &str = include_str!("frameworks.txt");
/// `confusing-browser-globals` 1.0 (MIT).
const CONFUSING: &str = include_str!("confusing.txt");
/// What the `lib.*.d.ts` of TypeScript 5.9 (Apache-2.0) declare and `globals` does not have.
const TYPES: &str = include_str!("types.txt");
