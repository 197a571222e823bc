//! Claude Code, Codex, Gemini CLI, Copilot CLI, opencode and Qwen Code as they are published, with the hooks that `host install` writes, against a server that plays their
//! models. Whatever the model tries, the bad change gets into no ref.

mod other_program;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::cli::{guardhost, host_with};
use crate::support::model_server::{ModelServer, Turn};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const GOOD: &str = "def x():\n    return 1\n";
const FENCED: &str = "```python\ndef y():\n    return 1\n```\n";
const AROUND: &str =
    "python3 -c \"import subprocess; subprocess.run(['git', 'commit', '--no-' + 'verify', '-qam', 'bad'])\"";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Player {
    Claude,
    Codex,
    Gemini,
    Copilot,
    Opencode,
    Qwen,
}

impl Player {
    fn name(self) -> &'static str {
        match self {
            Player::Claude => "claude",
            Player::Codex => "codex",
            Player::Gemini => "gemini",
            Player::Copilot => "copilot",
            Player::Opencode => "opencode",
            Player::Qwen => "qwen",
        }
    }

    fn program(self) -> Option<PathBuf> {
        needs(match self {
            Player::Claude => Tool::ClaudeCode,
            Player::Codex => Tool::Codex,
            Player::Gemini => Tool::GeminiCli,
            Player::Copilot => Tool::CopilotCli,
            Player::Opencode => Tool::Opencode,
            Player::Qwen => Tool::QwenCode,
        })
    }

    fn edit(self, file: &Path, old: &'static str, new: &'static str) -> Turn {
        match self {
            Player::Qwen => Turn::Calls("edit", json!({ "file_path": file, "old_string": old, "new_string": new })),
            Player::Claude => Turn::Calls("Edit", json!({ "file_path": file, "old_string": old, "new_string": new })),
            Player::Gemini => Turn::Calls(
                "replace",
                json!({ "file_path": file, "old_string": old, "new_string": new, "instruction": "do it" }),
            ),
            Player::Copilot => Turn::Calls("edit", json!({ "path": file, "old_str": old, "new_str": new })),
            Player::Opencode => Turn::Calls("edit", json!({ "filePath": file, "oldString": old, "newString": new })),
            Player::Codex => {
                let patch = format!("*** Begin Patch\n*** Update File: x.py\n@@\n-{old}\n+{new}\n*** End Patch");
                Turn::CallsCustom(None, "apply_patch", patch.leak())
            }
        }
    }

    fn write(self, file: &Path, content: &'static str) -> Turn {
        match self {
            Player::Claude => Turn::Calls("Write", json!({ "file_path": file, "content": content })),
            Player::Gemini | Player::Qwen => {
                Turn::Calls("write_file", json!({ "file_path": file, "content": content }))
            }
            Player::Copilot => Turn::Calls("create", json!({ "path": file, "file_text": content })),
            Player::Opencode => Turn::Calls("write", json!({ "filePath": file, "content": content })),
            Player::Codex => {
                let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
                let patch = format!("*** Begin Patch\n*** Add File: y.py\n{lines}*** End Patch");
                Turn::CallsCustom(None, "apply_patch", patch.leak())
            }
        }
    }

    fn shell(self, command: &str) -> Turn {
        match self {
            Player::Claude => Turn::Calls("Bash", json!({ "command": command, "description": "do it" })),
            Player::Codex => Turn::Calls("exec_command", json!({ "cmd": command })),
            Player::Gemini => Turn::Calls("run_shell_command", json!({ "command": command })),
            Player::Qwen => Turn::Calls("run_shell_command", json!({ "command": command, "is_background": false })),
            Player::Copilot | Player::Opencode => {
                Turn::Calls("bash", json!({ "command": command, "description": "do it" }))
            }
        }
    }

    fn read(self, file: &Path) -> Turn {
        match self {
            Player::Claude => Turn::Calls("Read", json!({ "file_path": file })),
            Player::Copilot => Turn::Calls("view", json!({ "path": file })),
            Player::Opencode => Turn::Calls("read", json!({ "filePath": file })),
            Player::Qwen => Turn::Calls("read_file", json!({ "file_path": file })),
            Player::Codex | Player::Gemini => self.shell("cat x.py"),
        }
    }

    /// Ends when the agent ends.
    fn run(self, program: &Path, repo: &AgentRepo, server: &ModelServer) -> String {
        let anthropic = json!({ "options": { "baseURL": format!("{}/v1", server.url), "apiKey": "played" } });
        let opencode = json!({
            "provider": { "anthropic": anthropic }, "model": "anthropic/claude-sonnet-4-5", "permission": "allow",
            // It asks a model for the name of a session, too.
            "agent": { "title": { "disable": true } }, "autoupdate": false, "share": "disabled",
        });
        let mut command = Command::new(program);
        match self {
            Player::Claude => command.args(["-p", "do it", "--permission-mode", "bypassPermissions"]),
            Player::Codex => command.args(["exec", "--dangerously-bypass-hook-trust"]).args([
                "--dangerously-bypass-approvals-and-sandbox",
                "-m",
                "gpt-5.5",
                "-c",
                &format!("openai_base_url=\"{}/v1\"", server.url),
                "do it",
            ]),
            Player::Gemini => {
                command.args(["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--skip-trust", "-p", "do it"])
            }
            Player::Copilot => command.args(["-p", "do it", "--allow-all-tools", "--trust-folder"]),
            Player::Opencode => command.args(["run", "do it"]),
            Player::Qwen => command
                .args(["--auth-type", "anthropic", "-m", "claude-sonnet-4-5", "--approval-mode", "yolo"])
                .args(["-p", "do it"]),
        };
        command.current_dir(repo.path()).env_clear().env("HOME", repo.home.path()).env("LANG", "C.UTF-8");
        command.env("PATH", path()).envs([
            ("ANTHROPIC_BASE_URL", server.url.as_str()),
            ("ANTHROPIC_API_KEY", "sk-ant-played"),
            ("CLAUDE_CODE_DISABLE_TERMINAL_TITLE", "1"),
            // Claude Code lets root pass over permissions only inside of a sandbox.
            ("IS_SANDBOX", "1"),
            ("CODEX_API_KEY", "sk-played-played"),
            ("GOOGLE_GEMINI_BASE_URL", server.url.as_str()),
            ("GEMINI_API_KEY", "played-played"),
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_PROVIDER_TYPE", "anthropic"),
            ("COPILOT_PROVIDER_BASE_URL", server.url.as_str()),
            ("COPILOT_PROVIDER_API_KEY", "played"),
            ("COPILOT_MODEL", "claude-sonnet-4.5"),
            ("OPENCODE_CONFIG_CONTENT", opencode.to_string().as_str()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ]);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{self:?}: {said}");
        said
    }
}

