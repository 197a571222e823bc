//! The forge of a remote.

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_forge::{App, Forge, ForgeError, ForgeKind, ForgeToken, HttpSettings, Proxies, RepoAddress, StopPause};
use guardhost_git::Repo;

use crate::cli::ForgeArgs;
use crate::context::CommandContext;

/// A forge, and where its repository is pushed to.
pub struct ForgeConnection {
    pub forge: Box<dyn Forge>,
    pub kind: ForgeKind,
    /// Without a user name and a password.
    pub url: String,
    pub token: ForgeToken,
}

/// # Errors
/// [`FaultKind::Usage`]: there is no such remote, no token, or the network is not to be used.
pub fn connect(args: &ForgeArgs, repo: &Repo, ctx: &CommandContext) -> Result<ForgeConnection> {
    if ctx.is_offline() {
        let fault = Fault::new(FaultKind::Usage, "a forge needs the network");
        return Err(fault.hint("leave out --offline and --frozen").into());
    }
    let site = &args.site;
    let url = remote_url(repo, &site.remote)?;
    let address = match (&site.repository, RepoAddress::from_remote(&url), &site.api) {
        (Some(named), Ok(remote), _) => remote.with_repository(named)?,
        // The host of a remote that names no repository is not needed if the API is given.
        (Some(named), Err(_), Some(api)) => {
            RepoAddress::from_remote(&format!("{}/{named}", api.trim_end_matches('/')))?.with_repository(named)?
        }
        (Some(_) | None, remote, _) => remote?,
    };
    let kind = match args.forge {
        Some(named) => named.into(),
        None => ForgeKind::recognised(&address, site.api.as_deref())?,
    };
    let settings = |token| {
        let stop = ctx.process.stop.clone();
        HttpSettings {
            api: site.api.clone().unwrap_or_else(|| kind.api(&address)),
            token,
            proxies: Proxies::from_variables(|name| ctx.process.var(name)?.to_str()),
            pause: Box::new(StopPause(stop.clone())),
            stop,
        }
    };
    let token = match (&site.app, kind) {
        (Some(id), ForgeKind::GitHub) => {
            let app = App::from_env(ctx.process, id, &site.app_key_env)?;
            app.token(&address, settings(None)).map_err(ForgeError::into_error)?
        }
        (Some(_), ForgeKind::Gitea | ForgeKind::GitLab) => {
            let fault = Fault::new(FaultKind::Usage, "only GitHub has apps that sign in with a key");
            return Err(fault.hint("leave out --app, and name the variable of a token with --token-env").into());
        }
        (None, _) => ForgeToken::from_env(ctx.process, site.token_env.as_deref().unwrap_or(kind.token_variable()))?,
    };
    let settings = settings(Some(token.clone()));
    let forge = kind.connect(&address, settings).map_err(ForgeError::into_error)?;
    Ok(ForgeConnection { forge, kind, url, token })
}

/// The address that is pushed to.
pub fn remote_url(repo: &Repo, name: &str) -> Result<String> {
    let missing = || {
        let hint = "`git remote -v` lists them; name one with --remote";
        Fault::new(FaultKind::Usage, format!("there is no remote `{}`", name.escape_debug())).hint(hint)
    };
    let opened =
        git2::Repository::open(repo.git_dir()).context(Fault::new(FaultKind::Git, "cannot read the settings"))?;
    let remote = opened.find_remote(name).with_context(missing)?;
    let url = remote.pushurl().ok().flatten().or(remote.url().ok()).unwrap_or_default().to_owned();
    Ok(without_sign_in(&url))
}

/// The token signs in; what the address says of it would be a word of a process.
fn without_sign_in(url: &str) -> String {
    let web = ["https://", "http://"].into_iter().find_map(|scheme| Some((scheme, url.strip_prefix(scheme)?)));
    match web {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            format!("{scheme}{}/{path}", host.rsplit_once('@').map_or(host, |(_, host)| host))
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_sign_in;

    #[test]
    fn a_password_is_no_word_of_a_process() {
        for (url, expected) in [
            ("https://me:word@host/o/r.git", "https://host/o/r.git"),
            ("https://host/o/r@2.git", "https://host/o/r@2.git"),
            ("git@host:o/r.git", "git@host:o/r.git"),
        ] {
            assert_eq!(without_sign_in(url), expected);
        }
    }
}
