//! What a text of a language says: the facts, the questions of guards, and, with the feature `language`, the component that answers.
//!
//! The host reads each text once for all guards, in a sandbox, so a guard that asks here needs no parser, and no list of languages.
//!
//! ```
//! # use guard_sdk::{Change, Side};
//! fn still_has(change: &Change, path: &str, name: &str) -> bool {
//!     match change.languages(Side::After).outline(path) {
//!         Ok(outline) => outline.definitions.iter().any(|definition| definition.name == name),
//!         // What is not known is no mistake.
//!         Err(_) => true,
//!     }
//! }
//! ```

pub use crate::bindings::guardhost::language::languages::{Language, Unknown};
pub use crate::bindings::guardhost::language::text_facts::{
    Binding, BindingKind, Body, Bracket, Comment, Definition, DefinitionKind, Focus, ImportStatement, Lines, MemberUse,
    Members, NameRole, NameUse, Names, Origin, Outline, Problem, SharedScope, Skip, SkipKind, Span, SwallowedError,
    UnboundName, Unread, Visibility,
};
#[cfg(feature = "language")]
pub use crate::language_bindings::exports::guardhost::language::reader::{
    Claim, Guest as Reader, Literal, LiteralForm, Questions, Reading, Signatures, Source, Surface, Syntax,
};
use crate::{Change, Side};

#[cfg(feature = "language")]
impl Syntax {
    /// What the host knows of a language without its component; nothing, if it knows none.
    pub fn of(language: crate::files::Language) -> Syntax {
        let known = crate::files::syntax::Syntax::of(language).cloned().unwrap_or_default();
        let literal = |literal: &crate::files::syntax::Literal| Literal {
            open: literal.open.to_string(),
            close: literal.close.to_string(),
            escape: literal.escape.to_string(),
            crosses_lines: literal.crosses_lines,
            form: literal.form.into(),
        };
        Syntax {
            line_comments: known.line_comments.iter().map(ToString::to_string).collect(),
            comments_stand_apart: known.comments_stand_apart,
            block_comments: known
                .block_comments
                .iter()
                .map(|(open, close)| (open.to_string(), close.to_string()))
                .collect(),
            comments_nest: known.comments_nest,
            literals: known.literals.iter().map(literal).collect(),
        }
    }
}

#[cfg(feature = "language")]
impl From<crate::files::syntax::LiteralForm> for LiteralForm {
    fn from(form: crate::files::syntax::LiteralForm) -> Self {
        use crate::files::syntax::LiteralForm as Known;
        match form {
            Known::Plain => LiteralForm::Plain,
            Known::Fenced => LiteralForm::Fenced,
            Known::Character => LiteralForm::Character,
            Known::Value => LiteralForm::Value,
            Known::Delimited => LiteralForm::Delimited,
            Known::HereDocument => LiteralForm::HereDocument,
        }
    }
}

/// The languages of one side's files. A file is given by its path.
#[derive(Clone, Copy)]
pub struct Languages<'c> {
    change: &'c Change,
    side: Side,
}

impl<'c> Languages<'c> {
    pub(crate) fn new(change: &'c Change, side: Side) -> Self {
        Languages { change, side }
    }

    /// What it is written in, by its name alone; None when no component of the host reads such files.
    pub fn language(&self, path: &str) -> Option<Language> {
        self.change.source.language_of(path)
    }

    /// Where it leaves its grammar; none when it is whole.
    pub fn problems(&self, path: &str) -> Result<Vec<Problem>, Unknown> {
        self.noting(path, self.change.source.problems_of(self.side, path))
    }

    /// The same of a text, as if it stood at that path.
    pub fn problems_of_text(&self, path: &str, text: &str) -> Result<Vec<Problem>, Unknown> {
        self.change.source.problems_of_text(path, text)
    }

    pub fn outline(&self, path: &str) -> Result<Outline, Unknown> {
        self.noting(path, self.change.source.outline_of(self.side, path))
    }

    /// What it uses and does not bind.
    pub fn names(&self, path: &str) -> Result<Names, Unknown> {
        self.noting(path, self.change.source.names_of(self.side, path))
    }

    fn noting<T>(&self, path: &str, answer: Result<T, Unknown>) -> Result<T, Unknown> {
        if matches!(answer, Err(Unknown::NotGranted)) {
            self.change.withheld.get_or_init(|| path.to_owned());
        }
        answer
    }
}

impl DefinitionKind {
    /// What people call it.
    pub fn as_str(self) -> &'static str {
        match self {
            DefinitionKind::Function => "function",
            DefinitionKind::Method => "method",
            DefinitionKind::Class => "class",
            DefinitionKind::Fixture => "fixture",
            DefinitionKind::Test => "test",
            DefinitionKind::Module => "module",
            DefinitionKind::Value => "value",
        }
    }
}

impl Definition {
    /// One of which nothing else is known.
    pub fn new(name: impl Into<String>, kind: DefinitionKind, (first, last): (u32, u32), body: Body) -> Definition {
        Definition {
            name: name.into(),
            owner: None,
            kind,
            lines: Lines { first, last },
            body,
            bases: Vec::new(),
            noun: None,
            visibility: Visibility::Unstated,
            annotations: Vec::new(),
            skip: None,
            assertions: None,
        }
    }

