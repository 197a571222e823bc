//! Resolves each name once, and decides to which addresses a connection may go.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use dns_lookup::{AddrInfoHints, LookupErrorKind, getaddrinfo};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::OnceCell;

use super::address::is_public;

/// A resolver, and the route to public addresses. Tests have their own.
pub trait Network: Send + Sync {
    /// May block. An answer without addresses is [`NoAddress::Trouble`].
    fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NoAddress>;

    /// Where to connect for a public address. Port 0 means the scheme's default port.
    fn route(&self, public: IpAddr) -> SocketAddr {
        SocketAddr::new(public, 0)
    }
}

/// Why a name has no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAddress {
    /// The resolver says that there is no such name.
    NoSuchName,
    /// The lookup failed, or the name exists and has no address.
    Trouble(String),
}

/// The system's resolver.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl Network for System {
    fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NoAddress> {
        // With one socket type, because otherwise every address comes three times.
        let stream = 1;
        let hints = AddrInfoHints { socktype: stream, ..AddrInfoHints::default() };
        let found = getaddrinfo(Some(name), None, Some(hints)).map_err(|error| match error.kind() {
            LookupErrorKind::NoName => NoAddress::NoSuchName,
            _ => NoAddress::Trouble(io::Error::from(error).to_string()),
        })?;
        let addresses: Vec<IpAddr> = found.filter_map(Result::ok).map(|info| info.sockaddr.ip()).collect();
        if addresses.is_empty() { Err(NoAddress::Trouble("it has no address".to_owned())) } else { Ok(addresses) }
    }
}

/// The result of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Every address is public. Where to connect.
    Public(Vec<SocketAddr>),
    /// At least one address is not public; the first of them.
    Private(IpAddr),
    NoSuchName,
    Trouble(String),
}

/// The lookups of one run.
pub struct NameLookups {
    network: Arc<dyn Network>,
    resolutions: Mutex<HashMap<String, Arc<OnceCell<Resolution>>>>,
}

/// A name that IANA keeps resolvable. Some resolvers answer that no name exists when the machine has no network, so that answer counts
/// only from a resolver that knows this name.
const CONTROL: &str = "example.com";

impl NameLookups {
    pub fn new(network: Arc<dyn Network>) -> Self {
        NameLookups { network, resolutions: Mutex::default() }
    }

    /// A name is looked up once; later calls get the same result.
    pub async fn resolve(&self, name: &str) -> Resolution {
        match self.look_up(name).await {
            Resolution::NoSuchName if !matches!(self.look_up(CONTROL).await, Resolution::Public(_)) => {
                Resolution::Trouble("names cannot be looked up here".to_owned())
            }
            resolution => resolution,
        }
    }

    async fn look_up(&self, name: &str) -> Resolution {
        let name = name.to_ascii_lowercase();
        let cell = self.cells().entry(name.clone()).or_default().clone();
        let network = self.network.clone();
        cell.get_or_init(|| async move {
            let found = tokio::task::spawn_blocking(move || checked(&*network, &name)).await;
            found.unwrap_or_else(|error| Resolution::Trouble(error.to_string()))
        })
        .await
        .clone()
    }

    fn cells(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<Resolution>>>> {
        self.resolutions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name with a private address among public ones counts as private: the connection might choose that address.
fn checked(network: &dyn Network, name: &str) -> Resolution {
    match network.look_up(name) {
        Ok(addresses) => match addresses.iter().find(|address| !is_public(**address)) {
            Some(private) => Resolution::Private(*private),
            None => Resolution::Public(addresses.into_iter().map(|address| network.route(address)).collect()),
        },
        Err(NoAddress::NoSuchName) => Resolution::NoSuchName,
        Err(NoAddress::Trouble(why)) => Resolution::Trouble(why),
    }
}

/// The HTTP client's resolver: gives only addresses that were looked up before and found public, and makes no lookup.
pub struct Pinned(pub Arc<NameLookups>);

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let cell = self.0.cells().get(&name.as_str().to_ascii_lowercase()).cloned();
        let addresses = match cell.as_ref().and_then(|cell| cell.get()) {
            Some(Resolution::Public(addresses)) => Ok(addresses.clone()),
            _ => Err(format!("{} was not checked", name.as_str())),
        };
        let addresses = addresses.map(|addresses| Box::new(addresses.into_iter()) as Addrs).map_err(Into::into);
        Box::pin(std::future::ready(addresses))
    }
}
