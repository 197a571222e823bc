//! Whether what a component says of a text can be said of it: answers to what was wanted, at places that the text has. Guards and the host cut
//! texts at these places. What stands there is the component's word.

use super::bindings::exports::guardhost::language::reader::{Signatures, Surface};
use super::bindings::guardhost::language::text_facts::{Definition, Lines, Names, Outline, Problem, Span};
use super::{NoFacts, TextAnswers, TextQuestions};

/// What is wrong, in words.
type Kept = Result<(), String>;

impl TextAnswers {
    /// What was wanted and cannot be said of this text is a failure of the component; what was not wanted is left out.
    pub(super) fn about(self, text: &str, wanted: TextQuestions) -> Self {
        let TextAnswers { problems, outline, surface, signatures, names } = self;
        let places = Places::new(text);
        TextAnswers {
            problems: answered(wanted.problems, problems, |it| places.hold_problems(it)),
            outline: answered(wanted.outline, outline, |it| places.hold_outline(it)),
            surface: answered(wanted.surface, surface, |it| places.hold_surface(it)),
            signatures: answered(wanted.signatures, signatures, |it| places.hold_signatures(it)),
            names: answered(wanted.names, names, |it| places.hold_names(it)),
        }
    }
}

fn answered<T>(
    is_wanted: bool,
    answer: Option<Result<T, NoFacts>>,
    holds: impl FnOnce(&T) -> Kept,
) -> Option<Result<T, NoFacts>> {
    let failed = |why: String| NoFacts::Failed(format!("its reader failed on it: {why}"));
    is_wanted.then(|| {
        let answer = answer.unwrap_or_else(|| Err(failed("it leaves a question open".to_owned())))?;
        holds(&answer).map_err(failed)?;
        Ok(answer)
    })
}

/// The places of a text.
struct Places<'t> {
    text: &'t str,
    /// As many as anybody counts: languages do not agree on what ends a line.
    lines: u32,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Places { text, lines: most_lines(text) }
    }

    fn line(&self, line: u32) -> Kept {
        match (1..=self.lines).contains(&line) {
            true => Ok(()),
            false => Err(format!("it names line {line} of {}", self.lines)),
        }
    }

    fn lines(&self, first: u32, last: u32) -> Kept {
        self.line(first)?;
        self.line(last)?;
        match first <= last {
            true => Ok(()),
            false => Err(format!("it ends at line {last}, before it begins at line {first}")),
        }
    }

    fn span(&self, Span { start, end }: Span) -> Kept {
        match self.text.get(start as usize..end as usize) {
            Some(_) => Ok(()),
            None => Err(format!("it names bytes {start}..{end} of {}", self.text.len())),
        }
    }

    fn hold_problems(&self, problems: &[Problem]) -> Kept {
        problems.iter().try_for_each(|problem| {
            self.line(problem.line)?;
            if problem.column == Some(0) {
                return Err("it names column 0".to_owned());
            }
            problem.unclosed.as_ref().map_or(Ok(()), |bracket| {
                self.line(bracket.line)?;
                self.span(bracket.at)
            })
        })
    }

    fn hold_outline(&self, outline: &Outline) -> Kept {
        let Outline { definitions, inner, uses, members, imports, fixtures_wanted, comments, .. } = outline;
        definitions.iter().chain(inner).try_for_each(|definition| self.hold_definition(definition))?;
        let uses = uses.iter().chain(fixtures_wanted).map(|found| found.line);
        let lines = uses.chain(members.iter().map(|found| found.line)).chain(imports.iter().map(|found| found.line));
        let lines = lines.chain(comments.iter().map(|found| found.line));
        lines.chain(outline.focused.iter().map(|found| found.mark.line)).try_for_each(|line| self.line(line))?;
        outline.swallowed.iter().try_for_each(|found| self.lines(found.lines.first, found.lines.last))?;
        outline.dead.iter().try_for_each(|span| self.span(*span))?;
        match outline.dead.is_sorted_by_key(|span| span.start) {
            true => Ok(()),
            false => Err("what no program runs is not in order".to_owned()),
        }
    }

    fn hold_definition(&self, Definition { lines: Lines { first, last }, skip, .. }: &Definition) -> Kept {
        self.lines(*first, *last)?;
        skip.as_ref().map_or(Ok(()), |skip| self.line(skip.line))
    }

    fn hold_surface(&self, surface: &Surface) -> Kept {
        surface.imports.iter().try_for_each(|found| {
            self.line(found.line)?;
            self.lines(found.statement.first, found.statement.last)
        })
    }

    fn hold_signatures(&self, Signatures { functions, calls }: &Signatures) -> Kept {
        functions.iter().try_for_each(|function| self.line(function.line))?;
        calls.iter().try_for_each(|call| {
            self.lines(call.lines.first, call.lines.last)?;
            call.excused_by.map_or(Ok(()), |line| self.line(line))
        })
    }

    fn hold_names(&self, Names { unbound, bound, .. }: &Names) -> Kept {
        unbound.iter().try_for_each(|name| {
            self.line(name.line)?;
            name.silenced_by.map_or(Ok(()), |line| self.line(line))
        })?;
        bound.iter().try_for_each(|binding| self.line(binding.line))
    }
}

