//! A case of a language: one text below `text/`, and in `expect.json` the facts that are expected of it.

use std::path::Path;

use serde_json::{Map, Value};

use super::super::case;
use super::super::expect::FILE;
use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_engine::{LanguageOutput, SingleLanguage, TextOutcome};
use guardhost_os::slashed;
use guardhost_report::{CaseResult, CaseResults, VerdictKind};

/// The folder of the text in a case.
const TEXT: &str = "text";

/// A case, ready to be read.
pub struct LanguageCase {
    /// Its path, relative to the folder of all cases.
    pub name: String,
    source: guard_cases::Case,
    /// The name of the text's file, with its folders.
    pub file: String,
    pub text: String,
}

/// Every case below `folder`, sorted. Errors name the wrong file. A folder without cases is an error ([`FaultKind::Nothing`]), since an
/// empty test passes for every language.
pub fn language_cases(folder: &Path) -> Result<Vec<LanguageCase>> {
    let unreadable = |path: &Path| Fault::new(FaultKind::Usage, format!("cannot read {}", path.display()));
    let found = match folder.is_dir() {
        true => guard_cases::find(folder, &[TEXT]).with_context(|| unreadable(folder))?,
        false => Vec::new(),
    };
    if found.is_empty() {
        let hint = "a case is a folder with text/FILE and expect.json, or the same in a file NAME.case";
        let what = format!("there are no cases in {}", folder.display());
        return Err(Fault::new(FaultKind::Nothing, what).hint(hint).into());
    }
    let read = |case: guard_cases::Location| {
        let source = guard_cases::Case::read(&case.path).with_context(|| unreadable(&case.path))?;
        let wrong = |what: &str| Fault::new(FaultKind::Usage, format!("the case {} {what}", case.name));
        let texts: Vec<_> = source.below(TEXT).collect();
        let [(path, file)] = texts[..] else { return Err(wrong("has not exactly one text below text/").into()) };
        let text = String::from_utf8(file.bytes.clone()).map_err(|_| wrong("has a text that is not UTF-8"))?;
        let file = String::from_utf8_lossy(&slashed(path)).into_owned();
        Ok(LanguageCase { name: case.name, source, file, text })
    };
    found.into_iter().map(read).collect()
}

/// Reads every case; with `update`, writes the facts as the expected ones.
///
/// # Errors
/// A file of a case is wrong, or cannot be written; this machine failed.
pub fn test_language(language: &SingleLanguage, id: &str, cases: &[LanguageCase], update: bool) -> Result<CaseResults> {
    let mut results = Vec::with_capacity(cases.len());
    for case in cases {
        let begun = std::time::Instant::now();
        let LanguageOutput { facts, outcome, fuel, .. } = language.read(&case.file, &case.text)?;
        let micros = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        let expected = case::json::<Map<String, Value>>(&case.source, FILE);
        let differs = |expected: &Map<String, Value>| {
            let mut wrong = Vec::new();
            differences("", &Value::Object(expected.clone()), &Value::Object(facts.clone()), &mut wrong);
            wrong
        };
        let changes = match (update, &expected) {
            (true, Ok(Some(expected))) => differs(expected),
            (true | false, _) => Vec::new(),
        };
        let updated = update && case.write(&facts)?;
        let mut wrong = match (updated, expected) {
            // The expectation was just written, so it matches.
            (true, _) => Vec::new(),
            (false, expected) => expected?.as_ref().map_or_else(
                || vec![format!("there is no {FILE}; write what it says now with: host guard test --update")],
                differs,
            ),
        };
        let verdict = match &outcome {
            TextOutcome::Whole => VerdictKind::Pass,
            TextOutcome::Broken(_) => VerdictKind::Reject,
            TextOutcome::Unread(_) => VerdictKind::NotApplicable,
            TextOutcome::Failed(_) => VerdictKind::Error,
        };
        if let TextOutcome::Failed(why) | TextOutcome::Unread(why) = outcome {
            wrong.push(format!("it says nothing of {}: {why}", case.file));
        }
        results.push(CaseResult { name: case.name.clone(), verdict, wrong, updated, changes, micros, fuel });
    }
    Ok(CaseResults {
        id: id.to_owned(),
        version: language.inspection().version.clone(),
        digest: language.component().digest().to_owned(),
        cases: results,
    })
}

impl LanguageCase {
    /// False when the file had this content already.
    fn write(&self, facts: &Map<String, Value>) -> Result<bool> {
        let now = serde_json::to_string_pretty(facts)? + "\n";
        let place = self.source.place(FILE, 1);
        self.source.write(FILE, &now).with_context(|| Fault::new(FaultKind::Usage, format!("cannot write {place}")))
    }
}

/// Where the two differ, one sentence each.
fn differences(at: &str, expected: &Value, found: &Value, wrong: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            let mut keys: Vec<&String> = expected.keys().chain(found.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                let (expected, found) = (expected.get(key), found.get(key));
                differences(&at, expected.unwrap_or(&Value::Null), found.unwrap_or(&Value::Null), wrong);
            }
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                differences(&format!("{at}[{index}]"), expected, found, wrong);
            }
        }
        (expected, found) if expected == found => {}
        (expected, Value::Null) => wrong.push(format!("{at}: {expected} is expected, and it says nothing")),
        (Value::Null, found) => wrong.push(format!("{at}: nothing is expected, it is {found}")),
        (expected, found) => wrong.push(format!("{at}: {expected} is expected, it is {found}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::differences;

    #[test]
    fn differences_are_named_by_their_place() {
        let mut wrong = Vec::new();
        let expected =
            json!({"outline": {"definitions": [{"name": "a"}, {"name": "b"}], "top": ["a"]}, "problems": []});
        let found = json!({"outline": {"definitions": [{"name": "a"}, {"name": "c"}], "bound": ["a"]}, "problems": []});
        differences("", &expected, &found, &mut wrong);
        let said = [
            "outline.bound: nothing is expected, it is [\"a\"]",
            "outline.definitions[1].name: \"b\" is expected, it is \"c\"",
            "outline.top: [\"a\"] is expected, and it says nothing",
        ];
        assert_eq!(wrong, said);
    }
}
