//! A connection of a pool, for one operation with a deadline.

use std::time::Duration;

use deadpool_postgres::{Client, Object, Pool, PoolError, TimeoutType};
use tokio::time::Timeout;
use tokio::time::error::Elapsed;

/// For one operation. A server that has not answered by then may be gone: half of what stands between two machines forgets connections
/// without a word.
const OPERATION: Duration = Duration::from_secs(5);

/// Goes back into the pool when its operation ended in time, and is thrown away otherwise: also when nobody waits for the operation any
/// more.
pub struct PooledConnection(Option<Client>);

impl PooledConnection {
    /// # Errors
    /// None is free in time, or none can be made.
    pub async fn from_pool(pool: &Pool) -> Result<Self, PoolError> {
        Ok(PooledConnection(Some(pool.get().await?)))
    }

    /// # Errors
    /// Never: it is there until it is finished.
    pub fn client(&mut self) -> Result<&mut Client, PoolError> {
        self.0.as_mut().ok_or(PoolError::Closed)
    }

    /// The operation, with its deadline.
    pub fn within<F: Future>(operation: F) -> Timeout<F> {
        tokio::time::timeout(OPERATION, operation)
    }

    /// # Errors
    /// That of the operation; or a timeout, as of the pool.
    pub fn finish<T, E: From<PoolError>>(mut self, done: Result<Result<T, E>, Elapsed>) -> Result<T, E> {
        match done {
            Ok(done) => {
                drop(self.0.take());
                done
            }
            Err(_) => Err(PoolError::Timeout(TimeoutType::Recycle).into()),
        }
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        if let Some(client) = self.0.take() {
            drop(Object::take(client));
        }
    }
}
