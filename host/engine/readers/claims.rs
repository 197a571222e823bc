//! Which component reads a file, and what it may be asked.

use std::sync::Arc;

use super::bindings::exports::guardhost::language::reader::{self, Claim, Questions};
use super::{AT_ONCE, TextReaders};
use crate::embedded::{ClaimText, LanguageClaim};
use crate::failure::GuardFailure;
use guard_files::syntax::{Literal, LiteralForm};
use guardhost_core::change::RepoPath;
use guardhost_core::syntax::Syntax;

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
        self.named().map(|(_, one)| one)
    }

    /// Each question of it, as the contract calls it.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        self.named().map(|(word, _)| word)
    }

    fn named(self) -> impl Iterator<Item = (&'static str, TextQuestions)> {
        let all = [
            ("problems", TextQuestions::PROBLEMS),
            ("outline", TextQuestions::OUTLINE),
            ("surface", TextQuestions::SURFACE),
            ("signatures", TextQuestions::SIGNATURES),
            ("names", TextQuestions::NAMES),
        ];
        all.into_iter().filter(move |(_, one)| self.and(*one) != TextQuestions::default())
    }
}

impl From<TextQuestions> for Questions {
    fn from(TextQuestions { problems, outline, surface, signatures, names }: TextQuestions) -> Self {
        Questions { problems, outline, surface, signatures, names }
    }
}

impl From<Questions> for TextQuestions {
    fn from(Questions { problems, outline, surface, signatures, names }: Questions) -> Self {
        TextQuestions { problems, outline, surface, signatures, names }
    }
}

/// Claims of one component, and texts of one claim: more than any language has.
const MOST: usize = 64;
/// Bytes of one text of a claim.
const LONGEST: usize = 64;

fn wrong(what: String) -> GuardFailure {
    GuardFailure::new("bad-claim", format!("what the language claims is wrong: {what}"))
}

fn text(text: String) -> Result<ClaimText, GuardFailure> {
    match text.is_empty() || text.len() > LONGEST || text.chars().any(char::is_control) {
        true => Err(wrong(format!("`{}` is no text of 1 to {LONGEST} bytes", text.escape_debug()))),
        false => Ok(ClaimText::from(text)),
    }
}

/// Of a list of a claim, each.
fn each<T, U>(list: Vec<T>, one: impl Fn(T) -> Result<U, GuardFailure>) -> Result<Vec<U>, GuardFailure> {
    match list.len() {
        0..=MOST => list.into_iter().map(one).collect(),
        more => Err(wrong(format!("a list of it has {more} entries; expected at most {MOST}"))),
    }
}

fn texts(list: Vec<String>) -> Result<Vec<ClaimText>, GuardFailure> {
    each(list, text)
}

fn syntax(claimed: reader::Syntax) -> Result<Syntax, GuardFailure> {
    let reader::Syntax { line_comments, comments_stand_apart, block_comments, comments_nest, literals } = claimed;
    let block = |(open, close): (String, String)| Ok((text(open)?, text(close)?));
    Ok(Syntax {
        line_comments: texts(line_comments)?.into(),
        comments_stand_apart,
        block_comments: each(block_comments, block)?.into(),
        comments_nest,
        literals: each(literals, literal)?.into(),
    })
}

fn literal(claimed: reader::Literal) -> Result<Literal, GuardFailure> {
    let reader::Literal { open, close, escape, crosses_lines, form } = claimed;
    let optional = |sign: String| if sign.is_empty() { Ok(ClaimText::default()) } else { text(sign) };
    let form = match form {
        reader::LiteralForm::Plain => LiteralForm::Plain,
        reader::LiteralForm::Fenced => LiteralForm::Fenced,
        reader::LiteralForm::Character => LiteralForm::Character,
        reader::LiteralForm::Value => LiteralForm::Value,
        reader::LiteralForm::Delimited => LiteralForm::Delimited,
        reader::LiteralForm::HereDocument => LiteralForm::HereDocument,
    };
    if close.is_empty() && matches!(form, LiteralForm::Fenced | LiteralForm::Value) {
        return Err(wrong(format!("nothing closes the literal that `{}` opens", open.escape_debug())));
    }
    Ok(Literal { open: text(open)?, close: optional(close)?, escape: optional(escape)?, crosses_lines, form })
}

