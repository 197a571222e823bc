//! Reads the items of a Rust file from its tokens.

use std::collections::BTreeSet;

use ra_ap_parser::SyntaxKind::*;

use super::cursor::{Cursor, Token, lex, name, tokens};
use super::outline::{Mod, RustFile};
use super::tree::leaves;
use crate::import::{Import, Need};
use crate::lines::Lines;

/// Modules, one in another.
const DEEPEST: usize = 40;

pub fn read(text: &str) -> RustFile {
    let lexed = lex(text);
    let tokens = tokens(&lexed);
    let mut reader = Reader { file: RustFile::default(), lines: Lines::new(text), inside: Vec::new(), nested: 0 };
    let mut root = Mod::default();
    reader.items(&mut Cursor::new(&tokens), &mut root, false);
    reader.file.root = root;
    reader.file
}

struct Reader {
    file: RustFile,
    lines: Lines,
    inside: Vec<String>,
    /// Groups of macros that are open.
    nested: usize,
}

/// What the attributes before an item say.
#[derive(Default)]
struct Attributes {
    /// A `cfg` that asks for more than tests and features.
    optional: bool,
    path: Option<String>,
    /// A macro sees the item, and may make others of it.
    seed: bool,
    /// The derive that a function of a macro crate defines.
    derives: Option<String>,
}

impl Reader {
    fn items(&mut self, cursor: &mut Cursor, module: &mut Mod, mut optional: bool) {
        while !cursor.is_over() {
            let mut attributes = Attributes::default();
            while cursor.kind(0) == POUND {
                cursor.step();
                let inner = cursor.eat(BANG);
                let group = cursor.group();
                attributes.read(group);
                if inner {
                    optional |= std::mem::take(&mut attributes).optional;
                }
            }
            attributes.optional |= optional;
            if cursor.eat(PUB_KW) && cursor.kind(0) == L_PAREN {
                cursor.group();
            }
            self.item(cursor, module, &attributes);
        }
    }

    fn item(&mut self, cursor: &mut Cursor, module: &mut Mod, attributes: &Attributes) {
        match cursor.kind(0) {
            USE_KW => self.take(cursor, Some(module), attributes.optional),
            MOD_KW => self.module(cursor, module, attributes),
            ENUM_KW => {
                cursor.step();
                let enumeration = name(cursor.text(0));
                cursor.until_body();
                let variants = if cursor.kind(0) == L_CURLY { variants(cursor.group()) } else { BTreeSet::new() };
                module.enums.insert(enumeration.clone(), (!attributes.seed).then_some(variants));
                module.seeds.extend(attributes.seed.then_some(enumeration));
            }
            FN_KW | STRUCT_KW | TRAIT_KW | MACRO_KW => self.named(cursor, module, attributes),
            IDENT if cursor.text(0) == "union" && cursor.kind(1) == IDENT => self.named(cursor, module, attributes),
            TYPE_KW => {
                cursor.step();
                module.items.insert(name(cursor.text(0)));
                cursor.over_semicolon();
            }
            CONST_KW | STATIC_KW if !matches!(cursor.kind(1), FN_KW | UNSAFE_KW | ASYNC_KW | EXTERN_KW) => {
                cursor.step();
                cursor.eat(MUT_KW);
                module.items.insert(name(cursor.text(0)));
                self.over_value(cursor);
            }
            IMPL_KW => {
                cursor.until_body();
                self.body(cursor);
            }
            EXTERN_KW if cursor.kind(1) == CRATE_KW => {
                let (named, renamed) = (name(cursor.text(2)), cursor.kind(3) == AS_KW);
                let local = if renamed { name(cursor.text(4)) } else { named.clone() };
                let start = cursor.start();
                cursor.over_semicolon();
                let mut path = vec!["::".to_owned(), named];
                if path[1] == "self" {
                    path = vec!["crate".to_owned()];
                }
                self.import(&path, &local, start, attributes.optional, false);
                module.uses.insert(local, path);
            }
            EXTERN_KW if cursor.kind(1) == STRING && cursor.kind(2) == L_CURLY || cursor.kind(1) == L_CURLY => {
                cursor.step();
                cursor.eat(STRING);
                let group = cursor.group();
                self.items(&mut Cursor::new(group), module, attributes.optional);
            }
            IDENT if cursor.text(0) == "macro_rules" && cursor.kind(1) == BANG => {
                cursor.step();
                cursor.step();
                module.items.insert(name(cursor.text(0)));
                cursor.step();
                cursor.group();
            }
            IDENT | CRATE_KW | SELF_KW | SUPER_KW | COLON if called(cursor) => {
                let mut called = String::new();
                while !cursor.is_over() && !cursor.opens() {
                    if cursor.kind(0) == IDENT {
                        called = name(cursor.text(0));
                    }
                    cursor.step();
                }
                let group = cursor.group();
                module.calls.insert(called);
                module.handed.extend(group.iter().filter(|token| token.kind == IDENT).map(|token| name(token.text)));
                // Most macros of this form let their items stand, under a condition.
                if self.nested < DEEPEST {
                    self.nested += 1;
                    self.items(&mut Cursor::new(group), module, true);
                    self.nested -= 1;
                }
            }
            _ if cursor.opens() => {
                cursor.group();
            }
            _ => cursor.step(),
        }
    }

