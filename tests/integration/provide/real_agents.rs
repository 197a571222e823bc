//! Claude Code, Codex and Gemini CLI as they are published, with the presets' command lines, against a server that plays their models.

use std::path::{Path, PathBuf};
use std::time::Duration;

use guardhost_core::change::Reply;
use guardhost_core::error::Result;
use guardhost_provider::{Chain, FailureClass, Provider, offered_tools};
use serde_json::json;

use crate::support::agents::{ProviderHarness, failure};
use crate::support::model_server::{ModelServer, Turn};
use crate::support::tools::{Tool, needs};

/// An agent with a home of its own, which has what a user may have: MCP servers, hooks, other programs.
struct Installed {
    stage: ProviderHarness,
    name: &'static str,
    home: PathBuf,
}

const CLAUDE: (&str, Tool) = ("claude", Tool::ClaudeCode);
const CODEX: (&str, Tool) = ("codex", Tool::Codex);
const GEMINI: (&str, Tool) = ("gemini", Tool::GeminiCli);
const ALL: [(&str, Tool); 3] = [CLAUDE, CODEX, GEMINI];

/// None when the agent cannot be installed, which was shown.
fn installed((name, tool): (&'static str, Tool), server: &ModelServer) -> Option<Installed> {
    let program = needs(tool)?;
    // Codex and Gemini CLI are scripts of Node.
    needs(Tool::Node)?;
    let mut stage = ProviderHarness::new();
    std::os::unix::fs::symlink(program, stage.dir.path().join("bin").join(name)).unwrap();
    let node = std::env::split_paths(&std::env::var_os("PATH").unwrap()).find(|dir| dir.join("node").exists()).unwrap();
    std::os::unix::fs::symlink(node.join("node"), stage.dir.path().join("bin/node")).unwrap();
    let home = stage.dir.path().join("home");
    let touches = |mark: &str| {
        let script = stage.dir.path().join(mark);
        std::fs::write(&script, format!("#!/bin/sh\ntouch {}/{mark}.started\nsleep 5\n", stage.dir.path().display()))
            .unwrap();
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        script.display().to_string()
    };
    let (mcp, hook) = (touches("mcp"), touches("hook"));
    let write = |file: &str, text: String| {
        let file = home.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write(".claude.json", json!({ "mcpServers": { "mine": { "type": "stdio", "command": mcp } } }).to_string());
    let hooks = json!([{ "hooks": [{ "type": "command", "command": hook }] }]);
    write(".claude/settings.json", json!({ "hooks": { "UserPromptSubmit": hooks } }).to_string());
    write(".codex/config.toml", format!("notify = [{hook:?}]\n[mcp_servers.mine]\ncommand = {mcp:?}\n"));
    write(
        ".gemini/settings.json",
        json!({ "security": { "auth": { "selectedType": "gemini-api-key" } }, "mcpServers": { "mine": { "command": mcp } } })
            .to_string(),
    );
    stage.vars = [
        ("HOME", home.display().to_string()),
        ("ANTHROPIC_BASE_URL", server.url.clone()),
        ("ANTHROPIC_API_KEY", "sk-ant-played".into()),
        ("OPENAI_BASE_URL", format!("{}/v1", server.url)),
        ("CODEX_API_KEY", "sk-played-played".into()),
        ("GOOGLE_GEMINI_BASE_URL", server.url.clone()),
        ("GEMINI_API_KEY", "played-played".into()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    Some(Installed { stage, name, home })
}

impl Installed {
    fn provider(&self, model: Option<&str>) -> Provider {
        let mut provider = self.stage.provider(self.name);
        // Without one Gemini CLI first asks a model which model it should ask.
        provider.model = model.or((self.name == "gemini").then_some("gemini-2.5-pro")).map(str::to_owned);
        provider
    }

    fn ask(&self, model: Option<&str>) -> Result<Reply> {
        let mut chain = Chain::new(vec![self.provider(model)]);
        chain.patience = Duration::ZERO;
        self.stage.ask_chain(&mut chain, 1)
    }

    fn exists(&self, mark: &str) -> bool {
        self.stage.dir.path().join(mark).exists()
    }
}

/// Models of Codex differ in their tools: the default, one that is offered tools directly, and one that it does not know.
const CODEX_MODELS: [Option<&str>; 3] = [None, Some("gpt-5.5"), Some("gpt-5")];

#[test]
fn a_preset_offers_its_model_no_tool_that_has_an_effect() {
    for agent in ALL {
        let models = if agent == CODEX { &CODEX_MODELS[..] } else { &[None] };
        for model in models {
            let server = ModelServer::start(vec![Turn::Says("hello")]);
            let Some(it) = installed(agent, &server) else { continue };
            let reply = it.ask(*model).unwrap_or_else(|error| panic!("{agent:?} {model:?}: {error:?}"));
            assert_eq!(reply.bytes, b"hello", "{agent:?} {model:?}");
            // What these do is the subject of the next test.
            let inert: &[&str] = if agent == CODEX { &["apply_patch", "exec", "wait"] } else { &[] };
            let offered = server.offered();
            assert!(offered.iter().all(|tool| inert.contains(&tool.as_str())), "{agent:?} {model:?}: {offered:?}");
            assert_eq!(server.asked().len(), 1, "{agent:?} {model:?} asks once, and for the answer");
            assert!(!it.exists("mcp.started"), "{agent:?} {model:?} started an MCP server of the user's");
            assert!(!it.exists("hook.started"), "{agent:?} {model:?} started a hook of the user's");
            let probed = offered_tools(it.name, *model, &it.stage.runtime()).unwrap();
            assert_eq!((probed.unexpected, probed.inert), (vec![], offered), "{agent:?} {model:?}, `host doctor`");
        }
    }
}

/// A repository's text may talk a model into it.
#[test]
fn a_tool_that_is_called_all_the_same_does_nothing() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "the-users-secret").unwrap();
    let (file, command) = (secret.path().display().to_string(), format!("cat {}", secret.path().display()));
    const ADD: &str = "*** Begin Patch\n*** Add File: added.txt\n+hi\n*** End Patch";
    const EXEC: &str = "text(await tools.exec_command({cmd: 'id'}))";
    let (used, ignored) = (Some(FailureClass::UsedTools), None);
    for (agent, model, call, wanted) in [
        (CLAUDE, None, Turn::Calls("Bash", json!({ "command": command })), used),
        (CLAUDE, None, Turn::Calls("Read", json!({ "file_path": file })), used),
        (CODEX, Some("gpt-5.5"), Turn::Calls("exec_command", json!({ "cmd": command })), ignored),
        (CODEX, Some("gpt-5.5"), Turn::Calls("shell", json!({ "command": ["cat", file] })), ignored),
        (CODEX, Some("gpt-5.5"), Turn::CallsCustom(None, "apply_patch", ADD), ignored),
        (CODEX, None, Turn::CallsCustom(Some("functions"), "exec", EXEC), ignored),
        (GEMINI, None, Turn::Calls("read_file", json!({ "file_path": file })), used),
        (GEMINI, None, Turn::Calls("run_shell_command", json!({ "command": command })), used),
    ] {
        let server = ModelServer::start(vec![call.clone(), Turn::Says("done")]);
        let Some(it) = installed(agent, &server) else { continue };
        let asked = it.ask(model);
        match wanted {
            Some(class) => {
                let failure = failure(asked);
                assert_eq!(failure.class, class, "{call:?}: {failure}");
            }
            // It says so on standard error alone, and nothing was read or written.
            None => assert_eq!(asked.unwrap().bytes, b"done", "{call:?}"),
        }
        let sent: String = server.asked().iter().map(|asked| asked.body.to_string()).collect();
        assert!(!sent.contains("the-users-secret") && !sent.contains("uid="), "{call:?}");
        let answered = ["unsupported call", "rejected", "code-mode host is disabled", "No such tool", "not found"];
        assert!(answered.iter().any(|words| sent.contains(words)), "{call:?}: {}", server.asked().last().unwrap().body);
    }
}

/// The paths of all files that hold these words.
fn files_with(folder: &Path, words: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            files_with(&path, words, found);
        } else if std::fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(words)) {
            found.push(path);
        }
    }
}

