//! Runs a call in slices of its fuel, and looks between them whether it is to end.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::limits::GuardStop;
use guardhost_core::stop::Watch;

/// Fuel after which a call is paused, to see whether it is to end: some ten microseconds, a thousand times what the pause takes. Not
/// more, because a component of components can make the host copy megabytes for a few units.
pub const SLICE: u64 = 100_000;

/// Runs a call to its end, which waits for nothing: it is only pending when a slice of its fuel is used up. A call that is dropped in the
/// middle unwinds.
pub fn in_slices<R>(
    mut call: Pin<&mut impl Future<Output = wasmtime::Result<R>>>,
    watch: &Watch,
) -> wasmtime::Result<R> {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match call.as_mut().poll(&mut context) {
            Poll::Ready(result) => return result,
            Poll::Pending => watch.check().map_err(GuardStop::Ended)?,
        }
    }
}
