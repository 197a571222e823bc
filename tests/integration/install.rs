//! `host install`: files of others keep every byte, and hooks of others still run.

use std::fs;
use std::path::{Path, PathBuf};

use host::hook::{GitHook, HookAgent};
use host::install::{FileKind, Installation};

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

const PROGRAM: &str = "/opt/guard host's/bin/host";

fn installation(program: &str) -> Installation<'_> {
    Installation { program, package: None }
}

fn kind(folder: &str) -> FileKind {
    match folder {
        "claude" => FileKind::Agent(HookAgent::Claude),
        "codex" => FileKind::Agent(HookAgent::Codex),
        "gemini" => FileKind::Agent(HookAgent::Gemini),
        "cursor" => FileKind::Agent(HookAgent::Cursor),
        "copilot" => FileKind::Agent(HookAgent::Copilot),
        "qwen" => FileKind::Agent(HookAgent::Qwen),
        "lefthook" => FileKind::Lefthook,
        "pre-commit" => FileKind::PreCommit,
        "git" => FileKind::GitHook(GitHook::PrePush),
        other => panic!("tests/install/{other}"),
    }
}

fn fixtures() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        found.sort();
        found
    };
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    entries(&folder).iter().flat_map(|kind| entries(kind).into_iter().map(|file| (name(kind), file))).collect()
}

/// Texts: all but hooks of git that are no scripts.
#[test]
fn to_install_twice_and_to_remove_leaves_every_byte() {
    let mut count = 0;
    for (folder, file) in fixtures() {
        let kind = kind(&folder);
        let Ok(before) = String::from_utf8(fs::read(&file).unwrap()) else { continue };
        let name = file.display();
        let once = kind.installed(Some(&before), installation(PROGRAM)).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_ne!(once, before, "{name}");
        assert!(once.contains("hook"), "{name}: {once}");
        let twice = kind.installed(Some(&once), installation(PROGRAM)).unwrap();
        assert_eq!(twice, once, "{name}: the second time");
        assert_eq!(kind.removed(&once).unwrap().as_ref(), Some(&before), "{name}: removed from\n{once}");
        for elsewhere in ["/elsewhere/host", "C:/Program Files/guardhost/host.exe", "/usr/lib/host-0.2"] {
            let moved = kind.installed(Some(&once), installation(elsewhere)).unwrap();
            // What a team shares names no path.
            match kind {
                FileKind::Lefthook | FileKind::PreCommit => {
                    assert!(moved == once && once.contains(" guardhost hook"), "{once}")
                }
                _ => assert!(moved.contains(elsewhere) && !moved.contains(PROGRAM), "{name}: {moved}"),
            }
            assert_eq!(kind.removed(&moved).unwrap().as_ref(), Some(&before), "{name}: removed from\n{moved}");
        }
        assert_eq!(kind.removed(&before).unwrap().as_ref(), Some(&before), "{name}: nothing to remove");
        count += 1;
    }
    assert!(count >= 30, "{count} fixtures");
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    for (folder, _) in fixtures() {
        let kind = kind(&folder);
        let fresh = kind.installed(None, installation(PROGRAM)).unwrap();
        assert_eq!(kind.installed(Some(&fresh), installation(PROGRAM)).unwrap(), fresh, "{folder}");
        assert_eq!(kind.removed(&fresh).unwrap(), None, "{folder}: {fresh}");
    }
}

/// Somebody edits the file after the installation: what is ours goes, and their edit stays.
#[test]
fn edits_that_were_made_since_stay() {
    let kind = FileKind::Agent(HookAgent::Claude);
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let edited = kind
        .installed(Some(before), installation(PROGRAM))
        .unwrap()
        .replace("\"opus\"", "\"sonnet\", // mine\n  \"env\": {}");
    assert_eq!(
        kind.removed(&edited).unwrap().unwrap(),
        before.replace("\"opus\"", "\"sonnet\", // mine\n  \"env\": {}")
    );
    let parsed: serde_json::Value =
        serde_json::from_str(&kind.installed(Some(before), installation(PROGRAM)).unwrap()).unwrap();
    let shaped = serde_json::to_string_pretty(&parsed).unwrap();
    assert_eq!(kind.removed(&shaped).unwrap().unwrap().split_whitespace().collect::<String>(), "{\"model\":\"opus\"}");
}

