//! Pull requests at a forge: opening them, comments that follow findings, statuses, builds.
//!
//! - `forge` is the trait of what a forge can do, `model` its types, `error` its failures; `github` and `gitea` implement it,
//!   with what `json` reads.
//! - `http` is the one place that sends requests: time limits, repeats, rate limits, conditional requests, lost answers.
//! - `address` says which repository at which forge a remote is; `token` keeps the credential out of every text; `push` runs git with it.
//! - `watch` asks what the builds of a pull request came to, and decides what follows.
//! - `comments` decides, without any network, which finding becomes which comment. `publish` carries that out, and can be repeated.

mod address;
pub mod comments;
mod error;
mod forge;
mod gitea;
mod github;
mod http;
mod json;
mod markdown;
mod model;
mod publish;
mod push;
mod token;
pub mod watch;

pub use address::{RepoAddress, gitea_api, github_api};
pub use error::{FailureClass, ForgeError, Result};
pub use forge::Forge;
pub use gitea::Gitea;
pub use github::GitHub;
pub use http::{HttpSettings, Pause, Proxies, StopPause};
pub use markdown::{code, inline};
pub use model::{
    ChangedFile, CheckRun, CiConclusion, CiRun, Comment, InlineComment, Job, MergeState, NewInline, NewPull,
    PullRequest, PullState, Rate, Side, Status, StatusState, Viewer,
};
pub use publish::{Done, Findings, Published, open_or_update, publish, sticky};
pub use push::{PushOutcome, PushRequest, push};
pub use token::Token;
