//! A forge on this machine: the parts of GitHub's API, of Gitea's and of GitLab's that the host uses, over real bare repositories.
//!
//! What git can compute is computed by git: the head of a pull request, its files, whether it can be merged, which lines a comment may be on.
//! Every request and every answer is compared with the description of its API (`schema`): the published one, but for GitLab. Pushes go through `git http-backend`
//! (`server`). Faults happen on demand (`faults`).

#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

mod api;
pub mod app;
mod checks;
mod faults;
mod git;
mod gitea;
mod gitlab;
mod schema;
mod server;
mod state;
mod threads;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;

pub use faults::FaultKind;
pub use schema::Description;
pub use state::{JobState, Pull, RunState, State, TrackerIssue};

/// What the token of every test is.
pub const TOKEN: &str = "ghp_loopback0123456789abcdefABCDEF";

/// The repository of every test.
pub const OWNER: &str = "team";
pub const NAME: &str = "tally";

/// One of the APIs of the server. All are of the same repository, pull requests and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    GitHub,
    Gitea,
    GitLab,
}

impl Face {
    pub const ALL: [Face; 3] = [Face::GitHub, Face::Gitea, Face::GitLab];

    /// The path of the API.
    pub fn path(self) -> &'static str {
        match self {
            Face::GitHub => "/api/v3",
            Face::Gitea => "/api/v1",
            Face::GitLab => "/api/v4",
        }
    }

    /// Where comments on lines are made.
    pub fn inline_path(self) -> &'static str {
        match self {
            Face::GitHub => "/pulls/1/comments",
            Face::Gitea => "/pulls/1/reviews",
            Face::GitLab => "/merge_requests/1/discussions",
        }
    }

    /// Where pull requests are made.
    pub fn pulls_path(self) -> &'static str {
        match self {
            Face::GitHub | Face::Gitea => "/pulls",
            Face::GitLab => "/merge_requests",
        }
    }

    /// Where comments on a whole pull request are made.
    pub fn comments_path(self) -> &'static str {
        match self {
            Face::GitHub | Face::Gitea => "/comments",
            Face::GitLab => "/notes",
        }
    }

    fn authorization(self) -> String {
        match self {
            Face::GitHub | Face::GitLab => format!("Bearer {TOKEN}"),
            Face::Gitea => format!("token {TOKEN}"),
        }
    }

    /// The parameter that says how long a page is to be, and the length of one that is not asked for.
    fn page_size(self) -> &'static str {
        match self {
            Face::GitHub | Face::GitLab => "per_page",
            Face::Gitea => "limit",
        }
    }
}

/// A server that ends with the value.
pub struct Loopback {
    shared: Arc<Shared>,
    port: u16,
    folder: tempfile::TempDir,
}

struct Shared {
    state: Mutex<State>,
    github: Description,
    gitea: Description,
    gitlab: Description,
    root: PathBuf,
    port: u16,
}

impl Loopback {
    /// With one empty repository, `team/tally`.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().to_owned();
        git::create(&root.join(OWNER).join(format!("{NAME}.git")));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let [github, gitea, gitlab] = Face::ALL.map(Description::new);
        let shared = Arc::new(Shared { state: Mutex::default(), github, gitea, gitlab, root, port });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || server::serve(&listener, &serving));
        Loopback { shared, port, folder }
    }

    /// The address of GitHub's API.
    pub fn api(&self) -> String {
        self.api_of(Face::GitHub)
    }

    pub fn api_of(&self, face: Face) -> String {
        format!("http://127.0.0.1:{}{}", self.port, face.path())
    }

    /// The address that is pushed to.
    pub fn remote(&self) -> String {
        format!("http://127.0.0.1:{}/{OWNER}/{NAME}.git", self.port)
    }

    /// The bare repository.
    pub fn repository(&self) -> PathBuf {
        self.folder.path().join(OWNER).join(format!("{NAME}.git"))
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }

    /// The next `times` requests of this method, and with this in their path or query, go wrong.
    pub fn fault(&self, method: &str, path: &str, kind: FaultKind, times: u32) {
        self.state().faults.add(method, path, kind, times);
    }

    /// Fails if a request or an answer is not as the API is described, or if a planned fault did not happen.
    pub fn check(&self) {
        let state = self.state();
        assert!(state.violations.is_empty(), "{}", state.violations.join("\n"));
        assert!(state.compared > 0, "no request was compared with the description");
        assert!(state.faults.is_empty(), "a fault was planned and did not happen");
    }

    /// Names of the requests so far: `POST /repos/team/tally/pulls`.
    pub fn requests(&self) -> Vec<String> {
        self.state().requests.clone()
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.shared.state().is_over = true;
        // Wakes the thread that waits for a connection.
        let _ = std::net::TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn description(&self, face: Face) -> &Description {
        match face {
            Face::GitHub => &self.github,
            Face::Gitea => &self.gitea,
            Face::GitLab => &self.gitlab,
        }
    }

    fn repository(&self) -> PathBuf {
        self.root.join(OWNER).join(format!("{NAME}.git"))
    }
}

/// What a handler answers: the status, and the part of the body that is not invented.
type Reply = (u16, Value);
