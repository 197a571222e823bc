//! The imports of the contract, one file each. A right needs two keys: the component imports it, and the pin grants it.

mod change;
mod facts;
mod history;
pub mod log;
mod net;
mod repo;
mod toolchain;

use wasmtime::component::{HasSelf, Linker};

use super::bindings;
use super::call::Call;

/// What a pin may grant. `change` and `log` need no grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Authority {
    Repo,
    Facts,
    Net,
    Toolchain,
    History,
}

impl Authority {
    pub const ALL: [Authority; 5] =
        [Authority::Repo, Authority::Facts, Authority::Net, Authority::Toolchain, Authority::History];

    /// The interface's bare name, which is also the grant's.
    pub fn name(self) -> &'static str {
        match self {
            Authority::Repo => "repo",
            Authority::Facts => "facts",
            Authority::Net => "net",
            Authority::Toolchain => "toolchain",
            Authority::History => "history",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|authority| authority.name() == name)
    }
}

/// A linker that holds exactly what every guard has and what is granted.
pub fn linker(engine: &wasmtime::Engine, granted: &[Authority]) -> wasmtime::Result<Linker<Call>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    bindings::change::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    bindings::log::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    // These hold types alone.
    bindings::types::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    bindings::refusal::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    bindings::plans::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    for authority in granted {
        match authority {
            Authority::Repo => bindings::repo::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Authority::Facts => bindings::facts::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Authority::Net => bindings::net::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Authority::Toolchain => bindings::toolchain::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Authority::History => bindings::history::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
        }
    }
    Ok(linker)
}

impl bindings::types::Host for Call {}
impl bindings::refusal::Host for Call {}
impl bindings::plans::Host for Call {}
