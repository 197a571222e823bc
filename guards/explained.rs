//! What `host explain` shows of a guard beside its own description: a rejected and an accepted change, out of `cases/example/`. The
//! table of rules in its README must be that of the description.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use guard_cases::Case;
use serde_json::{Value, json};
use similar::TextDiff;
use wasmtime::error::Context;
use wasmtime::{Result, ensure};

/// Files of a case that say what the guard was told beside the change. Facts are left out: the host reads them from the tree.
const GIVEN: [(&str, &str); 8] = [
    ("task", "task.json"),
    ("settings", "settings.json"),
    ("plan", "steps.json"),
    ("past", "past.json"),
    ("tools", "toolchain.json"),
    ("web", "net.json"),
    ("registries", "registry.json"),
    ("answers", "model.json"),
];

/// A field of a `Builtin`, as Rust. Errors: the README lists other rules than the description.
pub fn examples(guard: &Path, description: &Value) -> Result<String> {
    let (cases, folder, readme) = (guard.join("cases"), guard.join("cases/example"), guard.join("README.md"));
    println!("cargo::rerun-if-changed={}", cases.display());
    println!("cargo::rerun-if-changed={}", readme.display());
    let (documented, described) = (documented(&readme)?, described(description));
    for (documented, described) in documented.iter().zip(&described) {
        ensure!(
            documented == described,
            "{} has {documented:?}, and the guard describes {described:?}",
            readme.display()
        );
    }
    let counts = (documented.len(), described.len());
    ensure!(counts.0 == counts.1, "{} has {} rules, and the guard describes {}", readme.display(), counts.0, counts.1);
    ensure!(counts.0 > 0, "{} has no rules", readme.display());
    if is_analyzer(description) {
        return Ok("examples: &[], of_rules: &[]".to_owned());
    }
    let (rejected, accepted) = (example(&folder, "rejected", "reject")?, example(&folder, "accepted", "pass")?);
    let shown = from_rules(&cases, &described)?;
    Ok(format!("examples: &[{rejected}, {accepted}], of_rules: &[{shown}]"))
}

/// It measures trees: no change is accepted or rejected by it.
pub fn is_analyzer(description: &Value) -> bool {
    description["stages"].as_array().is_some_and(|stages| stages.iter().all(|stage| stage == "analysis"))
}

/// Rules for which a case would be larger than a reader wants: of files of 256 KiB, and of more findings than are listed.
const UNSHOWN: [&str; 2] = ["grown-too-large", "more"];

/// For each rule that `example/rejected` does not show, the shortest case in which it is found. Errors: a rule that is more than an
/// information has none.
fn from_rules(folder: &Path, rules: &Rules) -> Result<String> {
    let mut shortest: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    let mut in_example: BTreeSet<String> = BTreeSet::new();
    for found in guard_cases::find(folder, &["expect.json"])? {
        let case = Case::read(&found.path)?;
        let Some(expected) = read(&case, "expect.json")?.map(as_verdict) else { continue };
        let findings = expected["findings"].as_array().into_iter().flatten();
        let names: BTreeSet<&str> = findings.filter_map(|finding| finding["rule"].as_str()).collect();
        let (Some(verdict), false) = (expected["verdict"].as_str(), names.is_empty()) else { continue };
        if found.path.parent().is_some_and(|parent| parent == folder.join("example")) {
            in_example.extend(names.iter().map(|name| (*name).to_owned()));
            continue;
        }
        // A case may expect less of a finding than is shown.
        let mut findings = expected["findings"].as_array().into_iter().flatten();
        if findings.any(|finding| finding["severity"].is_null() || finding["message"].is_null()) {
            continue;
        }
        // What is no text cannot be shown as a diff.
        let Ok(text) = rendered(&case, &expected, verdict) else { continue };
        for (rule, _) in rules.iter().filter(|(rule, _)| names.contains(rule.as_str())) {
            let best = shortest.entry(rule).or_insert_with(|| (usize::MAX, String::new()));
            if text.len() < best.0 {
                *best = (text.len(), text.clone());
            }
        }
    }
    let lacking = rules.iter().find(|(rule, summary)| {
        let is_shown = in_example.contains(rule) || shortest.contains_key(rule.as_str());
        !is_shown && !summary.starts_with("info") && !UNSHOWN.contains(&rule.as_str())
    });
    if let Some((rule, _)) = lacking {
        wasmtime::bail!("{}: no case expects a finding of the rule `{rule}`", folder.display());
    }
    shortest.retain(|rule, _| !in_example.contains(*rule));
    let texts: BTreeSet<String> = shortest.into_values().map(|(_, text)| text).collect();
    Ok(texts.into_iter().collect::<Vec<_>>().join(", "))
}

