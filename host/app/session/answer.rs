//! What a session answers to a model.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use super::sha256::sha256;
use guardhost_core::change::{GuardVerdict, Judgement, Mode, Note, Quotes, Refused, RepoPath};
use guardhost_core::sensitive::hidden;
use guardhost_report::for_model::summary;

/// Answers to writes leave out longer contents, in bytes: clients cut off long answers, and the model knows most of the content.
const MAX_CONTENT: usize = 32 << 10;

/// The outcome of a write, or of a read that failed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WriteAnswer {
    pub success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_type: Option<ErrorType>,
    pub message: String,
    /// The file as it is now, if the model cannot know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_file_state: Option<SessionFile>,
    /// Why the guards rejected the change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<SessionFinding>,
    /// What the host repaired in the patch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What only a person may decide: the diff of a file that holds the rules. The model is not told.
    #[serde(skip)]
    pub rule_change: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorType {
    /// No diff, a diff of another file, or one that does not fit.
    InvalidPatch,
    /// The second of those in a row.
    InvalidPatchLimitExceeded,
    /// The file has changed since the model read it.
    HashMismatch,
    /// The file exists, and the write does not name the hash of its content.
    HashRequired,
    RejectedByGuards,
    /// A path or a change that no guard set may allow.
    Refused,
    NotFound,
    /// The content is not valid in the stated encoding.
    InvalidContent,
}

/// A file at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionFile {
    /// From the root of the repository.
    pub path: String,
    /// Counts the reads and writes of this session: a higher version is newer.
    pub version: u64,
    /// Hash of the whole file, even if only a part is shown.
    pub sha256: String,
    /// Bytes of the whole file.
    pub size: u64,
    /// Lines of the whole file.
    pub total_lines: u64,
    /// The requested part; absent if it is too long for an answer to a write, or if the file holds credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    pub encoding: Encoding,
}

/// How `content` represents the bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
#[cfg_attr(feature = "mcp", derive(rmcp::schemars::JsonSchema), schemars(crate = "rmcp::schemars"))]
pub enum Encoding {
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// For bytes that are not UTF-8.
    #[serde(rename = "base64")]
    Base64,
}

/// Lines of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineRange {
    /// Lines to skip at the beginning.
    pub offset: usize,
    /// The most lines to show; None shows all.
    pub limit: Option<usize>,
}

