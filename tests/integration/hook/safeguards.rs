//! What a shell command of an agent did to that which judges, however it was written: the hook before it lets it run, and the one after it
//! puts back what was changed and judges what came into a branch.

use std::process::Command;

use serde_json::json;

use crate::support::cli::{Ran, host_with};
use crate::support::repo::TestRepo;

const GOOD: &str = "def x():\n    return 1\n";

struct Agent {
    repo: TestRepo,
    home: tempfile::TempDir,
}

impl Agent {
    /// With hooks of git and of Claude Code, and with a home of its own.
    fn new() -> Self {
        let rules = ("guards.toml", "schema = 1\n");
        let repo = TestRepo::with(&[("x.py", GOOD), rules, (".gitignore", ".claude\n")]);
        let agent = Agent { repo, home: tempfile::tempdir().unwrap() };
        agent.host(&["install", "git", "claude"], "").expect(0);
        agent
    }

    fn host(&self, args: &[&str], input: &str) -> Ran {
        host_with(self.repo.path(), args, input.as_bytes(), &[("HOME", self.home.path().to_str().unwrap())])
    }

    fn hook(&self, event: &str, command: &str) -> Ran {
        let input = json!({ "hook_event_name": event, "cwd": self.repo.path(), "tool_name": "Bash", "tool_input": { "command": command } });
        self.host(&["hook", "claude", event], &input.to_string())
    }

    fn run(&self, command: &str) {
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).current_dir(self.repo.path()).env_clear().env("HOME", self.home.path());
        shell.env("PATH", std::env::var_os("PATH").unwrap()).env("CLAUDECODE", "1").output().unwrap();
    }

    /// What the agent is told after a command that no reading of its text denies.
    fn told_after(&self, command: &str) -> String {
        let before = self.hook("PreToolUse", command);
        assert!(before.stdout.is_empty() && before.code == 0, "{command}: {before:?}");
        self.run(command);
        let after = self.hook("PostToolUse", command).expect(0);
        after.stdout
    }

    fn file(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.repo.path().join(path)).ok()
    }
}

/// A command that arrives as data: no text of it is in the line, so that no reader of command lines sees what it does.
fn hidden(command: &str) -> String {
    let turned: String = command
        .chars()
        .map(|c| match c {
            'a'..='m' | 'A'..='M' => (c as u8 + 13) as char,
            'n'..='z' | 'N'..='Z' => (c as u8 - 13) as char,
            c => c,
        })
        .collect();
    assert!(!turned.contains('\''), "{command}");
    format!("eval \"$(printf %s '{turned}' | tr 'a-zA-Z' 'n-za-mN-ZA-M')\"")
}

#[test]
fn hooks_that_a_command_takes_away_are_put_back() {
    let agent = Agent::new();
    let files = [
        ".git/hooks/pre-commit",
        ".git/hooks/pre-push",
        ".git/hooks/reference-transaction",
        ".claude/settings.local.json",
    ];
    let before: Vec<_> = files.iter().map(|file| agent.file(file).unwrap()).collect();
    for command in [
        "rm -rf .git/hooks",
        ": > .git/hooks/pre-push",
        "mv .git/hooks/reference-transaction gone",
        "ln -sf /bin/true .git/hooks/pre-commit",
        "rm -r .git/hooks; mkdir -p .git/hooks/pre-commit/x",
        "rm -r .git/hooks; : > .git/hooks",
        "rm -r .git/hooks; ln -s /tmp .git/hooks",
        "chmod -x .git/hooks/pre-commit",
        "rm -r .claude",
        "echo {} > .claude/settings.local.json",
        "echo nonsense > .claude/settings.local.json",
        "git config core.hooksPath /dev/null",
        "git config --global core.hooksPath /dev/null",
        "echo \"[include]\" >> .git/config; echo \"path = /tmp/x\" >> .git/config",
    ] {
        let said = agent.told_after(&hidden(command));
        assert!(said.contains("Guardhost put back what a command changed"), "{command}: {said}");
        for (file, before) in files.iter().zip(&before) {
            assert_eq!(agent.file(file).as_ref(), Some(before), "{command}: {file}");
        }
        agent.repo.write("x.py", "def x(:\n");
        let mut commit = Command::new("git");
        commit.args(["commit", "-qam", "bad"]).current_dir(agent.repo.path()).env("HOME", agent.home.path());
        assert!(!commit.output().unwrap().status.success(), "{command}");
        agent.repo.git(&["reset", "-q", "--hard"]);
    }
}

