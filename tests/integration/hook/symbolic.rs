//! Branches that are symbolic refs.

use std::process::Command;

use crate::support::cli::home;

use super::git::{BAD, git, git_with, loose, repo};

/// What a branch leads to, as a symbolic ref, and how that moves. `$BAD` is the commit.
const LED: [&str; 6] =
    ["refs/x/y", "refs/tags/t", "refs/notes/y", "refs/remotes/second/x", "refs/x/chained", "ORIG_HEAD"];
const MOVES: [&str; 6] = [
    "git update-ref $LED $BAD",
    "printf 'update $LED %s\\n' $BAD | git update-ref --stdin",
    "git fetch -q . +$BAD:$LED",
    "git push -q --force . $BAD:$LED",
    "printf 'delete refs/x/gone\\nupdate $LED %s\\n' $BAD | git update-ref --stdin",
    "printf 'reset $LED\\nfrom %s\\n\\n' $BAD | git fast-import --quiet --force",
];
/// How the branch came to lead there: git may ask its hook, older ones do not, and the oldest made a link.
const LEADS: [&str; 3] = [
    "git symbolic-ref refs/heads/a/led $LED",
    "mkdir -p .git/refs/heads/a && echo 'ref: $LED' >.git/refs/heads/a/led",
    "mkdir -p .git/refs/heads/a && ln -s $LED .git/refs/heads/a/led",
];

/// Whoever moves what a branch leads to moves the branch.
#[test]
fn a_symbolic_ref_is_no_way_around() {
    let repo = repo();
    let bad = loose(&repo, "x.py", BAD, "HEAD");
    repo.git(&["worktree", "add", "-q", "--detach", "linked"]);
    let shell = |command: &str, folder: &str, author: &[(&str, &str)]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(repo.path().join(folder)).env_clear().env("HOME", home());
        shell.env("PATH", std::env::var_os("PATH").unwrap()).envs(author.iter().copied()).output().unwrap()
    };
    let authors: [&[(&str, &str)]; 2] = [&[], &[("CLAUDECODE", "1")]];
    let mut number = 0;
    for led in LED {
        for moves in MOVES {
            for lead in LEADS {
                number += 1;
                let author = authors[number % 2];
                repo.write(".git/refs/x/chained", "ref: refs/x/end\n");
                let line = |line: &str| line.replace("$LED", led).replace("$BAD", &bad);
                let made = shell(&line(lead), ".", author);
                let folder = if number % 3 == 0 { "linked" } else { "." };
                let moved = shell(&line(moves), folder, author);
                let said = [made.stderr, moved.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
                let with_bad = repo.git(&["for-each-ref", "--contains", &bad, "refs/heads"]);
                // In a work tree of its own, ORIG_HEAD is another; and nobody pushes to it.
                let is_elsewhere = led == "ORIG_HEAD" && (folder == "linked" || moves.starts_with("git push"));
                assert!(with_bad.is_empty(), "{lead}; {moves}; {led}: {with_bad}{said}");
                assert!(is_elsewhere || said.contains("Guardhost keeps"), "{lead}; {moves}; {led}: {said}");
                for path in ["refs/heads/a", "refs/x", "refs/notes", "refs/remotes/second", "refs/tags", "ORIG_HEAD"] {
                    let path = repo.path().join(".git").join(path);
                    let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
                }
                std::fs::create_dir_all(repo.path().join(".git/refs/tags")).unwrap();
            }
        }
    }
    // Another name of a branch is judged with it, and who maintains the rules may do anything.
    git(&repo, &["symbolic-ref", "refs/heads/same", "refs/heads/main"]).expect(0);
    git(&repo, &["update-ref", "refs/heads/same", &bad]).expect(128);
    git(&repo, &["update-ref", "refs/Heads/main", &bad]).expect(128);
    let allowed = [("GUARDHOST_ALLOW_RULE_CHANGES", "1")];
    git_with(&repo, &["symbolic-ref", "refs/heads/led", "refs/x/y"], &allowed).expect(0);
    let said = git(&repo, &["update-ref", "refs/x/y", &bad]).expect(128).stderr;
    assert!(said.contains("git symbolic-ref --delete refs/heads/led"), "{said}");
    git_with(&repo, &["update-ref", "refs/x/y", "HEAD"], &allowed).expect(0);
    git(&repo, &["symbolic-ref", "--delete", "refs/heads/led"]).expect(0);
    git(&repo, &["update-ref", "refs/x/y", &bad]).expect(0);
}
