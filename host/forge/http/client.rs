//! The connection to the server of a forge.

use guardhost_http::{Proxies, is_private};
use reqwest::{Client, Url};

use crate::error::{ForgeError, ForgeFailure, Result};

/// The address of an API.
pub(super) fn address(text: &str) -> Result<Url> {
    let wrong = |what: &str| ForgeError::new(ForgeFailure::Address, format!("the address of the API {what}"));
    let url: Url = text.parse().map_err(|_| wrong("is none, such as https://api.github.com"))?;
    if !["http", "https"].contains(&url.scheme()) || url.host_str().is_none() {
        return Err(wrong("begins with https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("holds a user name or a password"));
    }
    match is_private(&url) {
        true => Ok(url),
        false => Err(wrong("is not encrypted, so no token is sent there")),
    }
}

pub(super) fn client(url: &Url, proxies: &Proxies) -> Result<Client> {
    let wrong = |why: String| ForgeError::new(ForgeFailure::Unreachable, format!("cannot prepare a connection: {why}"));
    let builder = guardhost_http::builder(url, proxies).map_err(wrong)?;
    builder.build().map_err(|error| wrong(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn tokens_go_to_encrypted_addresses_or_this_machine() {
        for good in ["https://api.github.com", "http://127.0.0.1:8000/api/v3", "http://[::1]:1", "http://localhost:1"] {
            assert!(address(good).is_ok(), "{good}");
        }
        for bad in [
            "http://api.github.com",
            "http://127.0.0.1.example.org",
            "https://me@host",
            "https://a:b@host",
            "ftp://host",
            "host",
        ] {
            assert!(address(bad).is_err(), "{bad}");
        }
    }
}
