//! Makes instances, and asks again where the system was busy.

use std::io::{self, ErrorKind};
use std::thread::sleep;
use std::time::Duration;

use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre};

/// How often an instance is asked for. Linux waits 150 ms for the pages of a memory image before it calls them busy, which they are while the
/// kernel moves them; none was busy twice in a row where this was seen, under full load.
const ATTEMPTS: u32 = 3;

const PAUSE: Duration = Duration::from_millis(20);

/// # Errors
/// The system refuses it, or the component traps as it starts.
pub async fn instantiate<T: Send>(pre: &InstancePre<T>, store: &mut Store<T>) -> wasmtime::Result<Instance> {
    let mut attempt = 1;
    loop {
        match pre.instantiate_async(&mut *store).await {
            Err(error) if attempt < ATTEMPTS && is_busy(&error) => sleep(PAUSE),
            result => return result,
        }
        attempt += 1;
    }
}

/// Whether the system says that the same question may be answered a moment later.
fn is_busy(error: &wasmtime::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref::<io::Error>().map(io::Error::kind);
    error.chain().any(|cause| matches!(kind(cause), Some(ErrorKind::ResourceBusy | ErrorKind::Interrupted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_is_what_the_system_says_of_a_moment() {
        let system = |kind: ErrorKind| wasmtime::Error::from(io::Error::from(kind)).context("cannot make the image");
        assert!(is_busy(&system(ErrorKind::ResourceBusy)));
        assert!(!is_busy(&system(ErrorKind::OutOfMemory)));
        assert!(!is_busy(&wasmtime::Error::msg("resource busy")));
    }
}
