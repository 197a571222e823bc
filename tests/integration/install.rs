//! `host install`: files of others keep every byte, and hooks of others still run.

use std::fs;
use std::path::{Path, PathBuf};

use host::hook::{GitHook, HookAgent};
use host::install::FileKind;

use crate::support::cli::{host, host_with};
use crate::support::repo::TestRepo;

const PROGRAM: &str = "/opt/guard host's/bin/host";

fn kind(folder: &str) -> FileKind {
    match folder {
        "claude" => FileKind::Agent(HookAgent::Claude),
        "codex" => FileKind::Agent(HookAgent::Codex),
        "gemini" => FileKind::Agent(HookAgent::Gemini),
        "cursor" => FileKind::Agent(HookAgent::Cursor),
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
        let once = kind.installed(Some(&before), PROGRAM).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_ne!(once, before, "{name}");
        assert!(once.contains("hook"), "{name}: {once}");
        let twice = kind.installed(Some(&once), PROGRAM).unwrap();
        assert_eq!(twice, once, "{name}: the second time");
        let moved = kind.installed(Some(&once), "/elsewhere/host").unwrap();
        assert!(moved.contains("/elsewhere/host") && !moved.contains(PROGRAM), "{name}: {moved}");
        for installed in [&once, &moved] {
            assert_eq!(kind.removed(installed).unwrap().as_ref(), Some(&before), "{name}: removed from\n{installed}");
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
        let fresh = kind.installed(None, PROGRAM).unwrap();
        assert_eq!(kind.installed(Some(&fresh), PROGRAM).unwrap(), fresh, "{folder}");
        assert_eq!(kind.removed(&fresh).unwrap(), None, "{folder}: {fresh}");
    }
    let workflow = FileKind::Workflow.installed(None, PROGRAM).unwrap();
    assert!(workflow.contains(concat!("guardhost==", env!("CARGO_PKG_VERSION"))), "{workflow}");
    assert_eq!(FileKind::Workflow.removed(&workflow).unwrap(), None);
    assert!(FileKind::Workflow.installed(Some("name: mine\n"), PROGRAM).is_err());
}

/// Somebody edits the file after the installation: what is ours goes, and their edit stays.
#[test]
fn edits_that_were_made_since_stay() {
    let kind = FileKind::Agent(HookAgent::Claude);
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let edited =
        kind.installed(Some(before), PROGRAM).unwrap().replace("\"opus\"", "\"sonnet\", // mine\n  \"env\": {}");
    assert_eq!(
        kind.removed(&edited).unwrap().unwrap(),
        before.replace("\"opus\"", "\"sonnet\", // mine\n  \"env\": {}")
    );
    let parsed: serde_json::Value = serde_json::from_str(&kind.installed(Some(before), PROGRAM).unwrap()).unwrap();
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
        assert!(kind.installed(Some(text), PROGRAM).is_err(), "{text}");
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
    ] {
        let repo = TestRepo::with(&[("a", "a\n")]);
        link(&repo, to, path);
        let before = everything(elsewhere.path());
        for args in [&["install", target][..], &["install", target, "--remove"]] {
            let ran = host(repo.path(), args).expect(3);
            assert!(ran.stderr.contains("leads out of the repository"), "{path}: {ran:?}");
            assert_eq!(everything(elsewhere.path()), before, "{path}");
        }
    }
    // One that stays inside stays a link.
    let repo = TestRepo::with(&[("a", "a\n"), ("settings/claude.json", "{}")]);
    link(&repo, Path::new("../settings/claude.json"), ".claude/settings.local.json");
    host(repo.path(), &["install", "claude"]).expect(0);
    assert!(repo.path().join(".claude/settings.local.json").is_symlink());
    assert!(String::from_utf8(repo.read("settings/claude.json")).unwrap().contains("hook claude"));
}

/// `python3 -m pip` runs a `pip.py` of the folder that it stands in. A pull request must not bring the program that judges it.
#[test]
fn no_workflow_runs_a_file_of_the_checkout() {
    let workflow = FileKind::Workflow.installed(None, PROGRAM).unwrap();
    let action = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml")).unwrap();
    let (elsewhere, checkout) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let planted = "open(__file__ + '.ran', 'w')\n";
    fs::write(checkout.path().join("pip.py"), planted).unwrap();
    fs::write(checkout.path().join("local.whl"), "no wheel").unwrap();
    let line = workflow.lines().find_map(|line| line.trim().strip_prefix("- run: ").filter(|run| run.contains("pip")));
    let block = action.split("run: |\n").nth(1).unwrap();
    let block: Vec<&str> = block.lines().take_while(|line| line.starts_with("        ")).collect();
    let scripts = [line.unwrap().to_owned(), block.join("\n")];
    assert!(scripts.iter().all(|script| script.contains("pip install")), "{scripts:?}");
    for version in ["0.1.0", "./local.whl"] {
        for script in &scripts {
            let mut bash = std::process::Command::new("bash");
            bash.args(["-e", "-c", script]).current_dir(checkout.path()).env_clear();
            bash.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", elsewhere.path());
            bash.env("RUNNER_TEMP", elsewhere.path()).env("VERSION", version);
            // Nothing is fetched, and so nothing is installed.
            bash.env("PIP_NO_INDEX", "1").env("PIP_BREAK_SYSTEM_PACKAGES", "0");
            let ran = bash.output().unwrap();
            assert!(!ran.status.success(), "{ran:?}");
            assert!(!checkout.path().join("pip.py.ran").exists(), "{script}: {ran:?}");
        }
    }
}

const ALL: [&str; 8] = ["git", "claude", "codex", "gemini", "cursor", "lefthook", "pre-commit", "github"];

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
        let (before, snapshot) = (everything(&hooks), repo.snapshot());
        let dry = host(repo.path(), &[&["install", "--dry-run"], &ALL[..]].concat()).expect(0);
        assert!(dry.stdout.contains("nothing was written"), "{dry:?}");
        assert_eq!((everything(&hooks), repo.snapshot()), (before.clone(), snapshot.clone()), "{fixture:?}");
        for _ in 0..2 {
            host(repo.path(), &[&["install"], &ALL[..]].concat()).expect(0);
        }
        let status = host(repo.path(), &["install", "--status", "--format", "json"]).expect(0).json();
        let states: Vec<_> = status["files"].as_array().unwrap().iter().map(|file| file["state"].clone()).collect();
        // prek has the file of pre-commit.
        assert!(states.len() == 11 && states.iter().all(|state| state == "installed"), "{status}");
        host(repo.path(), &[&["install", "--remove"], &ALL[..]].concat()).expect(0);
        assert_eq!((everything(&hooks), repo.snapshot()), (before, snapshot), "{fixture:?}");
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
    run(&["install", "claude", "codex", "gemini", "cursor", "--scope", "user"]).expect(0);
    for file in [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json"] {
        let text = fs::read_to_string(home.path().join(file)).unwrap();
        assert!(
            serde_json::from_str::<serde_json::Value>(&text).is_ok() && text.contains("|| exit 2"),
            "{file}: {text}"
        );
    }
    let refused = run(&["install", "git", "--scope", "user"]).expect(2);
    assert!(refused.stderr.contains("host install git"), "{refused:?}");
    run(&["install", "claude", "codex", "gemini", "cursor", "--scope", "user", "--remove"]).expect(0);
    assert_eq!(everything(home.path()).iter().filter(|(path, ..)| path.ends_with("hooks.json")).count(), 0);
}
