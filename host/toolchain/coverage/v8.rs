//! Node's `NODE_V8_COVERAGE`: spans of each script's text, in units of UTF-16, the inner ones behind those that hold them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::CountedLines;
use crate::job::FinishedJob;
use crate::runners::TestRunner;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct V8Range {
    start_offset: usize,
    end_offset: usize,
    count: u64,
}

#[derive(Deserialize)]
struct V8Process {
    result: Vec<V8Script>,
    /// Scripts that ran in another form than the one that they are written in.
    #[serde(rename = "source-map-cache", default)]
    translated: BTreeMap<String, serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct V8Script {
    url: String,
    functions: Vec<V8Function>,
}

#[derive(Deserialize)]
struct V8Function {
    ranges: Vec<V8Range>,
}

pub fn read(finished: &FinishedJob<TestRunner>, files: &[String]) -> Result<BTreeMap<String, CountedLines>, String> {
    let mut counted: BTreeMap<String, Vec<Vec<V8Range>>> = BTreeMap::new();
    if files.is_empty() {
        return Err("Node.js wrote nothing down of what it ran".to_owned());
    }
    for text in files {
        let process: V8Process =
            serde_json::from_str(text).map_err(|error| format!("what Node.js counted cannot be read ({error})"))?;
        for V8Script { url, functions } in process.result {
            let path = url.strip_prefix("file://").and_then(|path| finished.path(path));
            let Some(path) = path.filter(|path| !path.contains("node_modules/")) else { continue };
            if process.translated.contains_key(&url) {
                return Err(format!("{path} runs in a translated form, whose lines are not its own"));
            }
            counted.entry(path).or_default().push(functions.into_iter().flat_map(|one| one.ranges).collect());
        }
    }
    Ok(counted.into_iter().map(|(path, processes)| (path, CountedLines::Spans(processes))).collect())
}

/// How often each line was run, in all processes together. A span counts for the lines that it holds whole, without the blanks around
/// them.
pub fn lines(text: &str, processes: &[Vec<V8Range>]) -> BTreeMap<u32, u64> {
    let mut places = Vec::new();
    let mut at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let units = |text: &str| text.encode_utf16().count();
        let (blank, held) = (line.len() - line.trim_start().len(), line.trim());
        let start = at + units(&line[..blank]);
        if !held.is_empty() {
            places.push((number, start, start + units(held)));
        }
        at += units(line);
    }
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for spans in processes {
        for (number, start, end) in &places {
            let inner = spans.iter().rev().find(|span| span.start_offset <= *start && *end <= span.end_offset);
            if let Some(span) = inner {
                *counts.entry(*number).or_default() += span.count;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_span_counts() {
        let text = "const ä = '😀';\nfunction f(x) {\n  if (x) {\n    return 1;\n  }\n  return 2;\n}\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let at = |word: &str| text[..text.find(word).unwrap()].encode_utf16().count();
        let span = |start_offset, end_offset, count| V8Range { start_offset, end_offset, count };
        let whole = span(0, units.len(), 1);
        let function = span(at("function"), units.len() - 1, 3);
        let branch = span(at("{\n    return"), at("  return 2") - 1, 0);
        let counts = lines(text, &[vec![whole, function, branch]]);
        assert_eq!(counts, [(1, 1), (2, 3), (3, 3), (4, 0), (5, 0), (6, 3), (7, 3)].into());
        let again = lines(text, &[vec![whole, function, branch], vec![whole, function]]);
        assert_eq!(again[&4], 3, "another process ran it");
    }
}
