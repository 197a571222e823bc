//! Where a worker may fetch from: a job names a remote, and whoever can submit jobs could name any.
//!
//! Servers, proxies and git read unusual addresses each in its own way, so that only plain ones are compared, part by part; whatever is not
//! plain is refused.

use std::fmt;

/// Addresses, and beginnings of addresses, that a worker was allowed.
#[derive(Debug, Clone, Default)]
pub struct Remotes(Vec<PlainAddress>);

/// An allowed address that is not plain would allow nothing, or something else than it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no plain address of a repository: https://HOST/PATH, ssh://USER@HOST/PATH, USER@HOST:PATH, or an absolute path, without \
         `..`, `\\`, `?`, `#`, `;`, empty parts, and escapes of such"
)]
pub struct NotPlain(String);

/// An address in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PlainAddress {
    /// `https://example.org`, `git@example.org:`, or nothing.
    host: String,
    /// Of the path, without escapes.
    parts: Vec<String>,
}

impl Remotes {
    /// # Errors
    /// The first that is not plain.
    pub fn new(allowed: &[String]) -> Result<Self, NotPlain> {
        let named = allowed.iter().filter(|one| !one.is_empty());
        let read = named.map(|one| PlainAddress::read(one).ok_or_else(|| NotPlain(one.clone())));
        Ok(Remotes(read.collect::<Result<_, _>>()?))
    }

    /// An allowed address itself, or one below it: `https://example.org/team` allows `https://example.org/team/name`, and not
    /// `https://example.org/team-of-another`.
    pub fn allow(&self, remote: &str) -> bool {
        let Some(remote) = PlainAddress::read(remote) else { return false };
        self.0.iter().any(|allowed| allowed.host == remote.host && remote.parts.starts_with(&allowed.parts))
    }

    /// As a worker announces them: what is not allowed by one of these, it need not be given.
    pub fn announced(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

impl fmt::Display for PlainAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.host.ends_with(':') { "" } else { "/" };
        write!(f, "{}{between}{}", self.host, self.parts.join("/"))
    }
}

impl PlainAddress {
    fn read(text: &str) -> Option<Self> {
        // Paths of this machine are read by git alone, as they are.
        if !text.starts_with('/') && !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let (host, path) = match text.split_once("://") {
            Some((scheme, rest)) => {
                let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
                let is_file = scheme.eq_ignore_ascii_case("file") && authority.is_empty();
                if !is_name(scheme, "+") || !(is_file || is_authority(authority)) {
                    return None;
                }
                (format!("{}://{}", scheme.to_ascii_lowercase(), lower_host(authority)), path)
            }
            None if text.starts_with('/') => (String::new(), &text[1..]),
            // As scp has it. `ext::` and its like begin with two colons.
            None => {
                let (authority, path) = text.split_once(':')?;
                let is_plain = is_authority(authority) && !path.starts_with(':');
                (format!("{}:", is_plain.then(|| lower_host(authority))?), path)
            }
        };
        let path = path.strip_suffix('/').unwrap_or(path);
        let parts = match path.is_empty() {
            true => Some(Vec::new()),
            false => path.split('/').map(part).collect(),
        };
        Some(PlainAddress { host, parts: parts? })
    }
}

fn is_name(text: &str, more: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c) || more.contains(c))
}

/// `USER@HOST:PORT`, without a password.
fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').map_or((None, text), |(user, host)| (Some(user), host));
    user.is_none_or(|user| is_name(user, "+~")) && is_name(host, ":[]") && !host.starts_with('-')
}

/// Names of hosts have no case; those of users may have one.
fn lower_host(authority: &str) -> String {
    match authority.rsplit_once('@') {
        Some((user, host)) => format!("{user}@{}", host.to_ascii_lowercase()),
        None => authority.to_ascii_lowercase(),
    }
}