/// How many lines a text has by the widest reading of what ends one, and one more: at the end of the text is what is missing there.
pub fn most_lines(text: &str) -> u32 {
    let is_end = |c: char| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let ends = u32::try_from(text.chars().filter(|c| is_end(*c)).count()).unwrap_or(u32::MAX);
    ends.saturating_add(if text.ends_with(is_end) { 1 } else { 2 })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Its first letter has two bytes.
    const TEXT: &str = "é = 1\nx = 2\n";

    /// An answer to each question, with every place that one can have.
    fn answers() -> Value {
        let mark = json!({ "kind": "Skipped", "line": 1, "mark": "skip", "reason": "" });
        let definition = json!({
            "name": "x", "owner": null, "kind": "Test", "lines": { "first": 1, "last": 2 }, "body": "Real", "bases": [], "noun": null,
            "visibility": "Public", "annotations": [], "skip": mark, "assertions": 1,
        });
        let found = json!({ "name": "x", "line": 2 });
        json!({
            "problems": { "Ok": [{
                "line": 1, "column": 1, "message": "wrong", "advice": null, "whole_as": null, "is_certain": true,
                "unclosed": { "at": { "start": 3, "end": 4 }, "line": 1, "closer": ")" },
            }] },
            "outline": { "Ok": {
                "definitions": [definition], "inner": [definition], "bound": [], "top": [], "offered": [], "globs": [], "is_open": false,
                "uses": [found], "members": [{ "object": "x", "member": "y", "line": 2 }],
                "imports": [{ "module": "m", "name": null, "local": "", "line": 1, "is_optional": false }],
                "fixtures_wanted": [found], "parametrized": [], "comments": [{ "line": 2, "text": "" }],
                "dead": [{ "start": 2, "end": 3 }, { "start": 7, "end": 8 }],
                "focused": [{ "title": "t", "mark": mark }],
                "swallowed": [{ "lines": { "first": 1, "last": 2 }, "form": "f", "is_meant": false }],
            } },
            "surface": { "Ok": {
                "imports": [{
                    "module": "m", "name": null, "local": "", "line": 1, "statement": { "first": 1, "last": 1 }, "need": "Required", "is_local": false,
                }],
                "offered": { "names": [], "all_of": [], "is_open": false, "moves_path": false },
            } },
            "signatures": { "Ok": {
                "functions": [{
                    "key": "f", "line": 1, "positional": [], "keyword_only": [], "takes_more": false, "takes_keywords": false, "is_open": false,
                    "exported_as": [],
                }],
                "calls": [{
                    "target": { "SameFile": "f" }, "positional": 0, "keywords": [], "spreads": false, "spreads_keywords": false,
                    "lines": { "first": 2, "last": 2 }, "excused_by": 1,
                }],
            } },
            "names": { "Ok": {
                "unbound": [{
                    "name": "x", "line": 1, "scope": "", "role": "Value", "is_certain": true, "nearest": null, "silenced_by": 2,
                }],
                "bound": [{ "name": "x", "scope": "", "kind": "Defined", "line": 2 }],
                "bindings": 1, "declared": [], "unsettled": [], "in_macros": [], "is_open": false, "is_silenced": false, "is_module": true,
                "origins": [],
            } },
        })
    }

    fn about(answers: &Value, wanted: TextQuestions) -> Vec<(&'static str, Option<bool>)> {
        let answers: TextAnswers = serde_json::from_value(answers.clone()).unwrap();
        let TextAnswers { problems, outline, surface, signatures, names } = answers.about(TEXT, wanted);
        vec![
            ("problems", problems.map(|it| it.is_ok())),
            ("outline", outline.map(|it| it.is_ok())),
            ("surface", surface.map(|it| it.is_ok())),
            ("signatures", signatures.map(|it| it.is_ok())),
            ("names", names.map(|it| it.is_ok())),
        ]
    }

    /// Pointers to all numbers that are places, with their keys.
    fn places(value: &Value, at: &str, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, field)| {
                let at = format!("{at}/{key}");
                match field.is_u64() && !["bindings", "positional", "assertions"].contains(&&**key) {
                    true => found.push((at, key.clone())),
                    false => places(field, &at, found),
                }
            }),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| places(item, &format!("{at}/{index}"), found))
            }
            _ => {}
        }
    }

    #[test]
    fn a_place_that_the_text_does_not_have_is_no_answer() {
        let sound = answers();
        assert!(about(&sound, TextQuestions::ALL).into_iter().all(|(_, said)| said == Some(true)));
        let mut found = Vec::new();
        places(&sound, "", &mut found);
        assert_eq!(found.len(), 33, "{found:?}");
        let mut lies = 0;
        for (at, key) in found {
            let wrong: &[u64] = match &*key {
                // The middle of a letter; behind the text; behind its own end.
                "start" => &[1, 15, 9, u32::MAX as u64],
                "end" => &[1, 15, u32::MAX as u64],
                "column" => &[0],
                // Two lines, and the end of the text.
                _ => &[0, 4, u32::MAX as u64],
            };
            for number in wrong {
                let mut lie = sound.clone();
                *lie.pointer_mut(&at).unwrap() = json!(number);
                let question = at.split('/').nth(1).unwrap();
                for (other, said) in about(&lie, TextQuestions::ALL) {
                    assert_eq!(said, Some(other != question), "{other}: {at} is {number}");
                }
                lies += 1;
            }
        }
        assert_eq!(lies, 100);
        let mut turned = sound.clone();
        turned["outline"]["Ok"]["dead"].as_array_mut().unwrap().reverse();
        turned["outline"]["Ok"]["swallowed"][0]["lines"] = json!({ "first": 2, "last": 2 });
        assert_eq!(about(&turned, TextQuestions::ALL)[1], ("outline", Some(false)), "out of order");
    }

    #[test]
    fn what_was_not_wanted_is_left_out_and_what_is_left_open_fails() {
        let mut open = answers();
        open["names"] = Value::Null;
        for wanted in TextQuestions::ALL.each() {
            let word = wanted.words().next().unwrap();
            for (question, said) in about(&open, wanted) {
                assert_eq!(said, (question == word).then_some(word != "names"), "{word}: {question}");
            }
        }
    }
}
