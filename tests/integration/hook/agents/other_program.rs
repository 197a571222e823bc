//! What agents do with an edit where the program of their hooks is gone, is killed, or is late.

use crate::integration::hook::canary::script;
use crate::support::model_server::{ModelServer, Turn};

use super::{Form, GOOD, Player, installed, repo};

/// Whether the agent makes an edit, with which nothing is wrong, where the program of its hooks is another one; None where the agent is not here.
///
/// `waits` is how long the agent waits for a hook, in seconds, where it is not what was installed.
fn edits_with(player: Player, program: &str, waits: Option<u32>) -> Option<bool> {
    let agent = installed(player)?;
    let repo = repo(player, &agent, Form::Settings);
    let settings = match player {
        Player::Claude => repo.path().join(".claude/settings.local.json"),
        Player::Codex => repo.path().join(".codex/hooks.json"),
        Player::Gemini => repo.home.path().join(".gemini/settings.json"),
        Player::Copilot => repo.path().join(".github/hooks/guardhost.json"),
        Player::Opencode => repo.path().join(".opencode/plugins/guardhost.js"),
        Player::Qwen => repo.path().join(".qwen/settings.json"),
    };
    let text = std::fs::read_to_string(&settings).unwrap();
    let mut other = text.replace(env!("CARGO_BIN_EXE_host"), program);
    assert_ne!(other, text, "{player:?}: the settings name the program");
    if let Some(seconds) = waits {
        // Those that count in milliseconds have three zeros more.
        for key in ["\"timeout\": ", "const limit = "] {
            other = other.replace(&format!("{key}30"), &format!("{key}{seconds}"));
        }
    }
    std::fs::write(&settings, other).unwrap();
    let x = repo.path().join("x.py");
    let server = ModelServer::start(vec![
        player.read(&x),
        player.edit(&x, "    return 1", "    return 2"),
        Turn::Says("done"),
        Turn::Says("really done"),
        Turn::Says("done"),
    ]);
    player.run(&agent, &repo, &server);
    assert!(server.asked().len() >= 3, "{player:?}: the edit was tried");
    Some(repo.read("x.py") != GOOD.as_bytes())
}

/// What cannot be asked lets no edit pass. Gemini CLI is not among them: it denies the edit too, and then does not let the turn end.
#[test]
fn without_the_program_no_agent_edits() {
    let folder = tempfile::tempdir().unwrap();
    let killed = script(folder.path(), "killed", "#!/bin/sh\nkill -9 $$\n");
    let gone = folder.path().join("gone").display().to_string();
    for player in [Player::Claude, Player::Codex] {
        for program in [&gone, &killed] {
            assert_ne!(edits_with(player, program, None), Some(true), "{player:?}: {program}");
        }
    }
}

/// Why the host answers long before its agents stop to wait: they take an answer that is late for none, and make the edit.
#[test]
fn agents_go_on_where_a_hook_is_late() {
    let folder = tempfile::tempdir().unwrap();
    let late = script(folder.path(), "late", "#!/bin/sh\ncat > /dev/null\nsleep 60\nexit 2\n");
    for player in [Player::Claude, Player::Codex, Player::Copilot] {
        assert_ne!(edits_with(player, &late, Some(2)), Some(false), "{player:?}");
    }
}
