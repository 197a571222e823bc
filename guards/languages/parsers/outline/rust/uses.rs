//! Names in code, told from the row of tokens: inside of macros there is nothing else.

use std::collections::BTreeSet;

use ra_ap_parser::SyntaxKind::{self, *};

use super::path::outward;
use crate::outline::Draft;
use guard_sdk::language::ImportStatement;

#[derive(Default)]
pub struct Uses {
    /// The path that is being read: its parts so far.
    path: Vec<String>,
    /// Whether the last token was `::`, so that the path goes on.
    goes_on: bool,
    /// The last name, until the token after it is known.
    pending: Option<Pending>,
    last: Option<SyntaxKind>,
    /// Whether the last tokens were `macro_rules!`.
    of_macro_rules: bool,
    /// What stood before the last dot, if it was `self`.
    of_self: bool,
    /// Names that were called, or lead a path: no local variable is meant.
    called: BTreeSet<String>,
    /// Names of local variables and parameters.
    locals: BTreeSet<String>,
    /// Those that are closures: what is called by that name may be one.
    closures: BTreeSet<String>,
    /// The local variable that was named last, as long as only `=` and `move` follow.
    named: Option<String>,
}

struct Pending {
    name: String,
    /// The token in front of it.
    behind: Option<SyntaxKind>,
    before: Vec<String>,
    dotted: bool,
    of_self: bool,
    line: u32,
}

impl Uses {
    /// A local variable or parameter.
    pub fn local(&mut self, name: &str) {
        self.locals.insert(name.to_owned());
        self.named = Some(name.to_owned());
    }

    /// A token of code, at its line; `owner` is the type whose `impl` it stands in, `inside` the modules.
    pub fn token(
        &mut self,
        outline: &mut Draft,
        kind: SyntaxKind,
        text: &str,
        line: u32,
        owner: Option<&str>,
        inside: &[String],
    ) {
        let declares = matches!(
            self.last,
            Some(FN_KW | STRUCT_KW | ENUM_KW | TRAIT_KW | MOD_KW | TYPE_KW | CONST_KW | STATIC_KW | UNION_KW)
        );
        let declares = declares || (self.last == Some(BANG) && self.of_macro_rules);
        self.of_macro_rules = kind == BANG && self.pending.as_ref().is_some_and(|last| last.name == "macro_rules");
        self.settle(outline, kind, owner, inside);
        match kind {
            EQ | MOVE_KW | ASYNC_KW => {}
            PIPE if self.named.is_some() => self.closures.extend(self.named.take()),
            _ => self.named = None,
        }
        match kind {
            IDENT | SELF_KW | SUPER_KW | CRATE_KW | SELF_TYPE_KW => {
                if !self.goes_on {
                    self.path.clear();
                }
                if kind == IDENT && declares {
                    // Inside of a macro; elsewhere a declared name does not come here.
                    outline.bound.insert(text.to_owned());
                    outline.top.insert(text.to_owned());
                } else if kind == IDENT {
                    let dotted = self.last == Some(DOT);
                    let of_self = dotted && self.of_self;
                    let (name, before) = (text.to_owned(), self.path.clone());
                    self.pending = Some(Pending { name, behind: self.last, before, dotted, of_self, line });
                }
                self.path.push(text.to_owned());
            }
            DOT => self.of_self = self.last == Some(SELF_KW) && self.path.len() == 1,
            // `Vec::<T>::new`: what leads there is not known.
            COLON2 if matches!(self.last, Some(R_ANGLE)) => self.path = vec!["?".to_owned()],
            _ => {}
        }
        self.goes_on = kind == COLON2;
        self.last = Some(kind);
    }

    fn settle(&mut self, outline: &mut Draft, next: SyntaxKind, owner: Option<&str>, inside: &[String]) {
        let Some(Pending { name, behind, before, dotted, of_self, line }) = self.pending.take() else { return };
        match before.as_slice() {
            _ if dotted => {
                if let (true, Some(owner)) = (of_self && next == L_PAREN, owner) {
                    outline.member_at(owner, &name, line);
                }
            }
            // A field's name, or a label's.
            [] if next == COLON => {}
            // `Iterator<Item = T>`: a type that the trait has; the name of an argument of a macro.
            [] if next == EQ && matches!(behind, Some(L_ANGLE | COMMA)) => {}
            [] => {
                let of_type = name.starts_with(char::is_uppercase);
                if matches!(next, L_PAREN | BANG | COLON2) || of_type {
                    self.called.insert(name.clone());
                }
                if next == COLON2 {
                    outline.use_at(&format!("{name}::"), line);
                }
                outline.use_at(&name, line);
            }
            [this] if this == "Self" => {
                if let Some(owner) = owner {
                    outline.member_at(owner, &name, line);
                }
            }
            path => {
                // `other::Type::new` is not of the type that this file has under that name.
                if path.len() == 1 || matches!(path[0].as_str(), "self" | "super" | "crate") {
                    outline.member_at(&path[path.len() - 1], &name, line);
                }
                let module = outward(path, inside).join("::");
                outline.imports.push(ImportStatement {
                    module,
                    name: Some(name),
                    local: String::new(),
                    line,
                    is_optional: false,
                });
            }
        }
    }

    pub fn finish(self, outline: &mut Draft) {
        let Uses { called, locals, closures, .. } = self;
        let is_local = |name: &String| closures.contains(name) || locals.contains(name) && !called.contains(name);
        outline.uses.retain(|name, _| !is_local(name));
    }
}
