//! The fleet of a server: a page about its queue, and the webhooks whose pull requests are put into it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use guardhost_core::error::{Fault, FaultKind, Result};
use guardhost_fleet::queue::{Address, Queue};
use guardhost_report::FleetReport;
use guardhost_service::data_folder::DataFolder;
use guardhost_service::http::{FleetState, pages};
use guardhost_service::serve::ServerSettings;
use tokio::sync::Mutex;

use super::webhooks::Webhooks;
use crate::cli::ServeArgs;
use crate::fleet::connection::{address, open};
use crate::fleet::state::report;
use host::command::CommandContext;

/// The queue is asked so often at most, however many people look.
const EVERY: Duration = Duration::from_secs(1);
/// The longest wait for the queue's answer, so that a page still loads while the queue is down.
const ANSWER: Duration = Duration::from_secs(5);

struct QueueState {
    queue: Arc<dyn Queue>,
    /// What it said last, and when.
    last: Mutex<Option<(Instant, Result<FleetReport, String>)>>,
}

#[async_trait]
impl FleetState for QueueState {
    async fn fleet(&self) -> Result<FleetReport, String> {
        let mut last = self.last.lock().await;
        if let Some((at, said)) = &*last
            && at.elapsed() < EVERY
        {
            return said.clone();
        }
        let said = match tokio::time::timeout(ANSWER, self.queue.status()).await {
            Ok(status) => status.map(report).map_err(|error| error.to_string()),
            Err(_) => Err(format!("it said nothing for {} s", ANSWER.as_secs())),
        };
        *last = Some((Instant::now(), said.clone()));
        said
    }
}

/// The settings with a page about the fleet, and what takes webhooks, where the command line names a queue.
///
/// # Errors
/// The queue cannot be reached; webhooks are wanted without a queue, a secret or a free address.
pub async fn settings(
    args: &ServeArgs,
    ctx: &CommandContext<'_>,
    folder: &DataFolder,
    settings: ServerSettings,
) -> Result<(Option<Webhooks>, ServerSettings)> {
    let fleet = &args.fleet;
    if address(&fleet.queue)? == Address::Memory {
        if fleet.webhook.is_some() {
            let fault = Fault::new(FaultKind::Usage, "a server judges no pull requests itself");
            return Err(fault.hint("name the queue of a fleet with --queue, and start a worker").into());
        }
        return Ok((None, settings));
    }
    let queue = open(&fleet.queue, ctx).await?;
    let hooks = match fleet.webhook {
        Some(address) => Some(Webhooks::start(
            address,
            fleet,
            ctx,
            folder.path(),
            Arc::clone(&queue),
            Arc::clone(&settings.storage),
        )?),
        None => None,
    };
    let state: Arc<dyn FleetState> = Arc::new(QueueState { queue, last: Mutex::default() });
    Ok((
        hooks,
        ServerSettings {
            pages: Some(pages(Arc::clone(&settings.storage), Some(state), Some(ctx.embedded))),
            ..settings
        },
    ))
}
