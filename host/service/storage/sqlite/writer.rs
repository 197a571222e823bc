//! The one writer. What waits is written in one transaction and answered when that is on disk, so that fifty clients cost one sync.

use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use crate::storage::{Result, StorageError};

/// The most pieces of work in one transaction.
const BATCH: usize = 256;
/// Pieces of work that wait; who comes then waits for a place.
const WAITING: usize = 1_024;

/// Tells the asker, once it is known whether the transaction was committed.
type WriteReply = Box<dyn FnOnce(Result<()>) + Send>;
type WriteJob = Box<dyn FnOnce(&Connection) -> WriteReply + Send>;

pub struct Writer {
    jobs: mpsc::Sender<WriteJob>,
}

impl Writer {
    /// Takes the connection to a thread of its own. The thread ends after the writer is dropped.
    pub fn start(connection: Connection) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (jobs, waiting) = mpsc::channel(WAITING);
        let thread = std::thread::Builder::new().name("observer-writer".into());
        let thread = thread.spawn(move || write_all(connection, waiting))?;
        Ok((Writer { jobs }, thread))
    }

    /// Does `work` in a transaction, with others. The answer comes when it is on disk. Work that fails changes nothing.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        let job: WriteJob = Box::new(move |connection| {
            let done = alone(connection, work);
            Box::new(move |committed: Result<()>| {
                // Nobody waits any more: the client is gone.
                let _ = reply.send(done.and_then(|value| committed.map(|()| value)));
            })
        });
        let ended = || StorageError::Unavailable("the writer has ended".into());
        self.jobs.send(job).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

/// Undoes what the work wrote if it fails; the work of others stays.
fn alone<T>(connection: &Connection, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    connection.prepare_cached("savepoint work")?.execute([])?;
    let done = work(connection);
    if done.is_err() {
        connection.prepare_cached("rollback to work")?.execute([])?;
    }
    connection.prepare_cached("release work")?.execute([])?;
    done
}

fn write_all(mut connection: Connection, mut waiting: mpsc::Receiver<WriteJob>) {
    while let Some(first) = waiting.blocking_recv() {
        let mut jobs = vec![first];
        while jobs.len() < BATCH
            && let Ok(next) = waiting.try_recv()
        {
            jobs.push(next);
        }
        let mut replies = Vec::with_capacity(jobs.len());
        let committed = transaction(&mut connection, jobs, &mut replies);
        for reply in replies {
            reply(committed.clone());
        }
    }
    // The next start has no log to read again.
    let _ = connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()));
}

fn transaction(connection: &mut Connection, jobs: Vec<WriteJob>, replies: &mut Vec<WriteReply>) -> Result<()> {
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            let error = StorageError::from(error);
            // The work is not done; its askers learn why.
            replies.extend(jobs.into_iter().map(refused));
            return Err(error);
        }
    };
    replies.extend(jobs.into_iter().map(|job| job(&transaction)));
    transaction.commit().map_err(Into::into)
}

/// A job that is not run: its asker sees that the answer never came.
fn refused(job: WriteJob) -> WriteReply {
    Box::new(move |_| drop(job))
}
