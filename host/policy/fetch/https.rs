//! A component that a web server holds, and its signature beside it, as minisign names it.

use reqwest::{Client, StatusCode};

use super::bounded::Bounded;
use super::retry::{Trouble, ask};
use super::{FoundComponent, LARGEST};
use crate::config::ComponentSource;
use guardhost_core::error::Result;

/// A signature has four lines.
const SIGNATURE: u64 = 16 << 10;

pub fn look(url: &str) -> Result<FoundComponent> {
    let (component, signature) = ask(url, || async {
        let client = Client::builder()
            .https_only(true)
            .user_agent(concat!("guardhost/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Trouble::from)?;
        let component = get(&client, url, LARGEST).await?.ok_or_else(|| Trouble::lasting("there is nothing (404)"))?;
        Ok((component, get(&client, &format!("{url}.minisig"), SIGNATURE).await?))
    })?;
    let signatures = signature.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(FoundComponent {
        source: ComponentSource::Https(url.to_owned()),
        component: component.into(),
        signatures: signatures.into_iter().collect(),
        published: None,
    })
}

/// None: the server says that there is nothing.
async fn get(client: &Client, url: &str, most: u64) -> Result<Option<Vec<u8>>, Trouble> {
    let response = client.get(url).send().await?;
    if [StatusCode::NOT_FOUND, StatusCode::GONE].contains(&response.status()) {
        return Ok(None);
    }
    let mut response = response.error_for_status()?;
    let mut body = Bounded { bytes: Vec::new(), most };
    while let Some(chunk) = response.chunk().await? {
        body.add(&chunk).map_err(Trouble::lasting)?;
    }
    Ok(Some(body.bytes))
}
