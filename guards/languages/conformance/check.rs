//! The table of questions that every language answers: each is a text, and what a reader must and must not say of it, or the reason why
//! the question does not arise in that language. A reader's tests include this file.

use std::collections::BTreeMap;
use std::path::Path;

use guard_sdk::language::{Body, Definition, DefinitionKind, Outline, Problem, SkipKind, Unread, Visibility};
use serde::Deserialize;

/// What a reader says of a text.
pub struct Reading {
    pub problems: Vec<Problem>,
    pub outline: Result<Outline, Unread>,
}

#[derive(Deserialize)]
struct File {
    question: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    not: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Cell {
    Text(String),
    /// Under `for_LANGUAGE`: what is said of this language's text, where it is another than of most.
    Facts(Vec<String>),
    // Behind the list, which would be taken for it.
    Reason(Reason),
}

#[derive(Deserialize)]
struct Question {
    ask: String,
    facts: Vec<String>,
    #[serde(flatten)]
    cells: BTreeMap<String, Cell>,
}

/// Asks all questions of these languages, and names every answer that is not the table's. How many questions there are.
pub fn check(languages: &[&str], read: impl Fn(&str, bool, &str) -> Reading) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the table is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort();
    let (mut asked, mut wrong) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file of questions");
        let table: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // Only files of tests are run as tests.
        let is_test = file.ends_with("tests.toml");
        for question in &table.question {
            asked += 1;
            for language in languages {
                let facts = match question.cells.get(&format!("for_{language}")) {
                    Some(Cell::Facts(facts)) => facts,
                    _ => &question.facts,
                };
                match question.cells.get(*language) {
                    Some(Cell::Text(text)) => {
                        let reading = read(language, is_test, text);
                        let untrue = facts.iter().filter(|fact| !is_true(fact, text, &reading));
                        wrong.extend(untrue.map(|fact| format!("{}, {language}: {fact}", question.ask)));
                    }
                    Some(Cell::Reason(reason)) if !reason.not.is_empty() => {}
                    _ => wrong.push(format!("{}: neither a text in {language} nor why there is none", question.ask)),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} answers are not the table's:\n{}", wrong.len(), wrong.join("\n"));
    asked
}

/// README.md has the form of a fact.
fn is_true(fact: &str, text: &str, reading: &Reading) -> bool {
    match fact.strip_prefix('!') {
        Some(fact) => !holds(fact, text, reading),
        None => holds(fact, text, reading),
    }
}

fn holds(fact: &str, text: &str, reading: &Reading) -> bool {
    let problems = &reading.problems;
    match fact {
        "no problem" => return problems.is_empty(),
        "problem" => return !problems.is_empty(),
        "certain problem" => return problems.iter().any(|problem| problem.is_certain),
        "uncertain problem" => return !problems.is_empty() && problems.iter().all(|problem| !problem.is_certain),
        "broken" => return matches!(reading.outline, Err(Unread::Broken)),
        _ => {}
    }
    if let Some(line) = fact.strip_prefix("certain problem line=") {
        return problems.iter().any(|problem| problem.is_certain && problem.line.to_string() == line);
    }
    if let Some(line) = fact.strip_prefix("problem line=") {
        return problems.iter().any(|problem| problem.line.to_string() == line);
    }
    let Ok(outline) = &reading.outline else { return false };
    let (what, rest) = fact.split_once(' ').unwrap_or((fact, ""));
    let has = |list: &[String]| list.iter().any(|name| name == rest);
    match what {
        "open" => outline.is_open,
        "closed" => !outline.is_open,
        "swallowed" => outline.swallowed.iter().any(|hidden| !hidden.is_meant),
        "excused" => outline.swallowed.iter().any(|hidden| hidden.is_meant),
        "bound" => has(&outline.bound),
        "top" => has(&outline.top),
        "offered" => has(&outline.offered),
        "glob" => has(&outline.globs),
        "use" => outline.uses.iter().any(|read| read.name == rest),
        "member" => outline.members.iter().any(|member| format!("{}.{}", member.object, member.member) == rest),
        "comment" => outline.comments.iter().any(|comment| comment.text == rest),
        "focused" => outline.focused.iter().any(|focus| focus.title == rest),
        "dead" => outline.dead.iter().any(|span| text[span.start as usize..span.end as usize].contains(rest)),
        "import" | "optional" | "certain" => imports(what, rest, outline),
        "twice" => outline.definitions.iter().filter(|one| is_called(one, rest)).count() == 2,
        "inner" => outline.inner.iter().any(|one| one.name == rest),
        kind => outline.definitions.iter().any(|one| is_of(one, kind) && is_as_said(one, rest)),
    }
}

/// `a.b C as D`; `-` is no name; `*` any.
fn imports(what: &str, rest: &str, outline: &Outline) -> bool {
    let wanted = rest.strip_prefix("import ").unwrap_or(rest);
    outline.imports.iter().any(|import| {
        let name = import.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
        let local = if import.local.is_empty() { "-" } else { &import.local };
        let said = format!("{}{name} as {local}", import.module);
        let fits = wanted == "*" || said == wanted || format!("{said}\n").starts_with(&format!("{wanted} as -\n"));
        fits && match what {
            "optional" => import.is_optional,
            "certain" => !import.is_optional,
            _ => true,
        }
    })
}

fn is_of(definition: &Definition, kind: &str) -> bool {
    match kind {
        "callable" => matches!(definition.kind, DefinitionKind::Function | DefinitionKind::Method),
        "function" => definition.kind == DefinitionKind::Function,
        "method" => definition.kind == DefinitionKind::Method,
        "class" => definition.kind == DefinitionKind::Class,
        "test" => definition.kind == DefinitionKind::Test,
        "value" => definition.kind == DefinitionKind::Value,
        other => panic!("no such fact: {other}"),
    }
}

/// `T.add`; `*.add`, whatever it stands in; `*`, whatever it is.
fn is_called(definition: &Definition, name: &str) -> bool {
    let full = match &definition.owner {
        Some(owner) => format!("{owner}.{}", definition.name),
        None => definition.name.clone(),
    };
    name == "*" || full == name || name.strip_prefix("*.").is_some_and(|name| definition.name == name)
}

const ATTRIBUTES: [&str; 10] =
    ["body", "lines", "visibility", "noun", "bases", "annotation", "asserts", "skip", "mark", "reason"];

/// A name, and behind it what else is said: `T.add body=empty lines=1-2`.
fn is_as_said(definition: &Definition, said: &str) -> bool {
    let mut name = said;
    let mut attributes = Vec::new();
    while let Some((before, last)) = name.rsplit_once(' ')
        && let Some((key, value)) = last.split_once('=')
        && ATTRIBUTES.contains(&key)
    {
        attributes.push((key, value));
        name = before;
    }
    let skip = definition.skip.as_ref();
    let is = |(key, value): (&str, &str)| match key {
        "body" => body(definition.body) == value,
        "lines" => format!("{}-{}", definition.lines.first, definition.lines.last) == value,
        "visibility" => visibility(definition.visibility) == value,
        "noun" => definition.noun.as_deref() == Some(value),
        "bases" => definition.bases.join(",") == value,
        "annotation" => definition.annotations.iter().any(|name| name == value),
        "asserts" => definition.assertions.map(|count| count.to_string()).as_deref() == Some(value),
        "skip" => skip.map_or("none", |skip| skip_kind(skip.kind)) == value,
        "mark" => skip.is_some_and(|skip| skip.mark == value),
        _ => skip.is_some_and(|skip| skip.reason == value),
    };
    is_called(definition, name) && attributes.into_iter().all(is)
}

fn body(body: Body) -> &'static str {
    match body {
        Body::Real => "real",
        Body::Empty => "empty",
        Body::Stub => "stub",
        Body::Declared => "declared",
    }
}

fn visibility(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Internal => "internal",
        Visibility::Private => "private",
        Visibility::Unstated => "unstated",
    }
}

fn skip_kind(kind: SkipKind) -> &'static str {
    match kind {
        SkipKind::Skipped => "skipped",
        SkipKind::MayFail => "may-fail",
        SkipKind::Empty => "empty",
        SkipKind::Cut => "cut",
        SkipKind::Focused => "focused",
    }
}
