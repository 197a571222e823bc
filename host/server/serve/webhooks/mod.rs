//! Webhooks of a forge: each pull request that is opened or pushed to becomes a job of the fleet, and its verdict an observation and, with a
//! token, a status of the commit.
//!
//! What a forge was told to have arrived lies in the inbox until its verdict is written down: a server that is killed goes on where it was.
//! The job of a commit is the same one each time, and so is the observation.

mod change;
mod inbox;
mod outcome;
mod pull;
mod status;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardhost_core::change::{Event, Observer as _};
use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_fleet::objects::PullMirrors;
use guardhost_fleet::queue::Queue;
use guardhost_fleet::submit::{AUDITED, Submitter};
use guardhost_forge::watch::{News, Receiver, Webhook};
use guardhost_service::storage::Storage;
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use self::change::PullRules;
use self::inbox::Inbox;
use self::pull::WebhookState;
use self::status::Statuses;
use crate::cli::ServedFleetArgs;
use crate::fleet::connection::{keys, remotes};
use host::command::CommandContext;

/// Fetches and merges at a time.
const SLOTS: usize = 4;
/// How often the inbox is looked into.
const EVERY: Duration = Duration::from_millis(200);

/// Takes webhooks until it is dropped.
pub struct Webhooks {
    shared: Arc<WebhookState>,
    /// Of the entries that are being judged, or were while this process runs.
    begun: BTreeSet<Uuid>,
    looked: Instant,
    said: mpsc::UnboundedReceiver<String>,
    saying: mpsc::UnboundedSender<String>,
    _receiver: Receiver,
}

impl Webhooks {
    /// # Errors
    /// There is no secret, no token where one is named, no list of keys, or the address is taken.
    pub fn start(
        address: SocketAddr,
        args: &ServedFleetArgs,
        ctx: &CommandContext<'_>,
        data: &Path,
        queue: Arc<dyn Queue>,
        storage: Arc<dyn Storage>,
    ) -> Result<Self> {
        let variable = &args.webhook_secret_env;
        let secret = ctx.process.var(variable).map(|value| value.to_string_lossy().trim().to_owned());
        let webhook = Webhook::new(secret.unwrap_or_default()).ok_or_else(|| {
            let fault = Fault::new(FaultKind::Usage, format!("the variable {variable} is not set"));
            fault.hint("it holds the secret that the forge signs its webhook with; anyone could send one without")
        })?;
        let folder = data.join("webhooks");
        let cannot = || Fault::new(FaultKind::Git, format!("cannot make or read {}", folder.display()));
        let inbox = Arc::new(Inbox::open(&folder).with_context(cannot)?);
        let webhook = webhook.remembering(&folder.join("deliveries")).with_context(cannot)?;
        let kept = Arc::clone(&inbox);
        let keep = Box::new(move |news: &News| {
            let done = match news {
                News::Pull(pull) => kept.put(pull),
                News::Branch { repository, branch } => kept.base_moved(repository, branch),
                News::Builds { .. } | News::Nothing | News::Again => Ok(()),
            };
            done.inspect_err(|error| tracing::warn!("a webhook is refused: {error}"))
        });
        let receiver = Receiver::keeping(address, webhook, ctx.process.stop.clone(), keep).with_context(|| {
            Fault::new(FaultKind::Usage, format!("cannot listen on {address}"))
                .hint("name another address with --webhook")
        })?;
        ctx.see(&Event::Notice { text: format!("taking the forge's webhook on {}", receiver.address) });
        let shared = WebhookState {
            inbox,
            mirrors: PullMirrors::new(folder.join("mirrors"), remotes(&args.allow_remote)?, ctx.process.env.clone()),
            rules: PullRules { process: ctx.process.clone(), embedded: ctx.embedded, offline: ctx.is_offline() },
            submitter: Submitter { queue, known: keys(&args.queue, ctx)?, audited: AUDITED },
            storage,
            statuses: Statuses::new(args, ctx.process)?,
            slots: Semaphore::new(SLOTS),
        };
        let (saying, said) = mpsc::unbounded_channel();
        Ok(Webhooks {
            shared: Arc::new(shared),
            begun: BTreeSet::new(),
            looked: Instant::now(),
            said,
            saying,
            _receiver: receiver,
        })
    }

    /// Begins with what came, and says what came of what was begun. To be called again and again, in a runtime.
    pub fn step(&mut self, ctx: &CommandContext<'_>) {
        while let Ok(text) = self.said.try_recv() {
            ctx.see(&Event::Notice { text });
        }
        if self.looked.elapsed() < EVERY {
            return;
        }
        self.looked = Instant::now();
        for entry in self.shared.inbox.begin(&mut self.begun) {
            let (shared, saying) = (Arc::clone(&self.shared), self.saying.clone());
            tokio::spawn(async move {
                if let Some(text) = shared.judge(entry).await {
                    // The server ends.
                    let _ = saying.send(text);
                }
            });
        }
    }
}
