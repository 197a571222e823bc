//! What a provider may see of the environment, and how its secrets are kept out of everything else.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use secrecy::{ExposeSecret, SecretSlice, SecretString};

use super::Provider;

/// What programs need to find themselves, their user, their language and the network.
const USUAL: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "NODE_EXTRA_CA_CERTS",
];

/// May carry `user:password@`.
const PROXIES: &[&str] = &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/// Shorter values are not searched for: a key of three letters would be found in every other word.
const SHORTEST_SECRET: usize = 8;

/// The caller's environment. Only the variables that a provider is allowed leave it.
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// For a program: `Environment::new(std::env::vars_os())`.
    pub fn new<N: Into<OsString>, V: Into<OsString>>(vars: impl IntoIterator<Item = (N, V)>) -> Self {
        Environment(vars.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    /// The usual variables and those named, as far as they are set.
    pub(super) fn allowed<'a>(
        &'a self,
        names: impl Iterator<Item = &'a str>,
    ) -> impl Iterator<Item = (&'a OsStr, &'a OsStr)> {
        let names = USUAL.iter().chain(PROXIES).copied().chain(names);
        names.filter_map(|name| self.0.get_key_value(OsStr::new(name))).map(|(n, v)| (n.as_os_str(), v.as_os_str()))
    }

    /// The executable file that a shell would run for `program` (execvp's rule: a name with a slash is a path).
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        let executable =
            |path: &Path| path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0);
        if program.contains('/') {
            return Some(PathBuf::from(program)).filter(|path| executable(path));
        }
        let path = self.0.get(OsStr::new("PATH"))?;
        // A relative part would mean the current directory, which is the caller's and not the child's.
        std::env::split_paths(path).filter(|dir| dir.is_absolute()).map(|dir| dir.join(program)).find(|p| executable(p))
    }

    /// The value of a variable, as text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(OsStr::new(name))?.to_str()
    }

    /// A key. None when it is not set or blank.
    pub(super) fn key(&self, name: &str) -> Option<SecretString> {
        self.text(name).map(str::trim).filter(|key| !key.is_empty()).map(SecretString::from)
    }

    /// The values that must be seen nowhere: keys of the provider's, and log-ins of proxies.
    pub fn key_values(&self, provider: &Provider) -> Vec<String> {
        let keys = provider.key_names().filter_map(|name| self.0.get(OsStr::new(name))).map(|value| value.as_bytes());
        let logins = PROXIES.iter().filter_map(|name| self.0.get(OsStr::new(name))).filter_map(|url| login(url));
        let values = keys.chain(logins).map(|value| String::from_utf8_lossy(value.trim()).into_owned());
        values.filter(|value| value.len() >= SHORTEST_SECRET).collect()
    }

    /// The values that must not be seen outside the child.
    pub(super) fn secrets<'a>(&self, keys: impl Iterator<Item = &'a str>) -> Secrets {
        let keys = keys.filter_map(|name| self.0.get(OsStr::new(name))).map(|value| value.as_bytes());
        let logins = PROXIES.iter().filter_map(|name| self.0.get(OsStr::new(name))).filter_map(|url| login(url));
        let mut values: Vec<Vec<u8>> = keys.chain(logins).map(|value| value.trim().to_vec()).collect();
        values.retain(|value| value.len() >= SHORTEST_SECRET);
        // Of two secrets that share a beginning the longer must go first, or its end would stay.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        Secrets(values.into_iter().map(SecretSlice::from).collect())
    }
}

/// `user:password` of a URL.
fn login(url: &OsStr) -> Option<&[u8]> {
    let (_, rest) = url.as_bytes().split_once_str("://")?;
    Some(rest.rsplit_once_str("@")?.0)
}

/// Values to be blotted out.
pub(super) struct Secrets(Vec<SecretSlice<u8>>);

impl Secrets {
    /// The bytes, every secret in them replaced by `[secret]`; borrowed when there was none.
    pub(super) fn blot<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut clean = Cow::Borrowed(bytes);
        for secret in self.0.iter().map(ExposeSecret::expose_secret) {
            if clean.find(secret).is_some() {
                clean = Cow::Owned(clean.replace(secret, "[secret]"));
            }
        }
        clean
    }

    /// Text of a stranger on one line of at most `most` characters: no secret, no escape sequence, no control character.
    pub(super) fn line(&self, text: &str, most: usize) -> String {
        // In this order: an escape sequence inside a secret would hide it.
        let stripped = anstream::adapter::strip_str(text).to_string();
        let blotted = self.blot(stripped.as_bytes());
        let text = String::from_utf8_lossy(&blotted);
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word.chars().map(|c| if c.is_control() || turns_text(c) { '\u{fffd}' } else { c }));
        }
        if let Some((end, _)) = line.char_indices().nth(most) {
            line.truncate(end);
            line.push('…');
        }
        line
    }
}

/// Characters that reorder or hide what stands around them (Unicode's bidirectional controls, zero width).
fn turns_text(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_escapes_never_stand_in_a_line() {
        let env = Environment::new([
            ("KEY", "sk-abcdefgh"),
            ("LONGER", "sk-abcdefgh-and-more"),
            ("SHORT", "yes"),
            ("https_proxy", "http://me:hunter22@proxy:3128"),
        ]);
        let secrets = env.secrets(["KEY", "LONGER", "SHORT", "UNSET"].into_iter());
        let seen = secrets
            .line("yes \x1b[31mkey=sk-abcdefgh-and-more\x1b[0m\r\n\x07via me:hunter22@proxy \u{202e}sk-abcdefgh", 200);
        assert_eq!(seen, "yes key=[secret] via [secret]@proxy \u{fffd}[secret]");
        assert_eq!(secrets.line("ääää", 2), "ää…");
    }

    #[test]
    fn programs_are_found_as_a_shell_finds_them() {
        let env = Environment::new([("PATH", "relative:/usr/bin:/bin")]);
        assert!(env.find("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(env.find("/bin/sh"), Some(PathBuf::from("/bin/sh")));
        assert_eq!(env.find("no-such-program"), None);
        assert_eq!(env.find("/etc/passwd"), None, "not executable");
    }
}
