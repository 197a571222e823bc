//! Requests to registries. A request carries no credential but one that the person's own settings put into the address.

use std::collections::HashMap;
use std::sync::Arc;

use guardhost_http::{Proxies, builder, is_private};
use reqwest::header::ACCEPT;
use reqwest::{Client, StatusCode, Url};

use super::addresses::{Registry, RegistryEcosystem};
use super::index::{self, Found};
use crate::asking::reason;

/// Bytes of an answer that are read. The longest of npm's have some twenty million: what has so many versions is there, and old.
const LONGEST: usize = 32 << 20;

/// Connections to the registries of one question.
#[derive(Clone)]
pub struct RegistryAsker(Arc<HashMap<Url, Result<Client, String>>>);

/// What a registry answered.
enum RegistryResponse {
    /// None: longer than it may be.
    Body(Option<Vec<u8>>),
    Absent(String),
    Trouble(String),
}

impl RegistryAsker {
    pub fn new<'r>(registries: impl Iterator<Item = &'r Registry>, proxies: &Proxies) -> Self {
        let mut clients = HashMap::new();
        for url in registries.flat_map(|registry| &registry.urls) {
            clients.entry(url.clone()).or_insert_with(|| {
                // A credential is never sent where others can read it.
                if url.password().is_some() && !is_private(url) {
                    return Err("its address holds a credential, and is not encrypted".to_owned());
                }
                builder(url, proxies)?.build().map_err(|error| error.without_url().to_string())
            });
        }
        RegistryAsker(Arc::new(clients))
    }

    /// Of several registries the first that has it says so; it is missing only if all of them say that.
    pub async fn ask(&self, registry: &Registry, name: &str) -> Found {
        if !index::is_name(registry.ecosystem, name) {
            return Found::Unknown("it is not spelled as a name that a registry could have".to_owned());
        }
        let mut missing = None;
        let mut trouble = None;
        for url in &registry.urls {
            match self.ask_one(registry.ecosystem, url, name).await {
                there @ Found::There { .. } => return there,
                Found::Missing(why) => missing = Some(why),
                Found::Unknown(why) => trouble = Some(why),
            }
        }
        match (trouble, missing) {
            (Some(why), _) => Found::Unknown(why),
            (None, Some(why)) if registry.goes_on => {
                Found::Unknown(format!("{why}, and the package manager falls back to the repository itself"))
            }
            (None, Some(why)) if index::may_be_hidden(registry.ecosystem, name) => {
                Found::Unknown(format!("{why}, as it does for what is private"))
            }
            (None, Some(why)) => Found::Missing(why),
            (None, None) => Found::Unknown("no registry was asked".to_owned()),
        }
    }

    async fn ask_one(&self, ecosystem: RegistryEcosystem, base: &Url, name: &str) -> Found {
        let client = match self.0.get(base) {
            Some(Ok(client)) => client,
            Some(Err(why)) => return Found::Unknown(format!("no connection can be made: {why}")),
            None => return Found::Unknown("no connection was made".to_owned()),
        };
        let body = match get(client, base, &index::path(ecosystem, name), index::accept(ecosystem)).await {
            RegistryResponse::Body(Some(body)) => body,
            RegistryResponse::Body(None) => return Found::There { first: None, versions: None },
            RegistryResponse::Absent(why) => return Found::Missing(why),
            RegistryResponse::Trouble(why) => return Found::Unknown(why),
        };
        let found = match ecosystem {
            RegistryEcosystem::Cargo => index::cargo::read(&body),
            RegistryEcosystem::Npm => index::npm::read(&body),
            RegistryEcosystem::Python => index::python::read(&body),
            RegistryEcosystem::Go => {
                let Some(list) = index::go::read(&body) else { return Found::Unknown(UNREADABLE.to_owned()) };
                let info = get(client, base, &index::go::info(name, list.first.as_deref()), "application/json").await;
                let first = match info {
                    RegistryResponse::Body(body) => body.as_deref().and_then(index::go::time),
                    // A module of which there is neither a version nor a last commit.
                    RegistryResponse::Absent(why) if list.versions == 0 => return Found::Missing(why),
                    RegistryResponse::Trouble(why) if list.versions == 0 => return Found::Unknown(why),
                    RegistryResponse::Absent(_) | RegistryResponse::Trouble(_) => None,
                };
                Some(Found::There { first, versions: Some(list.versions) })
            }
        };
        found.unwrap_or_else(|| Found::Unknown(UNREADABLE.to_owned()))
    }
}

const UNREADABLE: &str = "the registry answers in a form that is not known";

async fn get(client: &Client, base: &Url, path: &str, accept: &str) -> RegistryResponse {
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Parts of the path are percent-encoded already, and hold nothing that leads elsewhere.
    url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
    let mut response = match client.get(url).header(ACCEPT, accept).send().await {
        Ok(response) => response,
        Err(error) => return RegistryResponse::Trouble(reason(&error)),
    };
    let says = format!("the registry answers {}", response.status().as_u16());
    match response.status() {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS => {
            return RegistryResponse::Absent(says);
        }
        _ => return RegistryResponse::Trouble(says),
    }
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > LONGEST => return RegistryResponse::Body(None),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return RegistryResponse::Body(Some(body)),
            Err(error) => return RegistryResponse::Trouble(reason(&error)),
        }
    }
}
