//! `host install`, `host hook` and `host check --worktree`.

use serde_json::json;

use super::place::Place;
use super::{CODE, RULES};

#[test]
fn targets() {
    let place = Place::new(&[("x.py", CODE)]);
    place.record("install-no-package", &["install", "claude", "github"]);
    let digest = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    let named = ["install", "claude", "github", "--package", "guardhost==1.2.3", "--sha256", digest];
    place.record("install-dry-run", &[&named[..], &["--dry-run"]].concat());
    place.record("install-created", &named);
    place.record("install-unchanged", &["install", "claude", "github"]);
    place.record("install-status", &["install", "--status"]);
    place.record("install-removed", &["install", "claude", "github", "codex", "--remove"]);
    place.repo.write(".claude/settings.local.json", "[]");
    place.record("install-not-understood", &["install", "claude"]);
}

#[test]
fn work_tree() {
    let place = Place::new(&[("guards.toml", RULES), ("x.py", CODE)]);
    place.record("check-worktree-nothing", &["check", "--worktree"]);
    place.repo.write("new.py", "def x(:\n    return 2\n");
    place.record("check-worktree", &["check", "--worktree", "--skip", "scope-kept"]);
}

/// What agents read is not in the host's own format, whatever format is asked for.
#[test]
fn hooks() {
    let place = Place::new(&[("guards.toml", RULES), ("x.py", CODE)]);
    let bad = json!({ "file_path": "x.py", "content": "def x(:\n" });
    let event = |name: &str, tool: &str| {
        json!({ "hook_event_name": name, "cwd": place.repo.path(), "tool_name": tool, "tool_input": bad }).to_string()
    };
    place.record_with("hook-claude-denied", &["hook", "claude", "PreToolUse"], &event("PreToolUse", "Write"));
    place.record_with("hook-gemini-denied", &["hook", "gemini", "BeforeTool"], &event("BeforeTool", "write_file"));
    place.record_with("hook-cursor-denied", &["hook", "cursor", "preToolUse"], &event("preToolUse", "Write"));
    place.repo.write("x.py", "def x(:\n");
    place.record_with("hook-claude-stop", &["hook", "claude", "Stop"], "{\"stop_hook_active\":false}");
}
