//! From a module to a component, its native code and its description.

use std::env;

use serde_json::{Map, Value};
use wasmtime::component::{Component, Linker, Val};
use wasmtime::error::Context;
use wasmtime::{Engine, Error, Result, Store, bail};

use crate::engine;

pub struct Guard {
    pub wasm: Vec<u8>,
    pub compiled: Vec<u8>,
    pub description: Value,
}

pub fn make(module: &[u8]) -> Result<Guard> {
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

/// Call `describe`, with every import a trap: a description depends on nothing.
fn describe(component: &Component) -> Result<Value> {
    let engine = component.engine();
    let mut linker = Linker::<()>::new(engine);
    linker.define_unknown_imports_as_traps(component)?;
    let mut store = Store::new(engine, ());
    store.set_fuel(1_000_000_000)?;
    let instance = linker.instantiate(&mut store, component)?;
    let describe = instance.get_func(&mut store, "describe").context("exports no `describe`")?;
    let mut results = [Val::Bool(false)];
    describe.call(&mut store, &[], &mut results)?;
    json(&results[0])
}

/// The values of which a description is made.
fn json(value: &Val) -> Result<Value> {
    Ok(match value {
        Val::String(text) | Val::Enum(text) => Value::from(text.as_str()),
        Val::List(values) => Value::Array(values.iter().map(json).collect::<Result<_>>()?),
        Val::Record(fields) => {
            let mut map = Map::new();
            for (name, value) in fields {
                map.insert(name.replace('-', "_"), json(value)?);
            }
            Value::Object(map)
        }
        other => bail!("a description holds no {other:?}"),
    })
}
