//! A component on a web server, with its signature beside it under the name that minisign gives it.

use reqwest::{Client, StatusCode};

use super::bounded::BoundedBuffer;
use super::retry::{FetchError, retrying};
use super::{FoundComponent, MAX_COMPONENT};
use crate::config::ComponentSource;
use guardhost_core::error::Result;

/// The most bytes of a signature, which has four lines.
const MAX_SIGNATURE: u64 = 16 << 10;

pub fn download(url: &str) -> Result<FoundComponent> {
    let (component, signature) = retrying(url, || async {
        let client = Client::builder()
            .https_only(true)
            .user_agent(concat!("guardhost/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(FetchError::from)?;
        let component = get(&client, url, MAX_COMPONENT)
            .await?
            .ok_or_else(|| FetchError::permanent("the server has no such file (404)"))?;
        Ok((component, get(&client, &format!("{url}.minisig"), MAX_SIGNATURE).await?))
    })?;
    let signatures = signature.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(FoundComponent {
        source: ComponentSource::Https(url.to_owned()),
        component: component.into(),
        signatures: signatures.into_iter().collect(),
        published: None,
    })
}

/// None when the server has no such file.
async fn get(client: &Client, url: &str, max: u64) -> Result<Option<Vec<u8>>, FetchError> {
    let response = client.get(url).send().await?;
    if [StatusCode::NOT_FOUND, StatusCode::GONE].contains(&response.status()) {
        return Ok(None);
    }
    let mut response = response.error_for_status()?;
    let mut body = BoundedBuffer { bytes: Vec::new(), max };
    while let Some(chunk) = response.chunk().await? {
        body.add(&chunk).map_err(FetchError::permanent)?;
    }
    Ok(Some(body.bytes))
}
