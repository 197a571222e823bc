//! Which forge is meant, and the adapter of it.

use guardhost_core::error::{Fault, FaultKind, Result};

use crate::address::RepoAddress;
use crate::error::ForgeError;
use crate::forge::Forge;
use crate::gitea::Gitea;
use crate::github::GitHub;
use crate::gitlab::GitLab;
use crate::http::HttpSettings;

/// The APIs that there is an adapter of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForgeKind {
    /// GitHub, and its enterprise server.
    GitHub,
    /// Gitea and Forgejo.
    Gitea,
    GitLab,
}

impl ForgeKind {
    pub const ALL: [ForgeKind; 3] = [ForgeKind::GitHub, ForgeKind::Gitea, ForgeKind::GitLab];

    /// The word on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            ForgeKind::GitHub => "github",
            ForgeKind::Gitea => "gitea",
            ForgeKind::GitLab => "gitlab",
        }
    }

    /// The variable of the token where none is named.
    pub fn token_variable(self) -> &'static str {
        match self {
            ForgeKind::GitHub => "GITHUB_TOKEN",
            ForgeKind::Gitea => "GITEA_TOKEN",
            ForgeKind::GitLab => "GITLAB_TOKEN",
        }
    }

    /// The ref of a pull request's commit, at the forge.
    pub fn head_ref(self, number: u64) -> String {
        match self {
            ForgeKind::GitHub | ForgeKind::Gitea => format!("refs/pull/{number}/head"),
            ForgeKind::GitLab => format!("refs/merge-requests/{number}/head"),
        }
    }

    /// Where the API begins, after the address of the server.
    fn api_path(self) -> &'static str {
        match self {
            ForgeKind::GitHub => "/api/v3",
            ForgeKind::Gitea => "/api/v1",
            ForgeKind::GitLab => "/api/v4",
        }
    }

    /// Recognised by the address of the API, if there is one, else by the host of the remote. No server is asked: it would be asked with the
    /// token, before it is known whose it is.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: neither says which forge it is.
    pub fn recognised(address: &RepoAddress, api: Option<&str>) -> Result<Self> {
        let found = match api {
            Some(api) => Self::from_api(api),
            None => Self::from_host(address.host_name()),
        };
        found.ok_or_else(|| {
            let what = format!("which forge is at {} is not known", api.unwrap_or(&address.host).escape_debug());
            Fault::new(FaultKind::Usage, what)
                .hint("say it with --forge github, --forge gitea (Forgejo too) or --forge gitlab")
                .into()
        })
    }

    fn from_api(api: &str) -> Option<Self> {
        let api = api.trim_end_matches('/');
        match api == "https://api.github.com" {
            true => Some(ForgeKind::GitHub),
            false => Self::ALL.into_iter().find(|kind| api.ends_with(kind.api_path())),
        }
    }

    /// A public server by its name; another by the first word of it, as administrators name them.
    fn from_host(host: &str) -> Option<Self> {
        match host {
            "github.com" | "www.github.com" | "ssh.github.com" => return Some(ForgeKind::GitHub),
            "gitlab.com" | "altssh.gitlab.com" => return Some(ForgeKind::GitLab),
            "codeberg.org" | "gitea.com" => return Some(ForgeKind::Gitea),
            _ => {}
        }
        match host.split('.').next()? {
            "github" => Some(ForgeKind::GitHub),
            "gitlab" => Some(ForgeKind::GitLab),
            "gitea" | "forgejo" => Some(ForgeKind::Gitea),
            _ => None,
        }
    }

    /// The address of the API of a repository's server.
    pub fn api(self, address: &RepoAddress) -> String {
        match (self, address.host_name()) {
            (ForgeKind::GitHub, "github.com" | "www.github.com" | "ssh.github.com") => {
                "https://api.github.com".to_owned()
            }
            (ForgeKind::GitLab, "altssh.gitlab.com") => "https://gitlab.com/api/v4".to_owned(),
            // What is before the repository are groups.
            (ForgeKind::GitLab | ForgeKind::GitHub, _) => format!("{}{}", address.web(), self.api_path()),
            // It is the path of the server: Gitea has no groups.
            (ForgeKind::Gitea, _) if !address.above.is_empty() => {
                format!("{}/{}{}", address.web(), address.above, self.api_path())
            }
            (ForgeKind::Gitea, _) => format!("{}{}", address.web(), self.api_path()),
        }
    }

    /// # Errors
    /// The address of the API is wrong or not encrypted.
    pub fn connect(self, address: &RepoAddress, settings: HttpSettings) -> Result<Box<dyn Forge>, ForgeError> {
        Ok(match self {
            ForgeKind::GitHub => Box::new(GitHub::new(address, settings)?),
            ForgeKind::Gitea => Box::new(Gitea::new(address, settings)?),
            ForgeKind::GitLab => Box::new(GitLab::new(address, settings)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ForgeKind;
    use crate::address::RepoAddress;

    #[test]
    fn a_forge_is_recognised_by_its_host_or_its_api_and_not_guessed() {
        for (remote, kind, api) in [
            ("git@github.com:o/r.git", ForgeKind::GitHub, "https://api.github.com"),
            ("ssh://git@ssh.github.com:443/o/r.git", ForgeKind::GitHub, "https://api.github.com"),
            ("https://github.example.org/o/r", ForgeKind::GitHub, "https://github.example.org/api/v3"),
            ("https://codeberg.org/o/r", ForgeKind::Gitea, "https://codeberg.org/api/v1"),
            ("https://gitea.example.org:3000/o/r", ForgeKind::Gitea, "https://gitea.example.org:3000/api/v1"),
            ("https://gitea.example.org/scm/o/r", ForgeKind::Gitea, "https://gitea.example.org/scm/api/v1"),
            ("ssh://git@forgejo.example.org:2222/o/r", ForgeKind::Gitea, "https://forgejo.example.org/api/v1"),
            ("git@gitlab.com:group/sub/r.git", ForgeKind::GitLab, "https://gitlab.com/api/v4"),
            ("https://gitlab.example.org:8443/g/s/r", ForgeKind::GitLab, "https://gitlab.example.org:8443/api/v4"),
        ] {
            let address = RepoAddress::from_remote(remote).unwrap();
            assert_eq!(ForgeKind::recognised(&address, None).unwrap(), kind, "{remote}");
            assert_eq!(kind.api(&address), api, "{remote}");
        }
        let unknown = RepoAddress::from_remote("https://git.example.org/o/r").unwrap();
        assert!(ForgeKind::recognised(&unknown, None).unwrap_err().to_string().contains("git.example.org"));
        for (api, kind) in [
            ("http://127.0.0.1:4000/api/v3", ForgeKind::GitHub),
            ("https://git.example.org/api/v1/", ForgeKind::Gitea),
            ("https://git.example.org/api/v4", ForgeKind::GitLab),
        ] {
            assert_eq!(ForgeKind::recognised(&unknown, Some(api)).unwrap(), kind, "{api}");
        }
        assert!(ForgeKind::recognised(&unknown, Some("https://git.example.org/rest")).is_err());
    }
}