    /// A value may hold a block with a `use` in it; whatever is in it, a `;` ends it.
    fn over_value(&mut self, cursor: &mut Cursor) {
        while !cursor.is_over() && !matches!(cursor.kind(0), SEMICOLON | R_CURLY) {
            match cursor.kind(0) {
                L_CURLY => self.body(cursor),
                L_PAREN | L_BRACK => {
                    cursor.group();
                }
                _ => cursor.step(),
            }
        }
        cursor.eat(SEMICOLON);
    }

    fn named(&mut self, cursor: &mut Cursor, module: &mut Mod, attributes: &Attributes) {
        let is_macro = cursor.kind(0) == MACRO_KW;
        cursor.step();
        let item = name(cursor.text(0));
        module.seeds.extend(attributes.seed.then(|| item.clone()));
        module.items.extend(attributes.derives.clone());
        module.items.insert(item);
        cursor.until_body();
        match is_macro {
            true => {
                cursor.group();
            }
            false => self.body(cursor),
        }
    }

    fn module(&mut self, cursor: &mut Cursor, module: &mut Mod, attributes: &Attributes) {
        cursor.step();
        let (child, start) = (name(cursor.text(0)), cursor.start());
        cursor.step();
        if cursor.kind(0) == L_CURLY {
            let group = cursor.group();
            if self.inside.len() >= DEEPEST {
                module.open = true;
                return;
            }
            let mut inner = Mod { open: attributes.seed, ..Mod::default() };
            self.inside.push(child.clone());
            self.items(&mut Cursor::new(group), &mut inner, attributes.optional);
            self.inside.pop();
            // One for each platform, perhaps.
            match module.inline.get_mut(&child) {
                Some(other) => other.open = true,
                None => {
                    module.inline.insert(child, inner);
                }
            }
            return;
        }
        cursor.eat(SEMICOLON);
        let optional = attributes.optional || attributes.path.is_some();
        let mut import = self.made(&child, &child, start, optional, false);
        import.declares = true;
        self.file.imports.push(import);
        module.declared.insert(child, attributes.path.clone());
    }

    /// A `use`, from its first token on.
    fn take(&mut self, cursor: &mut Cursor, mut module: Option<&mut Mod>, optional: bool) {
        let begin = cursor.start();
        cursor.step();
        let all = cursor.rest();
        let length = all.iter().position(|token| token.kind == SEMICOLON).unwrap_or(all.len());
        let end = all.get(length).or(all.last()).map_or(0, |token| token.start);
        cursor.at += length + 1;
        let first = self.file.imports.len();
        for leaf in leaves(&all[..length]) {
            let mut path = leaf.path;
            if leaf.of_crates {
                path.insert(0, "::".to_owned());
            }
            let local = leaf.local.clone().unwrap_or_default();
            self.import(&path, &local, leaf.start, optional, module.is_none());
            match (&mut module, leaf.local) {
                (Some(module), Some(local)) => {
                    module.uses.insert(local, path);
                }
                (Some(module), None) => module.globs.push(path),
                (None, Some(local)) => {
                    self.file.local.insert(local);
                }
                (None, None) => {}
            }
        }
        let statement = (self.lines.at(begin), self.lines.at(end));
        self.file.imports[first..].iter_mut().for_each(|import| import.statement = statement);
    }

    /// A body in braces, if one is next, or what ends at a `;`: its `use` and the names that it defines.
    fn body(&mut self, cursor: &mut Cursor) {
        if cursor.kind(0) != L_CURLY {
            cursor.eat(SEMICOLON);
            return;
        }
        let group = cursor.group();
        let mut inner = Cursor::new(group);
        while !inner.is_over() {
            let begins = matches!(inner.before(), EOF | L_CURLY | R_CURLY | SEMICOLON | R_BRACK);
            match inner.kind(0) {
                USE_KW if begins => {
                    let optional = inner.before() == R_BRACK;
                    self.take(&mut inner, None, optional);
                }
                MOD_KW | ENUM_KW | STRUCT_KW | TRAIT_KW | FN_KW | TYPE_KW => {
                    self.file.local.insert(name(inner.text(1)));
                    inner.step();
                }
                // Tokens of a macro mean what it makes of them.
                BANG if inner.before() == IDENT && matches!(inner.kind(1), L_PAREN | L_BRACK | L_CURLY) => {
                    inner.step();
                    inner.group();
                }
                BANG if inner.before() == IDENT && inner.kind(1) == IDENT => {
                    inner.step();
                    self.file.local.insert(name(inner.text(0)));
                    inner.step();
                    if inner.opens() {
                        inner.group();
                    }
                }
                _ => inner.step(),
            }
        }
    }