#[test]
fn what_is_not_understood_is_left_alone() {
    for (kind, text) in [
        (FileKind::Agent(HookAgent::Claude), "{ \"hooks\": "),
        (FileKind::Agent(HookAgent::Claude), "[]"),
        (FileKind::Agent(HookAgent::Claude), "{ \"hooks\": [] }"),
        (FileKind::Agent(HookAgent::Gemini), "{ \"hooks\": { \"BeforeTool\": {} } }"),
        (FileKind::PreCommit, "repos: []\n"),
        (FileKind::Lefthook, "pre-commit: { commands: { a: { run: b } } }\n"),
        (FileKind::Lefthook, "pre-commit:\n"),
    ] {
        assert!(kind.installed(Some(text), installation(PROGRAM)).is_err(), "{text}");
    }
    let repo = TestRepo::with(&[("a.txt", "a\n"), (".claude/settings.local.json", "{")]);
    let before = repo.snapshot();
    let ran = host(repo.path(), &["install", "git", "claude"]).expect(3);
    assert!(ran.stderr.contains("settings.local.json") && ran.stderr.contains("nothing was written"), "{ran:?}");
    assert_eq!(repo.snapshot(), before);
    assert!(!repo.path().join(".git/hooks/pre-commit").exists());
}

/// Of every file below a folder: its bytes, and whether it can be started.
fn everything(folder: &Path) -> Vec<(PathBuf, Vec<u8>, bool)> {
    use std::os::unix::fs::PermissionsExt;
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(everything(&path)),
            false => {
                let is_program = path.metadata().unwrap().permissions().mode() & 0o111 != 0;
                found.push((path.clone(), fs::read(&path).unwrap(), is_program));
            }
        }
    }
    found.sort();
    found
}

/// A repository brings links; they do not choose which of the user's files is written.
#[test]
fn a_link_that_leads_out_of_the_repository_is_not_followed() {
    let elsewhere = tempfile::tempdir().unwrap();
    let theirs = elsewhere.path().join("settings.json");
    fs::write(&theirs, "{}").unwrap();
    let link = |repo: &TestRepo, to: &Path, path: &str| {
        fs::create_dir_all(repo.path().join(path).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, repo.path().join(path)).unwrap();
    };
    for (target, path, to) in [
        ("claude", ".claude/settings.local.json", theirs.as_path()),
        ("claude", ".claude", elsewhere.path()),
        ("gemini", ".gemini/settings.json", theirs.as_path()),
        ("github", ".github", elsewhere.path()),
        ("gitlab", ".gitlab-ci.yml", theirs.as_path()),
    ] {
        let repo = TestRepo::with(&[("a", "a\n")]);
        link(&repo, to, path);
        let before = everything(elsewhere.path());
        let install = ["install", "--scope", "repo", target, "--package", "guardhost==1.2.3", "--sha256", DIGEST];
        for args in [&install[..], &["install", "--scope", "repo", target, "--remove"]] {
            let ran = host(repo.path(), args).expect(3);
            assert!(ran.stderr.contains("leads out of the repository"), "{path}: {ran:?}");
            assert_eq!(everything(elsewhere.path()), before, "{path}");
        }
    }
    let repo = TestRepo::with(&[("a", "a\n")]);
    link(&repo, elsewhere.path(), "p");
    let before = everything(elsewhere.path());
    for dir in ["p", "p/.", "p/deeper", "./p"] {
        let ran = host(repo.path(), &["install", "plugin", "--dir", dir]).expect(3);
        assert!(ran.stderr.contains("leads out of the repository"), "{dir}: {ran:?}");
        assert_eq!(everything(elsewhere.path()), before, "{dir}");
    }
    // One that stays inside stays a link.
    let repo = TestRepo::with(&[("a", "a\n"), ("settings/claude.json", "{}")]);
    link(&repo, Path::new("../settings/claude.json"), ".claude/settings.local.json");
    host(repo.path(), &["install", "claude"]).expect(0);
    assert!(repo.path().join(".claude/settings.local.json").is_symlink());
    assert!(String::from_utf8(repo.read("settings/claude.json")).unwrap().contains("hook claude"));
}

