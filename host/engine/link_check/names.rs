//! Names, each looked up once, and the addresses that a connection may go to.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use dns_lookup::{AddrInfoHints, LookupErrorKind, getaddrinfo};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::OnceCell;

use super::address::is_public;

/// Who turns names into addresses, and where an address that was found public is reached.
pub trait Wires: Send + Sync {
    /// May block. An answer without addresses is [`NoAddress::Trouble`].
    fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NoAddress>;

    /// Port 0 stands for the scheme's own.
    fn route(&self, public: IpAddr) -> SocketAddr {
        SocketAddr::new(public, 0)
    }
}

/// Why a name has no address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAddress {
    /// The resolver says that there is no such name.
    NoSuchName,
    /// It could not say, or the name exists and has no address.
    Trouble(String),
}

/// The system's resolver.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl Wires for System {
    fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, NoAddress> {
        // One kind of socket, or every address comes three times.
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

/// What a lookup came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// Every address is public; these are where to connect.
    Public(Vec<SocketAddr>),
    /// One at least is not.
    Private(IpAddr),
    NoSuchName,
    Trouble(String),
}

/// The names of one run.
pub struct Names {
    wires: Arc<dyn Wires>,
    named: Mutex<HashMap<String, Arc<OnceCell<Named>>>>,
}

/// IANA keeps this name and its addresses. A machine without a network is told by some resolvers that no name exists: only one
/// that knows this name may say so of another.
const CONTROL: &str = "example.com";

impl Names {
    pub fn new(wires: Arc<dyn Wires>) -> Self {
        Names { wires, named: Mutex::default() }
    }

    /// A name's addresses, in the answer of the one lookup that is made of it.
    pub async fn named(&self, name: &str) -> Named {
        match self.look_up(name).await {
            Named::NoSuchName if !matches!(self.look_up(CONTROL).await, Named::Public(_)) => {
                Named::Trouble("names cannot be looked up here".to_owned())
            }
            named => named,
        }
    }

    async fn look_up(&self, name: &str) -> Named {
        let name = name.to_ascii_lowercase();
        let cell = self.cells().entry(name.clone()).or_default().clone();
        let wires = self.wires.clone();
        cell.get_or_init(|| async move {
            let found = tokio::task::spawn_blocking(move || checked(&*wires, &name)).await;
            found.unwrap_or_else(|error| Named::Trouble(error.to_string()))
        })
        .await
        .clone()
    }

    fn cells(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<Named>>>> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A name with one private address among public ones is taken for private: the connection might choose that one.
fn checked(wires: &dyn Wires, name: &str) -> Named {
    match wires.look_up(name) {
        Ok(addresses) => match addresses.iter().find(|address| !is_public(**address)) {
            Some(private) => Named::Private(*private),
            None => Named::Public(addresses.into_iter().map(|address| wires.route(address)).collect()),
        },
        Err(NoAddress::NoSuchName) => Named::NoSuchName,
        Err(NoAddress::Trouble(why)) => Named::Trouble(why),
    }
}

/// The connection's view: what was looked up and found public, and nothing else. It never asks anybody.
pub struct Pinned(pub Arc<Names>);

impl Resolve for Pinned {
    fn resolve(&self, name: Name) -> Resolving {
        let cell = self.0.cells().get(&name.as_str().to_ascii_lowercase()).cloned();
        let addresses = match cell.as_ref().and_then(|cell| cell.get()) {
            Some(Named::Public(addresses)) => Ok(addresses.clone()),
            _ => Err(format!("{} was not checked", name.as_str())),
        };
        let addresses = addresses.map(|addresses| Box::new(addresses.into_iter()) as Addrs).map_err(Into::into);
        Box::pin(std::future::ready(addresses))
    }
}
