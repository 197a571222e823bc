//! The connection to a NATS server.

use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use guardhost_http::{is_untrusted, tls_trusting};
use rustls::ClientConfig;

use super::retry::retry;
use crate::queue::access::{self, Access, Credentials};
use crate::queue::{QueueError, Result};
use crate::settings::FleetSettings;

/// For one question: it is asked again on a new connection.
const ANSWER: Duration = Duration::from_secs(2);
/// Between questions whether the server is there; after two that it did not answer the connection is made anew. Without them a connection
/// that lost its other end looks like one on which nothing happens.
const PING: Duration = Duration::from_secs(4);
/// Between attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// `addresses` with commas between them: `nats://USER:PASSWORD@HOST:PORT`, or a token instead of user and password; `tls://` encrypts,
/// and so does whoever names certificates. What a file holds takes the place of what the address says.
pub async fn connect(addresses: &str, settings: &FleetSettings, access: &Access) -> Result<(Client, Context)> {
    // The error's text would show the password.
    let cannot_read = |_| QueueError::Address("nats".to_owned());
    let servers: Vec<ServerAddr> = addresses
        .split(',')
        .map(|one| one.trim().parse())
        .collect::<std::result::Result<_, _>>()
        .map_err(cannot_read)?;
    let tls = access.ca.as_deref().map(trusting).transpose()?;
    let options = || -> Result<ConnectOptions> {
        let options = ConnectOptions::new()
            .name("guardhost")
            .request_timeout(Some(ANSWER))
            .connection_timeout(ANSWER)
            .ping_interval(PING)
            .reconnect_delay_callback(|attempt| {
                Duration::from_millis(20 * u64::try_from(attempt).unwrap_or(1)).min(LONGEST_PAUSE)
            });
        let options = match &tls {
            Some(tls) => options.require_tls(true).tls_client_config(tls.clone()),
            None => options,
        };
        if let Some(credentials) = &access.credentials {
            return with(options, credentials);
        }
        Ok(
            match servers
                .iter()
                .find(|server| server.has_user_pass())
                .map(|server| (server.username(), server.password()))
            {
                Some((Some(user), Some(password))) => options.user_and_password(user.to_owned(), password.to_owned()),
                Some((Some(token), None)) => options.token(token.to_owned()),
                _ => options,
            },
        )
    };
    // What is wrong with a file is said before the server is asked.
    options()?;
    let client = retry(settings.patience, is_final, || async {
        match options() {
            Ok(options) => options.connect(servers.clone()).await.map_err(NotConnected::Server),
            Err(error) => Err(NotConnected::File(error)),
        }
    });
    let client = match client.await {
        Ok(client) => client?,
        Err(NotConnected::File(error)) => return Err(error),
        Err(NotConnected::Server(error)) => return Err(QueueError::Refused(error.to_string())),
    };
    let context = jetstream::context::ContextBuilder::new().timeout(ANSWER).build(client.clone());
    Ok((client, context))
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
enum NotConnected {
    #[error(transparent)]
    File(QueueError),
    #[error(transparent)]
    Server(ConnectError),
}

/// The server answers, and lets nobody in who comes with this. It would say so again.
fn is_final(error: &NotConnected) -> bool {
    match error {
        NotConnected::File(_) => true,
        NotConnected::Server(error) => match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => true,
            ConnectErrorKind::Tls | ConnectErrorKind::Io => is_untrusted(error),
            ConnectErrorKind::ServerParse
            | ConnectErrorKind::Dns
            | ConnectErrorKind::TimedOut
            | ConnectErrorKind::MaxReconnects => false,
        },
    }
}

fn with(options: ConnectOptions, credentials: &Credentials) -> Result<ConnectOptions> {
    Ok(match credentials.clone() {
        Credentials::UserPassword { user, password } => options.user_and_password(user, password),
        Credentials::Secret(token) => options.token(token),
        Credentials::Nkey(seed) => options.nkey(seed),
        Credentials::File(text) => options.credentials(&text).map_err(|_| {
            QueueError::Access("the credentials of NATS".to_owned(), "no JWT and seed can be read of them".to_owned())
        })?,
    })
}

fn trusting(ca: &Path) -> Result<ClientConfig> {
    let wrong = |why: String| QueueError::Access(format!("the certificates in {}", ca.display()), why);
    let pem = access::contents(ca).map_err(|error| wrong(error.to_string()))?;
    tls_trusting(&pem).map_err(wrong)
}