/// An agent's program asks no hook after a command that failed, and other commands may run at once.
#[test]
fn what_a_command_did_is_seen_before_the_next_one_and_at_the_end() {
    for event in ["PreToolUse", "Stop"] {
        let agent = Agent::new();
        agent.hook("PreToolUse", "false").expect(0);
        agent.run("rm -r .git/hooks; false");
        let next = agent.hook(event, "make");
        assert!(
            format!("{}{}", next.stdout, next.stderr).contains("put back what a command changed"),
            "{event}: {next:?}"
        );
        assert!(agent.file(".git/hooks/pre-push").is_some(), "{event}");
        agent.hook("PreToolUse", "make").expect(0);
    }
}

/// A commit that came into a branch past the hooks is judged after the command.
#[test]
fn what_came_in_past_the_hooks_is_judged_afterwards() {
    let agent = Agent::new();
    let old = agent.repo.oid("HEAD").to_string();
    let commit = |text: &str| hidden(&format!("echo \"{text}\" > x.py; git -c core.hooksPath=/dev/null commit -qam z"));
    let said = agent.told_after(&commit("def x(:"));
    assert!(said.contains("past the hooks of git") && said.contains(&format!("git reset --soft {old}")), "{said}");
    assert!(said.contains("x.py:1"), "{said}");
    agent.repo.git(&["reset", "-q", "--hard", &old]);
    // What the gate accepts is known from then on.
    assert_eq!(agent.told_after(&commit("y = 1")), "");
    // Two new branches that came past the hooks vouch for each other as little.
    let branches = "git -c core.hooksPath=/dev/null checkout -qb one; echo \"def x(:\" > x.py; \
                    git -c core.hooksPath=/dev/null commit -qam z; git -c core.hooksPath=/dev/null branch two";
    let said = agent.told_after(&hidden(branches));
    assert!(
        said.contains("refs/heads/one") && said.contains("refs/heads/two") && said.contains("`git branch -D two`"),
        "{said}"
    );
    agent.repo.git(&["checkout", "-q", "main"]);
    agent.repo.git(&["branch", "-D", "one", "two"]);
    // What the gate knows is not in the repository.
    for first in ["true", "rm -rf .git/guardhost", "rm -f .git/guardhost/*"] {
        let old = agent.repo.oid("HEAD").to_string();
        let said = agent.told_after(&format!("{}; {}", hidden(first), commit("def x(:")));
        assert!(said.contains("past the hooks of git"), "{first}: {said}");
        agent.repo.git(&["reset", "-q", "--hard", &old]);
    }
    // What a hook saw is not judged again, nor are settings that have nothing to do with hooks.
    assert_eq!(agent.told_after("echo 'y = 2' > y.py; git add y.py; git commit -qm y; git config user.name me"), "");
    assert_eq!(agent.repo.git(&["config", "user.name"]), "me");
}

