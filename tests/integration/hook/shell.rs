//! The known ways around the hooks, in shell commands.

use host::hook::{Bypass, bypass};

#[test]
fn ways_around_the_hooks_are_seen() {
    use Bypass::{HooksPath, NoVerify};
    let moves = |name: &str| Bypass::MovesRef(name.to_owned());
    let files = |name: &str| Bypass::GitFiles(name.to_owned());
    let off = |name: &str| Bypass::TurnsOff(name.to_owned());
    for (command, found) in [
        ("git commit --no-verify -m x", NoVerify),
        ("git commit -m 'a b' --no-verif", NoVerify),
        ("cd src && git commit -anm 'x'", NoVerify),
        ("git -C dir commit -n", NoVerify),
        ("git push --no-verify origin main", NoVerify),
        ("/mnt/c/Git/bin/git.exe commit --no-verify -m x", NoVerify),
        ("bash -lc 'git commit --no-verify -m x'", NoVerify),
        ("echo $(git commit --no-verify -m x)", NoVerify),
        ("echo \"`git commit --no-verify -m x`\"", NoVerify),
        ("eval git commit --no-verify", NoVerify),
        ("FOO=1 /usr/bin/git commit --no-verify", NoVerify),
        ("git add . ; (git commit --no-verify)", NoVerify),
        ("git commit \\\n  --no-verify", NoVerify),
        ("git 'commit' \"--no-verify\"", NoVerify),
        ("'git' 'commit' '--no-verify'", NoVerify),
        ("git -c core.hooksPath=/dev/null commit -m x", HooksPath),
        ("git -c CORE.HOOKSPATH= commit -m x", HooksPath),
        ("git -ccore.hooksPath=/x commit", HooksPath),
        ("git --config-env=core.hooksPath=X commit", HooksPath),
        ("git config core.hooksPath /dev/null", HooksPath),
        ("git config --unset core.hooksPath", HooksPath),
        ("git config set core.hooksPath x", HooksPath),
        ("git config --global --add core.hooksPath x", HooksPath),
        ("git -c include.path=/tmp/x commit -m x", HooksPath),
        ("git config includeIf.gitdir:/.path ../x", HooksPath),
        ("GIT_CONFIG_GLOBAL=/tmp/x git commit -m x", off("GIT_CONFIG_GLOBAL=/tmp/x")),
        ("rm -rf .git/hook?", files(".git/hook?")),
        ("chmod -R a-x .git/{hooks,refs}", files(".git/{hooks,refs}")),
        ("GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_COUNT=1 make commit", HooksPath),
        ("git update-ref refs/heads/main HEAD~1", moves("update-ref")),
        ("git fast-import < x", moves("fast-import")),
        ("rm .git/hooks/pre-commit", files(".git/hooks/pre-commit")),
        ("chmod -x ./.git/hooks/reference-transaction", files("./.git/hooks/reference-transaction")),
        ("echo $SHA > .git/refs/heads/main", files(".git/refs/heads/main")),
        ("cat x >>/repo/.git/config", files("/repo/.git/config")),
        ("rm -rf .git", files(".git")),
        ("echo {} > ~/.claude/settings.json", files("~/.claude/settings.json")),
        ("rm .gemini/settings.json", files(".gemini/settings.json")),
        ("HUSKY=0 git commit -m x", off("HUSKY=0")),
        ("LEFTHOOK=0 git commit -m x", off("LEFTHOOK=0")),
        ("SKIP=guardhost git commit -m x", off("SKIP=guardhost")),
        ("export GUARDHOST_ALLOW_RULE_CHANGES=1", off("GUARDHOST_ALLOW_RULE_CHANGES=1")),
        ("/opt/host install git --remove", off("/opt/host install git --remove")),
        ("pre-commit uninstall", off("pre-commit uninstall")),
    ] {
        assert_eq!(bypass(command, &[]), Some(found), "{command}");
    }
}

#[test]
fn other_commands_are_let_through() {
    for command in [
        "git commit -m 'never use --no-verify'",
        "git commit -m \"core.hooksPath is read\"",
        "git commit -F -n.txt",
        "git commit -mn",
        "git log --no-verify-not-a-thing -n 3",
        "git log -n 3 && git merge -n topic",
        "git push -n",
        "git config core.hooksPath",
        "git config --get core.hooksPath",
        "git config --get include.path",
        "GIT_CONFIG_GLOBAL=/dev/null git log",
        "ls .git/*",
        "find . -not -path './.git/*' -name '*.py' -delete",
        "git config user.name x",
        "cat .git/config; ls .git/hooks",
        "echo .git >> .gitignore",
        "grep -rn --exclude-dir=.git foo .",
        "sed -i s/a/b/ src/x.py > log",
        "echo 'git commit --no-verify'",
        "SKIP=mypy git commit -m x",
        "npm run host -- install",
        "host install git",
        "for f in *; do echo $f; done",
        "cat <<'EOF' > x\nit's fine\nEOF",
        "",
        "'",
        "$(",
        "`",
    ] {
        assert_eq!(bypass(command, &[]), None, "{command}");
    }
}
