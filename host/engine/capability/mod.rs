//! What the host serves to guards, one file an interface. `change`, `report`, `log`, `files`, `language` and `plan` every guard has; of the others, the
//! capabilities, a guard has what its component imports and its pin grants.

mod analysis;
pub mod change;
mod commits;
pub mod facts;
mod files;
pub mod history;
mod languages;
pub mod log;
mod model;
mod modules;
mod net;
pub mod plan;
mod readings;
mod registry;
mod repo;
pub mod report;
pub mod toolchain;
mod toolchain_command;
pub mod tree_search;

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::guardhost as wit;
use crate::call::store_data::StoreData;
use crate::grant::{Capability, Grants};

/// A linker with exactly the granted capabilities and the interfaces that every guard has.
pub fn linker(engine: &wasmtime::Engine, grants: &Grants) -> wasmtime::Result<Linker<StoreData>> {
    let mut linker = Linker::new(engine);
    let l = &mut linker;
    wit::guard::types::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::guard::change::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::guard::report::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::guard::log::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::files::kinds::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::language::languages::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::plan::plan::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    wit::analysis::points::add_to_linker::<_, HasSelf<_>>(l, |call| call)?;
    for capability in grants.capabilities() {
        match capability {
            Capability::Repo => wit::repo::tree::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Commits => wit::commits::commits::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Facts => wit::facts::facts::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Modules => wit::modules::modules::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Net => wit::net::net::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Registry => wit::registry::registry::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Toolchain => wit::toolchain::toolchain::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::History => wit::history::history::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
            Capability::Model => wit::model::model::add_to_linker::<_, HasSelf<_>>(l, |call| call)?,
        }
    }
    Ok(linker)
}

impl wit::guard::types::Host for StoreData {}
