//! What a tool shows of a file, and a call of a tool around it: numbers of lines, `EOF`, closing tags of a call.

use guard_sdk::Finding;

use crate::added::{Added, runs};
use crate::place::{self, Kind, Language};

/// Last lines that end a call or a here-document, and nothing else.
const ENDS: [&str; 9] =
    ["EOF", "EOT", "'EOF'", "</content>", "</file>", "</file_text>", "</invoke>", "</parameter>", "*** End Patch"];
/// Neighbouring lines with numbers, at least.
const NUMBERED: usize = 4;

pub fn judge(added: &Added) -> Vec<Finding> {
    let is_read = match added.kind {
        Kind::Document | Kind::Code(Language::Yaml | Language::Toml) => true,
        Kind::Code(language) if place::has_entries(language) || place::is_script(language) => true,
        // There, the parsers of other guards stop at such a line.
        Kind::Code(_) | Kind::Open => false,
    };
    if !is_read || place::is_about_diffs(added.path()) || place::is_about_models(added.path()) {
        return Vec::new();
    }
    end(added).into_iter().chain(numbers(added)).collect()
}

fn end(added: &Added) -> Option<Finding> {
    let last = added.lines.iter().rposition(|line| !line.trim().is_empty())?;
    let line = added.lines[last];
    let is_new = added.new.contains(&last) && !added.before().trim_end().ends_with(line);
    // Of a script, the parsers of other guards stop at the rest of them.
    let is_program = matches!(added.kind, Kind::Code(language) if place::is_script(language));
    let is_end = ENDS[..if is_program { 2 } else { ENDS.len() }].contains(&line.trim_end());
    let is_opened = || added.lines.iter().any(|other| other.contains("<<") && other.contains(line.trim()));
    (is_new && is_end && added.is_in_code(last) && !is_opened()).then(|| {
        let message =
            format!("the last line, `{}`, ends a call of a tool, and is no line of the file", line.trim_end());
        Finding::error("chatter-left", message).at(added.path(), last as u32 + 1).help("Remove the line.")
    })
}

fn numbers(added: &Added) -> Option<Finding> {
    let numbered: Vec<usize> = added
        .new_lines()
        .filter(|(at, line)| number(line).is_some() && !is_fenced(added, *at))
        .map(|(at, _)| at)
        .collect();
    let (first, last) = runs(&numbered).into_iter().find(|(first, last)| {
        let rises =
            (*first..*last).all(|at| number(added.lines[at + 1]) == number(added.lines[at]).map(|number| number + 1));
        // An arrow behind a number stands in no text by itself.
        let least = if added.lines[*first].contains('→') { 2 } else { NUMBERED };
        last - first + 1 >= least && rises
    })?;
    let message = format!("the lines {} to {} begin with their numbers", first + 1, last + 1);
    let help = "Remove the numbers, which the tool that showed the file put there.";
    Some(Finding::error("chatter-left", message).at(added.path(), first as u32 + 1).to(last as u32 + 1).help(help))
}

/// Whether a document shows the line in a fence, as it shows the output of a tool: one that names no language of programs. A line that `cat -n`
/// shows is indented, and no block.
fn is_fenced(added: &Added, line: usize) -> bool {
    let fences = |line: &&&str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    let mut above = added.lines[..line].iter().filter(fences);
    let is_open = added.kind == Kind::Document && above.clone().count() % 2 == 1;
    let name = above.next_back().map_or("", |fence| fence.trim_start().trim_start_matches(['`', '~']).trim());
    is_open && Language::from_path(&format!("a.{name}")).is_none() && !LANGUAGES.contains(&name)
}

/// Names of languages behind a fence that are no endings of their files.
const LANGUAGES: [&str; 10] =
    ["python", "javascript", "typescript", "rust", "ruby", "csharp", "kotlin", "bash", "shell", "golang"];

/// The number that `cat -n` and the like put before a line: set to the right, and followed by a tab or an arrow.
fn number(line: &str) -> Option<u32> {
    let text = line.trim_start_matches(' ');
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    (digits > 0 && digits < 7 && (rest.starts_with('\t') || rest.starts_with('→')))
        .then(|| text[..digits].parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn as_tools_show_lines() {
        assert_eq!(number("     1\t# Title"), Some(1));
        assert_eq!(number("   12→text"), Some(12));
        assert_eq!(number("1. one"), None);
        assert_eq!(number("\t1\tx"), None);
    }
}
