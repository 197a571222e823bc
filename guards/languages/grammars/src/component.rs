//! The exports of the component.

use crate::bindings;
use crate::bindings::exports::guardhost::language::reader::{Claim, Guest, Questions, Reading, Source, Unread};
use crate::claims::CLAIMS;
use crate::{Language, Reader};

struct Component;

impl Guest for Component {
    fn claims() -> Vec<Claim> {
        CLAIMS.iter().map(claim).collect()
    }

    fn read(source: Source, wanted: Questions) -> Reading {
        let mut reading = Reading { problems: None, outline: None, surface: None, signatures: None };
        let unsupported = |question| wanted.contains(question).then_some(Unread::Unsupported);
        reading.surface = unsupported(Questions::SURFACE).map(Err);
        reading.signatures = unsupported(Questions::SIGNATURES).map(Err);
        let reader = Language::named(&source.language).and_then(|language| Reader::new(language, &source.text));
        let Some(reader) = reader else {
            reading.problems = unsupported(Questions::PROBLEMS).map(Err);
            reading.outline = unsupported(Questions::OUTLINE).map(Err);
            return reading;
        };
        reading.problems = wanted.contains(Questions::PROBLEMS).then(|| Ok(reader.problems()));
        reading.outline = wanted.contains(Questions::OUTLINE).then(|| reader.outline(source.is_test));
        reading
    }
}

fn claim(claim: &crate::claims::Claim) -> Claim {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    // Guards of their own parse Go, PHP and Ruby: each mistake is reported once.
    let is_parsed_elsewhere = matches!(claim.language, Language::Go | Language::Php | Language::Ruby);
    let answers = if is_parsed_elsewhere { Questions::OUTLINE } else { Questions::OUTLINE | Questions::PROBLEMS };
    Claim {
        language: claim.language.name().to_owned(),
        endings: owned(claim.endings),
        names: owned(claim.names),
        interpreters: owned(claim.interpreters),
        line_comments: owned(claim.line_comments),
        block_comments: claim
            .block_comments
            .iter()
            .map(|(open, close)| ((*open).to_owned(), (*close).to_owned()))
            .collect(),
        strings: owned(claim.strings),
        answers,
    }
}

bindings::export_language!(Component with_types_in bindings);
