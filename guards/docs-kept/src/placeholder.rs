//! A line that says that the rest was left out, where the rest used to be.

use guard_sdk::Finding;

use crate::elsewhere::words;
use crate::pair::Pair;

pub fn find(pair: &Pair) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A marker stands for lines that are gone: without a loss it is only a way of writing.
    for hunk in pair.hunks.iter().filter(|hunk| hunk.new_lines > 0 && hunk.old_lines >= hunk.new_lines) {
        for line in hunk.new_start..hunk.new_start + hunk.new_lines {
            let text = pair.after.line(line);
            if is_marker(text) && !pair.before.lines().any(|(_, old)| old == text) {
                findings.push(finding(pair, line, text, hunk.old_lines));
            }
        }
    }
    findings
}

fn finding(pair: &Pair, line: u32, text: &str, lines: u32) -> Finding {
    Finding::error("placeholder", format!("`{text}` stands in {} for {lines} lines that are gone", pair.path))
        .at(pair.path, line)
        .help("Write those lines out as they were: the file is taken as it is given.")
}

/// "... (truncated)", "<!-- rest of the file unchanged -->", "[content omitted for brevity]": the whole line, no sentence.
fn is_marker(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    if words.is_empty() || words.len() > 10 {
        return false;
    }
    let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
    let rest = says(&["rest", "remaining", "remainder", "existing", "previous", "other", "original"]);
    let what = says(&WHAT);
    let left_out = says(&["truncated", "omitted", "elided", "snipped"]);
    let as_it_was = says(&["unchanged", "remains", "remain", "stays", "stay", "same", "brevity", "here"]);
    let ellipsis = line.contains("...") || line.contains('…');
    // A heading or an item of a list may well be about "other examples".
    let aside = ellipsis || line.starts_with(['[', '(', '<', '{', '/']);
    let bracketed = aside || line.starts_with(['#', '*', '-', '_']);
    let plain = words.iter().all(|word| WHAT.contains(word) || FILLERS.contains(word));
    let says_so = (left_out && aside)
        || (rest && aside && as_it_was)
        || (rest && what && (ellipsis || as_it_was))
        || (what && says(&["unchanged"]));
    plain && bracketed && says_so
}

#[rustfmt::skip]
const WHAT: [&str; 20] = [
    "file", "document", "doc", "docs", "content", "contents", "code", "section", "sections", "readme", "page", "text", "output", "lines", "block",
    "blocks", "examples", "documentation", "parts", "entries",
];
#[rustfmt::skip]
const FILLERS: [&str; 36] = [
    "rest", "remaining", "remainder", "existing", "previous", "other", "same", "original", "truncated", "omitted", "elided", "snipped",
    "unchanged", "remains", "remain", "stays", "here", "above", "before", "brevity", "of", "the", "this", "is", "are", "as", "for", "goes", "all",
    "in", "your", "keep", "with", "stay", "and", "to",
];

#[cfg(test)]
mod tests {
    use super::is_marker;

    #[test]
    fn markers_and_ways_of_writing() {
        for line in [
            "... (truncated)",
            "<!-- rest of the file unchanged -->",
            "[content omitted]",
            "[Content omitted for brevity]",
            "# ... existing code ...",
            "(rest of the document remains the same)",
            "… remaining sections unchanged …",
            "// ... rest of file unchanged",
        ] {
            assert!(is_marker(line), "{line}");
        }
        for line in [
            "...",
            "[...]",
            "",
            "The rest of the file is unchanged",
            "- Truncated lines are shown with an ellipsis",
            "# Remaining work",
            "## Other examples",
            "- Existing code",
            "## Truncated output",
            "(same as above)",
            "## Code",
            "# the remaining tests run on the other platforms",
        ] {
            assert!(!is_marker(line), "{line}");
        }
    }
}
