//! The pages of changes at the forge of the remote `origin`.

use guardhost_forge::{ForgeKind, RepoAddress};
use guardhost_git::{PastChange, PastChangeKind, Repo};

use crate::command::pr::remote_url;

/// Where links begin.
pub struct ForgeLinks(Option<(ForgeKind, String)>);

impl ForgeLinks {
    /// Of a repository whose remote is at no known forge there are none.
    pub fn new(repo: &Repo) -> Self {
        let found = || {
            let address = RepoAddress::from_remote(&remote_url(repo, "origin").ok()?).ok()?;
            let kind = ForgeKind::recognised(&address, None).ok()?;
            Some((kind, format!("{}/{}", address.web(), address.full_path())))
        };
        ForgeLinks(found())
    }

    pub fn to(&self, change: &PastChange) -> Option<String> {
        let (kind, repository) = self.0.as_ref()?;
        let page = match (change.what, kind) {
            (PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number), ForgeKind::GitHub) => {
                format!("pull/{number}")
            }
            (PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number), ForgeKind::Gitea) => {
                format!("pulls/{number}")
            }
            (PastChangeKind::Pull(number) | PastChangeKind::MergeRequest(number), ForgeKind::GitLab) => {
                format!("-/merge_requests/{number}")
            }
            (PastChangeKind::Commit | PastChangeKind::Merge, ForgeKind::GitHub | ForgeKind::Gitea) => {
                format!("commit/{}", change.tip)
            }
            (PastChangeKind::Commit | PastChangeKind::Merge, ForgeKind::GitLab) => format!("-/commit/{}", change.tip),
        };
        Some(format!("{repository}/{page}"))
    }
}
