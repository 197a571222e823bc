//! What an agent leaves in the home of the user.

use std::path::Path;

use crate::support::agents::{ProviderHarness, failure};

/// Claude Code makes them for every question, also where it is to keep nothing.
#[test]
fn folders_that_an_agent_leaves_for_a_question_go_when_they_are_empty() {
    let mut stage = ProviderHarness::new();
    let home = stage.dir.path().join("home");
    stage.agent(
        "claude",
        "cat >/dev/null; all=$HOME/.claude/projects; own=$all/$(pwd | tr -c 'a-zA-Z0-9\\n' -)
         mkdir -p $own/memory $all/-mine/memory; echo $own >$LEFT/own
         test -e $LEFT/keep && echo kept >$own/memory/note.md",
    );
    stage.vars = vec![("HOME".into(), home.display().to_string())];
    let folders = || {
        let found = std::fs::read_dir(home.join(".claude/projects")).unwrap();
        let mut names: Vec<_> = found.map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    };
    let mine = home.join(".claude/projects/-mine");
    failure(stage.ask("claude"));
    assert_eq!(folders(), [mine.as_path()]);
    assert!(mine.join("memory").exists(), "the folders of others stay");
    std::fs::write(stage.dir.path().join("left/keep"), "").unwrap();
    failure(stage.ask("claude"));
    let own = stage.left("own");
    assert_eq!(std::fs::read_to_string(Path::new(own.trim()).join("memory/note.md")).unwrap(), "kept\n");
}
