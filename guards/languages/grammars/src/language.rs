//! The languages, and the grammar of each.

use tree_sitter::Language as Grammar;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Java,
    Kotlin,
    CSharp,
    C,
    Cpp,
    Swift,
    Go,
    Php,
    Ruby,
}

impl Language {
    pub const ALL: [Language; 9] = [
        Language::Java,
        Language::Kotlin,
        Language::CSharp,
        Language::C,
        Language::Cpp,
        Language::Swift,
        Language::Go,
        Language::Php,
        Language::Ruby,
    ];

    /// As the component claims it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Java => "java",
            Language::Kotlin => "kotlin",
            Language::CSharp => "csharp",
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Swift => "swift",
            Language::Go => "go",
            Language::Php => "php",
            Language::Ruby => "ruby",
        }
    }

    pub fn named(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }

    pub fn grammar(self) -> Grammar {
        match self {
            Language::Java => tree_sitter_java::LANGUAGE,
            Language::Kotlin => tree_sitter_kotlin_ng::LANGUAGE,
            Language::CSharp => tree_sitter_c_sharp::LANGUAGE,
            Language::C => tree_sitter_c::LANGUAGE,
            Language::Cpp => tree_sitter_cpp::LANGUAGE,
            Language::Swift => tree_sitter_swift::LANGUAGE,
            Language::Go => tree_sitter_go::LANGUAGE,
            Language::Php => tree_sitter_php::LANGUAGE_PHP,
            Language::Ruby => tree_sitter_ruby::LANGUAGE,
        }
        .into()
    }
}
