//! What steers git's view of a history: refs of remotes that no remote has, grafts, and namespaces.

use crate::support::cli::{Ran, home, host};
use crate::support::repo::TestRepo;

use super::git::{git, git_with};

const GOOD: &str = "def x():\n    return 1\n";
const BAD: &str = "def x(:\n";
const MODEL: (&str, &str) = ("CLAUDECODE", "1");

/// A server, a repository with its `main` and with hooks, and a clone beside it, in `beside` in its work tree, with a bad commit that nobody judged.
struct Place {
    server: TestRepo,
    repo: TestRepo,
}

impl Place {
    fn new() -> Self {
        let (server, repo) = (TestRepo::bare(), TestRepo::with(&[("x.py", GOOD), (".gitignore", "beside*\n")]));
        repo.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
        repo.git(&["push", "-q", "-u", "origin", "main"]);
        host(repo.path(), &["install", "git"]).expect(0);
        let place = Place { server, repo };
        place.repo.git(&["clone", "-q", "--no-local", ".", "beside"]);
        place.beside(&["config", "user.name", "x"]);
        place.beside(&["config", "user.email", "x@example.org"]);
        place.repo.write("beside/x.py", BAD);
        place.beside(&["commit", "-qam", "bad"]);
        place.beside(&["bundle", "create", "-q", "../beside.bundle", "main"]);
        place
    }

    fn beside(&self, args: &[&str]) -> String {
        self.repo.git(&[&["-C", "beside"], args].concat())
    }

