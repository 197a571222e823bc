//! `host lsp`: what an editor and the server say to one another.

use serde_json::{Value, json};

use super::CODE;
use super::place::Place;
use crate::support::lsp::LspClient;

#[test]
fn an_editor_shows_what_the_guards_find() {
    let place = Place::new(&[("x.py", CODE)]);
    let mut editor = LspClient::start(&mut place.command(&["lsp"]));
    editor.hello(json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } }));
    let uri = editor.open(&place.repo.path().join("x.py"), CODE);
    editor.diagnostics(&uri);
    let end = json!({ "line": 1, "character": 12 });
    let range = json!({ "start": end, "end": end });
    editor.change(&uri, 2, json!([{ "range": range, "text": " + missing" }]));
    let found = editor.diagnostics(&uri)["diagnostics"].clone();
    let document = json!({ "uri": uri });
    let asked = json!({ "textDocument": document, "range": range, "context": { "diagnostics": found } });
    editor.ask("textDocument/codeAction", asked);
    editor.ask("textDocument/hover", json!({ "textDocument": document, "position": { "line": 1, "character": 18 } }));
    editor.ask("textDocument/hover", json!({ "textDocument": document, "position": { "line": 0, "character": 0 } }));
    editor.ask("textDocument/hover", json!({ "textDocument": document }));
    editor.ask("textDocument/definition", json!({}));
    editor.tell("textDocument/didClose", json!({ "textDocument": document }));
    editor.diagnostics(&uri);
    let (status, talk) = editor.end();
    assert!(status.success());
    place.keep("lsp", Value::Array(talk));
}
