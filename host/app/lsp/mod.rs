//! `host lsp`: the gate in an editor, over the Language Server Protocol on standard input and output.
//!
//! One thread judges: it takes what the editor says, and judges a document when nothing was typed for [`DEBOUNCE`]. One reads, one writes. Documents of any number
//! of repositories are judged by one process, each by the rules of its own HEAD. Nothing is written but by the editor.

mod actions;
mod connection;
mod diagnostics;
mod documents;
mod frames;
mod gates;
mod hover;
mod judge;
mod message;
mod position;
mod server;
mod surrogates;

use std::time::{Duration, Instant};

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use lsp_server::{Connection, Message};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, HoverProviderCapability, InitializeParams,
    SaveOptions, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions,
};
use serde_json::json;

use crate::context::CommandContext;
pub use connection::Say;
use position::ColumnUnit;
use server::LspServer;

/// How long nothing must be typed before a text is judged. Less than the time between two keys of whoever types fast, so that what is shown is
/// of the last key but for bursts.
const DEBOUNCE: Duration = Duration::from_millis(25);

/// How often it is looked whether HEAD has moved, while the editor says nothing.
const LOOK: Duration = Duration::from_secs(2);

/// Serves until the editor closes the connection. What is said to the editor is the protocol alone.
///
/// # Errors
/// [`FaultKind::Usage`]: what is on standard input is no Language Server Protocol, or it ends without `shutdown` and `exit`.
pub fn serve(editor: Say, ctx: &CommandContext) -> Result<()> {
    let (connection, threads) = connection::open(editor)?;
    let served = converse(&connection, ctx);
    drop(connection);
    // Why nothing more could be read says more than that nothing more came.
    match threads.end() {
        Some(unreadable) => Err(unreadable).context(not_lsp()),
        None => served,
    }
}

fn converse(connection: &Connection, ctx: &CommandContext) -> Result<()> {
    let (id, params) = connection.initialize_start().context(not_lsp())?;
    let client: InitializeParams = serde_json::from_value(params).context(not_lsp())?;
    let unit = ColumnUnit::agreed(&client.capabilities);
    let answer = json!({
        "capabilities": capabilities(unit),
        "serverInfo": { "name": "guardhost", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).context(not_lsp())?;
    // An editor that no longer listens has closed its side, which is heard below.
    let say = |message| drop(connection.sender.send(message));
    let mut server = LspServer::new(&say, &client, unit, ctx);
    let mut looked = Instant::now();
    loop {
        let now = Instant::now();
        let due = server.next_due().unwrap_or(looked + LOOK);
        match connection.receiver.recv_timeout(due.saturating_duration_since(now)) {
            Ok(Message::Request(request)) => {
                if connection.handle_shutdown(&request).context(not_lsp())? {
                    return Ok(());
                }
                server.answer(request);
            }
            Ok(Message::Notification(said)) if said.method == "exit" => {
                return Err(Fault::new(FaultKind::Usage, "the editor sent `exit` before `shutdown`").into());
            }
            Ok(Message::Notification(said)) => server.hear(said),
            // The server sends the editor no requests, so it expects no responses.
            Ok(Message::Response(_)) => {}
            Err(error) if error.is_timeout() => {}
            Err(_) => {
                return Err(Fault::new(FaultKind::Usage, "the editor closed the connection without `exit`").into());
            }
        }
        server.judge_due();
        if looked.elapsed() >= LOOK {
            looked = Instant::now();
            server.look_for_commits();
        }
    }
}

fn capabilities(unit: ColumnUnit) -> ServerCapabilities {
    let save = TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) });
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(save),
        ..TextDocumentSyncOptions::default()
    };
    let actions =
        CodeActionOptions { code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]), ..CodeActionOptions::default() };
    ServerCapabilities {
        position_encoding: Some(unit.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        ..ServerCapabilities::default()
    }
}

fn not_lsp() -> Fault {
    Fault::new(FaultKind::Usage, "the connection on standard input and output is no Language Server Protocol")
        .hint("`host lsp` is started by an editor: docs/editors.md")
}
