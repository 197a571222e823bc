//! What the database tells everyone: that a job may be free, or that one has ended. Nobody depends on it: what was missed is looked for.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::poll_fn;
use guardhost_postgres::Target;
use tokio::sync::broadcast::{self, Receiver, Sender};
use tokio::task::JoinHandle;
use tokio_postgres::AsyncMessage;

/// The channel of all fleets of a database.
pub const CHANNEL: &str = "guardhost_fleet";
const PAUSE: Duration = Duration::from_millis(200);
/// Between questions whether the database is there, and for the answer.
const ASK: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(5);
const MOST: usize = 1024;

/// Listens as long as the value lives.
pub struct Listener {
    notices: Sender<String>,
    listening: JoinHandle<()>,
}

impl Listener {
    pub fn start(target: Target) -> Self {
        let (notices, _) = broadcast::channel(MOST);
        let tell = notices.clone();
        let listening = tokio::spawn(async move {
            loop {
                listen(&target, &tell).await;
                // Whoever waits looks once, since something may have been missed.
                let _ = tell.send(String::new());
                tokio::time::sleep(PAUSE).await;
            }
        });
        Listener { notices, listening }
    }

    pub fn subscribe(&self) -> Receiver<String> {
        self.notices.subscribe()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Until the connection ends.
async fn listen(target: &Target, tell: &Sender<String>) {
    let connecting = tokio::time::timeout(ANSWER, target.config.connect(target.tls.clone())).await;
    let Ok(Ok((client, mut connection))) = connecting else { return };
    let (tell_all, mut messages) = (tell.clone(), poll_fn(move |context| connection.poll_message(context)));
    let telling = async move {
        while let Some(Ok(message)) = messages.next().await {
            if let AsyncMessage::Notification(notification) = message {
                let _ = tell_all.send(notification.payload().to_owned());
            }
        }
    };
    // The client is kept: the connection ends with it.
    let listening = async move {
        let sql = format!("listen {CHANNEL}");
        if let Err(error) = client.batch_execute(&sql).await {
            tracing::debug!("cannot listen to the database: {error}");
            return;
        }
        // A connection that lost its other end is silent, as one on which nothing happens.
        loop {
            tokio::time::sleep(ASK).await;
            match tokio::time::timeout(ANSWER, client.batch_execute("")).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
    };
    tokio::select! {
        () = telling => {}
        () = listening => {}
    }
}
