//! What the component exports.

use guard_sdk::files::Language as FileLanguage;
use guard_sdk::language::{Claim, Questions, Reader as Component, Reading, Source, Syntax, Unread};

use crate::claims::{self, CLAIMS};
use crate::{Language, Reader};

pub struct Grammars;

impl Component for Grammars {
    fn claims() -> Vec<Claim> {
        CLAIMS.iter().map(claim).collect()
    }

    fn read(source: Source, wanted: Questions) -> Reading {
        // Blade is another language, which only ends in `.php`.
        if source.language == Language::Php.name() && source.dialect.ends_with("blade.php") {
            return unread(wanted, &Unread::Foreign("Blade".to_owned()));
        }
        let reader = Language::named(&source.language).and_then(|language| Reader::new(language, &source.text));
        Reading {
            problems: wanted.problems.then(|| reader.as_ref().map(Reader::problems).ok_or(Unread::Unsupported)),
            outline: wanted.outline.then(|| match &reader {
                Some(reader) => reader.outline(source.is_test),
                None => Err(Unread::Unsupported),
            }),
            surface: wanted.surface.then_some(Err(Unread::Unsupported)),
            signatures: wanted.signatures.then_some(Err(Unread::Unsupported)),
            names: wanted.names.then_some(Err(Unread::Unsupported)),
        }
    }
}

/// The same reason for all that is wanted.
fn unread(wanted: Questions, why: &Unread) -> Reading {
    Reading {
        problems: wanted.problems.then(|| Err(why.clone())),
        outline: wanted.outline.then(|| Err(why.clone())),
        surface: wanted.surface.then(|| Err(why.clone())),
        signatures: wanted.signatures.then(|| Err(why.clone())),
        names: wanted.names.then(|| Err(why.clone())),
    }
}

fn of_files(language: Language) -> FileLanguage {
    match language {
        Language::Java => FileLanguage::Java,
        Language::Kotlin => FileLanguage::Kotlin,
        Language::CSharp => FileLanguage::CSharp,
        Language::C => FileLanguage::C,
        Language::Cpp => FileLanguage::Cpp,
        Language::Swift => FileLanguage::Swift,
        Language::Go => FileLanguage::Go,
        Language::Php => FileLanguage::Php,
        Language::Ruby => FileLanguage::Ruby,
    }
}

fn claim(claim: &claims::Claim) -> Claim {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Claim {
        language: claim.language.name().to_owned(),
        endings: owned(claim.endings),
        names: owned(claim.names),
        interpreters: owned(claim.interpreters),
        syntax: Syntax::of(of_files(claim.language)),
        sleep_marks: owned(&claim.language.table().sleep_marks()),
        error_marks: owned(&claim.language.table().error_marks()),
        answers: Questions { problems: true, outline: true, surface: false, signatures: false, names: false },
    }
}
