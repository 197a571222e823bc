//! The text of comments. Markers are HTML comments, which pages do not show; text of others cannot hold one, because `<` is escaped in it.

use super::{CommentFingerprint, CommentPlan, Existing, Remark, Summarised};
use crate::markdown::{code, inline};
use crate::model::InlineComment;
use guardhost_core::change::Severity;

/// The first words of every marker.
const MARK: &str = "<!-- guardhost ";
/// At the head of the one summary of a pull request.
pub const SUMMARY_MARKER: &str = "<!-- guardhost summary schema=1 -->";
/// Characters of a message or of help.
const TEXT: usize = 1500;
/// Characters of a comment; GitHub's limit is 65,536.
const COMMENT: usize = 60_000;
/// Findings in a summary.
const LISTED: usize = 100;

/// At the head of the body of a pull request.
pub fn run_marker(run: &str) -> String {
    let run: String = run.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    format!("{MARK}run={run} schema=1 -->")
}

/// After our part of the body of a pull request.
const END: &str = "<!-- guardhost end -->";

/// Our part of the body of a pull request. `text` is Markdown.
pub fn pull_body(run: &str, text: &str) -> String {
    format!("{}\n{}\n{END}", run_marker(run), bounded(text.trim()))
}

/// The body with our part in the place of an earlier one; after what people wrote, if there is none.
pub fn merged(before: &str, ours: &str) -> String {
    let before = before.replace("\r\n", "\n");
    let begin = before.find("<!-- guardhost run=");
    let end = begin.and_then(|begin| Some(begin + before[begin..].find(END)? + END.len()));
    match (begin, end) {
        (Some(begin), Some(end)) => format!("{}{ours}{}", &before[..begin], &before[end..]),
        _ if before.trim().is_empty() => ours.to_owned(),
        _ => format!("{}\n\n{ours}", before.trim_end()),
    }
}

/// Whose findings comments are of. Those of one are not resolved because the other is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentScope {
    Guards,
    /// What models say, in a review.
    Critics,
}

impl CommentScope {
    pub const ALL: [CommentScope; 2] = [CommentScope::Guards, CommentScope::Critics];

    fn key(self) -> &'static str {
        match self {
            CommentScope::Guards => "finding=",
            CommentScope::Critics => "critic=",
        }
    }
}

/// At the head of the review, or of the comment that stands for it.
pub const REVIEW_MARKER: &str = "<!-- guardhost review schema=1 -->";

/// Unique to a finding.
pub fn finding_marker(scope: CommentScope, fingerprint: &CommentFingerprint) -> String {
    format!("{MARK}{}{}", scope.key(), fingerprint.text())
}

/// A comment on a line.
pub fn comment(scope: CommentScope, remark: &Remark, fingerprint: &CommentFingerprint) -> String {
    format!("{}\n\n{} -->", remark_text(remark), finding_marker(scope, fingerprint))
}

/// What a comment becomes when its finding is gone. `sha` is the commit without it.
pub fn resolved(before: &str, sha: &str) -> String {
    let short: String = sha.chars().take(10).collect();
    let marker = before.rfind(MARK).map(|at| before[at..].trim_end_matches(" -->").trim_end()).unwrap_or_default();
    let text = before.rfind(MARK).map_or(before, |at| &before[..at]).trim();
    format!(
        "Resolved in {short}.\n\n<details><summary>What it was</summary>\n\n{text}\n\n</details>\n\n{marker} resolved -->"
    )
}

/// The finding that a comment is about; None for those of others, and of the other scope.
pub fn existing(scope: CommentScope, comment: &InlineComment) -> Option<Existing> {
    if !comment.is_own {
        return None;
    }
    let marker = &comment.body[comment.body.rfind(MARK)? + MARK.len()..];
    let mut words = marker.strip_suffix("-->").unwrap_or(marker).split_whitespace();
    let fingerprint = CommentFingerprint::parse(words.next()?.strip_prefix(scope.key())?)?;
    Some(Existing { id: comment.id, fingerprint, is_resolved: words.next() == Some("resolved") })
}

/// The summary: `head` in Markdown, then what the plan did not put on lines.
pub fn summary(head: &str, remarks: &[Remark], plan: &CommentPlan) -> String {
    listed(SUMMARY_MARKER, head, remarks, plan)
}

/// The text of a review, in the same form.
pub fn review(head: &str, remarks: &[Remark], plan: &CommentPlan) -> String {
    listed(REVIEW_MARKER, head, remarks, plan)
}

fn listed(marker: &str, head: &str, remarks: &[Remark], plan: &CommentPlan) -> String {
    let mut text = format!("{marker}\n{head}\n");
    let on_lines = plan.kept.len() + plan.new.len();
    if on_lines > 0 {
        let verb = if on_lines == 1 { "finding is" } else { "findings are" };
        text.push_str(&format!("\n{on_lines} {verb} in comments on the lines.\n"));
    }
    let why = |summarised: &Summarised| match *summarised {
        Summarised::NoLine(at) => (at, ""),
        Summarised::OffTheDiff(at) => (at, " (outside of this change)"),
        Summarised::OverTheLimit(at) => (at, " (more than the comments of one push)"),
    };
    for (at, why) in plan.summarised.iter().take(LISTED).map(why) {
        let remark = &remarks[at];
        let place = match (&remark.finding.path, remark.finding.line) {
            (Some(path), Some(line)) => format!("{} ", code(&format!("{path}:{line}"), 300)),
            (Some(path), None) => format!("{} ", code(path, 300)),
            (None, _) => String::new(),
        };
        text.push_str(&format!("\n- {place}{}{why}", remark_text(remark).replace("\n\n", "<br>")));
        if text.len() > COMMENT {
            break;
        }
    }
    if plan.summarised.len() > LISTED {
        text.push_str(&format!("\n- and {} more", plan.summarised.len() - LISTED));
    }
    bounded(&text)
}

/// At most as long as a forge takes; no character is cut in two.
pub fn bounded(text: &str) -> String {
    match text.char_indices().nth(COMMENT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\n\n… cut: the rest is in the records of the run.", &text[..end]),
    }
}

fn remark_text(remark: &Remark) -> String {
    let severity = match remark.finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let help = remark.finding.help.as_ref().map(|help| format!("\n\n{}", inline(help, TEXT))).unwrap_or_default();
    format!("**{}** ({severity}): {}{help}", inline(&remark.rule(), 200), inline(&remark.finding.message, TEXT))
}

#[cfg(test)]
mod tests {
    use super::{merged, pull_body};

    #[test]
    fn what_people_wrote_around_our_part_stays() {
        let ours = pull_body("01a2-b", "# New");
        assert_eq!(merged("", &ours), ours);
        assert_eq!(merged("Mine", &ours), format!("Mine\n\n{ours}"));
        let edited = format!("Mine\r\n{}\r\nAfter", pull_body("0000", "# Old\n\ntext"));
        assert_eq!(merged(&edited, &ours), format!("Mine\n{ours}\nAfter"));
        assert_eq!(merged(&merged(&edited, &ours), &ours), merged(&edited, &ours));
    }
}
