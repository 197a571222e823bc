//! The connection to a NATS server.

use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, ServerAddr};

use super::retry::until_done;
use crate::queue::{QueueError, Result};
use crate::settings::Settings;

/// For one question: it is asked again on a new connection.
const ANSWER: Duration = Duration::from_secs(2);
/// Between attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// `addresses` with commas between them: `nats://USER:PASSWORD@HOST:PORT`, or a token instead of user and password; `tls://` encrypts.
pub async fn connect(addresses: &str, settings: &Settings) -> Result<(Client, Context)> {
    // The error's text would show the password.
    let cannot_read = |_| QueueError::Address("nats".to_owned());
    let servers: Vec<ServerAddr> = addresses
        .split(',')
        .map(|one| one.trim().parse())
        .collect::<std::result::Result<_, _>>()
        .map_err(cannot_read)?;
    let options = || {
        let options = ConnectOptions::new()
            .name("guardhost")
            .request_timeout(Some(ANSWER))
            .connection_timeout(ANSWER)
            .reconnect_delay_callback(|attempt| {
                Duration::from_millis(20 * u64::try_from(attempt).unwrap_or(1)).min(LONGEST_PAUSE)
            });
        match servers.iter().find(|server| server.has_user_pass()).map(|server| (server.username(), server.password()))
        {
            Some((Some(user), Some(password))) => options.user_and_password(user.to_owned(), password.to_owned()),
            Some((Some(token), None)) => options.token(token.to_owned()),
            _ => options,
        }
    };
    let client = until_done(settings.patience, || options().connect(servers.clone())).await?;
    let context = jetstream::context::ContextBuilder::new().timeout(ANSWER).build(client.clone());
    Ok((client, context))
}
