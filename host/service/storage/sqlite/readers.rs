//! Connections that only read. Reading blocks no writing, and the other way round.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use crate::storage::{Result, StorageError};

/// Reads at once. More would compete for the same disk and the same cores.
const READERS: usize = 4;

#[derive(Clone)]
pub struct Readers {
    file: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Connection>>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub fn new(file: PathBuf) -> Self {
        Readers { file: Arc::new(file), idle: Arc::default(), places: Arc::new(Semaphore::new(READERS)) }
    }

    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let ended = |_| StorageError::Unavailable("the storage is closed".into());
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(ended)?;
        let readers = self.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let _place = place;
            let connection = readers.take()?;
            let done = work(&connection);
            readers.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            done
        });
        reading.await.map_err(|error| StorageError::Unavailable(format!("a reader failed: {error}")))?
    }

    fn take(&self) -> Result<Connection> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = idle {
            return Ok(connection);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&*self.file, flags)?;
        super::settings(&connection)?;
        Ok(connection)
    }

    /// Nothing is read any more, and no connection stays open.
    pub fn close(&self) {
        self.places.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