/// What a pinned component claims.
///
/// # Errors
/// `bad-claim`: it claims nothing, more than a language has, or what no file can have.
pub fn checked(claims: Vec<Claim>) -> Result<Vec<LanguageClaim>, GuardFailure> {
    if claims.is_empty() || claims.len() > MOST {
        return Err(wrong(format!("it claims {} languages; expected 1 to {MOST}", claims.len())));
    }
    let names = |list: Vec<String>| {
        let is_name = |name: &String| *name == name.to_lowercase() && !name.starts_with('.') && !name.contains('/');
        match list.iter().find(|name| !is_name(name)) {
            Some(other) => Err(wrong(format!("`{}` is no ending or name in lower case", other.escape_debug()))),
            None => texts(list),
        }
    };
    let claim = |claim: Claim| {
        let Claim { language, endings, names: whole, interpreters, .. } = claim;
        let Claim { syntax: claimed, sleep_marks, error_marks, answers, .. } = claim;
        let answers = TextQuestions::from(answers);
        if answers == TextQuestions::default() {
            return Err(wrong(format!("it answers nothing about {}", language.escape_debug())));
        }
        if endings.is_empty() && whole.is_empty() && interpreters.is_empty() {
            return Err(wrong(format!("no file is in {}", language.escape_debug())));
        }
        Ok(LanguageClaim {
            language: text(language)?,
            endings: names(endings)?.into(),
            names: names(whole)?.into(),
            interpreters: texts(interpreters)?.into(),
            syntax: syntax(claimed)?,
            sleep_marks: texts(sleep_marks)?.into(),
            error_marks: texts(error_marks)?.into(),
            answers,
        })
    };
    claims.into_iter().map(claim).collect()
}

impl LanguageClaim {
    /// What is read of a text when one question is asked. Of a touched file, most of what can be said is wanted by one guard or another.
    pub(crate) fn read_with(&self, question: TextQuestions, size: u64, is_touched: bool) -> TextQuestions {
        if size <= AT_ONCE && is_touched { self.answers } else { question }
    }

    /// How well the name of a file, in lower case, fits: a whole name more than an ending, a longer ending more than a shorter one.
    pub(crate) fn rank(&self, name: &str) -> Option<usize> {
        let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect);
        let ends =
            |ending: &str| dialect.strip_suffix(ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let whole = self.names.iter().any(|whole| *whole == name).then_some(usize::MAX);
        whole.or_else(|| self.endings.iter().map(|ending| &**ending).filter(|ending| ends(ending)).map(str::len).max())
    }
}

/// A file that a component reads.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClaimedFile {
    /// Index among the components.
    pub(super) component: usize,
    pub language: ClaimText,
    /// What follows the first dot of the file's name, in lower case.
    pub dialect: String,
}

impl TextReaders {
    /// By the name of the file, for one question, or for whatever: the claim that fits best, and of two components the first that answers.
    pub fn claim(&self, path: &str, wanted: TextQuestions) -> Option<(ClaimedFile, &LanguageClaim)> {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let dialect = name.split_once('.').map_or("", |(_, dialect)| dialect);
        self.best(wanted, |claim| claim.rank(&name), dialect)
    }

    /// By the program that the first line starts; for a file without an ending.
    pub fn claim_by_first_line(&self, text: &str, wanted: TextQuestions) -> Option<(ClaimedFile, &LanguageClaim)> {
        let command = text.lines().next()?.strip_prefix("#!")?;
        let mut words = command.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let program = words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
        let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        self.best(wanted, |claim| claim.interpreters.iter().any(|one| *one == program).then_some(1), "")
    }

    /// By the name of the file, and where that has no ending by the first line of its text.
    ///
    /// # Errors
    /// Those of `text`, which is only called where it decides.
    pub fn claim_of<E>(
        &self,
        path: &RepoPath,
        wanted: TextQuestions,
        text: impl FnOnce() -> Result<Option<Arc<str>>, E>,
    ) -> Result<Option<(ClaimedFile, &LanguageClaim)>, E> {
        let by_name = self.claim(&path.to_string(), wanted);
        if by_name.is_some() || path.file_name().contains(&b'.') {
            return Ok(by_name);
        }
        Ok(text()?.and_then(|text| self.claim_by_first_line(&text, wanted)))
    }

