//! What a person may do about a finding: take the guard's own fix, or allow it by a comment. Both are edits that the editor makes.

use guardhost_core::change::{Edit, Evidence, Finding, GuardVerdict, Judgement};
use guardhost_core::error::Result;
use guardhost_engine::exceptions::writing::write_comments;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::diagnostics::diagnostic;
use super::documents::OpenDocument;
use super::judge::JudgedText;
use super::position::{ColumnUnit, range};
use crate::command::may_add;
use crate::context::CommandContext;

/// How edits are sent, and what stands in a comment that allows something.
pub struct ActionTerms<'t> {
    pub unit: ColumnUnit,
    /// Whether the client takes edits of a document's version.
    pub versioned: bool,
    /// Why a finding is allowed, until the person says it.
    pub reason: &'t str,
}

/// The actions for what was found in a part of a document.
///
/// # Errors
/// The reader of a language was stopped, or the machine lacks something.
pub fn actions(
    uri: &Uri,
    document: &OpenDocument,
    part: Range,
    terms: &ActionTerms<'_>,
    ctx: &CommandContext,
) -> Result<Vec<CodeActionOrCommand>> {
    let Some(judged) = &document.judged else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for shown in &judged.findings {
        let of = diagnostic(shown, judged, &document.text, terms.unit);
        if of.range.end < part.start || of.range.start > part.end {
            continue;
        }
        let Some(finding) = &shown.finding else { continue };
        let action = |title: String, edits, is_preferred| action(title, edits, is_preferred, &of, uri, document, terms);
        if let Some((title, edits)) = fix(finding, judged, &document.text, terms.unit) {
            found.push(action(title, edits, true));
        }
        if let Some(edit) = allowing(&shown.code, finding, judged, &document.text, terms, ctx)? {
            found.push(action(format!("Allow {} here", shown.code), vec![edit], false));
        }
    }
    Ok(found)
}

fn action(
    title: String,
    edits: Vec<TextEdit>,
    is_preferred: bool,
    of: &Diagnostic,
    uri: &Uri,
    document: &OpenDocument,
    terms: &ActionTerms<'_>,
) -> CodeActionOrCommand {
    let edit = match terms.versioned {
        true => {
            let version = Some(document.version);
            let text_document = OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version };
            let edits = edits.into_iter().map(OneOf::Left).collect();
            let changes = DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]);
            WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
        }
        false => WorkspaceEdit::new([(uri.clone(), edits)].into()),
    };
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![of.clone()]),
        edit: Some(edit),
        is_preferred: Some(is_preferred),
        ..CodeAction::default()
    })
}

/// The guard's fix. None where it edits other files too: the editor may show other texts of them than were judged.
fn fix(finding: &Finding, judged: &JudgedText, text: &str, unit: ColumnUnit) -> Option<(String, Vec<TextEdit>)> {
    let fix = finding.fix.as_ref().filter(|fix| !fix.edits.is_empty())?;
    let edit = |edit: &Edit| {
        if edit.path != judged.path {
            return None;
        }
        let bytes = usize::try_from(edit.start).ok()?..usize::try_from(edit.end).ok()?;
        replacing(bytes, std::str::from_utf8(&edit.replacement).ok()?, judged, text, unit)
    };
    let edits: Option<Vec<TextEdit>> = fix.edits.iter().map(edit).collect();
    Some((fix.title.clone(), edits?))
}

/// A comment beside the finding, as `host check --add-allow` writes it. None where none can stand, or would not count.
fn allowing(
    code: &str,
    finding: &Finding,
    judged: &JudgedText,
    text: &str,
    terms: &ActionTerms<'_>,
    ctx: &CommandContext,
) -> Result<Option<TextEdit>> {
    let Some((gate, ruled)) = &judged.ruled else { return Ok(None) };
    if may_add(gate, ctx).is_err() {
        return Ok(None);
    }
    let (candidate, judgement) = ruled.proposed();
    let of = judgement.evidence.iter().filter(|evidence| code.split_once('/').is_some_and(|(id, _)| id == evidence.id));
    let alone = of
        .filter(|evidence| evidence.verdict.findings().contains(finding))
        .map(|evidence| Evidence { verdict: GuardVerdict::Reject(vec![finding.clone()]), ..evidence.clone() });
    let alone = Judgement { evidence: alone.collect() };
    let written = write_comments(gate.guards(), candidate, &alone, terms.reason)?;
    let commented = written.files.iter().find(|file| file.path == judged.path);
    Ok(commented.and_then(|file| {
        let (bytes, new) = difference(&file.before, &file.after);
        replacing(bytes, new, judged, text, terms.unit)
    }))
}

/// The edit of the editor's text that replaces some bytes of the judged one. None where they are not there.
fn replacing(
    bytes: std::ops::Range<usize>,
    new: &str,
    judged: &JudgedText,
    text: &str,
    unit: ColumnUnit,
) -> Option<TextEdit> {
    judged.text.get(bytes.clone())?;
    let is_converted = judged.text != text;
    let at = |offset: usize| match is_converted {
        // The editor has a CR more for each line before.
        true => offset + judged.text[..offset].matches('\n').count(),
        false => offset,
    };
    let new = if is_converted { new.replace('\n', "\r\n") } else { new.to_owned() };
    Some(TextEdit::new(range(text, at(bytes.start)..at(bytes.end), unit), new))
}

/// The bytes of `before` that `after` has others for, and those.
fn difference<'t>(before: &str, after: &'t str) -> (std::ops::Range<usize>, &'t str) {
    let pairs = |(one, other): &(char, char)| one == other;
    let same = before.chars().zip(after.chars()).take_while(pairs).map(|(one, _)| one.len_utf8()).sum();
    let rest = before[same..].chars().rev().zip(after[same..].chars().rev());
    let end: usize = rest.take_while(pairs).map(|(one, _)| one.len_utf8()).sum();
    (same..before.len() - end, &after[same..after.len() - end])
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn an_edit_is_as_small_as_it_can_be() {
        for (before, after, bytes, new) in [
            ("a\nb\n", "a\nb  # c\n", 3..3, "  # c"),
            ("a\nb\n", "a\n# c\nb\n", 2..2, "# c\n"),
            ("\u{e9}x", "\u{e9}\u{e8}x", 2..2, "\u{e8}"),
            ("aa", "a", 1..2, ""),
        ] {
            assert_eq!(difference(before, after), (bytes, new), "{before:?} {after:?}");
        }
    }
}