/// A script that takes the agent's mark off itself is a person to git's hooks. What it allowed is taken back, with what came in on top of it.
#[test]
fn what_a_command_allowed_itself_is_taken_back() {
    let agent = Agent::new();
    let old = agent.repo.oid("HEAD").to_string();
    let rules = "printf \"schema = 1\\nguards = []\\n\" > guards.toml; unset CLAUDECODE; \
                 GUARDHOST_ALLOW_RULE_CHANGES=1 git commit -qam rules";
    for after in ["", "; echo \"y = 1\" > y.py; git add y.py; git commit -qm more"] {
        let said = agent.told_after(&hidden(&format!("{rules}{after}")));
        assert!(said.contains("guards.toml") && said.contains(&format!("git reset --soft {old}")), "{after}: {said}");
        // The branch may not go there by git's hooks either.
        agent.repo.git(&["-c", "core.hooksPath=/dev/null", "branch", "-f", "kept"]);
        agent.repo.git(&["-c", "core.hooksPath=/dev/null", "reset", "-q", "--hard", &old]);
        agent.run("git merge -q --ff-only kept");
        assert_eq!(agent.repo.oid("HEAD").to_string(), old, "{after}");
    }
}

/// Hooks that go and come back make nothing old that came in meanwhile, and a branch that came past them vouches for no other.
#[test]
fn what_came_in_while_the_hooks_were_gone_is_new() {
    let agent = Agent::new();
    let old = agent.repo.oid("HEAD").to_string();
    let host = env!("CARGO_BIN_EXE_host");
    let gone = format!(
        "unset CLAUDECODE; {host} install git --remove; echo \"def x(:\" > x.py; git commit -qam bad; {host} install git"
    );
    let said = agent.told_after(&hidden(&gone));
    assert!(said.contains("x.py:1") && said.contains(&format!("git reset --soft {old}")), "{said}");
    agent.run("git branch another");
    assert_eq!(agent.repo.git(&["branch", "--list", "another"]), "");
    agent.repo.git(&["reset", "-q", "--hard", &old]);
    agent.run("git branch another");
    assert_eq!(agent.repo.oid("another").to_string(), old);
    // What only reads does not take the note of a command that runs beside it.
    agent.hook("PreToolUse", "make").expect(0);
    agent.hook("PreToolUse", "ls").expect(0);
    agent.hook("PostToolUse", "ls").expect(0);
    agent.run("rm -r .git/hooks");
    let after = agent.hook("PostToolUse", "make").expect(0);
    assert!(after.stdout.contains("put back what a command changed"), "{after:?}");
}

/// Where all that the gate knew is gone, no commit of a model vouches for the ones below it.
#[test]
fn without_what_the_gate_knew_a_model_s_commit_vouches_for_itself() {
    let agent = Agent::new();
    let server = TestRepo::bare();
    agent.repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    agent.repo.git(&["push", "-q", "origin", "main"]);
    let theirs = server.oid("main").to_string();
    agent.run("rm -rf $HOME/.cache; echo \"def x(:\" > x.py; git -c core.hooksPath=/dev/null commit -qam bad");
    agent.run("echo \"y = 1\" > y.py; git add y.py; git commit -qm good");
    assert_eq!(agent.repo.git(&["log", "-1", "--format=%s"]), "good");
    agent.run("git push -q origin main");
    assert_eq!(server.oid("main").to_string(), theirs);
    agent.repo.write("x.py", GOOD);
    agent.run("git commit -qam mended; git push -q origin main");
    assert_eq!(server.oid("main"), agent.repo.oid("HEAD"));
}

/// People take hooks out when they like, and agents' programs write what people allow into their settings while a command waits for it.
#[test]
fn what_people_change_stays() {
    let agent = Agent::new();
    let settings = ".claude/settings.local.json";
    agent.hook("PreToolUse", "make").expect(0);
    let text = String::from_utf8(agent.file(settings).unwrap()).unwrap();
    let allowed = text.replacen('{', "{\n  \"permissions\": { \"allow\": [\"Bash(make)\"] },", 1);
    agent.repo.write(settings, &allowed);
    agent.hook("PostToolUse", "make").expect(0);
    assert_eq!(agent.file(settings), Some(allowed.into_bytes()));
    // Between two commands.
    agent.host(&["install", "git", "--remove"], "").expect(0);
    assert_eq!(agent.told_after("make"), "");
    assert_eq!(agent.file(".git/hooks/pre-push"), None);
}
