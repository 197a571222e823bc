//! The server may be away for a while: what is idempotent is tried again.

use std::fmt::Display;
use std::time::{Duration, Instant};

use crate::queue::{QueueError, Result};

const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);

/// Does `operation` until it works, `is_final` says that it never will, or the patience is over.
pub async fn retry<T, E: Display, F: Future<Output = std::result::Result<T, E>>>(
    patience: Duration,
    is_final: impl Fn(&E) -> bool,
    mut operation: impl FnMut() -> F,
) -> std::result::Result<Result<T>, E> {
    let begun = Instant::now();
    let mut pause = FIRST;
    loop {
        match operation().await {
            Ok(value) => return Ok(Ok(value)),
            Err(error) if is_final(&error) => return Err(error),
            Err(error) if begun.elapsed() >= patience => return Ok(Err(QueueError::Unreachable(error.to_string()))),
            Err(error) => {
                tracing::debug!("the queue: {error}");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST);
            }
        }
    }
}

/// The same for what has no answer that is final.
pub async fn until_done<T, E: Display, F: Future<Output = std::result::Result<T, E>>>(
    patience: Duration,
    operation: impl FnMut() -> F,
) -> Result<T> {
    match retry(patience, |_| false, operation).await {
        Ok(result) => result,
        Err(error) => Err(QueueError::Unreachable(error.to_string())),
    }
}
