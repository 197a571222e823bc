//! Every known way around the hooks in every carrier that brings a command to a shell, and harmless commands in the same carriers: what is
//! expected of each follows from the two, and nobody wrote it down.

use std::mem::discriminant;
use std::path::Path;

use host::hook::{Bypass, bypass};

/// Ways around the hooks, as one command each.
const TRICKS: &[&str] = &[
    "git commit --no-verify -m x",
    "git commit -nm x",
    "git -C sub commit --no-verif -m x",
    "git push --no-verify origin main",
    "git merge --no-verify topic",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git -c include.path=/tmp/x commit -m x",
    "git -c hook.guard.enabled=false commit -m x",
    "git --config-env=core.hooksPath=X commit -m x",
    "git -c alias.z='commit --no-verify' z",
    "git -c alias.z='!git -c core.hooksPath=/dev/null commit' z",
    "git config core.hooksPath /dev/null",
    "git config --unset core.hooksPath",
    "git config --remove-section core",
    "git config rename-section core gone",
    "git config --global --edit",
    "git config alias.x '!git -c core.hooksPath=/dev/null commit'",
    "git config set alias.x 'commit --no-verify'",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0='commit --no-verify' git z",
    "GIT_CONFIG_PARAMETERS=\"'core.hookspath=/dev/null'\" git commit -m x",
    "GIT_CONFIG_GLOBAL=/tmp/x git commit -m x",
    "HUSKY=0 git commit -m x",
    "LEFTHOOK=0 git commit -m x",
    "SKIP=guardhost git commit -m x",
    "GUARDHOST_ALLOW_RULE_CHANGES=1 git commit -m x",
    "HOME=/tmp/x git commit -m x",
    "CLAUDECODE= git commit -m x",
    "env -u CLAUDECODE git commit -m x",
    "env -i git commit -m x",
    "git rebase --exec 'git commit --no-verify' main",
    "git submodule foreach 'git commit --no-verify'",
    "git bisect run git commit --no-verify",
    "git update-ref refs/heads/main HEAD~1",
    "git symbolic-ref refs/heads/main refs/heads/other",
    "git fast-import",
    "git send-pack ../server HEAD:refs/heads/main",
    "rm -rf ~/.cache/guardhost",
    "rm -rf /home/x/cache/guardhost/repositories",
    "git fetch . topic:refs/remotes/x/y",
    "git rm -r .claude",
    "git mv .claude gone",
    "git clean -fdx",
    "git stash -a",
    "git stash push -u -- .claude",
    "git restore --source=HEAD~1 .claude",
    "rm .git/hooks/reference-transaction",
    "rm -rf .git",
    "rm -rf ./.claude",
    "rm -rf .cl*",
    "mv .claude gone",
    "mv .claude/settings.json gone",
    "cp empty.json .claude/settings.json",
    "cp settings.json .claude",
    "chmod -x .git/hooks/pre-push",
    "find . -name reference-transaction -delete",
    "find .git/hooks -type f -delete",
    "find . -name settings.json -exec rm {} +",
    "tee .git/config",
    "sed -i s/hooksPath/x/ .git/config",
    "ln -sf /dev/null ~/.gitconfig",
    "touch ~/.config/guardhost/config.toml",
    "host install git --remove",
    "lefthook uninstall",
    "cp -t .claude settings.json",
    "git --attr-source HEAD -c core.hooksPath=/dev/null commit -m x",
    "git config alias.ci '-c core.hooksPath=/dev/null commit'",
    "sed -ni p .git/config",
    "sort -o .git/config x",
    "chmod -R a-x .",
    "GIT_REFLOG_ACTION='pull origin' git fetch ../clone main:refs/remotes/origin/main",
    "git fetch clone main:refs/remotes/origin/main",
    "git push sub/.. main:refs/remotes/origin/main",
    "tee .git/info/grafts",
    "rm -rf .git/logs",
    "git show --output=.git/hooks/pre-commit HEAD:x",
    "git archive -o .git/hooks/pre-push HEAD",
    "git bundle create .git/hooks/pre-commit HEAD",
    "git checkout-index --prefix=.git/hooks/ x",
    "git --work-tree=.git/hooks checkout HEAD -- pre-commit",
    "GIT_WORK_TREE=.git git checkout HEAD -- hooks",
    "GIT_TRACE2_EVENT=.git/hooks/pre-commit git status",
    "tar -C .git -xf x.tar",
    "unzip -o x.zip -d .git/hooks",
    "git init --separate-git-dir=../elsewhere",
    "git config core.hooks{Path,x} /tmp",
];

