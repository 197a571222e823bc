//! The name of a repository that is the same on every machine: its root commits, and where it comes from.

use sha2::{Digest, Sha256};

/// 32 hex digits of SHA-256 over the root commits and the normalised remote.
///
/// A repository without a remote is known by its root commits alone. A fork has the same roots and another remote, and so another id.
pub fn repository_id<S: AsRef<str>>(roots: &[S], remote: Option<&str>) -> String {
    let mut sorted: Vec<&str> = roots.iter().map(AsRef::as_ref).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut hasher = Sha256::new();
    for root in sorted {
        hasher.update(root.as_bytes());
        hasher.update(b"\n");
    }
    hasher.update(b"\0");
    hasher.update(remote.and_then(normalise).unwrap_or_default().as_bytes());
    let digest = hasher.finalize();
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// `host/owner/name` of a URL in any of git's spellings; the user, the port, `.git` and the scheme do not count, and the host is in lower
/// case. None for a path on this machine: it names the repository nowhere else.
pub fn normalise(remote: &str) -> Option<String> {
    let remote = remote.trim();
    let (authority, path) = match remote.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.split_once('/')?,
        // `user@host:path`, in which no slash comes before the colon.
        None => {
            let (host, path) = remote.split_once(':')?;
            // One letter is a drive of Windows.
            if host.contains('/') || host.len() < 2 {
                return None;
            }
            (host, path)
        }
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, port)| match port.parse::<u16>() {
        Ok(_) => host,
        Err(_) => host,
    });
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
    (!host.is_empty() && !path.is_empty()).then(|| format!("{}/{path}", host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_repository_has_one_name_however_it_was_cloned() {
        const SAME: [&str; 7] = [
            "https://github.com/owner/name",
            "https://github.com/owner/name.git",
            "https://token@GitHub.com/owner/name.git/",
            "ssh://git@github.com:22/owner/name.git",
            "git@github.com:owner/name.git",
            "git://github.com/owner/name",
            " git@github.com:/owner/name ",
        ];
        for remote in SAME {
            assert_eq!(normalise(remote).as_deref(), Some("github.com/owner/name"), "{remote}");
        }
        for local in ["/srv/git/name.git", "../name", "file:///srv/name", "C:\\git\\name", "", "https://github.com"] {
            assert_eq!(normalise(local), None, "{local}");
        }
    }

    #[test]
    fn the_order_of_roots_does_not_count_and_the_remote_does() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let both = repository_id(&[&a, &b], None);
        assert_eq!(both, repository_id(&[&b, &a, &a], Some("/a/path")));
        assert_eq!(both.len(), 32);
        assert_ne!(both, repository_id(&[&a], None));
        assert_ne!(both, repository_id(&[&a, &b], Some("https://example.com/a/b")));
    }
}