/// Rules and their summaries.
type Rules = Vec<(String, String)>;

fn described(description: &Value) -> Rules {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rules = description["rules"].as_array().into_iter().flatten();
    rules.map(|rule| (text(&rule["rule"]), text(&rule["summary"]))).collect()
}

/// Every row below `| rule | when |`. What stands in brackets behind the rule, such as `(info)`, begins its summary.
fn documented(readme: &Path) -> Result<Rules> {
    let text = fs::read_to_string(readme).with_context(|| format!("read {}", readme.display()))?;
    let mut lines = text.lines().skip_while(|line| *line != "| rule | when |");
    lines.next().context("a README has a table of its rules, | rule | when |")?;
    let mut rules = Vec::new();
    for line in lines.skip(1).take_while(|line| line.starts_with('|')) {
        let (Some(rule), Some(when)) = (cells(line).next(), cells(line).nth(1)) else { continue };
        let (name, kind) = rule.split_once(' ').unwrap_or((rule, ""));
        let kind = kind.trim_matches(['(', ')']);
        let summary = if kind.is_empty() { when.to_owned() } else { format!("{kind}: {when}") };
        rules.push((name.trim_matches('`').to_owned(), summary));
    }
    Ok(rules)
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.trim_matches('|').split(" | ").map(str::trim)
}

/// An `EmbeddedExample`, as Rust.
fn example(folder: &Path, name: &str, verdict: &str) -> Result<String> {
    let found = guard_cases::find(folder, &["expect.json"])?.into_iter().find(|case| case.name == name);
    let needed = || format!("{}: every guard has the cases example/rejected and example/accepted", folder.display());
    let case = Case::read(&found.with_context(needed)?.path)?;
    let expected = as_verdict(read(&case, "expect.json")?.with_context(needed)?);
    ensure!(
        expected["verdict"] == verdict,
        "{} expects {}, not {verdict}",
        case.place("expect.json", 1),
        expected["verdict"]
    );
    rendered(&case, &expected, verdict)
}

/// A case as Rust.
fn rendered(case: &Case, expected: &Value, verdict: &str) -> Result<String> {
    let findings = expected.get("findings").cloned().unwrap_or(json!([]));
    let mut given = String::new();
    for (name, file) in GIVEN {
        if let Some(value) = read(case, file)? {
            write!(given, "({name:?}, {:?}), ", value.to_string())?;
        }
    }
    let (before, after) = (tree(case, "before")?, tree(case, "after")?);
    let (diff, beside) = changes(&before, &after);
    Ok(format!(
        "EmbeddedExample {{ verdict: {verdict:?}, given: &[{given}], beside: &{beside:?}, diff: {diff:?}, findings: {:?} }}",
        findings.to_string()
    ))
}

/// A guard of plans expects a list of the steps that it drops; the host makes a finding of each.
fn as_verdict(expected: Value) -> Value {
    let Value::Array(dropped) = expected else { return expected };
    let verdict = if dropped.is_empty() { "pass" } else { "reject" };
    let finding = |message: &Value| json!({ "rule": "step-dropped", "severity": "error", "message": message });
    json!({ "verdict": verdict, "findings": dropped.iter().map(finding).collect::<Vec<_>>() })
}

/// None when there is no such file.
fn read(case: &Case, file: &str) -> Result<Option<Value>> {
    let Some(text) = case.text(file)? else { return Ok(None) };
    Ok(Some(serde_json::from_str(text).with_context(|| format!("read {}", case.place(file, 1)))?))
}

type Tree = BTreeMap<String, String>;

fn tree(case: &Case, side: &str) -> Result<Tree> {
    let entry = |(path, file): (&Path, &guard_cases::File)| {
        let name = path.to_string_lossy().into_owned();
        let text = String::from_utf8(file.bytes.clone()).with_context(|| case.place(&format!("{side}/{name}"), 1))?;
        Ok((name, text))
    };
    case.below(side).map(entry).collect()
}

/// A unified diff, and the files that stay as they are.
fn changes(before: &Tree, after: &Tree) -> (String, Vec<String>) {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let (mut diff, mut beside) = (String::new(), Vec::new());
    for path in paths {
        let (old, new) = (before.get(path), after.get(path));
        if old == new {
            beside.push(path.clone());
            continue;
        }
        let name = |side: char, text: Option<&String>| text.map_or("/dev/null".into(), |_| format!("{side}/{path}"));
        let texts = [old, new].map(|text| text.map_or("", String::as_str));
        let lines = TextDiff::from_lines(texts[0], texts[1]);
        diff += &lines.unified_diff().header(&name('a', old), &name('b', new)).to_string();
    }
    (diff, beside)
}
