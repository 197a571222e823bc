//! JUnit's XML, as pytest writes it (`junit_family = xunit1`: <https://docs.pytest.org/en/stable/reference/reference.html#confval-junit_family>).

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::report::TestOutcome;

/// One `<testcase>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub class: String,
    pub name: String,
    pub file: Option<String>,
    pub outcome: TestOutcome,
    pub detail: String,
}

/// Errors: what is wrong with the document, also when it ends too early.
pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut reader = Reader::from_str(text);
    let mut cases: Vec<Case> = Vec::new();
    let (mut in_case, mut in_detail, mut depth) = (false, false, 0_usize);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) => {
                depth += 1;
                match name(&tag).as_str() {
                    "testcase" => {
                        in_case = true;
                        cases.push(case(&tag)?);
                    }
                    other if in_case => in_detail = set_outcome(cases.last_mut(), other, &tag)?,
                    _ => {}
                }
            }
            Event::Empty(tag) => match name(&tag).as_str() {
                "testcase" => cases.push(case(&tag)?),
                other if in_case => drop(set_outcome(cases.last_mut(), other, &tag)?),
                _ => {}
            },
            Event::Text(text) if in_detail => add_detail(cases.last_mut(), &text.xml10_content()),
            Event::CData(text) if in_detail => add_detail(cases.last_mut(), &text.xml10_content()),
            Event::GeneralRef(reference) if in_detail => {
                let character = reference.resolve_char_ref().ok().flatten().map(String::from);
                let known =
                    || quick_xml::escape::resolve_predefined_entity(&reference.xml10_content()).map(str::to_owned);
                add_detail(cases.last_mut(), &character.or_else(known).unwrap_or_default());
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                in_detail = false;
                in_case &= tag.local_name().as_ref() != "testcase";
            }
            Event::Eof if depth > 0 => return Err("it ends too early".to_owned()),
            Event::Eof => return Ok(cases),
            _ => {}
        }
    }
}

fn name(tag: &BytesStart) -> String {
    tag.local_name().as_ref().to_owned()
}

fn case(tag: &BytesStart) -> Result<Case, String> {
    let attribute = |name| attribute(tag, name);
    Ok(Case {
        class: attribute("classname")?.unwrap_or_default(),
        name: attribute("name")?.unwrap_or_default(),
        file: attribute("file")?,
        outcome: TestOutcome::Passed,
        detail: String::new(),
    })
}

/// Sets the outcome that a child of `<testcase>` gives. Returns whether the child's text is the test's detail.
fn set_outcome(case: Option<&mut Case>, child: &str, tag: &BytesStart) -> Result<bool, String> {
    let outcome = match child {
        "failure" => TestOutcome::Failed,
        "error" => TestOutcome::Errored,
        "skipped" => TestOutcome::Skipped,
        _ => return Ok(false),
    };
    if let Some(case) = case {
        case.outcome = outcome;
        if outcome != TestOutcome::Skipped {
            case.detail = attribute(tag, "message")?.map(|message| message + "\n").unwrap_or_default();
        }
    }
    Ok(outcome != TestOutcome::Skipped)
}

fn add_detail(case: Option<&mut Case>, text: &str) {
    if let Some(case) = case {
        case.detail.push_str(text);
    }
}

fn attribute(tag: &BytesStart, name: &str) -> Result<Option<String>, String> {
    let found = tag.try_get_attribute(name).map_err(|error| error.to_string())?;
    let value =
        found.map(|attribute| attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string()));
    Ok(value.transpose()?.map(|value| value.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_and_details() {
        let text = r#"<?xml version="1.0"?><testsuites><testsuite name="pytest">
            <testcase classname="tests.test_a" name="ok" file="tests/test_a.py" line="1"/>
            <testcase classname="tests.test_a" name="p[&lt;x&gt;]" file="tests/test_a.py"><failure message="1 &lt; 2">&gt; assert 1
E  no</failure></testcase>
            <testcase classname="" name="tests.test_c" file="tests/test_c.py"><error message="collection failure">Import</error></testcase>
            <testcase classname="a" name="s"><skipped type="pytest.xfail" message="x" /><system-out>noise</system-out></testcase>
            </testsuite></testsuites>"#;
        let cases = parse(text).unwrap();
        let shown: Vec<_> = cases.iter().map(|case| (case.name.as_str(), case.outcome, case.detail.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("ok", TestOutcome::Passed, ""),
                ("p[<x>]", TestOutcome::Failed, "1 < 2\n> assert 1\nE  no"),
                ("tests.test_c", TestOutcome::Errored, "collection failure\nImport"),
                ("s", TestOutcome::Skipped, ""),
            ]
        );
        assert!(parse(&text[..text.len() / 2]).is_err());
    }
}
