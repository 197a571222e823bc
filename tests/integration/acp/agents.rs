//! Agents as they are published, with no hooks: Gemini CLI and opencode, against a server that plays their models.

use std::path::PathBuf;

use serde_json::json;

use super::{CODE, Editor, repo};
use crate::support::model_server::{ModelServer, Turn};
use crate::support::tools::{Tool, needs};

/// A model edits badly, then well, runs a command that breaks the file, and says that it is done. `told` has the number of the question to the
/// model from which on it knows that its edit was rejected, and how often it is asked.
fn judged(
    agent: &[PathBuf],
    environment: &dyn Fn(&str) -> Vec<(&'static str, String)>,
    turns: &dyn Fn(&PathBuf) -> Vec<Turn>,
    told: (usize, usize),
) {
    let repo = repo();
    let server = ModelServer::start(turns(&repo.path().join("x.py")));
    let home = tempfile::tempdir().unwrap();
    let mut variables = environment(&server.url);
    variables.push(("HOME", home.path().display().to_string()));
    let Some(mut editor) = Editor::open_with(&repo, agent, &variables) else { return };
    let saw = editor.say("do it");
    let asked: Vec<String> = server.asked().iter().map(|asked| asked.body.to_string()).collect();
    let knows = asked.iter().position(|body| body.contains("rejects this edit, and nothing was written"));
    assert_eq!((knows, asked.len()), (Some(told.0), told.1), "{saw} {asked:#?}");
    let said = saw["said"].as_str().unwrap();
    assert!(said.contains("rejects what is not committed"), "the person sees what the shell did: {saw}");
    // The good edit was made, and then the shell broke the file, which a proxy cannot prevent.
    assert_eq!(
        repo.read("x.py"),
        CODE.replace("return 1", "return 2").replace("def x():", "def x(:").as_bytes(),
        "{saw}"
    );
    editor.close();
}

const BREAK: &str = "sed -i 's/^def x():/def x(:/' x.py";

#[test]
fn gemini_cli() {
    let (Some(_), Some(program)) = (needs(Tool::Node), needs(Tool::GeminiCli)) else { return };
    let environment = |url: &str| {
        let variable = |name, value: &str| (name, value.to_owned());
        vec![
            variable("GOOGLE_GEMINI_BASE_URL", url),
            variable("GEMINI_API_KEY", "played-played"),
            variable("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ]
    };
    // It hands an error on without its words; the model reads them at the end of the turn.
    let agent = [program, "--acp".into(), "-m".into(), "gemini-2.5-pro".into()];
    judged(
        &agent,
        &environment,
        &|x| {
            let edit = |old: &str, new: &str| json!({ "file_path": x, "old_string": old, "new_string": new, "instruction": "do it" });
            vec![
                Turn::Calls("replace", edit("def x():", "def x(:")),
                Turn::Calls("replace", edit("return 1", "return 2")),
                Turn::Calls("run_shell_command", json!({ "command": BREAK })),
                Turn::Says("done"),
            ]
        },
        (4, 5),
    );
}

#[test]
fn opencode() {
    let (Some(_), Some(program)) = (needs(Tool::Node), needs(Tool::Opencode)) else { return };
    let environment = |url: &str| {
        let anthropic = json!({ "options": { "baseURL": format!("{url}/v1"), "apiKey": "played" } });
        let settings = json!({
            "provider": { "anthropic": anthropic }, "model": "anthropic/claude-sonnet-4-5",
            "permission": { "edit": "ask", "bash": "ask" },
            "agent": { "title": { "disable": true } }, "autoupdate": false, "share": "disabled",
        });
        vec![("OPENCODE_CONFIG_CONTENT", settings.to_string()), ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned())]
    };
    // A permission that is not given ends its turn: it is asked to go on.
    judged(
        &[program, "acp".into()],
        &environment,
        &|x| {
            let edit = |old: &str, new: &str| json!({ "filePath": x, "oldString": old, "newString": new });
            vec![
                Turn::Calls("edit", edit("def x():", "def x(:")),
                Turn::Calls("edit", edit("return 1", "return 2")),
                Turn::Calls("bash", json!({ "command": BREAK, "description": "do it" })),
                Turn::Says("done"),
            ]
        },
        (1, 4),
    );
}
