//! What `host explain` says of a rule, where a finding of it or a comment that allows it stands.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use guardhost_engine::exceptions::comment;
use guardhost_report::{ExplainReport, ExplainedRule, Report, VerdictKind};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::diagnostics::diagnostic;
use super::documents::OpenDocument;
use super::position::{ColumnUnit, offset};
use crate::cli::{ExplainArgs, Global};
use crate::command::explain;
use crate::context::CommandContext;

/// None where nothing stands that has a rule.
pub fn hover(document: &OpenDocument, place: Position, unit: ColumnUnit, ctx: &CommandContext) -> Option<Hover> {
    let judged = document.judged.as_ref()?;
    let mut rules = BTreeSet::new();
    for shown in &judged.findings {
        let range = diagnostic(shown, judged, &document.text, unit).range;
        if range.start <= place && place <= range.end {
            rules.insert(shown.code.clone());
        }
    }
    let at = offset(&document.text, place, unit);
    let start = document.text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = document.text[start..].lines().next().unwrap_or_default();
    rules.extend(comment::all(line).flat_map(|(_, comment)| comment.rules().map(str::to_owned).collect::<Vec<_>>()));
    let texts: Vec<String> = rules.iter().filter_map(|rule| explained(rule, &judged.root, ctx)).collect();
    (!texts.is_empty()).then(|| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: texts.join("\n---\n") }),
        range: None,
    })
}

/// None for what no guard of this repository has, such as a rule of the host.
fn explained(rule: &str, root: &Path, ctx: &CommandContext) -> Option<String> {
    let global = Global { repo: Some(root.to_path_buf()), ..ctx.global.clone() };
    let ctx = &CommandContext { global: &global, ..*ctx };
    match explain(&ExplainArgs { what: Some(rule.to_owned()) }, ctx) {
        Ok(Report::Explain(ExplainReport::Rule { rule })) => Some(markdown(&rule)),
        Ok(_) | Err(_) => None,
    }
}

/// The meaning, and one change that is rejected for it.
fn markdown(rule: &ExplainedRule) -> String {
    let ExplainedRule { guard, mark, rule, meaning, examples } = rule;
    let mut text = format!("**{guard}/{rule}** {mark}\n\n{meaning}\n");
    let rejected = examples.iter().find(|example| matches!(example.verdict, VerdictKind::Reject));
    if let Some(example) = rejected {
        let ticks = "`".repeat(longest_run(&example.diff).max(2) + 1);
        let _ = write!(text, "\nRejected, for example:\n\n{ticks}diff\n{}\n{ticks}\n", example.diff.trim_end());
    }
    text
}

/// Of backticks, so that a fence around the text is longer.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}