    fn best(
        &self,
        wanted: TextQuestions,
        rank: impl Fn(&LanguageClaim) -> Option<usize>,
        dialect: &str,
    ) -> Option<(ClaimedFile, &LanguageClaim)> {
        let claims = self.components.iter().enumerate();
        let claims = claims.flat_map(|(index, reader)| reader.claims().iter().map(move |claim| (index, claim)));
        let claims = claims.filter(|(_, claim)| claim.answers.and(wanted) != TextQuestions::default());
        let ranked = claims.filter_map(|(component, claim)| Some((rank(claim)?, component, claim)));
        let (_, component, claim) = ranked.max_by_key(|(rank, component, _)| (*rank, std::cmp::Reverse(*component)))?;
        let (language, dialect) = (claim.language.clone(), dialect.to_owned());
        Some((ClaimedFile { component, language, dialect }, claim))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow::Borrowed;

    use super::*;

    use crate::embedded::{Compiled, EmbeddedReader};

    const IMPORTS: TextQuestions = TextQuestions::SURFACE;
    const NO_SYNTAX: Syntax = Syntax {
        line_comments: Borrowed(&[]),
        comments_stand_apart: false,
        block_comments: Borrowed(&[]),
        comments_nest: false,
        literals: Borrowed(&[]),
    };
    const REST: TextQuestions = TextQuestions { problems: true, ..TextQuestions::OUTLINE };

    const fn claim(language: &'static str, endings: &'static [ClaimText], answers: TextQuestions) -> LanguageClaim {
        LanguageClaim {
            language: Borrowed(language),
            endings: Borrowed(endings),
            names: Borrowed(&[]),
            interpreters: Borrowed(&[Borrowed("go"), Borrowed("awk")]),
            syntax: NO_SYNTAX,
            sleep_marks: Borrowed(&[]),
            error_marks: Borrowed(&[]),
            answers,
        }
    }

    const fn reader(name: &'static str, claims: &'static [LanguageClaim]) -> EmbeddedReader {
        EmbeddedReader { name, skeleton: &[], size: 0, compiled: Compiled::new(&[]), digest: "", claims }
    }

    const GO: &[ClaimText] = &[Borrowed("go")];
    const TEMPLATE: &[ClaimText] = &[Borrowed("tmpl.go")];
    const FIRST: &[LanguageClaim] = &[claim("go", GO, IMPORTS), claim("go-template", TEMPLATE, REST)];
    const SECOND: &[LanguageClaim] = &[claim("go", GO, REST)];

    static READERS: [EmbeddedReader; 2] = [reader("first", FIRST), reader("second", SECOND)];

    #[test]
    fn the_first_component_that_answers_reads_a_file() {
        let readers = TextReaders::new(&READERS, None);
        let read = |path: &str, wanted| {
            readers.claim(path, wanted).map(|(claimed, claim)| (claimed.component, &*claim.language, claimed.dialect))
        };
        assert_eq!(read("a/b.go", IMPORTS), Some((0, "go", "go".to_owned())));
        assert_eq!(read("a/B.GO", TextQuestions::PROBLEMS), Some((1, "go", "go".to_owned())));
        assert_eq!(read("b.x.tmpl.go", TextQuestions::PROBLEMS), Some((0, "go-template", "x.tmpl.go".to_owned())));
        assert_eq!(read("b.cargo", TextQuestions::PROBLEMS), None);
        assert_eq!(read("go", TextQuestions::PROBLEMS), None);
        let by_line =
            |text: &str| readers.claim_by_first_line(text, TextQuestions::PROBLEMS).map(|(_, claim)| &*claim.language);
        assert_eq!(by_line("#!/usr/bin/env -S go1.21 run\n"), Some("go-template"));
        assert_eq!(by_line("#!/bin/sh\n"), None);
        assert_eq!(by_line("// go\n"), None);
    }

    #[test]
    fn claims_of_no_file_are_refused() {
        let questions = |problems| TextQuestions { problems, ..TextQuestions::default() }.into();
        let claim = |language: &str, endings: &[&str], problems| Claim {
            language: language.to_owned(),
            endings: endings.iter().map(|ending| (*ending).to_owned()).collect(),
            names: Vec::new(),
            interpreters: Vec::new(),
            syntax: reader::Syntax {
                line_comments: vec!["#".to_owned()],
                comments_stand_apart: false,
                block_comments: Vec::new(),
                comments_nest: false,
                literals: Vec::new(),
            },
            sleep_marks: Vec::new(),
            error_marks: Vec::new(),
            answers: questions(problems),
        };
        let found = checked(vec![claim("toy", &["toy", "d.toy"], true)]).unwrap();
        assert_eq!((&*found[0].language, &*found[0].endings[1]), ("toy", "d.toy"));
        for (wrong, why) in [
            (Vec::new(), "it claims 0 languages"),
            (vec![claim("toy", &["toy"], true); 65], "it claims 65 languages"),
            (vec![claim("toy", &[".toy"], true)], "`.toy` is no ending"),
            (vec![claim("toy", &["Toy"], true)], "`Toy` is no ending"),
            (vec![claim("toy", &["a/toy"], true)], "`a/toy` is no ending"),
            (vec![claim("toy", &[""], true)], "`` is no text"),
            (vec![claim("", &["toy"], true)], "`` is no text"),
            (vec![claim("toy", &[], true)], "no file is in toy"),
            (vec![claim("toy", &["toy"], false)], "it answers nothing about toy"),
        ] {
            let failure = checked(wrong).unwrap_err();
            assert!(failure.message.contains(why), "{failure}: {why}");
        }
    }
}
