//! A repository with a branch, pushed to a loopback forge, and a client of it that does not wait.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use git2::{Oid, Repository, Signature};
use guardhost_core::process_env::ProcessEnv;
use guardhost_core::stop::{StopToken, Stopped};
use guardhost_forge::{
    Forge, ForgeToken, GitHub, GitLab, Gitea, HttpSettings, NewPull, Pause, Proxies, PushOutcome, PushRequest,
    RepoAddress, push,
};
use jiff::Timestamp;

use crate::forge::{Face, Loopback, TOKEN};

pub const BRANCH: &str = "guardhost/work";

pub struct Place {
    pub loopback: Loopback,
    pub folder: tempfile::TempDir,
    repository: Repository,
    pauses: Rc<RefCell<Vec<u64>>>,
}

/// Counts the pauses, and does not wait.
struct Counted(Rc<RefCell<Vec<u64>>>);

impl Pause for Counted {
    fn pause(&self, pause: Duration, why: &str) -> Result<(), Stopped> {
        if why != "between two writes" {
            self.0.borrow_mut().push(pause.as_secs());
        }
        Ok(())
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_second(1_790_000_000).expect("a time")
    }
}

impl Place {
    /// `main` with one file, and a branch that changes it; both pushed.
    pub fn with_branch() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let repository = Repository::init(folder.path()).expect("a repository");
        let place = Place { loopback: Loopback::start(), folder, repository, pauses: Rc::default() };
        place.commit("refs/heads/main", &[("a.py", "def a():\n    return 1\n")], None);
        let main = place.tip("refs/heads/main");
        place.push_as("main", None).expect("main is pushed");
        place.commit(
            "refs/heads/guardhost/work",
            &[("a.py", "def a():\n    b = 2\n    c = 3\n    return 1\n")],
            Some(main),
        );
        place.push_as(BRANCH, None).expect("the branch is pushed");
        place
    }

    pub fn github(&self, token: &str) -> GitHub {
        GitHub::new(&self.address(), self.settings(Face::GitHub, token)).expect("a client")
    }

    pub fn gitea(&self, token: &str) -> Gitea {
        Gitea::new(&self.address(), self.settings(Face::Gitea, token)).expect("a client")
    }

    pub fn gitlab(&self, token: &str) -> GitLab {
        GitLab::new(&self.address(), self.settings(Face::GitLab, token)).expect("a client")
    }

    /// The adapter of an API.
    pub fn client(&self, face: Face, token: &str) -> Box<dyn Forge> {
        match face {
            Face::GitHub => Box::new(self.github(token)),
            Face::Gitea => Box::new(self.gitea(token)),
            Face::GitLab => Box::new(self.gitlab(token)),
        }
    }

    pub fn github_settings(&self) -> HttpSettings {
        HttpSettings { token: None, ..self.settings(Face::GitHub, TOKEN) }
    }

    pub fn address(&self) -> RepoAddress {
        RepoAddress::from_remote(&self.loopback.remote()).expect("an address")
    }

    fn settings(&self, face: Face, token: &str) -> HttpSettings {
        HttpSettings {
            api: self.loopback.api_of(face),
            token: Some(ForgeToken::new("GITHUB_TOKEN", token)),
            proxies: Proxies::default(),
            stop: StopToken::default(),
            pause: Box::new(Counted(Rc::clone(&self.pauses))),
        }
    }

    /// Seconds of the pauses so far, but for those between writes.
    pub fn pauses(&self) -> Vec<u64> {
        self.pauses.borrow().clone()
    }

    pub fn new_pull(&self, text: &str) -> NewPull {
        NewPull {
            head: BRANCH.into(),
            base: "main".into(),
            title: "Work".into(),
            body: guardhost_forge::comments::body::pull_body("01a2-b", text),
            draft: false,
        }
    }

    pub fn head(&self) -> String {
        self.tip("refs/heads/guardhost/work").to_string()
    }

    pub fn tip(&self, name: &str) -> Oid {
        self.repository.refname_to_id(name).expect("a branch")
    }

    /// Moves a branch to a new commit: on `parent`, or on nothing.
    pub fn commit(&self, name: &str, files: &[(&str, &str)], parent: Option<Oid>) -> Oid {
        let repository = &self.repository;
        let mut tree = repository.treebuilder(None).expect("a tree");
        for (file, text) in files {
            tree.insert(file, repository.blob(text.as_bytes()).expect("a blob"), 0o100_644).expect("an entry");
        }
        let tree = repository.find_tree(tree.write().expect("written")).expect("a tree");
        let time = git2::Time::new(1_790_000_000, 0);
        let robot = Signature::new("Robot", "robot@example.org", &time).expect("a name");
        let parents: Vec<_> = parent.map(|oid| repository.find_commit(oid).expect("a commit")).into_iter().collect();
        let commit = repository.commit(None, &robot, &robot, "Change", &tree, &parents.iter().collect::<Vec<_>>());
        let commit = commit.expect("a commit");
        repository.reference(name, commit, true, "test").expect("a branch");
        commit
    }

    /// The branch with one more commit, pushed.
    pub fn push_file(&self, file: &str, text: &str) {
        let tip = self.tip("refs/heads/guardhost/work");
        self.commit("refs/heads/guardhost/work", &[(file, text)], Some(tip));
        self.push_as(BRANCH, None).expect("pushed");
    }

    /// Pushes a new commit, with these variables in the environment.
    pub fn push_tip_with(&self, env: &[(&str, &str)]) {
        let tip = self.tip("refs/heads/guardhost/work");
        self.commit("refs/heads/guardhost/work", &[("a.py", "pushed\n")], Some(tip));
        assert_eq!(self.push_with(BRANCH, None, TOKEN, env).expect("pushed"), PushOutcome::Updated);
    }

    pub fn push_as(&self, branch: &str, replaces: Option<&str>) -> guardhost_core::error::Result<PushOutcome> {
        self.push_with(branch, replaces, TOKEN, &[])
    }

    pub fn push_with(
        &self,
        branch: &str,
        replaces: Option<&str>,
        token: &str,
        env: &[(&str, &str)],
    ) -> guardhost_core::error::Result<PushOutcome> {
        let token = ForgeToken::new("GITHUB_TOKEN", token);
        let url = self.loopback.remote();
        let sha = self.tip(&format!("refs/heads/{branch}")).to_string();
        let request =
            PushRequest { repository: &self.git_dir(), url: &url, sha: &sha, branch, replaces, token: Some(&token) };
        push(&request, &process(env))
    }

    /// What the branch changes since it left `main`, as `git diff` prints it.
    pub fn diff(&self) -> Vec<u8> {
        let range = format!("{}...{}", self.tip("refs/heads/main"), self.head());
        let git =
            std::process::Command::new("git").arg("--git-dir").arg(self.git_dir()).args(["diff", &range]).output();
        git.expect("git diff").stdout
    }

    pub fn git_dir(&self) -> PathBuf {
        self.folder.path().join(".git")
    }
}

/// A process with the `PATH` of the test, and these variables.
pub fn process(env: &[(&str, &str)]) -> ProcessEnv {
    let path = std::env::var_os("PATH").expect("PATH");
    let env = env.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    // The last value of a name counts.
    ProcessEnv { env: [("PATH".into(), path)].into_iter().chain(env).collect(), ..ProcessEnv::default() }
}