/// Of no file.
const DIGEST: &str = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

const ALL: [&str; 13] = [
    "git",
    "claude",
    "codex",
    "gemini",
    "cursor",
    "copilot",
    "opencode",
    "qwen",
    "lefthook",
    "pre-commit",
    "github",
    "gitlab",
    "forgejo",
];

#[test]
fn all_targets_of_a_repository_come_and_go() {
    for fixture in
        fixtures().into_iter().filter(|(folder, _)| folder == "git").map(|(_, file)| Some(file)).chain([None])
    {
        let repo = TestRepo::with(&[("a.txt", "a\n")]);
        if let Some(fixture) = &fixture {
            for hook in GitHook::ALL {
                let path = repo.path().join(".git/hooks").join(hook.as_str());
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::copy(fixture, &path).unwrap();
                fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
            }
        }
        let hooks = repo.path().join(".git/hooks");
        let exclude = || fs::read(repo.path().join(".git/info/exclude")).ok();
        let (before, snapshot, excluded) = (everything(&hooks), repo.snapshot(), exclude());
        let package = ["--package", "guardhost==1.2.3", "--sha256", DIGEST];
        let dry = host(repo.path(), &[&["install", "--scope", "repo", "--dry-run"], &package[..], &ALL[..]].concat())
            .expect(0);
        assert!(dry.stdout.contains("nothing was written"), "{dry:?}");
        assert_eq!((everything(&hooks), repo.snapshot()), (before.clone(), snapshot.clone()), "{fixture:?}");
        for _ in 0..2 {
            host(repo.path(), &[&["install", "--scope", "repo"], &package[..], &ALL[..]].concat()).expect(0);
        }
        let status =
            host(repo.path(), &["install", "--scope", "repo", "--status", "--format", "json"]).expect(0).json();
        let states: Vec<_> = status["files"].as_array().unwrap().iter().map(|file| file["state"].clone()).collect();
        // prek has the file of pre-commit; each agent has its line in the file of what git ignores.
        assert!(states.len() == 23 && states.iter().all(|state| state == "installed"), "{status}");
        // What belongs to this machine alone is not offered to `git add --all`.
        let offered = repo.git(&["status", "--porcelain", "--untracked-files=all"]);
        let shared = [
            ".forgejo/workflows/guardhost.yml",
            ".github/workflows/guardhost.yml",
            ".gitlab-ci.yml",
            ".pre-commit-config.yaml",
            "lefthook.yml",
        ];
        assert_eq!(offered, shared.map(|path| format!("?? {path}")).join("\n"), "{fixture:?}");
        for path in shared {
            let text = String::from_utf8(repo.read(path)).unwrap();
            assert!(!text.contains(env!("CARGO_BIN_EXE_host")), "{text}");
        }
        host(repo.path(), &[&["install", "--scope", "repo", "--remove"], &ALL[..]].concat()).expect(0);
        assert_eq!((everything(&hooks), repo.snapshot(), exclude()), (before, snapshot, excluded), "{fixture:?}");
    }
}

