//! Which files are read here.

use guard_sdk::files::Language as FileLanguage;
use guard_sdk::language::{Claim, Questions, Syntax};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
    TypeScript,
    Go,
    Rust,
}

impl Language {
    const ALL: [Language; 5] =
        [Language::Python, Language::JavaScript, Language::TypeScript, Language::Go, Language::Rust];

    /// By the name that it has in its claim.
    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::JavaScript => "javascript",
            Language::TypeScript => "typescript",
            Language::Go => "go",
            Language::Rust => "rust",
        }
    }

    fn of_files(self) -> FileLanguage {
        match self {
            Language::Python => FileLanguage::Python,
            Language::JavaScript => FileLanguage::JavaScript,
            Language::TypeScript => FileLanguage::TypeScript,
            Language::Go => FileLanguage::Go,
            Language::Rust => FileLanguage::Rust,
        }
    }

    fn interpreters(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["python", "pypy"],
            Language::JavaScript => &["node"],
            Language::TypeScript => &["ts-node", "tsx"],
            Language::Go | Language::Rust => &[],
        }
    }

    fn answers(self) -> Questions {
        match self {
            // Its imports alone; a parser of the whole language is another component's.
            Language::Go => {
                Questions { problems: false, outline: false, surface: true, signatures: false, names: false }
            }
            Language::JavaScript => Questions { signatures: false, ..Language::TypeScript.answers() },
            Language::Rust => Questions { surface: false, ..Language::TypeScript.answers() },
            Language::Python | Language::TypeScript => {
                Questions { problems: true, outline: true, surface: true, signatures: true, names: true }
            }
        }
    }

    fn sleep_marks(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["skip", "Skip", "xfail", "expectedFailure", "return", "__test__"],
            #[rustfmt::skip]
            Language::JavaScript | Language::TypeScript => &[
                "skip", "only", "todo", "fixme", "fails", "failing", ".fail(", "xit", "xtest", "xdescribe", "xspecify", "xcontext", "fit(", "fdescribe",
                "pending(", "return", "runIf",
            ],
            Language::Rust => &["ignore", "cfg", "return"],
            // Another component reads its tests.
            Language::Go => &[],
        }
    }

    fn error_marks(self) -> &'static [&'static str] {
        match self {
            Language::Python => &["except"],
            Language::JavaScript | Language::TypeScript => &["catch"],
            Language::Rust | Language::Go => &[],
        }
    }

    fn claim(self) -> Claim {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let mut endings: Vec<String> = texts(self.of_files().endings());
        // What Windows starts without a console.
        endings.extend((self == Language::Python).then(|| "pyw".to_owned()));
        Claim {
            language: self.name().to_owned(),
            endings,
            names: Vec::new(),
            interpreters: texts(self.interpreters()),
            syntax: Syntax::of(self.of_files()),
            sleep_marks: texts(self.sleep_marks()),
            error_marks: texts(self.error_marks()),
            answers: self.answers(),
        }
    }
}

pub fn all() -> Vec<Claim> {
    Language::ALL.map(Language::claim).into()
}