/// The same shape as a trick, without one.
const HARMLESS: &[&str] = &[
    "git commit -m x",
    "git commit -am 'never use --no-verify'",
    "git -C sub commit -m x",
    "git push origin main",
    "git merge topic",
    "git -c user.name=x commit -m x",
    "git -c core.pager=cat log",
    "git -c alias.z='log --oneline' z",
    "git config user.name x",
    "git config --get core.hooksPath",
    "git config --unset user.name",
    "git config --remove-section branch.old",
    "git config alias.x '!git log --oneline'",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=x git status",
    "GIT_AUTHOR_NAME=x git commit -m x",
    "SKIP=mypy git commit -m x",
    "git rebase --exec 'cargo test' main",
    "git submodule foreach 'git status'",
    "git bisect run cargo test",
    "git symbolic-ref HEAD",
    "git fetch origin main",
    "git rm -r old",
    "git rm -r --cached .",
    "git mv a b",
    "git clean -n -fdx",
    "git clean -fdx target",
    "git stash",
    "git checkout -- src",
    "rm -rf target",
    "rm -rf ./*.log",
    "mv a b",
    "cp settings.json src",
    "chmod +x run",
    "find . -name '*.pyc' -delete",
    "find src -type f -exec wc -l {} +",
    "tee out",
    "sed -i s/a/b/ src/config",
    "cargo test --workspace",
    "ls .git/hooks",
    "cat .git/config",
    "grep -rn no-verify docs",
    "lefthook run pre-commit",
    "jq . .claude/settings.json",
    "sed -n 1,9p .git/config",
    "sort .git/packed-refs",
    "sha256sum .git/hooks/pre-push",
    "cp .git/config saved",
    "cp -t saved .claude/settings.json",
    "find .git -name config -exec sed -n 1p {} +",
    "find . -type d -empty -delete",
    "chmod -R u+w .",
    "chown -R me .",
    "GUARDHOST_LOG_JSON=1 git commit -m x",
    "git config user.name -c",
    "git fetch origin main:refs/remotes/origin/main",
    "git archive -o out.tar --prefix=x/ HEAD",
    "git --work-tree=. status",
    "GIT_TRACE=1 git status",
    "tar -C src -xf x.tar",
    "tar -czf out.tgz .git",
    "du -sh .git/objects",
];

/// Brings a command to a shell, or to git.
type Carrier = fn(&str) -> String;

/// In the quotes of a shell.
fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// In the quotes of Python, JavaScript, Perl, Ruby or PHP.
fn text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

const CARRIERS: &[(&str, Carrier)] = &[
    ("plain", |command| command.to_owned()),
    ("behind cd", |command| format!("cd work && {command}")),
    ("behind a command that fails", |command| format!("false || {command}")),
    ("behind a line", |command| format!("ls -l\n{command}")),
    ("in the background", |command| format!("{command} &")),
    ("into a pipe", |command| format!("{command} | cat")),
    ("out of a pipe", |command| format!("yes | {command}")),
    ("into a file", |command| format!("{command} > log 2>&1")),
    ("a subshell", |command| format!("({command})")),
    ("a group", |command| format!("{{ {command}; }}")),
    ("a condition", |command| format!("if true; then {command}; fi")),
    ("a loop", |command| format!("for i in 1 2; do {command}; done")),
    ("a function", |command| format!("f() {{ {command}; }}; f")),
    ("a substitution", |command| format!("echo $({command})")),
    ("a substitution in quotes", |command| format!("echo \"now $({command})\"")),
    ("env", |command| format!("env A=b {command}")),
    ("env -S", |command| format!("env -S {}", shell(command))),
    ("time", |command| format!("time {command}")),
    ("nohup", |command| format!("nohup {command}")),
    ("timeout", |command| format!("timeout 10s {command}")),
    ("sudo", |command| format!("sudo -n {command}")),
    ("command", |command| format!("command {command}")),
    ("bash -c", |command| format!("bash -c {}", shell(command))),
    ("bash -lc", |command| format!("/bin/bash -lc {}", shell(command))),
    ("sh in sh", |command| format!("sh -c {}", shell(&format!("sh -c {}", shell(command))))),
    ("eval", |command| format!("eval {}", shell(command))),
    ("trap", |command| format!("trap {} EXIT", shell(command))),
    ("an alias of the shell", |command| format!("alias g={}; g", shell(command))),
    ("watch", |command| format!("watch -n1 {}", shell(command))),
    ("su", |command| format!("su -c {} me", shell(command))),
    ("a container", |command| format!("docker exec box sh -c {}", shell(command))),
    ("xargs", |command| format!("ls | xargs -I % sh -c {}", shell(command))),
    ("find -exec", |command| format!("find src -maxdepth 0 -exec sh -c {} \\;", shell(command))),
    ("a here-document", |command| format!("bash <<'EOF'\n{command}\nEOF")),
    ("an indented here-document", |command| format!("sh <<-EOF\n\t{command}\nEOF")),
    ("a here-string", |command| format!("bash <<< {}", shell(command))),
    ("printed to a shell", |command| format!("echo {} | sh", shell(command))),
    ("printed by printf", |command| format!("printf '%s\\n' {} | bash -s", shell(command))),
    ("a document to a shell", |command| format!("cat <<'EOF' | sh\n{command}\nEOF")),
    ("written and run", |command| format!("echo {} > x.sh && sh x.sh", shell(command))),
    ("a document written and run", |command| format!("cat > x.sh <<'EOF'\n{command}\nEOF\nchmod +x x.sh && ./x.sh")),
    ("make", |command| format!("make -f - <<'EOF'\nall:\n\t@{command}\nEOF")),
    ("a makefile", |command| format!("printf 'all:\\n\\t%s\\n' {} > x.mk; make -f x.mk", shell(command))),
    ("an alias of git", |command| format!("git -c alias.w={} w", shell(&format!("!{command}")))),
    ("an alias that stays", |command| format!("git config alias.w {}", shell(&format!("!{command}")))),
    ("an alias by variables", |command| {
        format!(
            "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.w GIT_CONFIG_VALUE_0={}; git w",
            shell(&format!("!{command}"))
        )
    }),
    ("rebase --exec", |command| format!("git rebase --exec {} main", shell(command))),
    ("rebase -x", |command| format!("git rebase -x {} main", shell(command))),
    ("submodule foreach", |command| format!("git submodule foreach --recursive {}", shell(command))),
    ("bisect run", |command| format!("git bisect run sh -c {}", shell(command))),
    ("filter-branch", |command| format!("git filter-branch --tree-filter {} HEAD", shell(command))),
    ("an editor", |command| format!("GIT_EDITOR={} git commit", shell(command))),
    ("python -c", |command| format!("python3 -c {}", shell(&format!("import os; os.system({})", text(command))))),
    ("python", |command| format!("python3 - <<'EOF'\nimport os\nos.system({})\nEOF", text(command))),
    ("node", |command| format!("node -e {}", shell(&format!("require('child_process').execSync({})", text(command))))),
    ("perl", |command| format!("perl -e {}", shell(&format!("system({});", text(command))))),
    ("ruby", |command| format!("ruby -e {}", shell(&format!("system({})", text(command))))),
    ("awk", |command| format!("awk {}", shell(&format!("BEGIN {{ system({}) }}", text(command))))),
];