/// The folders that are named after the one in which an agent was asked.
fn folders_of_questions(folder: &Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let folders = folders.filter(|path| path.is_dir() && !path.is_symlink());
    let found = |path: PathBuf| match path.to_string_lossy().contains("guardhost-ask-") {
        true => vec![path],
        false => folders_of_questions(&path),
    };
    folders.flat_map(found).collect()
}

#[test]
fn nothing_of_a_question_stays_in_the_home() {
    for agent in ALL {
        let server = ModelServer::start(vec![Turn::Says("an answer like no other")]);
        let Some(mut it) = installed(agent, &server) else { continue };
        it.stage.task.text = "A question like no other".into();
        it.ask(None).unwrap();
        let mut found = Vec::new();
        files_with(&it.home, "like no other", &mut found);
        assert_eq!(found, Vec::<PathBuf>::new(), "{agent:?}");
        assert_eq!(folders_of_questions(&it.home), Vec::<PathBuf>::new(), "{agent:?}");
        let scratch = it.stage.dir.path().join("scratch");
        assert_eq!(std::fs::read_dir(scratch).unwrap().count(), 0, "{agent:?}");
    }
}

#[test]
fn a_wrong_key_is_found_at_the_first_attempt() {
    let refusal = json!({ "type": "error", "error": { "type": "authentication_error", "message": "wrong key" } });
    for agent in [CLAUDE, CODEX] {
        let server = ModelServer::start(vec![Turn::Refuses(401, refusal.clone())]);
        let Some(it) = installed(agent, &server) else { continue };
        let failure = failure(it.ask(None));
        assert_eq!(failure.class, FailureClass::Auth, "{agent:?}: {failure}");
        assert!(failure.hint.is_some());
        assert!(server.asked().len() <= 2, "{agent:?} asked {} times", server.asked().len());
    }
}

/// Asking another provider would hide the setting for ever.
#[test]
fn what_a_service_says_of_a_wrong_setting_stops_the_chain() {
    let said = "The model `no-such-model` does not exist or you do not have access to it.";
    let error = |code: &str| json!({ "error": { "type": "invalid_request_error", "message": said, "param": null, "code": code } });
    for (status, code) in [(404, "model_not_found"), (400, "invalid_value")] {
        let server = ModelServer::start(vec![Turn::Refuses(status, error(code))]);
        let Some(it) = installed(CODEX, &server) else { continue };
        let failure = failure(it.ask(Some("no-such-model")));
        assert_eq!((failure.class, failure.message.as_str()), (FailureClass::Config, said), "{status}");
        assert_eq!(server.asked().len(), 1, "{status}");
    }
}

#[test]
fn an_endless_answer_ends_with_the_time_for_it() {
    for agent in ALL {
        let server = ModelServer::start(vec![Turn::Drones]);
        let Some(it) = installed(agent, &server) else { continue };
        let mut provider = it.provider(None);
        provider.limits.wall = Duration::from_secs(6);
        let mut chain = Chain::new(vec![provider]);
        chain.patience = Duration::ZERO;
        let failure = failure(it.stage.ask_chain(&mut chain, 1));
        assert_eq!(failure.class, FailureClass::Timeout, "{agent:?}: {failure}");
    }
}
