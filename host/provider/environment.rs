//! The variables of the environment that a provider may see.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use bstr::ByteSlice;
use guardhost_os::{SYSTEM_VARIABLES, TEMPORARY_FOLDER, program_at, variable_name};
use secrecy::SecretString;

use super::Provider;
use super::secrets::ProviderSecrets;

/// Variables that every agent may see: for programs, the user, the language and the network.
const STANDARD_VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
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

/// Their values may hold `user:password@`.
const PROXY_VARIABLES: &[&str] = &["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

/// Shorter values are not redacted: a key of three letters would be found in every other word. In bytes.
const MIN_SECRET: usize = 8;

/// The caller's environment. A provider sees only the variables that it is allowed.
pub struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    /// For a program: `Environment::new(std::env::vars_os())`.
    pub fn new<N: Into<OsString>, V: Into<OsString>>(vars: impl IntoIterator<Item = (N, V)>) -> Self {
        Environment(vars.into_iter().map(|(name, value)| (variable_name(name.into()), value.into())).collect())
    }

    /// The standard variables and those named, as far as they are set.
    pub(super) fn allowed_variables<'a>(
        &'a self,
        names: impl Iterator<Item = &'a str>,
    ) -> impl Iterator<Item = (&'a OsStr, &'a OsStr)> {
        let standard = [STANDARD_VARIABLES, TEMPORARY_FOLDER, SYSTEM_VARIABLES, PROXY_VARIABLES].into_iter().flatten();
        let names = standard.copied().chain(names);
        names.filter_map(|name| self.0.get_key_value(OsStr::new(name))).map(|(n, v)| (n.as_os_str(), v.as_os_str()))
    }

    /// The executable file that a shell would run for `program`. As in execvp, a name with a slash is a path, and so is one with what else
    /// the system has between folders.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        if program.contains(std::path::is_separator) {
            return program_at(PathBuf::from(program));
        }
        let path = self.0.get(OsStr::new("PATH"))?;
        // A relative entry would be below the caller's current directory, which is not the child's.
        std::env::split_paths(path).filter(|dir| dir.is_absolute()).find_map(|dir| program_at(dir.join(program)))
    }

    /// The value of a variable, as text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(OsStr::new(name))?.to_str()
    }

    /// The user's own folder.
    pub(super) fn home(&self) -> Option<PathBuf> {
        guardhost_os::home(&|name| self.text(name).map(PathBuf::from))
    }

    /// A key. None when the variable is not set or blank.
    pub(super) fn key(&self, name: &str) -> Option<SecretString> {
        self.text(name).map(str::trim).filter(|key| !key.is_empty()).map(SecretString::from)
    }

    /// The values to be redacted everywhere: the provider's keys, and the credentials of proxies.
    pub fn key_values(&self, provider: &Provider) -> Vec<String> {
        self.secret_values(provider.key_names()).map(|value| String::from_utf8_lossy(value).into_owned()).collect()
    }

    /// The same values, to redact the provider's output with.
    pub(super) fn secrets<'a>(&'a self, keys: impl Iterator<Item = &'a str>) -> ProviderSecrets {
        ProviderSecrets::new(self.secret_values(keys))
    }

    fn secret_values<'a>(&'a self, keys: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a [u8]> {
        let keys = keys.filter_map(|name| self.0.get(OsStr::new(name))).map(|value| value.as_encoded_bytes());
        let proxies = PROXY_VARIABLES.iter().filter_map(|name| self.0.get(OsStr::new(name)));
        let values = keys.chain(proxies.filter_map(|url| credentials(url)));
        values.map(|value| value.trim()).filter(|value| value.len() >= MIN_SECRET)
    }
}

/// `user:password` of a URL.
fn credentials(url: &OsStr) -> Option<&[u8]> {
    let (_, rest) = url.as_encoded_bytes().split_once_str("://")?;
    Some(rest.rsplit_once_str("@")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_as_a_shell_finds_them() {
        let env = Environment::new([("PATH", "relative:/usr/bin:/bin")]);
        assert!(env.find("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(env.find("/bin/sh"), Some(PathBuf::from("/bin/sh")));
        assert_eq!(env.find("no-such-program"), None);
        assert_eq!(env.find("/etc/passwd"), None, "not executable");
    }
}
