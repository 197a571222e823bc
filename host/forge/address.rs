//! Which repository at which forge a remote is.

use guardhost_core::error::{Fault, FaultKind, Result};

/// `OWNER/NAME` at a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoAddress {
    /// With the port of the remote's address, if it has one. In lower case.
    pub host: String,
    /// How the remote is reached.
    pub scheme: RemoteScheme,
    /// What is before `OWNER/NAME` in the path, without a slash at its ends: groups of GitLab, or the path of a server that is not at the root
    /// of its host. Empty for most.
    pub above: String,
    pub owner: String,
    pub name: String,
}

/// How a remote is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteScheme {
    Https,
    /// Not encrypted: of servers on this machine.
    Http,
    /// A port of it is none of the web server.
    Ssh,
}

impl RepoAddress {
    /// Of the address of a remote: `https://HOST/OWNER/NAME.git`, `ssh://git@HOST:22/OWNER/NAME`, `git@HOST:OWNER/NAME.git`.
    ///
    /// # Errors
    /// [`FaultKind::Usage`]: the address is not that of a repository at a forge.
    pub fn from_remote(url: &str) -> Result<Self> {
        let wrong = || {
            // Without what stands before the host, which may be a password.
            let shown = url.rsplit_once('@').map_or(url, |(_, rest)| rest);
            Fault::new(
                FaultKind::Usage,
                format!("`{}` is not the address of a repository at a forge", shown.escape_debug()),
            )
            .hint("name the repository with --repository OWNER/NAME, and the address of the API with --api")
        };
        let (scheme, (host, path)) = match url.split_once("://") {
            Some((scheme, rest)) => {
                let scheme = match scheme {
                    "https" => RemoteScheme::Https,
                    "http" => RemoteScheme::Http,
                    "ssh" | "git+ssh" => RemoteScheme::Ssh,
                    _ => return Err(wrong().into()),
                };
                (scheme, rest.split_once('/').ok_or_else(wrong)?)
            }
            // As in scp. A path of this machine has a slash before its first colon, or no colon.
            None => {
                let parts = url.split_once(':').filter(|(host, _)| !host.contains('/'));
                (RemoteScheme::Ssh, parts.ok_or_else(wrong)?)
            }
        };
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host).to_ascii_lowercase();
        let (above, owner, name) = Self::split(path).ok_or_else(wrong)?;
        let address = RepoAddress { host, scheme, above, owner, name };
        Some(address).filter(|address| !address.host.is_empty()).ok_or_else(|| wrong().into())
    }

    /// The same place with the repository that is named: `OWNER/NAME`, or `GROUP/…/NAME`, as on the command line.
    ///
    /// # Errors
    /// [`FaultKind::Usage`].
    pub fn with_repository(&self, text: &str) -> Result<Self> {
        let (above, owner, name) = Self::split(text).ok_or_else(|| {
            Fault::new(FaultKind::Usage, format!("`{}` names no repository", text.escape_debug()))
                .hint("write OWNER/NAME")
        })?;
        Ok(RepoAddress { above, owner, name, ..self.clone() })
    }

    /// `https://HOST[:PORT]`, where the pages and the API are. Of a remote of ssh, without its port.
    pub fn web(&self) -> String {
        let scheme = match self.scheme {
            RemoteScheme::Https | RemoteScheme::Ssh => "https",
            RemoteScheme::Http => "http",
        };
        let host = match self.scheme {
            RemoteScheme::Https | RemoteScheme::Http => self.host.as_str(),
            RemoteScheme::Ssh => self.host_name(),
        };
        format!("{scheme}://{host}")
    }

    /// The host without a port.
    pub fn host_name(&self) -> &str {
        // An address of IPv6 is in brackets.
        match self.host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => &self.host,
        }
    }

    /// `GROUP/SUBGROUP/OWNER/NAME`.
    pub fn full_path(&self) -> String {
        [self.above.as_str(), &self.owner, &self.name]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("/")
    }

    /// What is before the two last parts of a path, and these.
    fn split(path: &str) -> Option<(String, String, String)> {
        let path = path.trim_matches('/');
        let parts: Vec<&str> = path.strip_suffix(".git").unwrap_or(path).split('/').collect();
        let plain = |part: &&str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
                && *part != "."
                && *part != ".."
        };
        let ([above @ .., owner, name], true) = (parts.as_slice(), parts.iter().all(plain)) else {
            return None;
        };
        Some((above.join("/"), (*owner).to_owned(), (*name).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::RepoAddress;

    #[test]
    fn addresses_of_remotes() {
        for (url, host, web, above) in [
            ("https://github.com/o/r.git", "github.com", "https://github.com", ""),
            ("https://GitHub.com/o/r/", "github.com", "https://github.com", ""),
            ("git@github.com:o/r.git", "github.com", "https://github.com", ""),
            ("ssh://git@ssh.github.com:443/o/r.git", "ssh.github.com:443", "https://ssh.github.com", ""),
            (
                "https://user:word@git.example.org:3000/scm/o/r",
                "git.example.org:3000",
                "https://git.example.org:3000",
                "scm",
            ),
            ("ssh://git@git.example.org:2222/a/b/o/r", "git.example.org:2222", "https://git.example.org", "a/b"),
            ("http://127.0.0.1:4000/o/r.git", "127.0.0.1:4000", "http://127.0.0.1:4000", ""),
            ("http://[::1]:4000/o/r.git", "[::1]:4000", "http://[::1]:4000", ""),
        ] {
            let found = RepoAddress::from_remote(url).unwrap();
            assert_eq!((found.host.as_str(), found.owner.as_str(), found.name.as_str()), (host, "o", "r"), "{url}");
            assert_eq!((found.web().as_str(), found.above.as_str()), (web, above), "{url}");
        }
        for url in [
            "/srv/git/o/r.git",
            "../r",
            "file:///o/r",
            "https://github.com/r",
            "git@github.com:r",
            "https://h/a b/c",
            "https://h/../o/r",
            "C:\\x",
        ] {
            assert!(RepoAddress::from_remote(url).is_err(), "{url}");
        }
        let shown = RepoAddress::from_remote("ftp://me:secret-word@host/x").unwrap_err().to_string();
        assert!(!shown.contains("secret-word"), "{shown}");
        let named = RepoAddress::from_remote("git@h:o/r").unwrap().with_repository("a/b/c").unwrap();
        assert_eq!((named.full_path().as_str(), named.host.as_str()), ("a/b/c", "h"));
        assert!(named.with_repository("c").is_err());
    }
}
