//! Which component reads a file, and what it may be asked.

use super::TextReaders;
use super::bindings::exports::guardhost::language::reader::Questions;
use crate::embedded::LanguageClaim;

/// What may be wanted of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TextQuestions {
    pub problems: bool,
    pub outline: bool,
    pub surface: bool,
    pub signatures: bool,
    pub names: bool,
}

impl TextQuestions {
    const NONE: TextQuestions =
        TextQuestions { problems: false, outline: false, surface: false, signatures: false, names: false };
    pub const PROBLEMS: TextQuestions = TextQuestions { problems: true, ..TextQuestions::NONE };
    pub const OUTLINE: TextQuestions = TextQuestions { outline: true, ..TextQuestions::NONE };
    pub const SURFACE: TextQuestions = TextQuestions { surface: true, ..TextQuestions::NONE };
    pub const SIGNATURES: TextQuestions = TextQuestions { signatures: true, ..TextQuestions::NONE };
    pub const NAMES: TextQuestions = TextQuestions { names: true, ..TextQuestions::NONE };

    pub const ALL: TextQuestions =
        TextQuestions { problems: true, outline: true, surface: true, signatures: true, names: true };

    pub fn and(self, other: TextQuestions) -> TextQuestions {
        TextQuestions {
            problems: self.problems && other.problems,
            outline: self.outline && other.outline,
            surface: self.surface && other.surface,
            signatures: self.signatures && other.signatures,
            names: self.names && other.names,
        }
    }

    pub fn or(self, other: TextQuestions) -> TextQuestions {
        TextQuestions {
            problems: self.problems || other.problems,
            outline: self.outline || other.outline,
            surface: self.surface || other.surface,
            signatures: self.signatures || other.signatures,
            names: self.names || other.names,
        }
    }

    /// How many questions it is, and one for none.
    pub fn count(self) -> u64 {
        self.each().count().max(1) as u64
    }

    /// Each question of it by itself.
    pub fn each(self) -> impl Iterator<Item = TextQuestions> {
        let all = [
            TextQuestions::PROBLEMS,
            TextQuestions::OUTLINE,
            TextQuestions::SURFACE,
            TextQuestions::SIGNATURES,
            TextQuestions::NAMES,
        ];
        all.into_iter().map(move |one| self.and(one)).filter(|one| *one != TextQuestions::default())
    }
}

impl From<TextQuestions> for Questions {
    fn from(TextQuestions { problems, outline, surface, signatures, names }: TextQuestions) -> Self {
        Questions { problems, outline, surface, signatures, names }
    }
}

/// A file that a component reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClaimedFile {
    /// Index among the components.
    pub(super) component: usize,
    pub language: &'static str,
    /// What follows the first dot of the file's name, in lower case.
    pub dialect: String,
}

impl TextReaders {
    /// By the name of the file, for one question, or for whatever: a whole name counts more than an ending, a longer ending more than a
    /// shorter one, and of two components the first that answers.
    pub fn claim(&self, path: &str, wanted: TextQuestions) -> Option<(ClaimedFile, &'static LanguageClaim)> {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect);
        let rank = |claim: &LanguageClaim| {
            let ends =
                |ending: &&str| dialect.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
            let whole = claim.names.contains(&name.as_str()).then_some(usize::MAX);
            whole.or_else(|| claim.endings.iter().copied().filter(|ending| ends(ending)).map(str::len).max())
        };
        self.best(wanted, rank, dialect)
    }

    /// By the program that the first line starts; for a file without an ending.
    pub fn claim_by_first_line(
        &self,
        text: &str,
        wanted: TextQuestions,
    ) -> Option<(ClaimedFile, &'static LanguageClaim)> {
        let command = text.lines().next()?.strip_prefix("#!")?;
        let mut words = command.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let program = words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        self.best(wanted, |claim| claim.interpreters.contains(&program).then_some(1), "")
    }

    fn best(
        &self,
        wanted: TextQuestions,
        rank: impl Fn(&LanguageClaim) -> Option<usize>,
        dialect: &str,
    ) -> Option<(ClaimedFile, &'static LanguageClaim)> {
        let claims = self.embedded.iter().enumerate();
        let claims = claims.flat_map(|(component, reader)| reader.claims.iter().map(move |claim| (component, claim)));
        let claims = claims.filter(|(_, claim)| claim.answers.and(wanted) != TextQuestions::default());
        let ranked = claims.filter_map(|(component, claim)| Some((rank(claim)?, component, claim)));
        let (_, component, claim) = ranked.max_by_key(|(rank, component, _)| (*rank, std::cmp::Reverse(*component)))?;
        Some((ClaimedFile { component, language: claim.language, dialect: dialect.to_owned() }, claim))
    }
}

#[cfg(test)]
mod tests {
    use super::{LanguageClaim, TextQuestions, TextReaders};
    use crate::embedded::{Compiled, EmbeddedReader};

    const IMPORTS: TextQuestions = TextQuestions::SURFACE;
    const REST: TextQuestions = TextQuestions { problems: true, ..TextQuestions::OUTLINE };

    const fn claim(language: &'static str, endings: &'static [&'static str], answers: TextQuestions) -> LanguageClaim {
        let (names, interpreters): (&[&str], &[&str]) = (&[], &["go", "awk"]);
        LanguageClaim { language, endings, names, interpreters, line_comments: &[], block_comments: &[], answers }
    }

    static READERS: [EmbeddedReader; 2] = [
        EmbeddedReader {
            name: "first",
            compiled: Compiled::new(&[]),
            digest: "",
            claims: &[claim("go", &["go"], IMPORTS), claim("go-template", &["tmpl.go"], REST)],
        },
        EmbeddedReader {
            name: "second",
            compiled: Compiled::new(&[]),
            digest: "",
            claims: &[claim("go", &["go"], REST)],
        },
    ];

    #[test]
    fn the_first_component_that_answers_reads_a_file() {
        let readers = TextReaders::new(&READERS, None);
        let read = |path: &str, wanted| {
            readers.claim(path, wanted).map(|(claimed, claim)| (claimed.component, claim.language, claimed.dialect))
        };
        assert_eq!(read("a/b.go", IMPORTS), Some((0, "go", "go".to_owned())));
        assert_eq!(read("a/B.GO", TextQuestions::PROBLEMS), Some((1, "go", "go".to_owned())));
        assert_eq!(read("b.x.tmpl.go", TextQuestions::PROBLEMS), Some((0, "go-template", "x.tmpl.go".to_owned())));
        assert_eq!(read("b.cargo", TextQuestions::PROBLEMS), None);
        assert_eq!(read("go", TextQuestions::PROBLEMS), None);
        let by_line =
            |text: &str| readers.claim_by_first_line(text, TextQuestions::PROBLEMS).map(|(_, claim)| claim.language);
        assert_eq!(by_line("#!/usr/bin/env -S go1.21 run\n"), Some("go-template"));
        assert_eq!(by_line("#!/bin/sh\n"), None);
        assert_eq!(by_line("// go\n"), None);
    }
}