#[test]
fn a_way_around_is_denied_whatever_carries_it() {
    let mut commands = 0;
    let mut missed = Vec::new();
    for trick in TRICKS {
        let plain = bypass(trick, &[]).unwrap_or_else(|| panic!("{trick} is no way around"));
        for (name, carrier) in CARRIERS {
            let command = carrier(trick);
            commands += 1;
            match bypass(&command, &[]) {
                Some(found) if discriminant(&found) == discriminant(&plain) => {}
                other => missed.push(format!("{name}: {command:?}: {other:?}")),
            }
        }
    }
    assert!(missed.is_empty(), "{} of {commands}:\n{}", missed.len(), missed.join("\n"));
    // docs/security.md names this number.
    assert!(commands >= 3_880, "{commands}");
}

#[test]
fn what_is_no_way_around_is_let_through_whatever_carries_it() {
    let mut commands = 0;
    let mut denied = Vec::new();
    for harmless in HARMLESS {
        for (name, carrier) in CARRIERS {
            let command = carrier(harmless);
            commands += 1;
            if let Some(found) = bypass(&command, &[]) {
                denied.push(format!("{name}: {command:?}: {found:?}"));
            }
        }
    }
    assert!(denied.is_empty(), "{} of {commands}:\n{}", denied.len(), denied.join("\n"));
    assert!(commands >= 3_130, "{commands}");
}

/// A command is data where nothing runs it.
#[test]
fn a_way_around_that_is_only_written_about_is_let_through() {
    let carriers: &[Carrier] = &[
        |command| format!("echo {}", shell(command)),
        |command| format!("grep -rn {} docs", shell(command)),
        |command| format!("rg {} .", shell(command)),
        |command| format!("git commit -m {}", shell(&format!("docs: forbid {command}"))),
        |command| format!("git log --grep {}", shell(command)),
        |command| format!("gh pr create --title x --body {}", shell(command)),
        |command| format!("cat > notes.md <<'EOF'\n{command}\nEOF"),
        |command| format!("git commit -F - <<'EOF'\n{command}\nEOF"),
        |command| format!("# {command}\nls"),
    ];
    for (trick, carrier) in TRICKS.iter().flat_map(|trick| carriers.iter().map(move |carrier| (trick, carrier))) {
        let command = carrier(trick);
        assert_eq!(bypass(&command, &[]), None, "{command}");
    }
}

