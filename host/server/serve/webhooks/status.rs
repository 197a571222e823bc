//! Statuses of commits, where the server has a token of the forge.

use guardhost_core::error::Result;
use guardhost_core::process_env::ProcessEnv;
use guardhost_forge::watch::PullNews;
use guardhost_forge::{CommitStatus, ForgeError, ForgeKind, ForgeToken, HttpSettings, Proxies, RepoAddress, StopPause};

use crate::cli::ServedFleetArgs;

#[derive(Clone)]
pub struct Statuses {
    token: ForgeToken,
    kind: Option<ForgeKind>,
    api: Option<String>,
    process: ProcessEnv,
}

impl Statuses {
    /// None without `--token-env`.
    ///
    /// # Errors
    /// The variable holds no token.
    pub fn new(args: &ServedFleetArgs, process: &ProcessEnv) -> Result<Option<Self>> {
        let Some(variable) = &args.token_env else { return Ok(None) };
        Ok(Some(Statuses {
            token: ForgeToken::from_env(process, variable)?,
            kind: args.forge.map(ForgeKind::from),
            api: args.api.clone(),
            process: process.clone(),
        }))
    }

    /// # Errors
    /// Which forge it is is not known, it cannot be reached, or it refuses.
    pub fn set(&self, pull: &PullNews, status: &CommitStatus) -> Result<()> {
        let address = RepoAddress::from_remote(&pull.clone_url)?.with_repository(&pull.repository)?;
        let kind = match self.kind {
            Some(kind) => kind,
            None => ForgeKind::recognised(&address, self.api.as_deref())?,
        };
        let stop = self.process.stop.clone();
        let settings = HttpSettings {
            api: self.api.clone().unwrap_or_else(|| kind.api(&address)),
            token: Some(self.token.clone()),
            proxies: Proxies::from_variables(|name| self.process.var(name)?.to_str()),
            pause: Box::new(StopPause(stop.clone())),
            stop,
        };
        let forge = kind.connect(&address, settings).map_err(ForgeError::into_error)?;
        forge.set_status(&pull.sha, status).map_err(ForgeError::into_error)
    }
}
