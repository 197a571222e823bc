//! Which repository at which forge a remote is.

use guardhost_core::error::{Fault, Kind, Result};

/// `OWNER/NAME` at a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoAddress {
    pub host: String,
    pub owner: String,
    pub name: String,
}

impl RepoAddress {
    /// Of the address of a remote: `https://HOST/OWNER/NAME.git`, `ssh://git@HOST:22/OWNER/NAME`, `git@HOST:OWNER/NAME.git`.
    ///
    /// # Errors
    /// [`Kind::Usage`]: the address is not that of a repository at a forge.
    pub fn of_remote(url: &str) -> Result<Self> {
        let wrong = || {
            // Without what stands before the host, which may be a password.
            let shown = url.rsplit_once('@').map_or(url, |(_, rest)| rest);
            Fault::new(Kind::Usage, format!("`{}` is not the address of a repository at a forge", shown.escape_debug()))
                .hint("name the repository with --repository OWNER/NAME, and the address of the API with --api")
        };
        let (host, path) = match url.split_once("://") {
            Some(("https" | "http" | "ssh" | "git+ssh", rest)) => rest.split_once('/').ok_or_else(wrong)?,
            Some(_) => return Err(wrong().into()),
            // As in scp. A path of this machine has a slash before its first colon, or no colon.
            None => url.split_once(':').filter(|(host, _)| !host.contains('/')).ok_or_else(wrong)?,
        };
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host).to_ascii_lowercase();
        let (owner, name) = Self::split(path).ok_or_else(wrong)?;
        Some(RepoAddress { host, owner, name }).filter(|address| !address.host.is_empty()).ok_or_else(|| wrong().into())
    }

    /// `OWNER/NAME`, as on the command line.
    ///
    /// # Errors
    /// [`Kind::Usage`].
    pub fn named(text: &str, host: &str) -> Result<Self> {
        let (owner, name) = Self::split(text).ok_or_else(|| {
            Fault::new(Kind::Usage, format!("`{}` names no repository", text.escape_debug())).hint("write OWNER/NAME")
        })?;
        Ok(RepoAddress { host: host.to_owned(), owner, name })
    }

    /// The two last parts of a path: a forge may lie below a path of its host.
    fn split(path: &str) -> Option<(String, String)> {
        let path = path.trim_matches('/');
        let mut parts = path.strip_suffix(".git").unwrap_or(path).rsplit('/');
        let (name, owner) = (parts.next()?, parts.next()?);
        let plain = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
                && part != "."
                && part != ".."
        };
        (plain(owner) && plain(name)).then(|| (owner.to_owned(), name.to_owned()))
    }
}

/// The address of GitHub's API for a host: the public one, or that of an enterprise server.
pub fn github_api(host: &str) -> String {
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    match host {
        "github.com" | "www.github.com" | "ssh.github.com" => "https://api.github.com".to_owned(),
        other => format!("https://{other}/api/v3"),
    }
}

/// The address of the API of Gitea or Forgejo at a host. A port of ssh is none of the API.
pub fn gitea_api(host: &str) -> String {
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    format!("https://{host}/api/v1")
}

#[cfg(test)]
mod tests {
    use super::{RepoAddress, gitea_api, github_api};

    #[test]
    fn addresses_of_remotes() {
        for (url, host) in [
            ("https://github.com/o/r.git", "github.com"),
            ("https://GitHub.com/o/r/", "github.com"),
            ("git@github.com:o/r.git", "github.com"),
            ("ssh://git@ssh.github.com:443/o/r.git", "ssh.github.com:443"),
            ("https://user:word@git.example.org/scm/o/r", "git.example.org"),
            ("http://127.0.0.1:4000/o/r.git", "127.0.0.1:4000"),
        ] {
            let found = RepoAddress::of_remote(url).unwrap();
            assert_eq!((found.host.as_str(), found.owner.as_str(), found.name.as_str()), (host, "o", "r"), "{url}");
        }
        for url in [
            "/srv/git/o/r.git",
            "../r",
            "file:///o/r",
            "https://github.com/r",
            "git@github.com:r",
            "https://h/a b/c",
            "C:\\x",
        ] {
            assert!(RepoAddress::of_remote(url).is_err(), "{url}");
        }
        let shown = RepoAddress::of_remote("ftp://me:secret-word@host/x").unwrap_err().to_string();
        assert!(!shown.contains("secret-word"), "{shown}");
        assert_eq!(github_api("github.com"), "https://api.github.com");
        assert_eq!(github_api("git.example.org"), "https://git.example.org/api/v3");
        assert_eq!(gitea_api("git.example.org:2222"), "https://git.example.org/api/v1");
    }
}
