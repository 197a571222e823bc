//! Where a worker may fetch from: a job names a remote, and whoever can submit jobs could name any.

/// Addresses, and beginnings of addresses, that a worker was allowed.
#[derive(Debug, Clone, Default)]
pub struct Remotes(Vec<String>);

impl Remotes {
    pub fn new(allowed: Vec<String>) -> Self {
        Remotes(allowed.into_iter().filter(|one| !one.is_empty()).collect())
    }

    /// An allowed address itself, or one below it: `https://example.org/team` allows `https://example.org/team/name`, and not
    /// `https://example.org/team-of-another`.
    pub fn allow(&self, remote: &str) -> bool {
        let below = |allowed: &String| {
            let rest = remote.strip_prefix(allowed.as_str())?;
            Some(rest.is_empty() || allowed.ends_with(['/', ':']) || rest.starts_with('/'))
        };
        // No way up, whatever a server makes of it.
        !remote.split('/').any(|part| part == "..") && self.0.iter().filter_map(below).any(|is_below| is_below)
    }
}

/// An address without the password or token in it: workers have their own.
pub fn without_password(remote: &str) -> String {
    let Some((scheme, rest)) = remote.split_once("://") else { return remote.to_owned() };
    let (authority, path) = rest.split_once('/').map_or((rest, None), |(authority, path)| (authority, Some(path)));
    let host = match (scheme, authority.rsplit_once('@')) {
        (_, None) => authority.to_owned(),
        // The user is part of the address.
        ("ssh", Some((user, host))) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        (_, Some((_, host))) => host.to_owned(),
    };
    match path {
        Some(path) => format!("{scheme}://{host}/{path}"),
        None => format!("{scheme}://{host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_an_allowed_address_is_allowed() {
        let remotes = Remotes::new(vec!["https://example.org/team".into(), "git@example.org:".into(), String::new()]);
        for allowed in ["https://example.org/team", "https://example.org/team/name.git", "git@example.org:a/b"] {
            assert!(remotes.allow(allowed), "{allowed}");
        }
        for refused in [
            "https://example.org/team-of-another/name",
            "https://example.org/team/../other/name",
            "https://example.org/",
            "http://example.org/team/name",
            "ext::sh -c id",
            "/srv/git/name",
            "",
        ] {
            assert!(!remotes.allow(refused), "{refused}");
        }
    }

    #[test]
    fn passwords_stay_where_they_are() {
        for (remote, wanted) in [
            ("https://user:secret@example.org/a/b.git", "https://example.org/a/b.git"),
            ("https://secret@example.org/a/b@c", "https://example.org/a/b@c"),
            ("ssh://git:secret@example.org:22/a", "ssh://git@example.org:22/a"),
            ("git@example.org:a/b.git", "git@example.org:a/b.git"),
            ("/srv/git/a@b", "/srv/git/a@b"),
            ("https://secret@example.org", "https://example.org"),
        ] {
            assert_eq!(without_password(remote), wanted);
        }
    }
}
