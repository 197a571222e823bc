//! Which files are in which language.

use crate::Language;

/// The files of one language.
pub struct Claim {
    pub language: Language,
    pub endings: &'static [&'static str],
    pub names: &'static [&'static str],
    pub interpreters: &'static [&'static str],
}

/// `.h` is read as C++, of which nearly all of C is a part: in most repositories of C++ headers end so.
pub const CLAIMS: [Claim; 9] = [
    Claim { language: Language::Java, endings: &["java"], names: &[], interpreters: &[] },
    Claim { language: Language::Kotlin, endings: &["kt", "kts"], names: &[], interpreters: &["kotlin"] },
    Claim { language: Language::CSharp, endings: &["cs"], names: &[], interpreters: &[] },
    Claim { language: Language::C, endings: &["c"], names: &[], interpreters: &[] },
    Claim {
        language: Language::Cpp,
        endings: &["cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "ipp", "inl", "tpp"],
        names: &[],
        interpreters: &[],
    },
    Claim { language: Language::Swift, endings: &["swift"], names: &[], interpreters: &["swift"] },
    Claim { language: Language::Go, endings: &["go"], names: &[], interpreters: &[] },
    Claim { language: Language::Php, endings: &["php"], names: &[], interpreters: &["php"] },
    Claim {
        language: Language::Ruby,
        endings: &["rb", "rake", "gemspec", "ru"],
        names: &["rakefile", "gemfile", "guardfile", "capfile", "vagrantfile", "podfile", "fastfile", "brewfile"],
        interpreters: &["ruby"],
    },
];

/// By the name of a file alone.
pub fn from_path(path: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let fits = |claim: &&Claim| {
        claim.names.contains(&name.as_str())
            || name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && claim.endings.contains(&ending))
    };
    CLAIMS.iter().find(fits).map(|claim| claim.language)
}
