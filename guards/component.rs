//! From a module to a component, its native code and its description.

use std::env;

use serde_json::Value;
use wasmtime::component::Component;
use wasmtime::{Engine, Error, Result};

use crate::engine;

pub struct Guard {
    pub wasm: Vec<u8>,
    pub compiled: Vec<u8>,
    pub description: Value,
}

/// What a component says of itself.
pub type Describe = fn(&Component) -> Result<Value>;

/// Code for this machine, which can say what the component is.
pub fn make(module: &[u8], describe: Describe) -> Result<Guard> {
    let encoder = wit_component::ComponentEncoder::default().validate(true);
    let wasm = encoder.module(module).and_then(|mut encoder| encoder.encode());
    let wasm = wasm.map_err(|error| Error::msg(format!("{error:#}")))?;
    let component = Component::new(&Engine::new(&engine::compiler(&env::var("HOST")?)?)?, &wasm)?;
    Ok(Guard { description: describe(&component)?, compiled: component.serialize()?, wasm })
}

/// The same guard with code for another system, which does not run here.
pub fn compiled_for(target: &str, guard: Guard) -> Result<Guard> {
    let engine = Engine::new(&engine::compiler(target)?)?;
    Ok(Guard { compiled: engine.precompile_component(&guard.wasm)?, ..guard })
}
