//! A buffer of limited size for bytes from the network.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

/// Fails as soon as it would hold more than `max` bytes.
pub struct BoundedBuffer {
    pub bytes: Vec<u8>,
    pub max: u64,
}

impl BoundedBuffer {
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if (self.bytes.len() + bytes.len()) as u64 > self.max {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {} bytes", self.max)));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

impl AsyncWrite for BoundedBuffer {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(self.add(bytes).map(|()| bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
