//! How a question reaches a provider: as a process, over HTTP, or from a recording.

pub(crate) mod cli;
pub(crate) mod http;
mod replay;
mod response;

use guardhost_core::change::Observer;

use super::{FailureClass, Provider, ProviderFailure, ProviderRuntime, Transport};
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
            cli::send(request, &cli::CliAgent { dialect, program, extra_args: args }).await
        }
        Transport::Http(server) => http::send(request, server).await,
        Transport::Replay(file) => {
            replay::replay(file, (request.round, request.runtime.step.as_deref()), request.observer)
        }
    }
}

/// An answer for which tools were used, or are asked for, though none was offered: what was read or written is not known.
fn used_tools(tools: &[&str]) -> Option<ProviderFailure> {
    let mut names: Vec<_> = tools.iter().map(|name| format!("`{}`", name.escape_debug())).collect();
    names.dedup();
    names.truncate(8);
    (!names.is_empty()).then(|| {
        let what = format!("it used tools ({}), and it was to use none", names.join(", "));
        ProviderFailure::new(FailureClass::UsedTools, what)
    })
}
