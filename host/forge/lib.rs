//! Pull requests at a forge: opening them, comments that follow findings, statuses, builds.
//!
//! - `forge` is the trait of what a forge can do, `model` its types, `error` its failures; `github`, `gitea` and `gitlab` implement it,
//!   with what `json` reads, and `github_form` where Gitea answers as GitHub does.
//! - `http` is the one place that sends requests: time limits, repeats, rate limits, conditional requests, lost answers.
//! - `address` says which repository at which host a remote is, `kind` which forge is there; `token` keeps the credential out of every text, `app` asks for that of an app; `git` runs git with it, for `push` and `fetch`.
//! - `watch` asks what the builds of a pull request came to, and decides what follows.
//! - `comments` decides, without any network, which finding becomes which comment. `publish` carries that out, and can be repeated.

mod address;
mod app;
pub mod comments;
mod error;
mod fetch;
mod forge;
mod git;
mod gitea;
mod github;
mod github_form;
mod gitlab;
mod http;
mod json;
mod kind;
mod markdown;
mod model;
mod one_comment;
mod publish;
mod push;
mod token;
pub mod watch;

pub use address::{RemoteScheme, RepoAddress};
pub use app::App;
pub use error::{ForgeError, ForgeFailure, Result};
pub use fetch::{FetchRequest, fetch, remote_refs};
pub use forge::Forge;
pub use gitea::Gitea;
pub use github::GitHub;
pub use gitlab::GitLab;
pub use guardhost_http::Proxies;
pub use http::{HttpSettings, Pause, StopPause};
pub use json::own_status;
pub use kind::ForgeKind;
pub use markdown::{code, inline};
pub use model::{
    ChangedFile, CheckRun, CiConclusion, CiJob, CiRun, Comment, CommitStatus, DiffSide, InlineComment, MergeState,
    NewInline, NewPull, PastPull, PastPullPage, PullRequest, PullState, PushAccess, Rate, RepositoryInfo, StatusState,
    TrackedIssue, Viewer, WriteOutcome,
};
pub use publish::{Findings, Published, open_or_update, publish, publish_review, sticky};
pub use push::{PushOutcome, PushRequest, push};
pub use token::ForgeToken;