    /// What it is, in a sentence.
    pub fn noun(&self) -> &str {
        self.noun.as_deref().unwrap_or(self.kind.as_str())
    }

    /// The name with what it stands in.
    pub fn full_name(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{owner}.{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether both have the same name in the same owner.
    pub fn is_named_as(&self, other: &Definition) -> bool {
        self.name == other.name && self.owner == other.owner
    }
}

/// Whether the name of an error says that it is none: by convention, in most languages.
pub fn says_expected(name: &str) -> bool {
    matches!(name, "ignored" | "ignore" | "expected" | "unused" | "_" | "ok")
}

impl Skip {
    pub fn new(kind: SkipKind, line: u32, mark: impl Into<String>) -> Skip {
        Skip { kind, line, mark: mark.into(), reason: String::new() }
    }

    pub fn because(self, reason: impl Into<String>) -> Skip {
        Skip { reason: reason.into(), ..self }
    }
}

impl Outline {
    /// That of a text that says nothing.
    pub fn empty() -> Outline {
        Outline {
            definitions: Vec::new(),
            inner: Vec::new(),
            bound: Vec::new(),
            top: Vec::new(),
            offered: Vec::new(),
            globs: Vec::new(),
            is_open: false,
            uses: Vec::new(),
            members: Vec::new(),
            imports: Vec::new(),
            fixtures_wanted: Vec::new(),
            parametrized: Vec::new(),
            comments: Vec::new(),
            dead: Vec::new(),
            focused: Vec::new(),
            swallowed: Vec::new(),
        }
    }

    /// The text that it is the outline of, with spaces for what no program runs.
    pub fn code(&self, text: &str) -> String {
        let mut code = text.as_bytes().to_vec();
        for span in &self.dead {
            let bytes = code.get_mut(span.start as usize..span.end as usize);
            for byte in bytes.into_iter().flatten().filter(|byte| !b"\r\n".contains(byte)) {
                *byte = b' ';
            }
        }
        // Only whole characters were replaced.
        String::from_utf8(code).unwrap_or_else(|_| text.to_owned())
    }

    pub fn defines(&self, definition: &Definition) -> bool {
        self.definitions.iter().any(|other| other.is_named_as(definition))
    }

    pub fn binds(&self, name: &str) -> bool {
        has(&self.bound, name)
    }

    pub fn has_at_top(&self, name: &str) -> bool {
        has(&self.top, name)
    }

    pub fn offers(&self, name: &str) -> bool {
        has(&self.offered, name)
    }

    /// The first line where a name is read.
    pub fn line_of_use(&self, name: &str) -> Option<u32> {
        line(&self.uses, name)
    }

    /// The first line where `object.member` is read.
    pub fn line_of_member(&self, object: &str, member: &str) -> Option<u32> {
        let name = |other: &MemberUse| (other.object.as_str(), other.member.as_str()).cmp(&(object, member));
        self.members.binary_search_by(name).ok().map(|at| self.members[at].line)
    }

    /// The first line where a fixture is wanted.
    pub fn line_of_fixture(&self, name: &str) -> Option<u32> {
        line(&self.fixtures_wanted, name)
    }
}

impl Names {
    /// Those of a text that uses and binds nothing.
    pub fn empty() -> Names {
        Names {
            unbound: Vec::new(),
            bound: Vec::new(),
            bindings: 0,
            declared: Vec::new(),
            unsettled: Vec::new(),
            in_macros: Vec::new(),
            is_open: false,
            is_silenced: false,
            is_module: false,
            origins: Vec::new(),
        }
    }

    /// The first binding of a name in a scope.
    pub fn binding(&self, name: &str, scope: &str) -> Option<&Binding> {
        let of = |other: &Binding| (other.name.as_str(), other.scope.as_str()).cmp(&(name, scope));
        self.bound.binary_search_by(of).ok().map(|at| &self.bound[at])
    }

    pub fn is_declared(&self, name: &str) -> bool {
        has(&self.declared, name)
    }

    pub fn is_unsettled(&self, name: &str) -> bool {
        has(&self.unsettled, name)
    }

    pub fn is_in_macros(&self, name: &str) -> bool {
        has(&self.in_macros, name)
    }
}

/// The lists of names are sorted.
fn has(names: &[String], name: &str) -> bool {
    names.binary_search_by(|other| other.as_str().cmp(name)).is_ok()
}

fn line(uses: &[NameUse], name: &str) -> Option<u32> {
    uses.binary_search_by(|other| other.name.as_str().cmp(name)).ok().map(|at| uses[at].line)
}

/// Makes a type that implements [`language::Reader`](crate::language::Reader) the language component of this crate, which must be a
/// `cdylib`. Its version is that of the crate. Once a crate.
#[cfg(feature = "language")]
#[macro_export]
macro_rules! language {
    ($reader:ident) => {
        // Only a guest has these exports: natively a reader and a guard may be linked into one program.
        #[cfg(target_arch = "wasm32")]
    $crate::language_bindings::export_language!($reader with_types_in $crate::language_bindings);

        // A language component says its version in a section, since it has no function that does.
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            const VERSION: &[u8] = env!("CARGO_PKG_VERSION").as_bytes();

            #[used]
            #[unsafe(link_section = "version")]
            static SECTION: [u8; VERSION.len()] = {
                let mut section = [0; VERSION.len()];
                section.copy_from_slice(VERSION);
                section
            };
        };
    };
}
