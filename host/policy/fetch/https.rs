//! A component on a web server, with its signature beside it under the name that minisign gives it.

use reqwest::{Client, StatusCode};

use super::failure::FetchError;
use super::retry::retrying;
use super::{FoundComponent, MAX_COMPONENT, http};
use crate::config::ComponentSource;
use guardhost_core::error::Result;

/// The most bytes of a signature, which has four lines.
const MAX_SIGNATURE: u64 = 16 << 10;

pub fn download(url: &str) -> Result<FoundComponent> {
    let (component, signature) = retrying(url, || async {
        let client = client()?;
        let response = http::checked(client.get(url).send().await?, "a file").await?;
        let component = http::body(response, MAX_COMPONENT, "the component").await?;
        Ok((component, beside(&client, url).await?))
    })?;
    Ok(FoundComponent {
        source: ComponentSource::Https(url.to_owned()),
        component: component.into(),
        signatures: signature.into_iter().collect(),
        manifest: None,
        published: None,
    })
}

/// A file of at most `max` bytes, which messages call `what`.
pub fn file(url: &str, max: u64, what: &str) -> Result<Vec<u8>> {
    retrying(url, || async {
        let response = http::checked(client()?.get(url).send().await?, "a file").await?;
        http::body(response, max, what).await
    })
}

/// The signature alone; None when there is none.
pub fn signature(url: &str) -> Result<Option<String>> {
    retrying(url, || async { beside(&client()?, url).await })
}

fn client() -> Result<Client, FetchError> {
    Ok(Client::builder().https_only(true).user_agent(http::USER_AGENT).build()?)
}

async fn beside(client: &Client, url: &str) -> Result<Option<String>, FetchError> {
    let response = client.get(format!("{url}.minisig")).send().await?;
    if [StatusCode::NOT_FOUND, StatusCode::GONE].contains(&response.status()) {
        return Ok(None);
    }
    let response = http::checked(response, "its signature").await?;
    let bytes = http::body(response, MAX_SIGNATURE, "the signature").await?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}
