//! The interfaces that guards import, one file each. A guard has a capability when its component imports it and its pin grants it.

mod change;
mod facts;
mod history;
pub mod log;
mod net;
mod repo;
mod toolchain;

use wasmtime::component::{HasSelf, Linker};

use crate::bindings;
use crate::call::store_data::StoreData;

/// An interface that a pin may grant. `change` and `log` need no grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    Repo,
    Facts,
    Net,
    Toolchain,
    History,
}

impl Capability {
    pub const ALL: [Capability; 5] =
        [Capability::Repo, Capability::Facts, Capability::Net, Capability::Toolchain, Capability::History];

    /// The interface's bare name, as in a pin's `grants`.
    pub fn name(self) -> &'static str {
        match self {
            Capability::Repo => "repo",
            Capability::Facts => "facts",
            Capability::Net => "net",
            Capability::Toolchain => "toolchain",
            Capability::History => "history",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|capability| capability.name() == name)
    }
}

/// A linker with exactly the granted interfaces and those that every guard has.
pub fn linker(engine: &wasmtime::Engine, granted: &[Capability]) -> wasmtime::Result<Linker<StoreData>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    bindings::change::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    bindings::log::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    // These hold only types.
    bindings::types::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    bindings::refusal::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    bindings::plans::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    for capability in granted {
        match capability {
            Capability::Repo => bindings::repo::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Facts => bindings::facts::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Net => bindings::net::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Toolchain => bindings::toolchain::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::History => bindings::history::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
        }
    }
    Ok(linker)
}

impl bindings::types::Host for StoreData {}
impl bindings::refusal::Host for StoreData {}
impl bindings::plans::Host for StoreData {}
