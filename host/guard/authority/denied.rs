//! `toolchain`: granted in a pin it links, and answers that this host does not have it yet, so that a
//! guard can say so instead of failing.

use wasmtime::Result;

use crate::guard::bindings::refusal::Denied;
use crate::guard::bindings::toolchain;
use crate::guard::call::Call;

fn unavailable<T>(call: &mut Call, what: &str) -> Result<Result<T, Denied>> {
    call.ask()?;
    Ok(Err(Denied::Unavailable(format!("this version of the host has no {what}"))))
}

impl toolchain::Host for Call {
    fn run_tests(&mut self, _: toolchain::Side) -> Result<Result<Vec<toolchain::TestReport>, Denied>> {
        unavailable(self, "sandbox for tests")
    }

    fn run_build(&mut self, _: toolchain::Side) -> Result<Result<Vec<toolchain::BuildReport>, Denied>> {
        unavailable(self, "sandbox for builds")
    }
}