/// A part of a path without its escapes; None for one that somebody may read as another part, or as several.
fn part(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let plain = String::from_utf8(bytes).ok()?;
    // The second line has what becomes a dot or a slash where text is brought to one form.
    let separates = |c: char| {
        c.is_control()
            || "/\\?#;%:*<>|\"".contains(c)
            || "\u{2024}\u{2025}\u{2026}\u{ff0e}\u{ff0f}\u{ff3c}\u{2215}\u{2044}".contains(c)
    };
    let is_dots = plain.trim_end_matches(' ').bytes().all(|byte| byte == b'.');
    (!is_dots && !plain.contains(separates)).then_some(plain)
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

    const ALLOWED: [&str; 5] = [
        "https://example.org/team",
        "ssh://git@example.org:22/team/",
        "git@example.org:team",
        "/srv/git/team",
        "file:///srv/git/team",
    ];

    fn remotes() -> Remotes {
        Remotes::new(&ALLOWED.map(str::to_owned)).expect("plain addresses")
    }

    #[test]
    fn what_is_below_an_allowed_address_is_allowed() {
        for allowed in ALLOWED.map(|allowed| allowed.trim_end_matches('/')) {
            for below in
                ["", "/", "/name", "/name.git", "/group/name", "/a%20name", "/n.a-m_e~1/", "/..name", "/%C3%BCber"]
            {
                assert!(remotes().allow(&format!("{allowed}{below}")), "{allowed}{below}");
            }
        }
        assert!(remotes().allow("HTTPS://Example.ORG/team/name"));
        assert!(remotes().allow("/srv/git/team/my über repository"));
        let whole = Remotes::new(&["git@example.org:".to_owned(), String::new()]).expect("plain");
        assert!(whole.allow("git@example.org:a/b") && !whole.allow("git@example.com:a/b") && !whole.allow(""));
    }

    /// Each trick in each place of each form of an address: none of them is left to what a server makes of it.
    #[test]
    fn nothing_leaves_an_allowed_address() {
        const UP: [&str; 28] = [
            "..",
            ".",
            "%2e%2e",
            "%2E%2E",
            ".%2e",
            "%2e.",
            "%2e",
            "..%2f..",
            "..%5c..",
            "..\\..",
            "a%2fb",
            "a%2Fb",
            "a%5cb",
            "a\\b",
            "a?b",
            "a#b",
            "a;b",
            "a%3fb",
            "a%23b",
            "a%3bb",
            "",
            "%00",
            "%0a",
            "%252e%252e",
            "%c0%ae%c0%ae",
            "%ef%bc%8e%ef%bc%8e",
            "%",
            "%zz",
        ];
        let mut commands = 0;
        for allowed in ALLOWED.map(|allowed| allowed.trim_end_matches('/')) {
            for up in UP {
                for remote in [
                    format!("{allowed}/{up}/other/name"),
                    format!("{allowed}/name/{up}/{up}/other"),
                    format!("{allowed}/name/{up}/"),
                ] {
                    commands += 1;
                    assert!(!remotes().allow(&remote), "{remote}");
                }
            }
        }
        // docs/security.md names this number.
        assert!(commands >= 420, "{commands}");
        for refused in [
            "https://example.org/team-of-another/name",
            "https://example.org/",
            "https://example.org",
            "https://example.org./team/name",
            "https://example.org@evil.example/team",
            "https://user:secret@example.org/team",
            "https://example.org:444/team",
            "http://example.org/team/name",
            "https:/example.org/team",
            "ssh://git@example.org/team/name",
            "git@example.org:/team/name",
            "ext::sh -c id",
            "ext::https://example.org/team",
            "-uhttps://example.org/team",
            "--upload-pack=id",
            "/srv/git/name",
            "srv/git/team",
            "https://example.org/team/na me",
            "https://example.org/team/n\u{e4}me",
            "https://example.org/team\n/name",
            "",
        ] {
            assert!(!remotes().allow(refused), "{refused}");
        }
    }

    #[test]
    fn an_allowed_address_that_is_not_plain_is_said_to_be_none() {
        for wrong in ["https://example.org/team/../other", "relative/path", "https://example.org/a?b", "ext::sh"] {
            assert!(Remotes::new(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
        assert_eq!(remotes().announced()[2], "git@example.org:team");
        assert_eq!(remotes().announced()[0], "https://example.org/team");
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
