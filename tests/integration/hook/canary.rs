//! `host doctor --canary`: hooks that hold, and hooks that only look so.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use host::hook::HookAgent;
use host::install::{FileKind, Installation};
use serde_json::Value;

use crate::support::cli::{home, host_with};
use crate::support::repo::TestRepo;

/// The rows of the canary, by name.
fn rows(repo: &TestRepo) -> Vec<(String, Value)> {
    rows_with(repo, home(), &[("GEMINI_CLI_TRUST_WORKSPACE", "true")])
}

fn rows_with(repo: &TestRepo, home: &Path, variables: &[(&str, &str)]) -> Vec<(String, Value)> {
    let variables = [&[("HOME", home.to_str().unwrap())], variables].concat();
    let ran = host_with(repo.path(), &["doctor", "--canary", "--format", "json"], b"", &variables);
    let json = ran.json();
    let checks = json["checks"].as_array().unwrap().iter();
    let ours = checks.filter(|check| check["name"].as_str().unwrap().starts_with("canary"));
    ours.map(|check| (check["name"].as_str().unwrap().to_owned(), check.clone())).collect()
}

fn install(repo: &TestRepo, targets: &[&str]) {
    host_with(repo.path(), &[&["install", "--scope", "repo"], targets].concat(), b"", &[]).expect(0);
}

fn repo() -> TestRepo {
    TestRepo::with(&[("x.py", "def x():\n    return 1\n")])
}

#[test]
fn what_is_installed_holds() {
    let repo = repo();
    let found = rows(&repo);
    assert!(found.len() == 1 && found[0].1["ok"] == "warn", "{found:?}");
    install(&repo, &["git", "claude", "codex", "gemini", "cursor", "copilot", "opencode", "qwen"]);
    let before = (repo.snapshot(), repo.git(&["for-each-ref"]));
    let found = rows(&repo);
    let failed: Vec<_> = found.iter().filter(|(_, row)| row["ok"] != "pass").collect();
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(found.len(), 3 + 7 * 3, "{found:?}");
    assert_eq!((repo.snapshot(), repo.git(&["for-each-ref"])), before);
}

pub(super) fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// Each is how a hook that is there fails: the program lets everything pass, denies everything, is killed, is gone, or is not asked.
#[test]
fn what_only_looks_so_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("passes/host", Some("#!/bin/sh\ncat >/dev/null\nexit 0\n")),
        ("denies/host", Some("#!/bin/sh\ncat >/dev/null\necho no >&2\nexit 2\n")),
        ("killed/host", Some("#!/bin/sh\nkill -9 $$\n")),
        ("noise/host", Some("#!/bin/sh\ncat >/dev/null\necho welcome\n")),
        ("gone/host", None),
    ] {
        let repo = repo();
        install(&repo, &["git", "claude", "codex", "gemini", "cursor", "copilot", "opencode", "qwen"]);
        let other = match text {
            Some(text) => script(folder.path(), name, text),
            None => folder.path().join(name).display().to_string(),
        };
        let mut changed = 0;
        for file in [
            ".git/hooks/pre-commit",
            ".git/hooks/pre-push",
            ".git/hooks/reference-transaction",
            ".claude/settings.local.json",
            ".codex/hooks.json",
            ".gemini/settings.json",
            ".cursor/hooks.json",
            ".github/hooks/guardhost.json",
            ".qwen/settings.json",
        ] {
            let text = String::from_utf8(repo.read(file)).unwrap();
            changed += text.matches(env!("CARGO_BIN_EXE_host")).count();
            repo.write(file, text.replace(env!("CARGO_BIN_EXE_host"), &other));
        }
        assert_eq!(changed, 3 + 6 * 3);
        // A plugin whose program another one wrote.
        let plugin = FileKind::Agent(HookAgent::Opencode);
        let installation = Installation { program: &other, package: None };
        repo.write(".opencode/plugins/guardhost.js", plugin.installed(None, installation).unwrap());
        let found = rows(&repo);
        let failed: Vec<_> = found.iter().filter(|(_, row)| row["ok"] == "fail").collect();
        assert_eq!(failed.len(), 3 + 7 * 3, "{name}: {found:#?}");
    }
}