    /// A shell of a model, with `$SERVER`.
    fn model(&self, command: &str) -> Ran {
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(command).current_dir(self.repo.path()).env_clear().envs([MODEL]).env("HOME", home());
        shell.env("SERVER", self.server.path()).env("GIT_ALLOW_PROTOCOL", "file:ext");
        let output = shell.env("PATH", std::env::var_os("PATH").unwrap()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code().unwrap(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// Commands of a model that put a commit of the clone beside where a remote's would be.
const FORGED: &[&str] = &[
    "git fetch beside main:refs/remotes/origin/main",
    "git fetch beside/.git +refs/heads/*:refs/remotes/origin/*",
    "git fetch ./beside main:refs/remotes/origin/topic",
    "git fetch beside.bundle main:refs/remotes/origin/main",
    "git fetch \"file://$PWD/beside\" main:refs/remotes/origin/main",
    "git fetch 'ext::git upload-pack beside' main:refs/remotes/origin/main",
    "git fetch --refmap=+refs/heads/*:refs/remotes/origin/* beside main",
    "git fetch --depth 5 beside main:refs/remotes/origin/main",
    "git fetch -o origin beside main:refs/remotes/origin/main",
    "git pull --no-rebase beside main:refs/remotes/origin/main",
    "git -c url.$PWD/beside.insteadOf=$SERVER fetch origin",
    "git -c remote.origin.url= -c remote.origin.url=$PWD/beside fetch origin",
    "git -c remote.origin.uploadpack='git -C beside upload-pack . #' fetch origin",
    "git fetch --upload-pack='git -C beside upload-pack . #' origin",
    "GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0= GIT_CONFIG_KEY_1=remote.origin.url GIT_CONFIG_VALUE_1=$PWD/beside git fetch origin",
    "git -c core.logAllRefUpdates=false fetch beside main:refs/remotes/origin/topic",
    "git remote set-url origin beside && git fetch origin; git remote set-url origin $SERVER",
    "git remote add second beside && git config remote.second.fetch +refs/heads/*:refs/remotes/origin/* && git config branch.main.remote second && git fetch; git remote remove second",
    "git remote add second beside && git fetch second main:refs/remotes/origin/main; git remote remove second",
    "git update-ref refs/remotes/origin/main FETCHED",
    "git push . FETCHED:refs/remotes/origin/topic --no-verify",
];

#[test]
fn a_model_makes_no_witness_of_its_own() {
    for forge in FORGED {
        let place = Place::new();
        place.repo.git(&["fetch", "-q", "./beside", "main"]);
        let bad = place.repo.git(&["rev-parse", "FETCH_HEAD"]);
        place.model(&forge.replace("FETCHED", &bad));
        let refs = place.repo.git(&["for-each-ref", "--format=%(refname)", "--contains", &bad, "refs/remotes/origin"]);
        assert!(!refs.trim().is_empty(), "nothing was forged by {forge}");
        for author in [&[MODEL][..], &[]] {
            for args in [
                &["reset", "-q", "--hard", &bad][..],
                &["branch", "other", &bad],
                &["push", "-q", "origin", &format!("{bad}:refs/heads/other")],
            ] {
                let ran = git_with(&place.repo, args, author);
                assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{forge}: {args:?}: {ran:?}");
            }
        }
    }
}

/// What a remote has is what others made, however a model asks for it; and what one put there from elsewhere is, once the remote has it.
#[test]
fn what_a_remote_has_is_known_to_a_model_too() {
    for (forge, fetch) in [
        ("true", "git fetch"),
        ("true", "git fetch -q origin"),
        ("true", "git fetch --depth 5 origin main"),
        ("true", "git fetch --prune --tags origin '+refs/heads/*:refs/remotes/origin/*'"),
        ("true", "git -c color.ui=always -c user.name=x fetch --all"),
        ("true", "git remote update"),
        ("true", "git pull -q --ff-only"),
        ("true", "git pull --rebase origin main"),
        (
            "git fetch beside main:refs/remotes/origin/main",
            "git update-ref -d refs/remotes/origin/main && git fetch origin",
        ),
    ] {
        let place = Place::new();
        let server = place.server.path().to_str().unwrap().to_owned();
        place.beside(&["push", "-q", &server, "main"]);
        place.model(forge);
        let ran = place.model(fetch);
        assert!(ran.code == 0, "{fetch}: {ran:?}");
        git_with(&place.repo, &["reset", "-q", "--hard", "origin/main"], &[MODEL]).expect(0);
        assert_eq!(String::from_utf8(place.repo.read("x.py")).unwrap(), BAD, "{fetch}");
    }
}

/// Grafts say that an old commit stands on a new one, which is no news then.
#[test]
fn grafts_make_nothing_old() {
    let place = Place::new();
    place.repo.git(&["fetch", "-q", "./beside", "main"]);
    let (old, bad) = (place.repo.oid("HEAD").to_string(), place.repo.git(&["rev-parse", "FETCH_HEAD"]));
    let above = place.repo.git(&["commit-tree", "-p", &bad, "-m", "x", &format!("{bad}^{{tree}}")]);
    place.repo.write(".git/info/grafts", "");
    git(&place.repo, &["branch", "fine"]).expect(0);
    place.repo.write(".git/info/grafts", format!("{old} {above}\n"));
    for args in [
        &["branch", "other", &above][..],
        &["reset", "-q", "--hard", &above],
        &["push", "-q", "origin", &format!("{above}:refs/heads/x")],
    ] {
        let ran = git(&place.repo, args);
        assert!(ran.code != 0 && ran.stderr.contains(".git/info/grafts"), "{args:?}: {ran:?}");
    }
    // People may mean it.
    let allowed = [("GUARDHOST_ALLOW_RULE_CHANGES", "1")];
    git_with(&place.repo, &["branch", "meant"], &[MODEL, allowed[0]]).expect(128);
    git_with(&place.repo, &["branch", "meant"], &allowed).expect(0);
}

/// Branches of a namespace are branches.
#[test]
fn a_server_judges_what_is_pushed_into_a_namespace() {
    let place = Place::new();
    host(place.server.path(), &["install", "git"]).expect(0);
    place.repo.git(&["fetch", "-q", "./beside", "main"]);
    let bad = place.repo.git(&["rev-parse", "FETCH_HEAD"]);
    let server = place.server.path().to_str().unwrap();
    let push = |namespace: &str, what: &str| {
        git_with(&place.repo, &["push", "-q", "--no-verify", server, what], &[("GIT_NAMESPACE", namespace)])
    };
    for namespace in ["", "team", "team/inner"] {
        push(namespace, "main:refs/heads/fine").expect(0);
        let ran = push(namespace, &format!("{bad}:refs/heads/fine"));
        assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{namespace}: {ran:?}");
        let ran = push(namespace, &format!("{bad}:refs/heads/new"));
        assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps commit"), "{namespace}: {ran:?}");
        let ran = push(namespace, &format!("{bad}:refs/replace/{bad}"));
        assert!(ran.code != 0 && ran.stderr.contains("Guardhost keeps"), "{namespace}: {ran:?}");
    }
}
