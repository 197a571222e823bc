//! Checks one address: `HEAD` first, `GET` where `HEAD` is unreliable. Redirects are followed here and not by the HTTP client.

use reqwest::header::{ACCEPT, LOCATION, RANGE};
use reqwest::{Client, Method, Response, StatusCode, Url};

use super::address::is_public;
use super::names::Resolution;
use super::{Liveness, Online, client};
use crate::asking::reason;

const REDIRECTS: usize = 5;

/// Bytes. Servers refuse longer addresses.
const LONGEST: usize = 2_048;

pub async fn ask(online: &Online, text: &str) -> Liveness {
    let Ok(mut url) = Url::parse(text) else {
        return Liveness::Refused("it is not an address".to_owned());
    };
    for hop in 0..=REDIRECTS {
        let after_redirects = |why: String| if hop == 0 { why } else { format!("it leads to {url}: {why}") };
        if let Err(stop) = check_allowed(online, &url).await {
            return match stop {
                Liveness::Refused(why) => Liveness::Refused(after_redirects(why)),
                Liveness::Gone(why) => Liveness::Gone(after_redirects(why)),
                Liveness::Unknown(why) => Liveness::Unknown(after_redirects(why)),
                alive => alive,
            };
        }
        let client = online.client.get_or_init(|| client::client(online.names.clone()));
        let response = match client {
            Ok(client) => answer(client, &url).await,
            Err(why) => return Liveness::Unknown(format!("no connection can be made: {why}")),
        };
        let response = match response {
            Ok(response) => response,
            Err(error) => return Liveness::Unknown(after_redirects(reason(&error))),
        };
        let to = response.headers().get(LOCATION).filter(|_| response.status().is_redirection());
        let Some(to) = to else { return liveness(response.status(), after_redirects) };
        match to.to_str().ok().and_then(|to| url.join(to).ok()) {
            Some(to) => url = to,
            None => return Liveness::Unknown("it leads to what is not an address".to_owned()),
        }
    }
    Liveness::Unknown(format!("it leads on more than {REDIRECTS} times"))
}

/// Whether a request is allowed. Err: the answer without a request.
async fn check_allowed(online: &Online, url: &Url) -> Result<(), Liveness> {
    let refused = |why: &str| Err(Liveness::Refused(why.to_owned()));
    if url.as_str().len() > LONGEST {
        return refused("it is too long for an address");
    }
    if !matches!(url.scheme(), "http" | "https") {
        return refused("only http and https addresses are checked");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refused("it holds a user's name or a password");
    }
    // None for the scheme's own port.
    if url.port().is_some() {
        return refused("only the ports 80 and 443 are checked");
    }
    let Some(host) = url.host_str() else { return refused("it names no host") };
    let literal = host.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = literal.parse() {
        return if is_public(address) { Ok(()) } else { refused("the address is not a public one") };
    }
    if is_local(host) {
        return refused("the name is not a public one");
    }
    match online.names.resolve(host).await {
        Resolution::Public(_) => Ok(()),
        Resolution::Private(address) => {
            refused(&format!("its name resolves to {address}, which is not a public address"))
        }
        Resolution::NoSuchName => Err(Liveness::Gone(format!("there is no host {host}"))),
        Resolution::Trouble(why) => Err(Liveness::Unknown(format!("{host} could not be looked up: {why}"))),
    }
}

/// Names that do not exist, or exist only in the local network (<https://www.iana.org/assignments/special-use-domain-names>): a lookup
/// has no result, or reveals the name to the local network.
fn is_local(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let last = host.rsplit('.').next().unwrap_or_default();
    last == host
        || matches!(last, "localhost" | "local" | "internal" | "test" | "example" | "invalid" | "onion" | "alt")
        || host.ends_with(".home.arpa")
}

async fn answer(client: &Client, url: &Url) -> reqwest::Result<Response> {
    let head = send(client, Method::HEAD, url).await?;
    // Many servers answer HEAD with one of these statuses, and GET with the page.
    let doubtful = head.status().is_client_error() && head.status() != StatusCode::TOO_MANY_REQUESTS;
    if doubtful || head.status() == StatusCode::NOT_IMPLEMENTED {
        send(client, Method::GET, url).await
    } else {
        Ok(head)
    }
}

/// Returns when the headers are there. The body is never read; the connection is closed.
async fn send(client: &Client, method: Method, url: &Url) -> reqwest::Result<Response> {
    let request = client.request(method.clone(), url.clone()).header(ACCEPT, "*/*");
    let request = if method == Method::GET { request.header(RANGE, "bytes=0-0") } else { request };
    request.send().await
}

fn liveness(status: StatusCode, after_redirects: impl Fn(String) -> String) -> Liveness {
    let code = status.as_u16();
    match code {
        200..=299 | 304 | 416 => Liveness::Alive(code),
        404 | 410 => Liveness::Gone(after_redirects(format!("it answers {code}"))),
        _ => Liveness::Unknown(after_redirects(format!("it answers {code}"))),
    }
}
