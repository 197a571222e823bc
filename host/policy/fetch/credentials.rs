//! Credentials for registries, as `docker login` stores them: <https://docs.docker.com/reference/cli/docker/login/>.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderValue;
use serde::Deserialize;

use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};

/// Docker's configuration file, and the environment for its credential helpers. Read when a registry is first contacted.
#[derive(Clone, Default)]
pub struct RegistryCredentials {
    /// Docker's `config.json`; None means anonymous access.
    pub config: Option<PathBuf>,
    pub env: Vec<(OsString, OsString)>,
}

/// Leaves out the environment, which may hold secrets.
impl std::fmt::Debug for RegistryCredentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials").field("config", &self.config).finish_non_exhaustive()
    }
}

/// A user of a registry. It has no `Debug`, so that the password cannot be shown.
pub struct Login {
    user: String,
    password: String,
}

impl Login {
    /// For the header `Authorization`.
    pub fn header(&self) -> HeaderValue {
        let pair = STANDARD.encode(format!("{}:{}", self.user, self.password));
        let mut header = HeaderValue::from_str(&format!("Basic {pair}")).expect("base64 is ASCII");
        header.set_sensitive(true);
        header
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct DockerConfig {
    auths: BTreeMap<String, DockerAuth>,
    cred_helpers: BTreeMap<String, String>,
    creds_store: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DockerAuth {
    /// `user:password` in base64.
    auth: Option<String>,
}

/// The answer of a helper. It has no `Debug`, so that the secret cannot be shown.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct HelperAnswer {
    username: String,
    secret: String,
}

impl RegistryCredentials {
    /// None: there is no login for this registry.
    ///
    /// # Errors
    /// `Kind::Config`: the file cannot be parsed, or a helper fails. Messages never quote their content.
    pub(super) fn for_registry(&self, registry: &str) -> Result<Option<Login>> {
        let Some(path) = &self.config else { return Ok(None) };
        let shown = path.display();
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(Error::new(error).context(Fault::new(FaultKind::Config, format!("cannot read {shown}"))));
            }
        };
        let wrong =
            |what: &str| Fault::new(FaultKind::Config, format!("{shown}: {what}")).hint("run `docker login` again");
        // The parser's own message would quote the content.
        let config: DockerConfig = serde_json::from_slice(&bytes)
            .map_err(|error| wrong(&format!("not docker's configuration (line {})", error.line())))?;
        if let Some(helper) = config.cred_helpers.get(registry).or(config.creds_store.as_ref()) {
            return self.ask_helper(helper, registry);
        }
        let entry =
            config.auths.iter().find(|(name, _)| host(name) == registry).and_then(|(_, entry)| entry.auth.as_ref());
        let Some(auth) = entry else { return Ok(None) };
        let decoded = STANDARD.decode(auth).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let pair = decoded.as_deref().and_then(|pair| pair.split_once(':'));
        let (user, password) =
            pair.ok_or_else(|| wrong(&format!("the entry of {registry} is not a user and a password")))?;
        Ok(Some(Login { user: user.to_owned(), password: password.to_owned() }))
    }

    /// <https://github.com/docker/docker-credential-helpers>: the registry on standard input, an object on standard output.
    fn ask_helper(&self, helper: &str, registry: &str) -> Result<Option<Login>> {
        let program = format!("docker-credential-{helper}");
        let failed = || Fault::new(FaultKind::Config, format!("{program} gives no credentials for {registry}"));
        let mut child = Command::new(&program)
            .arg("get")
            .env_clear()
            .envs(self.env.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            // A helper that closes its input early reports its failure by the exit code.
            let _ = stdin.write_all(registry.as_bytes());
        }
        let output = child.wait_with_output().with_context(failed)?;
        if !output.status.success() {
            // Helpers answer this when they store nothing for the registry.
            let unknown = String::from_utf8_lossy(&output.stdout).contains("credentials not found");
            return if unknown { Ok(None) } else { Err(failed().into()) };
        }
        let HelperAnswer { username, secret } = serde_json::from_slice(&output.stdout).map_err(|_| failed())?;
        Ok(Some(Login { user: username, password: secret }))
    }
}

/// The host of an entry's name. Old versions of docker wrote whole URLs.
fn host(name: &str) -> &str {
    let name = name.strip_prefix("https://").or(name.strip_prefix("http://")).unwrap_or(name);
    name.split('/').next().unwrap_or(name)
}
