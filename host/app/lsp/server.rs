//! What the editor says, and what it is told.

use std::time::{Duration, Instant};

use guardhost_git::Repo;
use lsp_server::{ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{CodeActionRequest, HoverRequest, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionParams, Diagnostic, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, HoverParams, InitializeParams, PublishDiagnosticsParams, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::DEBOUNCE;
use super::actions::{ActionTerms, actions};
use super::diagnostics::diagnostic;
use super::documents::{OpenDocument, OpenDocuments};
use super::gates::CachedGates;
use super::hover::hover;
use super::judge::judge;
use super::position::ColumnUnit;
use crate::context::CommandContext;
use crate::file_address::local_path;
use crate::hook::real_path;

/// Stands in a comment until the person says why.
const REASON: &str = "the reason is still to be said";

/// The open documents of one editor.
pub struct LspServer<'s, 'c> {
    ctx: &'s CommandContext<'c>,
    say: &'s dyn Fn(Message),
    documents: OpenDocuments,
    gates: CachedGates,
    unit: ColumnUnit,
    versioned: bool,
    /// What the editor's settings have for the reason of a comment.
    reason: String,
}

impl<'s, 'c> LspServer<'s, 'c> {
    /// For a client that has introduced itself.
    pub fn new(
        say: &'s dyn Fn(Message),
        client: &InitializeParams,
        unit: ColumnUnit,
        ctx: &'s CommandContext<'c>,
    ) -> Self {
        let workspace = client.capabilities.workspace.as_ref();
        let edits = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let versioned = edits.and_then(|edits| edits.document_changes).unwrap_or(false);
        let reason = client.initialization_options.as_ref().and_then(|options| options["allowReason"].as_str());
        let reason = reason.unwrap_or(REASON).to_owned();
        LspServer { ctx, say, documents: OpenDocuments::new(), gates: CachedGates::new(), unit, versioned, reason }
    }

    /// When the next document is to be judged.
    pub fn next_due(&self) -> Option<Instant> {
        self.documents.values().filter_map(|document| document.due).min()
    }

    pub fn hear(&mut self, said: Notification) {
        match said.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(DidOpenTextDocumentParams { text_document: opened }) = read(said.params) else { return };
                let path = local_path(opened.uri.as_str()).map(|path| real_path(&path));
                let (text, version) = (opened.text, opened.version);
                let address = opened.uri.as_str().to_owned();
                // What is opened anew while it is open is another text of it, as after a change.
                let wait = if self.documents.contains_key(&address) { DEBOUNCE } else { Duration::ZERO };
                let due = Some(Instant::now() + wait);
                self.documents
                    .insert(address, OpenDocument { uri: opened.uri, path, text, version, due, judged: None });
            }
            DidChangeTextDocument::METHOD => {
                let Some(DidChangeTextDocumentParams { text_document, content_changes }) = read(said.params) else {
                    return;
                };
                if let Some(document) = self.documents.get_mut(text_document.uri.as_str()) {
                    document.change(content_changes, self.unit);
                    document.version = text_document.version;
                    document.due = Some(Instant::now() + DEBOUNCE);
                }
            }
            // What the guards look up in other files may be another answer now, and so may rules that are no part of a commit.
            DidSaveTextDocument::METHOD => {
                self.gates.forget();
                self.judge_all_again();
            }
            DidCloseTextDocument::METHOD => {
                let Some(DidCloseTextDocumentParams { text_document }) = read(said.params) else { return };
                if self.documents.remove(text_document.uri.as_str()).is_some() {
                    self.publish(text_document.uri, Vec::new(), None);
                }
            }
            // The protocol lets a server ignore what it does not know.
            _ => {}
        }
    }

    pub fn answer(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let response = match method.as_str() {
            CodeActionRequest::METHOD => match read(params) {
                Some(asked) => self.code_actions(asked).map(|found| Response::new_ok(id.clone(), found)),
                None => Err((ErrorCode::InvalidParams, "these are no parameters of a code action".to_owned())),
            },
            HoverRequest::METHOD => match read(params) {
                Some(asked) => Ok(Response::new_ok(id.clone(), self.hover(&asked))),
                None => Err((ErrorCode::InvalidParams, "these are no parameters of a hover".to_owned())),
            },
            _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not answered here"))),
        };
        let response = response.unwrap_or_else(|(code, why)| Response::new_err(id, code as i32, why));
        (self.say)(response.into());
    }

    fn code_actions(&mut self, asked: CodeActionParams) -> Result<impl Serialize + use<>, (ErrorCode, String)> {
        let uri = asked.text_document.uri;
        let is_wanted = |only: &CodeActionKind| {
            let only = only.as_str();
            only.is_empty() || CodeActionKind::QUICKFIX.as_str() == only
        };
        if asked.context.only.is_some_and(|only| !only.iter().any(is_wanted)) {
            return Ok(Vec::new());
        }
        self.judge_now(&uri);
        let Some(document) = self.documents.get(uri.as_str()) else { return Ok(Vec::new()) };
        let terms = ActionTerms { unit: self.unit, versioned: self.versioned, reason: &self.reason };
        actions(&uri, document, asked.range, &terms, self.ctx)
            .map_err(|error| (ErrorCode::RequestFailed, format!("{error:#}")))
    }

    fn hover(&mut self, asked: &HoverParams) -> Option<lsp_types::Hover> {
        let at = &asked.text_document_position_params;
        self.judge_now(&at.text_document.uri);
        hover(self.documents.get(at.text_document.uri.as_str())?, at.position, self.unit, self.ctx)
    }

    /// Judges the documents whose time has come.
    pub fn judge_due(&mut self) {
        let now = Instant::now();
        let is_due = |document: &OpenDocument| document.due.is_some_and(|due| due <= now);
        let due = self.documents.values().filter(|document| is_due(document)).map(|document| document.uri.clone());
        for uri in due.collect::<Vec<_>>() {
            self.judge(&uri);
        }
    }

    /// What is asked about a document is answered about its text as it is.
    fn judge_now(&mut self, uri: &Uri) {
        if self.documents.get(uri.as_str()).is_some_and(|document| document.due.is_some()) {
            self.judge(uri);
        }
    }

    fn judge(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri.as_str()) else { return };
        document.due = None;
        let Some(path) = document.path.clone() else { return };
        let (text, version, was_judged) = (document.text.clone(), document.version, document.judged.is_some());
        let judged = match judge(&path, &text, &self.documents, &mut self.gates, self.ctx) {
            Ok(judged) => judged,
            Err(error) => {
                self.log(&format!("{}: {error:#}", path.display()));
                None
            }
        };
        let shown = judged.as_ref().map(|judged| {
            let one = |shown| diagnostic(shown, judged, &text, self.unit);
            judged.findings.iter().map(one).collect::<Vec<_>>()
        });
        if let Some(document) = self.documents.get_mut(uri.as_str()) {
            document.judged = judged;
        }
        match shown {
            Some(found) => self.publish(uri.clone(), found, Some(version)),
            // It is ignored since.
            None if was_judged => self.publish(uri.clone(), Vec::new(), Some(version)),
            None => {}
        }
    }

    fn judge_all_again(&mut self) {
        let now = Instant::now();
        self.documents.values_mut().for_each(|document| document.due = Some(now));
    }

    /// A commit makes other findings of the same texts.
    pub fn look_for_commits(&mut self) {
        let has_moved = |document: &OpenDocument| {
            let judged = document.judged.as_ref()?;
            let head = Repo::open(&judged.root).and_then(|repo| repo.head()).ok()?;
            Some(head.tree != judged.head.tree)
        };
        if self.documents.values().any(|document| has_moved(document) == Some(true)) {
            self.judge_all_again();
        }
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        (self.say)(Notification::new(PublishDiagnostics::METHOD.to_owned(), params).into());
    }

    /// A line in the editor's log of the server.
    fn log(&self, text: &str) {
        use lsp_types::notification::LogMessage;
        let params = lsp_types::LogMessageParams { typ: lsp_types::MessageType::ERROR, message: text.to_owned() };
        (self.say)(Notification::new(LogMessage::METHOD.to_owned(), params).into());
    }
}

/// None for parameters that are not those of the protocol: a notification has no answer that could say so.
fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