    fn import(&mut self, path: &[String], local: &str, start: usize, optional: bool, is_local: bool) {
        let import = self.made(&path.join("::"), local, start, optional, is_local);
        self.file.imports.push(import);
    }

    fn made(&self, path: &str, local: &str, start: usize, optional: bool, is_local: bool) -> Import {
        let need = if optional { Need::Optional } else { Need::Required };
        let mut import = Import::new(path, None, local, self.lines.at(start), need);
        import.inside = self.inside.clone();
        import.is_local = is_local;
        import
    }
}

/// `a::b! { … }`.
fn called(cursor: &Cursor) -> bool {
    let mut ahead = 0;
    while matches!(cursor.kind(ahead), IDENT | COLON | CRATE_KW | SELF_KW | SUPER_KW) && ahead < 20 {
        ahead += 1;
    }
    ahead > 0 && cursor.kind(ahead) == BANG
}

fn variants(tokens: &[Token]) -> BTreeSet<String> {
    let mut cursor = Cursor::new(tokens);
    let mut found = BTreeSet::new();
    let mut expected = true;
    while !cursor.is_over() {
        match cursor.kind(0) {
            POUND => {
                cursor.step();
                cursor.group();
                continue;
            }
            IDENT if expected => {
                found.insert(name(cursor.text(0)));
                expected = false;
            }
            COMMA => expected = true,
            _ if cursor.opens() => {
                cursor.group();
                continue;
            }
            _ => {}
        }
        cursor.step();
    }
    found
}

impl Attributes {
    fn read(&mut self, tokens: &[Token]) {
        let Some(first) = tokens.first() else { return };
        let words = || tokens.iter().skip(1).filter(|token| token.kind == IDENT).map(|token| token.text);
        match first.text {
            "cfg" => self.optional |= words().any(|word| !CONDITIONS.contains(&word)),
            "proc_macro_derive" => self.derives = words().next().map(name),
            "cfg_attr" => {
                self.optional |= words().any(|word| word == "path");
                self.seed |= words().any(|word| word == "derive") && derives_more(words());
            }
            "path" => {
                self.path = tokens
                    .iter()
                    .find(|token| token.kind == STRING)
                    .map(|token| token.text.trim_matches('"').to_owned())
            }
            "derive" => self.seed |= derives_more(words()),
            first => self.seed |= !ATTRIBUTES.contains(&first),
        }
    }
}

fn derives_more<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.any(|word| !DERIVES.contains(&word))
}

/// Conditions that the compiler and Cargo set; others are a project's own, and may never hold.
#[rustfmt::skip]
const CONDITIONS: [&str; 22] = [
    "all", "any", "not", "true", "false", "test", "feature", "doc", "doctest", "docsrs", "debug_assertions", "unix", "windows", "target_os", "target_arch", "target_family", "target_pointer_width", "target_env", "target_endian",
    "target_vendor", "target_has_atomic", "panic",
];

/// Attributes of the compiler (<https://doc.rust-lang.org/reference/attributes.html>), and those of widespread crates that name no new items.
#[rustfmt::skip]
const ATTRIBUTES: [&str; 56] = [
    "allow", "automatically_derived", "cfg", "cold", "collapse_debuginfo", "coverage", "deny", "deprecated", "diagnostic", "doc", "expect", "export_name", "forbid", "global_allocator", "ignore", "inline", "instruction_set", "link", "link_name",
    "link_ordinal", "link_section", "macro_export", "macro_use", "must_use", "naked", "no_mangle", "no_link", "non_exhaustive", "panic_handler", "proc_macro", "proc_macro_attribute", "proc_macro_derive", "repr", "should_panic", "target_feature",
    "test", "test_case", "track_caller", "type_length_limit", "unsafe", "used", "warn", "rustfmt", "clippy", "serde", "tokio", "async_trait", "derive", "default", "must_not_suspend", "instrument", "stable", "unstable", "error", "command", "rustversion",
];

/// Derives that name no new items: the compiler's, and those of widespread crates.
#[rustfmt::skip]
const DERIVES: [&str; 43] = [
    "Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd", "Serialize", "Deserialize", "Parser", "Args", "Subcommand", "ValueEnum", "Error", "Display", "From", "Into", "AsRef", "Deref", "DerefMut", "Arbitrary",
    "Zeroize", "ZeroizeOnDrop", "Diagnostic", "JsonSchema", "FromRow", "EnumIter", "EnumString", "IntoStaticStr", "Constructor", "serde", "clap", "thiserror", "strum", "std", "all", "any", "feature", "derive", "AsRefStr", "EnumCount",
];
