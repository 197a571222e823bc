//! Tests that run with fewer cases than before.

use std::collections::BTreeMap;

use guard_sdk::language::{Definition, DefinitionKind, Outline};
use guard_sdk::text::LineStarts;
use guard_sdk::{Change, File, Finding};

use crate::check::split;

/// How the cases of one test are given in its own text: what stands before the list.
const LISTS: [&str; 8] = [
    "parametrize(",
    "parameterized.expand(",
    "it.each(",
    "test.each(",
    "describe.each(",
    "ValueSource(",
    "CsvSource(",
    "DataProvider(",
];
/// Marks of which each is one case.
const MARKS: [&str; 5] = ["#[case", "#[test_case", "[InlineData(", "[TestCase(", "[DataRow("];
/// Fewer cases than these are not halved, but chosen anew.
const FEWEST: usize = 4;

/// Whether the change takes lines away in which a case may stand.
pub fn may_be_fewer(file: &File) -> bool {
    let takes_away = file.hunks().iter().any(|hunk| hunk.old_lines > 0 && hunk.old_lines >= hunk.new_lines);
    let is_named = |text: &str| LISTS.iter().chain(&MARKS).any(|form| text.contains(form));
    takes_away && file.before().is_regular() && file.before().text().is_ok_and(|text| is_named(&text))
}

/// Tests of both sides, each with its text: one that has half of its cases or fewer, none of which went elsewhere, says less.
pub fn judge(change: &Change, path: &str, old: (&Outline, &str), new: (&Outline, &str)) -> Vec<Finding> {
    let (old_text, new_text) = (LineStarts::new(old.1), LineStarts::new(new.1));
    let text = |starts: &LineStarts, text: &str, test: &Definition| {
        starts.slice(text, (test.lines.first, test.lines.last)).to_owned()
    };
    // Of two tests with one name, neither can be compared.
    let mut stood: BTreeMap<(Option<&str>, &str), Option<&Definition>> = BTreeMap::new();
    for test in old.0.definitions.iter().filter(|item| item.kind == DefinitionKind::Test) {
        let name = (test.owner.as_deref(), test.name.as_str());
        let is_second = stood.contains_key(&name);
        stood.insert(name, (!is_second).then_some(test));
    }
    let mut findings = Vec::new();
    for test in new.0.definitions.iter().filter(|item| item.kind == DefinitionKind::Test) {
        let Some(Some(before)) = stood.get(&(test.owner.as_deref(), test.name.as_str())) else { continue };
        let was = cases(&text(&old_text, old.1, before));
        let is = cases(&text(&new_text, new.1, test));
        // Lists are told apart by the parameters that they are for.
        let same = |key: &str| is.iter().find(|(other, _)| other == key).map(|(_, cases)| cases);
        let fewer = was.iter().filter_map(|(key, was)| Some((was, same(key)?))).find(|(was, is)| {
            let lost: Vec<&String> = was.iter().filter(|case| !is.contains(case)).collect();
            let moved = lost.iter().filter(|case| stands_elsewhere(change, case)).count();
            let gone = was.len().saturating_sub(is.len()).saturating_sub(moved);
            was.len() >= FEWEST && !is.is_empty() && gone * 2 >= was.len()
        });
        let Some((was, is)) = fewer else { continue };
        let (name, was, is) = (test.full_name(), was.len(), is.len());
        findings.push(
            Finding::error("parameters-lost", format!("the test `{name}` had {was} cases and has {is} now"))
                .at(path, test.lines.first)
                .help("Keep the cases. If one fails, fix the code that it tests; if another value is right now, change that case alone."),
        );
    }
    findings
}

