//! `host serve`: the observer's server.

mod answers;
mod fleet;
mod modules;
mod webhooks;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use guardhost_core::change::{Event, Observer};
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_provider::Cancel;
use guardhost_service::answers::Roots;
use guardhost_service::data_folder::DataFolder;
use guardhost_service::http::{ServerLimits, Tls, pages};
use guardhost_service::serve::{Server, ServerSettings};
use guardhost_service::storage::postgres::PostgresStore;
use guardhost_service::storage::retention::Retention;
use guardhost_service::storage::sqlite::Sqlite;
use guardhost_service::storage::{ClaimRelease, Storage, StorageError};
use guardhost_service::tokens;

use crate::cli::ServeArgs;
use answers::RepositoryAnswers;
use host::command::CommandContext;

/// How soon a request to stop is seen.
const LOOK: Duration = Duration::from_millis(50);
/// A server has little to compute: it waits for disks and clients.
const THREADS: usize = 2;

/// Serves until the process is asked to stop, and returns nothing; or does what an option asks for, and returns the text to print.
///
/// # Errors
/// Another server uses the folder ([`FaultKind::Git`], `server-runs`); the address or the storage cannot be had.
pub fn serve(args: &ServeArgs, ctx: &CommandContext, cancel: &Cancel) -> Result<Option<Vec<u8>>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
    let runtime = runtime.context("cannot start threads")?;
    let folder = data_folder(args, ctx)?;
    runtime.block_on(async {
        if let Some(text) = manage_tokens(args, &folder).await? {
            return Ok(Some(text.into_bytes()));
        }
        let folder = DataFolder::lock(&folder)?;
        let settings = settings(args, ctx, &folder).await?;
        let (mut hooks, settings) = fleet::settings(args, ctx, &folder, settings).await?;
        let server = Server::start(settings).await?;
        folder.listens(&server.url())?;
        ctx.see(&Event::Notice { text: format!("listening on {}", server.url()) });
        while !cancel.is_cancelled() {
            if let Some(hooks) = &mut hooks {
                hooks.step(ctx);
            }
            tokio::time::sleep(LOOK).await;
        }
        server.stop().await;
        Ok(None)
    })
}

fn data_folder(args: &ServeArgs, ctx: &CommandContext) -> Result<PathBuf> {
    if let Some(folder) = &args.data {
        return Ok(ctx.path(folder));
    }
    let var = |name: &str| ctx.process.var(name).map(PathBuf::from);
    let data = var("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(guardhost_os::home(&var)?.join(".local/share")));
    let missing =
        || Fault::new(FaultKind::Usage, "there is no folder for the server's data").hint("name one: --data DIR");
    Ok(data.ok_or_else(missing)?.join("guardhost/observer"))
}

async fn settings(args: &ServeArgs, ctx: &CommandContext<'_>, folder: &DataFolder) -> Result<ServerSettings> {
    let roots = match args.root.as_slice() {
        [] => ctx.repo().ok().and_then(|repo| repo.workdir().map(PathBuf::from)).into_iter().collect(),
        roots => roots.iter().map(|root| ctx.path(root)).collect::<Vec<_>>(),
    };
    let storage = storage(args, folder.path()).await?;
    Ok(ServerSettings {
        address: args.listen,
        tokens: args.tokens,
        pages: Some(pages(Arc::clone(&storage), None, Some(ctx.embedded))),
        traces: ctx.traces.cloned(),
        storage,
        answers: Some(Arc::new(RepositoryAnswers::new(ctx.embedded, ctx.process.stop.clone()))),
        roots: Roots::new(roots),
        limits: ServerLimits::default(),
        tls: match (&args.tls_cert, &args.tls_key) {
            (Some(certificate), Some(key)) => Some(Tls::read(&ctx.path(certificate), &ctx.path(key))?),
            // The command line asks for both or none.
            (Some(_), None) | (None, Some(_)) | (None, None) => None,
        },
        retention: Retention {
            days: args.keep_days,
            observations: args.keep_observations,
            events: args.keep_events,
            ..Retention::default()
        },
    })
}

async fn storage(args: &ServeArgs, folder: &std::path::Path) -> Result<Arc<dyn Storage>> {
    Ok(match &args.postgres {
        Some(address) => Arc::new(PostgresStore::connect(address).await.map_err(failed)?),
        None => Arc::new(Sqlite::open(folder).map_err(failed)?),
    })
}

fn failed(error: StorageError) -> Error {
    let hint = "check the folder of --data and its free space, or the address of --postgres";
    Fault::new(FaultKind::Git, error).hint(hint).into()
}

/// A server that runs sees the difference at once.
async fn manage_tokens(args: &ServeArgs, folder: &std::path::Path) -> Result<Option<String>> {
    let is_asked = args.add_token.is_some() || args.remove_token.is_some() || args.list_tokens;
    if !is_asked && args.release_claim.is_none() {
        return Ok(None);
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let storage = storage(args, folder).await?;
    let mut text = String::new();
    if let Some(name) = &args.add_token {
        let repos = Some(args.token_repo.clone()).filter(|repos| !repos.is_empty());
        let token = tokens::create(&*storage, name, repos).await.map_err(|error| {
            let hint = "a name is used once: remove the old token with --remove-token";
            Error::from(Fault::new(FaultKind::Usage, format!("cannot make the token: {error}")).hint(hint))
        })?;
        text = format!("{token}\n");
    }
    if let Some(name) = &args.remove_token
        && !storage.remove_token(name).await.map_err(failed)?
    {
        return Err(Fault::new(FaultKind::Usage, format!("there is no token named {name}"))
            .hint("list them: host serve --list-tokens")
            .into());
    }
    if args.list_tokens {
        for token in storage.tokens().await.map_err(failed)? {
            let repos = token.repos.map_or_else(|| "all repositories".to_owned(), |repos| repos.join(" "));
            writeln!(text, "{}\t{repos}", token.name)?;
        }
    }
    if let Some(claim) = &args.release_claim {
        text = release(&*storage, claim).await?;
    }
    storage.close().await;
    Ok(Some(text))
}

/// An operator ends a claim: its holder is told at its next beat, and commits nothing.
async fn release(storage: &dyn Storage, named: &str) -> Result<String> {
    // Ids of repositories are 32 hexadecimal digits; a key may have slashes.
    let is_id = |id: &str| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (repo, key) = named.split_once('/').filter(|(repo, _)| is_id(repo)).unwrap_or(("", named));
    // Also one that only a clock that went back makes last: it is held as long as nobody else asks for it.
    let now = storage.now().await.map_err(failed)?;
    let held = storage.claims(repo, Some(key), now).await.map_err(failed)?;
    let Some(claim) = held.into_iter().next() else {
        let fault = Fault::new(FaultKind::Usage, format!("there is no claim on {named}"));
        return Err(fault.hint("GET /claim?repo=REPOSITORY lists what is held").into());
    };
    let asked = ClaimRelease { repo: claim.repo, key: claim.key, holder: claim.holder.clone(), fence: claim.fence };
    storage.release(asked, now).await.map_err(failed)?;
    Ok(format!("{named} is free; {} held it\n", claim.holder))
}
