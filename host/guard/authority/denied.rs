//! `history`: granted in a pin it links, and answers that this host does not have it yet, so that a
//! guard can say so instead of failing.

use wasmtime::Result;

use crate::guard::bindings::history;
use crate::guard::bindings::refusal::Denied;
use crate::guard::call::Call;

fn unavailable<T>(call: &mut Call, what: &str) -> Result<Result<T, Denied>> {
    call.ask()?;
    Ok(Err(Denied::Unavailable(format!("this version of the host has no {what}"))))
}

impl history::Host for Call {
    fn outcomes(&mut self, _: u32, _: u32) -> Result<Result<Vec<history::Outcome>, Denied>> {
        unavailable(self, "history of outcomes")
    }
}
