//! A comment that says that the rest was left out, where the rest used to be.

use guard_sdk::Finding;

use crate::phrases::words;
use crate::touched::Touched;
use guard_sdk::language::Outline;

pub fn find(touched: &Touched, before: &Outline, after: &Outline) -> Vec<Finding> {
    let mut findings = Vec::new();
    for hunk in touched.lines.hunks.iter().filter(|hunk| hunk.new_lines > 0) {
        let lines = hunk.new_start..hunk.new_start + hunk.new_lines;
        for comment in after.comments.iter().filter(|comment| lines.contains(&comment.line)) {
            let was_there = || before.comments.iter().any(|old| old.text == comment.text);
            if is_marker(&comment.text, hunk.old_lines > hunk.new_lines) && !was_there() {
                findings.push(finding(touched, comment.line, &comment.text, hunk.old_lines));
            }
        }
    }
    findings
}

fn finding(touched: &Touched, line: u32, text: &str, lines: u32) -> Finding {
    let path = touched.path();
    let stands = match lines {
        0 => "and says that lines are left out".to_owned(),
        1 => "where a line used to be".to_owned(),
        lines => format!("where {lines} lines used to be"),
    };
    Finding::error("truncation-marker", format!("the comment \"{text}\" stands in {path} {stands}"))
        .at(path, line)
        .help("Write those lines out as they were: the file is taken as it is given.")
}

/// "... rest of the code unchanged ...", "existing code here": the whole comment, and no sentence about anything else.
/// `in_place`: fewer lines came than went.
fn is_marker(comment: &str, in_place: bool) -> bool {
    let lower = comment.to_ascii_lowercase();
    let words: Vec<&str> = words(&lower).filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit())).collect();
    if words.is_empty() || words.len() > 12 {
        return false;
    }
    let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let rest = says(&["rest", "remaining", "remainder", "existing", "previous", "other", "original", "same"]);
    let what = says(&WHAT);
    let left_out = says(&["truncated", "omitted", "elided", "snipped", "snip"]);
    let as_it_was =
        says(&["unchanged", "remains", "remain", "stays", "stay", "same", "brevity", "here", "above", "before"]);
    let ellipsis = lower.contains("...") || lower.contains('…');
    let plain = words.iter().all(|word| WHAT.contains(word) || FILLERS.contains(word));
    let says_so = match ellipsis {
        true => left_out || rest || says(&["unchanged", "untouched"]) || (as_it_was && (what || says(&["as"]))),
        false => {
            in_place && ((rest && as_it_was && what) || (left_out && (what || rest)) || (what && says(&["unchanged"])))
        }
    };
    plain && says_so
}

#[rustfmt::skip]
const WHAT: [&str; 33] = [
    "file", "code", "codes", "content", "contents", "function", "functions", "method", "methods", "class", "classes", "implementation", "implementations",
    "logic", "tests", "test", "cases", "imports", "import", "lines", "block", "section", "sections", "module", "definitions", "definition", "helpers",
    "body", "fields", "parts", "properties", "stuff", "types",
];
#[rustfmt::skip]
const FILLERS: [&str; 55] = [
    "rest", "remaining", "remainder", "existing", "previous", "other", "same", "original", "truncated", "omitted", "elided", "snipped", "unchanged",
    "remains", "remain", "stays", "stay", "here", "above", "before", "brevity", "of", "the", "this", "is", "are", "as", "for", "goes", "go", "all",
    "in", "your", "keep", "kept", "with", "and", "to", "from", "be", "not", "shown", "below", "exactly", "it", "was", "were", "continues", "untouched", "snip", "no",
    "change", "changes", "needed", "more",
];

#[cfg(test)]
mod tests {
    use super::is_marker;

    #[test]
    fn markers_and_ways_of_writing() {
        for text in [
            "... rest of the code unchanged ...",
            "... existing code ...",
            "rest of the file remains the same",
            "existing code here",
            "... (rest of the implementation)",
            "... other methods remain unchanged",
            "remaining code unchanged",
            "[rest of the code omitted for brevity]",
            "… same as before …",
            "...rest of file",
            "other functions unchanged",
            "... (unchanged) ...",
            "… unchanged …",
            "... 40 lines omitted ...",
            "... as before ...",
        ] {
            assert!(is_marker(text, true), "{text}");
        }
        for text in [
            "...",
            "",
            "TODO: the rest of the code",
            "The rest of the arguments are passed to the command",
            "unchanged",
            "same as above",
            "all other cases",
            "Truncated lines are shown with an ellipsis",
            "existing tests",
            "... and so on",
            "... more ...",
            "...here it stays",
        ] {
            assert!(!is_marker(text, true), "{text}");
        }
        assert!(!is_marker("existing code here", false));
    }
}
