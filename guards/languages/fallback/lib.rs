//! Reads whether Go, PHP and Ruby parse, by parsers that are written in Rust: a language component for builds that have no clang, and so no
//! grammars. It knows no facts but problems.

mod go;
mod php;
mod ruby;

use guard_parsing::{Language as Parser, Parsed, parse};
use guard_sdk::files::Language as FileLanguage;
use guard_sdk::language::{Claim, Problem, Questions, Reader, Reading, Source, Syntax, Unread};

pub struct Fallback;

#[derive(Clone, Copy)]
enum Language {
    Go,
    Php,
    Ruby,
}

const PROBLEMS: Questions =
    Questions { problems: true, outline: false, surface: false, signatures: false, names: false };

impl Language {
    const ALL: [Language; 3] = [Language::Go, Language::Php, Language::Ruby];

    fn name(self) -> &'static str {
        match self {
            Language::Go => "go",
            Language::Php => "php",
            Language::Ruby => "ruby",
        }
    }

    fn of_files(self) -> FileLanguage {
        match self {
            Language::Go => FileLanguage::Go,
            Language::Php => FileLanguage::Php,
            Language::Ruby => FileLanguage::Ruby,
        }
    }

    fn parser(self) -> &'static Parser {
        match self {
            Language::Go => &go::GO,
            Language::Php => &php::PHP,
            Language::Ruby => &ruby::RUBY,
        }
    }

    fn claim(self) -> Claim {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        let (endings, names): (Vec<String>, &[&str]) = match self {
            Language::Go => (owned(self.of_files().endings()), &[]),
            Language::Php => (owned(self.of_files().endings()), &[]),
            Language::Ruby => (
                owned(&["rb", "rake", "gemspec", "ru"]),
                &["gemfile", "rakefile", "podfile", "vagrantfile", "brewfile", "guardfile"],
            ),
        };
        Claim {
            language: self.name().to_owned(),
            endings,
            names: owned(names),
            interpreters: Vec::new(),
            syntax: Syntax::of(self.of_files()),
            // It has no outline.
            sleep_marks: Vec::new(),
            error_marks: Vec::new(),
            answers: PROBLEMS,
        }
    }
}

impl Reader for Fallback {
    fn claims() -> Vec<Claim> {
        Language::ALL.map(Language::claim).into()
    }

    fn read(Source { language, dialect, text, .. }: Source, wanted: Questions) -> Reading {
        let known = Language::ALL.into_iter().find(|known| known.name() == language);
        let problems = || match known {
            // Blade is another language, which only ends in `.php`.
            Some(Language::Php) if dialect.ends_with("blade.php") => Err(Unread::Foreign("Blade".to_owned())),
            Some(known) => problems(known.parser(), &text),
            None => Err(Unread::Unsupported),
        };
        let none = Unread::Unsupported;
        Reading {
            problems: wanted.problems.then(problems),
            outline: wanted.outline.then(|| Err(none.clone())),
            surface: wanted.surface.then(|| Err(none.clone())),
            signatures: wanted.signatures.then(|| Err(none.clone())),
            names: wanted.names.then(|| Err(none.clone())),
        }
    }
}

fn problems(parser: &Parser, text: &str) -> Result<Vec<Problem>, Unread> {
    match parse(parser, text) {
        Parsed::Whole => Ok(Vec::new()),
        Parsed::Unknown(why) => Err(Unread::Other(why.to_owned())),
        Parsed::Beyond(problem) => Err(Unread::Other(problem.message)),
        Parsed::Broken(guard_parsing::Problem { line, column, message }) => {
            Ok(vec![Problem { line, column, message, advice: None, unclosed: None, whole_as: None, is_certain: true }])
        }
    }
}

guard_sdk::language!(Fallback);