/// One finding of a guard that rejected the change, or the error of a guard that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionFinding {
    pub guard: String,
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// From 1, in the file as it would be after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Inclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
    pub message: String,
    /// What to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl WriteAnswer {
    pub(super) fn done(message: &str, state: SessionFile, notes: &[Note]) -> Self {
        WriteAnswer {
            success: true,
            error_type: None,
            message: message.to_owned(),
            latest_file_state: Some(state),
            findings: Vec::new(),
            notes: notes.iter().map(Note::to_string).collect(),
            rule_change: None,
        }
    }

    fn denied(error_type: ErrorType, message: impl ToString) -> Self {
        WriteAnswer {
            success: false,
            error_type: Some(error_type),
            message: message.to_string(),
            latest_file_state: None,
            findings: Vec::new(),
            notes: Vec::new(),
            rule_change: None,
        }
    }

    pub(super) fn invalid(why: impl ToString) -> Self {
        WriteAnswer::denied(ErrorType::InvalidPatch, why)
    }

    /// Clients look for this text, so it stays as it is.
    pub(super) fn limit_exceeded() -> Self {
        let message = "You have failed to generate a valid patch for this file multiple times. Do not try safe_patch again for this \
                       file in your next turn. Instead, use the write_file tool. Read the file to get the latest content, apply your \
                       intended changes to the full content, and then use write_file to overwrite it.";
        WriteAnswer::denied(ErrorType::InvalidPatchLimitExceeded, message)
    }

    pub(super) fn mismatch(state: SessionFile) -> Self {
        let message = "State Mismatch: File has changed on disk since it was last read.";
        WriteAnswer { latest_file_state: Some(state), ..WriteAnswer::denied(ErrorType::HashMismatch, message) }
    }

    pub(super) fn hash_required(path: &RepoPath) -> Self {
        let message = format!("{path} exists. Read it, and send its sha256 as base_content_sha256.");
        WriteAnswer::denied(ErrorType::HashRequired, message)
    }

    pub(super) fn refused(refused: &Refused) -> Self {
        WriteAnswer::denied(ErrorType::Refused, refused)
    }

    /// A refusal that a person may lift.
    pub(super) fn for_a_person(refused: &Refused, diff: Option<String>) -> Self {
        WriteAnswer { rule_change: diff, ..WriteAnswer::refused(refused) }
    }

    pub(super) fn not_found(path: &RepoPath) -> Self {
        let message = format!("There is no file {path}. To create it, use write_file without base_content_sha256.");
        WriteAnswer::denied(ErrorType::NotFound, message)
    }

    pub(super) fn invalid_content(why: impl std::fmt::Display) -> Self {
        WriteAnswer::denied(ErrorType::InvalidContent, format!("The content is not base64: {why}."))
    }

    /// `quotes` are of the same candidate.
    pub(super) fn rejected(judgement: &Judgement, quotes: &Quotes) -> Self {
        let message = format!("Nothing was written: {} rejected the change.", judgement.against().join(", "));
        WriteAnswer {
            findings: objections(judgement, quotes),
            ..WriteAnswer::denied(ErrorType::RejectedByGuards, message)
        }
    }
}

/// What every enforced guard has against a change, for a model. `quotes` are of the same candidate.
fn objections(judgement: &Judgement, quotes: &Quotes) -> Vec<SessionFinding> {
    let judgement = judgement.for_model(quotes);
    let mut findings = Vec::new();
    for evidence in judgement.evidence.iter().filter(|evidence| evidence.mode == Mode::Enforce) {
        let objection = |rule: &str, message: &str| SessionFinding {
            guard: evidence.id.clone(),
            rule: rule.to_owned(),
            path: None,
            line: None,
            end_line: None,
            message: summary(message),
            help: None,
        };
        match &evidence.verdict {
            GuardVerdict::Reject(found) => findings.extend(found.iter().map(|finding| SessionFinding {
                path: finding.path.clone(),
                line: finding.line,
                end_line: finding.end_line,
                help: finding.help.as_deref().map(summary),
                ..objection(&finding.rule, &finding.message)
            })),
            GuardVerdict::Error { code, message, .. } => findings.push(objection(code, message)),
            GuardVerdict::Pass(_) | GuardVerdict::NotApplicable(_) => {}
        }
    }
    findings
}

impl SessionFile {
    pub(super) fn new(path: &RepoPath, bytes: &[u8], version: u64, span: LineRange) -> Self {
        let lines = || bytes.split_inclusive(|byte| *byte == b'\n');
        let part = match span {
            LineRange { offset: 0, limit: None } => bytes.to_vec(),
            LineRange { offset, limit } => {
                lines().skip(offset).take(limit.unwrap_or(usize::MAX)).flatten().copied().collect()
            }
        };
        let (content, encoding) = match String::from_utf8(part) {
            Ok(text) => (text, Encoding::Utf8),
            Err(error) => (BASE64_STANDARD.encode(error.as_bytes()), Encoding::Base64),
        };
        let content = hidden(path, bytes).is_none().then_some(content);
        SessionFile {
            path: path.to_string(),
            version,
            sha256: sha256(bytes),
            size: bytes.len() as u64,
            total_lines: lines().count() as u64,
            content,
            encoding,
        }
    }

    /// Without a content that is too long for an answer to a write.
    pub(super) fn bounded(mut self) -> Self {
        self.content = self.content.filter(|content| content.len() <= MAX_CONTENT);
        self
    }
}