/// The cases that the text of a test gives it, list by list: what each is for, and its cases on one line each.
fn cases(text: &str) -> Vec<(String, Vec<String>)> {
    let flat = |case: &str| case.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = Vec::new();
    for mark in MARKS {
        let marked: Vec<String> = text.lines().map(str::trim).filter(|line| line.starts_with(mark)).map(flat).collect();
        if !marked.is_empty() {
            all.push((mark.to_owned(), marked));
        }
    }
    for form in LISTS {
        for (at, _) in text.match_indices(form) {
            let arguments = split(&text[at + form.len()..], ',').0;
            let of_list = |argument: &&str| {
                let at = argument.find(['[', '{']).or_else(|| argument.find('('))?;
                let is_list = argument[..at].trim().is_empty() || argument[..at].trim_end().ends_with('=');
                is_list.then(|| argument[at + 1..].to_owned())
            };
            // What comes first where there is more says what the cases are for.
            let first = usize::from(form == LISTS[0] && arguments.len() > 1);
            let mut lists = arguments.iter().enumerate().skip(first);
            if let Some(cases) = arguments.iter().skip(first).find_map(|one| product(one)) {
                all.push((format!("{form}{}", flat(arguments[0])), cases));
                continue;
            }
            let Some((index, list)) = lists.find_map(|(index, one)| Some((index, of_list(one)?))) else { continue };
            let is_case = |item: &&str| !item.is_empty() && (!item.starts_with('#') || item.contains('\n'));
            let cases = split(&list, ',').0.into_iter().filter(is_case).map(flat).collect();
            let key = if index > 0 { flat(arguments[0]) } else { String::new() };
            all.push((format!("{form}{key}"), cases));
        }
    }
    all
}

/// The most cases of a product that are counted: beyond them nobody takes half away unseen.
const MOST: usize = 4_000;

/// The cases of `itertools.product([…], […])`, whose lists all stand there.
fn product(argument: &str) -> Option<Vec<String>> {
    let inside = argument.trim().strip_prefix("itertools.").unwrap_or(argument.trim()).strip_prefix("product(")?;
    let mut cases = vec![String::new()];
    for list in split(inside, ',').0.into_iter().filter(|list| !list.is_empty()) {
        let items = split(list.strip_prefix(['[', '('])?, ',').0;
        let items = items.into_iter().filter(|item| !item.is_empty());
        cases = items.flat_map(|item| cases.iter().map(move |case| format!("{case}{item}, "))).collect();
        if cases.len() > MOST {
            return None;
        }
    }
    Some(cases)
}

/// Another line that the change brings in has the case: it moved.
fn stands_elsewhere(change: &Change, case: &str) -> bool {
    let words = case.trim_end_matches(',');
    change.files().any(|file| file.added_lines().is_ok_and(|lines| lines.iter().any(|line| line.text.contains(words))))
}

#[cfg(test)]
mod tests {
    use super::cases;

    #[test]
    fn cases_of_tests() {
        for (text, count) in [
            (
                "@pytest.mark.parametrize(\n    \"a,b\",\n    [\n        (1, 2),\n        (3, 4),\n    ],\n)\ndef test_a(a, b):\n    pass",
                2,
            ),
            ("@pytest.mark.parametrize('a', [1, 2, 3], ids=str)\ndef test_a(a): pass", 3),
            ("@pytest.mark.parametrize((\"a\", \"b\"), [(1, 2)], ids=[\"c\", \"d\"])\ndef test_a(a, b): pass", 1),
            (
                "@pytest.mark.parametrize(\"a,b\", itertools.product([1, 2, 3], [\"x\", None],))\ndef test_a(a, b): pass",
                6,
            ),
            ("@pytest.mark.parametrize('a', VALUES)\ndef test_a(a): pass", 0),
            ("it.each([[1, 2], [3, 4]])('adds %i', (a) => { f([a]) })", 2),
            ("#[rstest]\n#[case(1)]\n#[case(2)]\nfn adds(#[case] a: u32) {}", 2),
            ("@ValueSource(ints = {1, 2, 3})\nvoid adds(int a) {}", 3),
        ] {
            assert_eq!(cases(text).iter().map(|(_, cases)| cases.len()).sum::<usize>(), count, "{text}");
        }
    }
}
