//! The queue that a command uses, and the keys that it believes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use guardhost_core::error::{Context as _, Error, Fault, FaultKind, Result};
use guardhost_fleet::job::JobId;
use guardhost_fleet::keys::{KnownKeys, WorkerKey};
use guardhost_fleet::objects::Remotes;
use guardhost_fleet::queue::access::{Access, Credentials};
use guardhost_fleet::queue::{Address, Queue, QueueError};
use guardhost_fleet::settings::FleetSettings;
use tokio::runtime::Runtime;

use crate::cli::QueueArgs;
use host::command::CommandContext;

/// Characters of a fleet's name: it becomes part of names at the server.
const NAME: usize = 32;

pub fn runtime(threads: usize) -> Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    runtime.context("cannot start threads")
}

pub fn address(args: &QueueArgs) -> Result<Address> {
    args.queue.parse().map_err(|error: QueueError| Fault::new(FaultKind::Usage, error).into())
}

/// A queue that other processes reach: `memory:` ends with this one.
///
/// # Errors
/// [`FaultKind::Usage`], with `what` cannot be done without one.
pub fn check_shared(args: &QueueArgs, what: &str) -> Result<()> {
    if address(args)? != Address::Memory {
        return Ok(());
    }
    let hint = "--queue or GUARDHOST_QUEUE names it, the same for submitters and workers: nats://HOST:PORT, or \
                postgresql://USER@HOST/DATABASE; without one, `host check` judges on this machine";
    Err(Fault::new(FaultKind::Usage, format!("{what}: no queue is named")).hint(hint).into())
}

pub fn settings(args: &QueueArgs, believed: Option<KnownKeys>) -> Result<FleetSettings> {
    let name = &args.fleet;
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > NAME || !name.chars().all(is_part) {
        let what = format!("{name:?} is no name of a fleet");
        return Err(Fault::new(FaultKind::Usage, what)
            .hint(format!("up to {NAME} letters, digits and hyphens"))
            .into());
    }
    Ok(FleetSettings { name: name.clone(), believed, ..FleetSettings::default() })
}

pub async fn open(args: &QueueArgs, ctx: &CommandContext<'_>) -> Result<Arc<dyn Queue>> {
    // No stranger reaches a queue in this process.
    let believed = if address(args)? == Address::Memory { None } else { listed_keys(args, ctx)? };
    open_believing(args, believed, ctx).await
}

/// With the keys whose beats count; those of anyone without.
pub async fn open_believing(
    args: &QueueArgs,
    believed: Option<KnownKeys>,
    ctx: &CommandContext<'_>,
) -> Result<Arc<dyn Queue>> {
    let credentials = args.queue_credentials.as_ref().map(|file| Credentials::read(&ctx.path(file)));
    let access = Access {
        ca: args.queue_ca.as_ref().map(|file| ctx.path(file)),
        credentials: credentials.transpose().map_err(failed)?,
    };
    address(args)?.open_with(settings(args, believed)?, &access).await.map_err(failed)
}

/// An error of the queue, with what to do about it.
pub fn failed(error: QueueError) -> Error {
    let hint = match &error {
        QueueError::Full { .. } => "start more workers, or submit later: `host fleet status` shows what waits",
        QueueError::NoRoom(_) => "results and objects are deleted after a while; give the server more room",
        QueueError::Unreachable(_) => "does the server run, and is --queue its address?",
        QueueError::Refused(_) => "NATS needs JetStream (-js); the user of PostgreSQL must be allowed to make tables",
        QueueError::Foreign(_) => {
            "bring all machines to one version, or give this fleet a name of its own with --fleet"
        }
        QueueError::Access(..) => "see --queue-credentials and --queue-ca, or sslmode in the address of PostgreSQL",
        QueueError::Address(_) => "name the queue with --queue or GUARDHOST_QUEUE",
    };
    Fault::new(FaultKind::Git, error).hint(hint).code("queue").into()
}

/// From where a worker or a server may fetch.
pub fn remotes(allowed: &[String]) -> Result<Remotes> {
    let hint = "`--allow-remote https://git.example.org/team` allows this address and what is below it";
    Remotes::new(allowed).map_err(|error| Fault::new(FaultKind::Usage, error).hint(hint).into())
}

/// The keys that `--fleet-keys` lists; None without it.
pub fn listed_keys(args: &QueueArgs, ctx: &CommandContext) -> Result<Option<KnownKeys>> {
    let wrong = |error| Fault::new(FaultKind::Usage, error).hint("`host fleet key` prints such a line").into();
    args.fleet_keys.as_ref().map(|file| KnownKeys::read(&ctx.path(file)).map_err(wrong)).transpose()
}

/// Whose results are believed: without `--fleet-keys` there is nobody to believe on another machine.
pub fn keys(args: &QueueArgs, ctx: &CommandContext) -> Result<KnownKeys> {
    Ok(listed_keys(args, ctx)?.unwrap_or_default())
}

/// The key of the worker of this user.
pub fn own_key(file: Option<&Path>, name: Option<&str>, ctx: &CommandContext) -> Result<WorkerKey> {
    let file = match file {
        Some(file) => ctx.path(file),
        None => data_folder(ctx)?.join("worker.key"),
    };
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let machine = if machine.trim().is_empty() { "worker" } else { machine.trim() };
    let name = name.unwrap_or(machine);
    WorkerKey::load_or_make(&file, name).map_err(|error| {
        Fault::new(FaultKind::Usage, error)
            .hint("name the file with --worker-key, and the worker with --worker-name")
            .into()
    })
}

/// `guardhost` in the user's data folder.
pub fn data_folder(ctx: &CommandContext) -> Result<PathBuf> {
    let var = |name: &str| ctx.process.var(name).map(PathBuf::from);
    let data = var("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(guardhost_os::home(&var)?.join(".local/share")));
    let missing = || {
        Fault::new(FaultKind::Usage, "there is no folder for the worker's data")
            .hint("set HOME, or --mirrors and --worker-key")
    };
    Ok(data.ok_or_else(missing)?.join("guardhost"))
}

pub fn job_id(text: &str) -> Result<JobId> {
    let wrong =
        |why: String| Fault::new(FaultKind::Usage, format!("{text:?}: {why}")).hint("`host submit` prints the id");
    JobId::try_from(text.to_owned()).map_err(|why| wrong(why).into())
}
