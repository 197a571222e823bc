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

pub fn make(module: &[u8], describe: Describe) -> Result<Guard> {
    let encoder = wit_component::ComponentEncoder::default().validate(true);
    let wasm = encoder.module(module).and_then(|mut encoder| encoder.encode());
    let wasm = wasm.map_err(|error| Error::msg(format!("{error:#}")))?;
    let (target, host) = (env::var("TARGET")?, env::var("HOST")?);
    let engine = Engine::new(&engine::compiler(&target)?)?;
    if target == host {
        let component = Component::new(&engine, &wasm)?;
        return Ok(Guard { description: describe(&component)?, compiled: component.serialize()?, wasm });
    }
    // Code for the target of a cross build does not run here.
    let component = Component::new(&Engine::new(&engine::compiler(&host)?)?, &wasm)?;
    Ok(Guard { description: describe(&component)?, compiled: engine.precompile_component(&wasm)?, wasm })
}