/// The canary waits as long as the agent: a hook that needs three times that is no gate.
#[test]
fn a_hook_that_is_too_slow_for_its_agent_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let real = env!("CARGO_BIN_EXE_host");
    // It would deny, and its agent does not wait for it.
    let slow = script(folder.path(), "slow/host", &format!("#!/bin/sh\nsleep 3\nexec '{real}' \"$@\"\n"));
    let repo = repo();
    install(&repo, &["claude", "codex", "gemini", "cursor", "copilot", "qwen"]);
    for (file, old, new) in [
        (".claude/settings.local.json", "\"timeout\": 30", "\"timeout\": 1"),
        (".codex/hooks.json", "\"timeout\": 30", "\"timeout\": 1"),
        (".gemini/settings.json", "\"timeout\": 30000", "\"timeout\": 1000"),
        (".cursor/hooks.json", "\"timeout\": 30", "\"timeout\": 1"),
        (".github/hooks/guardhost.json", "\"timeout\": 30", "\"timeout\": 1"),
        (".qwen/settings.json", "\"timeout\": 30", "\"timeout\": 1"),
    ] {
        let text = String::from_utf8(repo.read(file)).unwrap();
        assert_eq!(text.matches(old).count(), 3, "{text}");
        repo.write(file, text.replace(old, new).replace(real, &slow));
    }
    let found = rows(&repo);
    assert_eq!(found.len(), 6 * 3, "{found:?}");
    for (name, row) in found {
        assert!(row["ok"] == "fail" && row["detail"].as_str().unwrap().contains("within 1 s"), "{name}: {row}");
    }
}

#[test]
fn settings_that_lost_a_hook_or_cannot_be_read_are_found() {
    let repo = repo();
    install(&repo, &["git", "claude", "opencode"]);
    let settings = String::from_utf8(repo.read(".claude/settings.local.json")).unwrap();
    repo.write(".claude/settings.local.json", settings.replace("\"PreToolUse\"", "\"PreToolUsed\""));
    repo.write(".git/hooks/reference-transaction", "#!/bin/sh\nexit 0\n# >>> guardhost >>> written by `host install`; `host install --remove` takes it out\n# <<< guardhost <<<\n");
    let found = rows(&repo);
    let ok = |name: &str| found.iter().find(|(found, _)| found == name).map(|(_, row)| row["ok"].clone());
    assert_eq!(ok("canary claude PreToolUse"), Some("fail".into()), "{found:?}");
    assert_eq!(ok("canary git reference-transaction"), Some("fail".into()), "{found:?}");
    assert_eq!(ok("canary git pre-commit"), Some("pass".into()), "{found:?}");
    assert_eq!(ok("canary opencode tool.execute.before"), Some("pass".into()), "{found:?}");
    // Nobody knows what a plugin does that somebody edited.
    let plugin = String::from_utf8(repo.read(".opencode/plugins/guardhost.js")).unwrap();
    repo.write(".opencode/plugins/guardhost.js", plugin.replace("if (denied)", "if (false)"));
    repo.write(".claude/settings.local.json", &settings[..settings.len() / 2]);
    let found = rows(&repo);
    let edited = found.iter().filter(|(name, row)| name.contains("opencode") && row["ok"] == "fail");
    assert_eq!(edited.count(), 3, "{found:?}");
    assert!(found.iter().any(|(name, row)| name.contains("settings.local.json") && row["ok"] == "fail"), "{found:?}");
}

