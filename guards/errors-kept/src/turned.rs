//! Errors that become values: in the very place where the code raised one, it gives a constant now, so that whoever calls it goes on.

use guard_sdk::files::Language;
use guard_sdk::text::lines_in;
use guard_sdk::{File, Finding, Severity};
use lexing::Line;

use crate::depth;

/// Lines of a hunk beyond which code is written anew.
const WENT: u32 = 6;
const CAME: u32 = 3;

/// Whether a small hunk takes such a statement away.
pub fn may_be_in(file: &File, before: &str, language: Language) -> bool {
    let hunks = file.hunks();
    let small = hunks.iter().filter(|hunk| is_small(hunk.old_lines, hunk.new_lines));
    let gone = lines_in(before, small.map(|hunk| (hunk.old_start, hunk.old_lines)));
    gone.iter().any(|(_, line)| raises(line.trim(), language))
}

fn is_small(went: u32, came: u32) -> bool {
    (1..=WENT).contains(&went) && (1..=CAME).contains(&came)
}

/// Whether a statement makes an error and leaves by it. What hands an error on that another call gave may be handled elsewhere now.
fn raises(code: &str, language: Language) -> bool {
    match language {
        Language::Python | Language::Ruby => code.starts_with("raise ") && code != "raise",
        Language::JavaScript | Language::TypeScript => code.starts_with("throw new "),
        Language::Java | Language::Kotlin | Language::CSharp | Language::Php => code.starts_with("throw "),
        Language::Go => code.starts_with("return ") && (code.contains("fmt.Errorf(") || code.contains("errors.New(")),
        Language::Rust => {
            ["Err(", "return Err(", "bail!(", "anyhow::bail!("].iter().any(|start| code.starts_with(start))
        }
        _ => false,
    }
}

/// Whether a statement goes on with a value that tells nothing of an error.
fn goes_on(code: &str, language: Language) -> bool {
    const VALUES: [&str; 14] =
        ["", "None", "null", "undefined", "nil", "False", "false", "True", "true", "0", "[]", "{}", "\"\"", "''"];
    let code = code.trim_end_matches(';');
    match language {
        Language::Rust => code.starts_with("Ok(") || code.starts_with("return Ok("),
        Language::Go => code.strip_prefix("return ").is_some_and(|values| values.rsplit(", ").next() == Some("nil")),
        _ => {
            matches!(code, "pass" | "return")
                || code.strip_prefix("return ").is_some_and(|value| VALUES.contains(&value.trim()))
        }
    }
}

/// Whether a line stands in what handles an error: that is judged by itself.
fn is_in_handler(lines: &[Line], line: &Line) -> bool {
    let above = lines[..line.number as usize - 1].iter().rev();
    let head = above.filter(|above| !above.text.trim().is_empty()).find(|above| depth(above) < depth(line));
    head.is_some_and(|head| {
        let code = head.code.trim().trim_start_matches('}').trim_start();
        ["except", "catch", "rescue", "if err"].iter().any(|start| code.starts_with(start))
            || code.contains("err != nil")
    })
}

pub fn find(file: &File, before: &[Line], after: &[Line], language: Language, by_model: bool) -> Vec<Finding> {
    let count = |lines: &[Line]| lines.iter().filter(|line| raises(line.code.trim(), language)).count();
    if count(before) <= count(after) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for hunk in file.hunks().into_iter().filter(|hunk| is_small(hunk.old_lines, hunk.new_lines)) {
        let part = |lines: &[Line], start: u32, count: u32| {
            let first = (start.saturating_sub(1) as usize).min(lines.len());
            first..(first + count as usize).min(lines.len())
        };
        let (old, new) = (part(before, hunk.old_start, hunk.old_lines), part(after, hunk.new_start, hunk.new_lines));
        if after[new.clone()].iter().any(|line| raises(line.code.trim(), language)) {
            continue;
        }
        let raised = before[old].iter().find(|line| line.begins_in_code && raises(line.code.trim(), language));
        let Some(raised) = raised else { continue };
        // The text of the line, since an empty text has no code.
        let given = after[new]
            .iter()
            .find(|line| line.begins_in_code && depth(line) == depth(raised) && goes_on(line.text.trim(), language));
        let Some(given) = given.filter(|given| !is_in_handler(after, given)) else { continue };
        let shown = |line: &Line| line.text.trim().chars().take(60).collect::<String>();
        let is_mild = !by_model || !given.comment.trim().is_empty();
        let finding = Finding::error(
            "error-discarded",
            format!("`{}` was an error, and is `{}` now", shown(raised), shown(given)),
        )
        .at(file.path(), given.number)
        .help("Let the error go up as before, or say in the task what the caller gets in its place.");
        findings.push(Finding { severity: if is_mild { Severity::Warning } else { Severity::Error }, ..finding });
    }
    findings
}