/// How the hooks of an agent are installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Settings,
    /// By the agent itself, from the folder that a team shares.
    Plugin,
}

/// A repository, and the home folder of whoever starts an agent there.
struct AgentRepo {
    repo: TestRepo,
    home: tempfile::TempDir,
}

impl std::ops::Deref for AgentRepo {
    type Target = TestRepo;

    fn deref(&self) -> &TestRepo {
        &self.repo
    }
}

/// With `guardhost`, which a plugin starts.
fn path() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap();
    std::env::join_paths([guardhost().to_path_buf()].into_iter().chain(std::env::split_paths(&path))).unwrap()
}

/// With the hooks of git and of the agent.
fn repo(player: Player, program: &Path, form: Form) -> AgentRepo {
    let repo = TestRepo::with(&[
        ("x.py", GOOD),
        (".gitignore", "/.claude\n/.codex\n/.gemini\n/.github\n/.opencode\n/.qwen\n"),
    ]);
    let home = tempfile::tempdir().unwrap();
    let write = |file: &str, text: String| {
        let file = home.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let trusted = format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", repo.path().display().to_string());
    write(".codex/config.toml", trusted);
    let auth = json!({ "security": { "auth": { "selectedType": "gemini-api-key" } } });
    write(".gemini/settings.json", auth.to_string());
    let variables = [("HOME", home.path().to_str().unwrap())];
    let install = |targets: &[&str]| {
        host_with(repo.path(), &[&["install"], targets].concat(), b"", &variables).expect(0);
    };
    match form {
        Form::Settings => install(&["git", player.name()]),
        Form::Plugin => {
            let folder = home.path().join("shared");
            install(&["git"]);
            install(&["plugin", "--dir", folder.to_str().unwrap()]);
            take(player, program, &folder, home.path());
        }
    }
    AgentRepo { repo, home }
}

/// The agent takes the plugin, as README.md in the folder says.
fn take(player: Player, program: &Path, folder: &Path, home: &Path) {
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let line =
        readme.lines().find(|line| line.starts_with(&format!("$ {} ", player.name()))).expect("a line for the agent");
    for command in line.trim_start_matches("$ ").split(" && ") {
        let words = command.split(' ').skip(1);
        let words = words.map(|word| if word == "REPOSITORY" { folder.to_str().unwrap() } else { word });
        let mut command = Command::new(program);
        command.args(words).current_dir(home).env_clear().env("HOME", home).env("PATH", path());
        // Gemini CLI asks whether the folder is trusted, and whether the extension is meant.
        command.env("GEMINI_CLI_TRUST_WORKSPACE", "true").args((player == Player::Gemini).then_some("--consent"));
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{command:?}: {output:?}");
    }
}

fn installed(player: Player) -> Option<PathBuf> {
    needs(Tool::Node)?;
    player.program()
}

fn whatever_the_model_tries(player: Player, form: Form) {
    let Some(program) = installed(player) else { return };
    let repo = repo(player, &program, form);
    let (x, y) = (repo.path().join("x.py"), repo.path().join("y.py"));
    // What is tried, and words that tell the model that it did not work.
    let mut steps = vec![
        (player.read(&x), "def x"),
        (player.edit(&x, "def x():", "def x(:"), "rejects this edit, and nothing was written"),
        (player.write(&y, FENCED), ""),
        (player.edit(&x, "    return 1", "    return 2"), ""),
        (player.shell("sed -i 's/x():/x(:/' x.py"), "rejects the work tree as it is now"),
        (player.shell("git commit --no-verify -qam bad"), "Do not skip the hooks"),
        (player.shell("git commit -qam bad"), "rejects this change"),
        (player.shell(AROUND), "out of refs/heads/main"),
        (Turn::Says("done"), "rejects what is not committed"),
        (Turn::Says("really done"), ""),
    ];
    // It runs a tool with the arguments of the model or not at all: what could be fixed is denied, and the model writes it itself.
    if player == Player::Qwen {
        let denied = "rejects this edit, and nothing was written";
        steps.splice(2..3, [(player.write(&y, FENCED), denied), (player.write(&y, "def y():\n    return 1\n"), "")]);
    }
    // `opencode run` ends whatever its plugins do then.
    if player == Player::Opencode {
        steps.truncate(steps.len() - 2);
        steps.push((Turn::Says("done"), ""));
    }
    let server = ModelServer::start(steps.iter().map(|(turn, _)| turn.clone()).collect());
    let refs = || repo.git(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let before = refs();
    let said = player.run(&program, &repo, &server);
    let asked: Vec<String> = server.asked().iter().map(|asked| asked.body.to_string()).collect();
    assert_eq!(asked.len(), steps.len(), "{player:?} asks once for each step: {said}");
    for (number, (turn, words)) in steps.iter().enumerate() {
        let answer = asked.get(number + 1).map_or("", String::as_str);
        let new = answer.matches(words).count() > asked[number].matches(words).count();
        assert!(words.is_empty() || new, "{player:?}, {turn:?}: the model is not told `{words}`: {answer}");
    }
    assert_eq!(refs(), before, "{player:?}: a bad change is in a ref");
    // The edits that were good, or fixed, were made.
    assert_eq!(String::from_utf8(repo.read("y.py")).unwrap(), "def y():\n    return 1\n", "{player:?}");
    assert_eq!(String::from_utf8(repo.read("x.py")).unwrap(), "def x(:\n    return 2\n", "{player:?}: sed has run");
}

fn a_good_change_passes(player: Player, form: Form) {
    let Some(program) = installed(player) else { return };
    let repo = repo(player, &program, form);
    let x = repo.path().join("x.py");
    let commit = player.shell("git commit -qam good");
    let server = ModelServer::start(vec![
        player.read(&x),
        player.edit(&x, "    return 1", "    return 2"),
        commit,
        Turn::Says("done"),
    ]);
    player.run(&program, &repo, &server);
    assert_eq!(repo.git(&["log", "--format=%s"]), "good\nbase", "{player:?}");
    assert_eq!(repo.git(&["show", "HEAD:x.py"]), "def x():\n    return 2", "{player:?}");
    // The skill of the plugin says what a model does when Guardhost rejects a change, in every question.
    let asked: Vec<String> = server.asked().iter().map(|asked| asked.body.to_string()).collect();
    let rejections = |body: &String| body.matches("Guardhost rejects").count();
    let (first, last) = (asked.first().unwrap(), asked.last().unwrap());
    assert_eq!(rejections(last), rejections(first), "{player:?}: {last}");
}

#[test]
fn claude_code() {
    whatever_the_model_tries(Player::Claude, Form::Settings);
    a_good_change_passes(Player::Claude, Form::Settings);
}

#[test]
fn codex() {
    whatever_the_model_tries(Player::Codex, Form::Settings);
    a_good_change_passes(Player::Codex, Form::Settings);
}

/// It turns the hooks of git off in its shells; the answer of the host turns them on again. It trusts no folder here.
#[test]
fn gemini_cli() {
    whatever_the_model_tries(Player::Gemini, Form::Settings);
    a_good_change_passes(Player::Gemini, Form::Settings);
}

#[test]
fn copilot_cli() {
    whatever_the_model_tries(Player::Copilot, Form::Settings);
    a_good_change_passes(Player::Copilot, Form::Settings);
}

#[test]
fn opencode() {
    whatever_the_model_tries(Player::Opencode, Form::Settings);
    a_good_change_passes(Player::Opencode, Form::Settings);
}

#[test]
fn qwen_code() {
    whatever_the_model_tries(Player::Qwen, Form::Settings);
    a_good_change_passes(Player::Qwen, Form::Settings);
}

/// The four that take the folder which a team shares.
#[test]
fn as_a_plugin() {
    for player in [Player::Claude, Player::Codex, Player::Gemini, Player::Copilot] {
        whatever_the_model_tries(player, Form::Plugin);
        a_good_change_passes(player, Form::Plugin);
    }
}

/// The validators of the agents that have one.
#[test]
fn agents_find_nothing_wrong_with_the_plugin() {
    let folder = tempfile::tempdir().unwrap();
    host_with(folder.path(), &["install", "plugin", "--dir", "shared"], b"", &[]).expect(0);
    for (player, words) in [
        (Player::Claude, &["plugin", "validate", "shared"][..]),
        // With the checks of the catalog to which plugins are submitted.
        (Player::Claude, &["plugin", "validate", "--strict", "shared/plugin"]),
        (Player::Gemini, &["extensions", "validate", "shared"]),
    ] {
        let Some(program) = installed(player) else { continue };
        let mut command = Command::new(program);
        command.args(words).current_dir(folder.path()).env_clear().env("HOME", folder.path()).env("PATH", path());
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{command:?}: {output:?}");
    }
}