/// What a line sets counts for the commands behind it, by whichever name.
#[test]
fn variables_and_folders_are_followed() {
    for command in [
        "X=--no-verify; git commit $X -m x",
        "P=core.hooksPath\ngit -c ${P}=/dev/null commit -m x",
        "g=git; $g commit --no-verify",
        "export GIT_CONFIG_KEY_0=core.hooksPath; git commit -m x",
        "export HOME=/tmp/x; git commit -m x",
        "declare -x HUSKY=0; git commit -m x",
        "setenv GIT_CONFIG_PARAMETERS \"'core.hooksPath=x'\"",
        "set -gx GUARDHOST_ALLOW_RULE_CHANGES 1",
        "unset CLAUDECODE; git commit -m x",
        "make commit GIT_CONFIG_KEY_0=core.hooksPath",
        "cd .git && rm hooks/reference-transaction",
        "cd .git/hooks; rm -f *",
        "pushd .claude && mv settings.json x",
        "cd src && rm ../.git/hooks/pre-push",
        "git -C .git/hooks rm x; cd .git/hooks && truncate -s0 pre-push",
        "rm -rf \"$(git rev-parse --git-dir)/hooks\"",
        "rm $(git rev-parse --git-path hooks)/pre-push",
        "rm $GIT_DIR/hooks/pre-push",
        "> .git/hooks/pre-push",
        ": >| .git/hooks/pre-push",
        "echo x 2>.git/hooks/pre-push",
        "cat <<EOF > .git/hooks/pre-push\nexit 0\nEOF",
        "patch -p0 <<'EOF'\n--- .claude/settings.json\n+++ .claude/settings.json\nEOF",
        "echo --no-verify | xargs git commit -m x",
        "$'git' commit --no-verify",
        "python3 -c \"import subprocess; subprocess.run(['git', 'commit', '--no-verify'])\"",
        "python3 -c \"import os; os.environ['HUSKY'] = '0'\"",
        "node -e \"process.env.GIT_CONFIG_KEY_0 = 'core.hooksPath'\"",
        "python3 -c \"import shutil; shutil.rmtree('.claude')\"",
        "node -e \"fs.writeFileSync('.git/hooks/pre-push', '')\"",
    ] {
        assert!(bypass(command, &[]).is_some(), "{command}");
    }
}

/// Git's folder of another repository judges nothing here; agents' settings and the user's own count everywhere.
#[test]
fn another_repository_is_elsewhere() {
    let roots = [Path::new("/home/me/repo"), Path::new("/home/me/repo")];
    for elsewhere in [
        "rm -rf /tmp/clone/.git",
        "cd /tmp/clone && rm -rf .git",
        "rm /home/me/other/.git/hooks/pre-push",
        "git -C /tmp/x rm -rf .git",
    ] {
        assert_eq!(bypass(elsewhere, &roots), None, "{elsewhere}");
        assert!(
            bypass(
                &elsewhere.replace("/tmp/clone", "/home/me/repo").replace("other", "repo").replace("/tmp/x", "."),
                &roots
            )
            .is_some()
        );
    }
    for here in [
        "rm -rf /home/me/repo/.git/hooks",
        "cd /home/me && rm -rf repo/.git",
        "cd /tmp/x && rm -rf ../../home/me/repo/.git",
        "cd /tmp/x; cd ~/repo; rm -rf .git",
        "rm -rf /tmp/$X/.git",
        "rm /tmp/../home/me/.claude/settings.json",
        "echo x > /home/me/.gitconfig",
    ] {
        assert!(bypass(here, &roots).is_some(), "{here}");
    }
}

/// A program that opens git's files and writes none is let through.
#[test]
fn programs_may_read() {
    for reads in [
        "python3 -c \"print(open('.git/config').read())\"",
        "python3 -c \"import json; print(json.load(open('.claude/settings.json')))\"",
        "node -e \"console.log(fs.readFileSync('.git/HEAD', 'utf8'))\"",
        "python3 - <<'EOF'\nfrom pathlib import Path\nprint(Path('.git/config').read_text())\nEOF",
    ] {
        assert_eq!(bypass(reads, &[]), None, "{reads}");
    }
    for writes in [
        "python3 -c \"open('.git/config', 'w').write('')\"",
        "python3 -c \"open('.git/hooks/pre-push', mode='a')\"",
        "node -e \"fs.writeFileSync('.git/hooks/x', fs.readFileSync('y'))\"",
    ] {
        assert!(bypass(writes, &[]).is_some(), "{writes}");
    }
}

/// The reason names what to do instead, and shows no control character of the model's.
#[test]
fn a_denial_is_one_plain_line() {
    for trick in TRICKS {
        for command in [(*trick).to_owned(), format!("{trick}\u{1b}[31m")] {
            let reason = bypass(&command, &[]).map(|found: Bypass| found.reason());
            assert!(reason.is_none_or(|reason| reason.len() > 40 && !reason.contains(['\u{1b}', '\n'])), "{command}");
        }
    }
}
