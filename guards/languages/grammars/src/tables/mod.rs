//! One table for each language.

mod c;
mod cpp;
mod csharp;
mod go;
mod java;
mod kotlin;
mod php;
mod ruby;
mod swift;

use crate::Language;
use crate::table::Table;

impl Language {
    pub(crate) fn table(self) -> &'static Table {
        match self {
            Language::Java => &java::TABLE,
            Language::Kotlin => &kotlin::TABLE,
            Language::CSharp => &csharp::TABLE,
            Language::C => &c::TABLE,
            Language::Cpp => &cpp::TABLE,
            Language::Swift => &swift::TABLE,
            Language::Go => &go::TABLE,
            Language::Php => &php::TABLE,
            Language::Ruby => &ruby::TABLE,
        }
    }

    /// The kinds of nodes that the table names: a test looks for each in the grammar.
    pub fn nodes(self) -> Vec<&'static str> {
        self.table().nodes()
    }

    /// The fields that the table names.
    pub fn fields(self) -> Vec<&'static str> {
        self.table().fields()
    }
}

/// The words by which most languages say who may use a definition.
mod shared {
    use guard_sdk::language::{DefinitionKind, Visibility};

    use crate::table::{Define, Name, Role};

    pub const PUBLIC_PROTECTED_PRIVATE: &[(&str, Visibility)] = &[
        ("public", Visibility::Public),
        ("protected", Visibility::Internal),
        ("internal", Visibility::Internal),
        ("private", Visibility::Private),
    ];

    pub const fn class(node: &'static str, name: Name, noun: Option<&'static str>) -> Define {
        Define { node, kind: DefinitionKind::Class, noun, name, body: &[], role: Role::Type }
    }

    pub const fn owner(node: &'static str, name: Name) -> Define {
        Define { node, kind: DefinitionKind::Class, noun: None, name, body: &[], role: Role::Owner }
    }

    pub const fn function(node: &'static str, name: Name, body: &'static [&'static str]) -> Define {
        Define { node, kind: DefinitionKind::Function, noun: None, name, body, role: Role::Function }
    }

    pub const fn value(node: &'static str, name: Name, noun: Option<&'static str>) -> Define {
        Define { node, kind: DefinitionKind::Value, noun, name, body: &[], role: Role::Leaf }
    }
}
