//! How a question reaches a provider: as a process, over HTTP, or from a recording.

pub(crate) mod cli;
pub(crate) mod http;
mod replay;
mod response;

use guardhost_core::change::Observer;

use super::{Provider, ProviderFailure, ProviderRuntime, Transport};
pub(super) use response::ProviderResponse;

/// One question on its way to a provider.
pub(super) struct Request<'a> {
    pub(super) provider: &'a Provider,
    pub(super) prompt: &'a [u8],
    /// From 1.
    pub(super) round: u32,
    pub(super) runtime: &'a ProviderRuntime,
    /// Is given what the provider prints while it works: of any length, not redacted.
    pub(super) on_progress: &'a (dyn Fn(&str) + Sync),
    pub(super) observer: &'a dyn Observer,
}

pub(super) async fn send(request: &Request<'_>) -> Result<ProviderResponse, ProviderFailure> {
    match &request.provider.transport {
        Transport::Cli { dialect, program, args, on_change: _ } => {
            cli::send(request, &cli::Agent { dialect, program, extra_args: args }).await
        }
        Transport::Http(server) => http::send(request, server).await,
        Transport::Replay(file) => replay::replay(file, request.round, request.observer),
    }
}