#[test]
fn hooks_are_where_git_looks_for_them() {
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    let tree = repo.path().join("../tree");
    repo.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    host(&tree, &["install", "git"]).expect(0);
    assert!(repo.path().join(".git/hooks/reference-transaction").exists());
    host(&tree, &["install", "git", "--remove"]).expect(0);
    repo.git(&["config", "core.hooksPath", ".husky/_"]);
    repo.write(".husky/_/pre-commit", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n");
    host(repo.path(), &["install", "git"]).expect(0);
    let script = String::from_utf8(repo.read(".husky/_/pre-commit")).unwrap();
    assert!(script.contains("hook git pre-commit") && script.ends_with("/h\"\n"), "{script}");
    assert!(repo.path().join(".husky/_/reference-transaction").exists());
}

#[test]
fn the_users_own_settings() {
    let home = tempfile::tempdir().unwrap();
    let variables = [("HOME", home.path().to_str().unwrap())];
    let run = |args: &[&str]| host_with(home.path(), args, b"", &variables);
    let agents = ["install", "--scope", "user", "claude", "codex", "gemini", "cursor", "copilot", "opencode"];
    run(&agents).expect(0);
    for file in [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/hooks.json",
        ".copilot/hooks/guardhost.json",
    ] {
        let text = fs::read_to_string(home.path().join(file)).unwrap();
        assert!(
            serde_json::from_str::<serde_json::Value>(&text).is_ok() && text.contains("|| exit 2"),
            "{file}: {text}"
        );
    }
    let plugin = fs::read_to_string(home.path().join(".config/opencode/plugins/guardhost.js")).unwrap();
    assert!(plugin.contains(env!("CARGO_BIN_EXE_host")), "{plugin}");
    let refused = run(&["install", "git", "--scope", "user"]).expect(2);
    assert!(refused.stderr.contains("host install git"), "{refused:?}");
    run(&[&agents[..], &["--remove"]].concat()).expect(0);
    let left = everything(home.path());
    let ours = [".claude", ".codex", ".gemini", ".cursor", ".copilot", ".config/opencode"];
    let is_ours = |path: &Path| ours.iter().any(|folder| path.starts_with(home.path().join(folder)));
    assert!(!left.iter().any(|(path, ..)| is_ours(path)), "{left:?}");
}

/// The plugin is a file of ours alone: what somebody else wrote there, or made of it, is not touched.
#[test]
fn a_plugin_that_somebody_edited_is_left_alone() {
    let kind = FileKind::Agent(HookAgent::Opencode);
    let ours = kind.installed(None, installation("/opt/AFTER BEFORE/host")).unwrap();
    assert!(ours.contains("const program = \"/opt/AFTER BEFORE/host\"\n"), "{ours}");
    assert_eq!(kind.installed(Some(&ours), installation("/opt/AFTER BEFORE/host")).unwrap(), ours);
    assert!(kind.installed(Some(&ours), installation("/elsewhere/host")).unwrap().contains("\"/elsewhere/host\""));
    assert_eq!(kind.removed(&ours).unwrap(), None);
    let edited = ours.replace("if (denied) throw", "if (false) throw");
    assert_ne!(edited, ours);
    assert!(kind.installed(Some(&edited), installation(PROGRAM)).is_err() && kind.removed(&edited).is_err());
    let theirs = "export const Other = async () => ({})\n";
    assert!(kind.installed(Some(theirs), installation(PROGRAM)).is_err());
    assert_eq!(kind.removed(theirs).unwrap().as_deref(), Some(theirs));
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    repo.write(".opencode/plugins/guardhost.js", &edited);
    let status = host(repo.path(), &["install", "opencode", "--status", "--format", "json"]).expect(0).json();
    assert_eq!(status["files"][0]["state"], "outdated", "{status}");
}

/// The user's own settings are where the agent reads them.
#[test]
fn the_users_own_settings_where_a_variable_says() {
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (agent, variable, file) in [
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/guardhost.json"),
        ("gemini", "GEMINI_CLI_HOME", ".gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/guardhost.js"),
        ("qwen", "QWEN_HOME", "settings.json"),
    ] {
        let folder = other.path().join(agent);
        let variables = [("HOME", home.path().to_str().unwrap()), (variable, folder.to_str().unwrap())];
        let install = ["install", agent, "--scope", "user"];
        host_with(home.path(), &install, b"", &variables).expect(0);
        assert!(fs::read_to_string(folder.join(file)).unwrap().contains(env!("CARGO_BIN_EXE_host")), "{agent}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{agent}");
        host_with(home.path(), &[&install[..], &["--remove"]].concat(), b"", &variables).expect(0);
        assert!(!folder.join(file).exists(), "{agent}");
    }
}