/// Gemini CLI loads no hooks of a folder that it does not trust: a hook that answers well is not started there.
#[test]
fn what_gemini_cli_does_not_load_does_not_hold() {
    let repo = repo();
    install(&repo, &["gemini"]);
    let home = tempfile::tempdir().unwrap();
    let gemini = home.path().join(".gemini");
    std::fs::create_dir(&gemini).unwrap();
    let root = repo.path().display().to_string();
    let holds = |variables: &[(&str, &str)], user: bool| {
        let found = rows_with(&repo, home.path(), variables);
        let rows: Vec<_> = found.iter().filter(|(name, _)| name.contains("(user)") == user).collect();
        assert_eq!(rows.len(), 3, "{found:?}");
        let ok = rows.iter().all(|(_, row)| row["ok"] == "pass");
        let untrusted = |row: &Value| row["ok"] == "fail" && row["detail"].as_str().unwrap().contains("not trusted");
        assert!(ok || rows.iter().all(|(_, row)| untrusted(row)), "{rows:?}");
        ok
    };
    let rule =
        |level: &str| std::fs::write(gemini.join("trustedFolders.json"), format!("{{ {root:?}: {level:?} }}")).unwrap();
    assert!(!holds(&[], false));
    assert!(holds(&[("GEMINI_CLI_TRUST_WORKSPACE", "true")], false));
    rule("TRUST_FOLDER");
    assert!(holds(&[], false));
    assert!(!holds(&[("GEMINI_CLI_TRUST_WORKSPACE", "false")], false));
    rule("DO_NOT_TRUST");
    assert!(!holds(&[], false));
    std::fs::remove_file(gemini.join("trustedFolders.json")).unwrap();
    std::fs::write(gemini.join("settings.json"), r#"{ "security": { "folderTrust": { "enabled": false } } }"#).unwrap();
    assert!(holds(&[], false));
    std::fs::write(gemini.join("settings.json"), "{}").unwrap();
    // The user's own settings are loaded wherever nobody said that the folder is not trusted; they are the ones that are written.
    host_with(repo.path(), &["install", "gemini"], b"", &[("HOME", home.path().to_str().unwrap())]).expect(0);
    assert!(holds(&[], true) && !holds(&[], false));
    rule("DO_NOT_TRUST");
    assert!(!holds(&[], true));
    host_with(repo.path(), &["install", "gemini", "--remove"], b"", &[("HOME", home.path().to_str().unwrap())])
        .expect(0);
    assert_eq!(std::fs::read_to_string(gemini.join("settings.json")).unwrap(), "{}");
    assert!(!repo.path().join(".gemini").exists());
}

/// Qwen Code goes by the trust of a folder only where its settings say so, and loads the user's own hooks anyway; one switch turns all of them off.
#[test]
fn what_qwen_code_does_not_load_does_not_hold() {
    let repo = repo();
    install(&repo, &["qwen"]);
    let home = tempfile::tempdir().unwrap();
    host_with(repo.path(), &["install", "--scope", "user", "qwen"], b"", &[("HOME", home.path().to_str().unwrap())])
        .expect(0);
    let settings = home.path().join(".qwen/settings.json");
    let own = std::fs::read_to_string(&settings).unwrap();
    // What the user's settings say beside the hooks; the trust of the folder; whether the repository's hooks and the user's hold.
    for (more, level, expected) in [
        ("", "", (true, true)),
        ("", "DO_NOT_TRUST", (true, true)),
        (r#""security": { "folderTrust": { "enabled": true } },"#, "", (false, true)),
        (r#""security": { "folderTrust": { "enabled": true } },"#, "TRUST_FOLDER", (true, true)),
        (r#""security": { "folderTrust": { "enabled": true } },"#, "DO_NOT_TRUST", (false, true)),
        (r#""disableAllHooks": true,"#, "TRUST_FOLDER", (false, false)),
    ] {
        std::fs::write(&settings, own.replacen('{', &format!("{{ {more}"), 1)).unwrap();
        let rules = serde_json::json!({ repo.path().to_str().unwrap(): level });
        std::fs::write(home.path().join(".qwen/trustedFolders.json"), rules.to_string()).unwrap();
        let found = rows_with(&repo, home.path(), &[]);
        let holds = |user: bool| {
            let mut rows = found.iter().filter(|(name, _)| name.contains("(user)") == user);
            rows.all(|(_, row)| row["ok"] == "pass")
        };
        assert_eq!(found.len(), 6, "{found:?}");
        assert_eq!((holds(false), holds(true)), expected, "{more} {level}: {found:?}");
    }
}
