//! What of a text is comments, tests and imports, for the application: as guards learn it by `guardhost:language`.

use std::borrow::Cow;
use std::ops::Range;

use git2::ObjectType;
use guardhost_core::change::Oid;

use crate::embedded::ClaimText;
use crate::outlines::{Import, Outlines};
use crate::readers::bindings::guardhost::language::text_facts::{DefinitionKind, Outline as Facts};
use crate::readers::{TextQuestions, TextSubject};

/// A text that leaves its grammar nowhere.
#[derive(Debug, Clone)]
pub struct CodeText {
    /// As its reader claims it: `python`.
    pub language: ClaimText,
    /// What begins a comment that ends with its line.
    pub line_comments: Cow<'static, [ClaimText]>,
    /// What begins and what ends one.
    pub block_comments: Cow<'static, [(ClaimText, ClaimText)]>,
    /// In order, with their signs, without the end of the line.
    pub comments: Vec<Range<usize>>,
    /// In the order of the text.
    pub definitions: Vec<CodeDefinition>,
    pub imports: Vec<Import>,
    /// Names that the text gives a meaning to anywhere. Sorted.
    pub bound: Vec<String>,
    /// A mark by which other tests of the file do not run.
    pub is_focused: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeDefinition {
    /// `Class.method` of a method.
    pub name: String,
    pub is_test: bool,
    /// From 1, with its decorators.
    pub first: u32,
    pub last: u32,
    /// The mark by which it does not run, or may fail.
    pub skip: Option<String>,
    /// Of a test: statements that check something, where its reader counts.
    pub assertions: Option<u32>,
}

impl Outlines {
    /// `name` is the file's name, which tells the language; `is_test` says that it is run as tests. The second error says why nothing is
    /// known of the text.
    ///
    /// # Errors
    /// In words: the work was stopped, or the machine lacks something.
    pub fn code(&self, name: &str, is_test: bool, text: &str) -> Result<Result<CodeText, String>, String> {
        let questions = TextQuestions::PROBLEMS.or(TextQuestions::OUTLINE);
        // Whoever knows only the problems of a language knows nothing of its comments.
        let Some((claimed, claim)) = self.readers.claim(name, TextQuestions::OUTLINE) else {
            return Ok(Err("no reader knows this language".to_owned()));
        };
        let wanted = claim.answers.and(questions);
        let blob = Oid::hash_object(ObjectType::Blob, text.as_bytes()).map_err(|error| error.to_string())?;
        let subject = TextSubject { claimed, wanted, blob, is_test };
        let reading = self.readers.read(&subject, &self.stop, || Ok(Ok(text.into())));
        let reading = reading.map_err(|stop| format!("{stop:?}"))?;
        // A problem that is not certain is one that the grammar passed over: what it says of the rest is not certain either.
        match &reading.answers.problems {
            Some(Ok(problems)) if problems.is_empty() => {}
            Some(Ok(_)) => return Ok(Err("it does not parse as a whole".to_owned())),
            Some(Err(why)) => return Ok(Err(why.to_string())),
            None => return Ok(Err("whether it parses is not known".to_owned())),
        }
        let facts = match &reading.answers.outline {
            Some(Ok(facts)) => facts,
            Some(Err(why)) => return Ok(Err(why.to_string())),
            None => return Ok(Err("its definitions are not known".to_owned())),
        };
        let (line_comments, block_comments) = (claim.syntax.line_comments.clone(), claim.syntax.block_comments.clone());
        let opens = |text: &str| {
            line_comments.iter().any(|sign| text.starts_with(&**sign))
                || block_comments.iter().any(|(open, _)| text.starts_with(&**open))
        };
        let mut comments = Vec::new();
        for span in &facts.dead {
            let range = span.start as usize..span.end as usize;
            let Some(comment) = text.get(range.clone()) else {
                return Ok(Err("its reader names places that it does not have".to_owned()));
            };
            // The others are strings.
            if opens(comment) {
                comments.push(range.start..range.start + comment.trim_end_matches(['\r', '\n']).len());
            }
        }
        comments.sort_by_key(|range| range.start);
        Ok(Ok(CodeText {
            language: claim.language.clone(),
            line_comments,
            block_comments,
            comments,
            definitions: definitions(facts),
            imports: imports(facts),
            bound: facts.bound.clone(),
            is_focused: !facts.focused.is_empty(),
        }))
    }
}

fn definitions(facts: &Facts) -> Vec<CodeDefinition> {
    let of = facts.definitions.iter().map(|definition| CodeDefinition {
        name: match &definition.owner {
            Some(owner) => format!("{owner}.{}", definition.name),
            None => definition.name.clone(),
        },
        is_test: definition.kind == DefinitionKind::Test,
        first: definition.lines.first,
        last: definition.lines.last,
        skip: definition.skip.as_ref().map(|skip| skip.mark.clone()),
        assertions: definition.assertions,
    });
    of.collect()
}

fn imports(facts: &Facts) -> Vec<Import> {
    let of = facts.imports.iter().map(|import| Import {
        module: import.module.clone(),
        name: import.name.clone(),
        local: import.local.clone(),
        line: import.line,
    });
    of.collect()
}
