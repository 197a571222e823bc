//! A component without its code: what remains says what it imports, what it exports, its version and which tools made it. The program embeds this in
//! place of the component, which it never runs: native code is what runs.
//!
//! Source of the layout: <https://github.com/WebAssembly/component-model/blob/main/design/mvp/Binary.md>

use wasmtime::error::Context;
use wasmtime::{Result, bail};

/// `\0asm`, version and layer.
const PREAMBLE: usize = 8;
/// The names of the sections with the tools, and with the version of a language component.
const KEPT: [&[u8]; 2] = [b"producers", b"version"];

/// Sections of components (`MODULE` and `COMPONENT`) and of both layers.
const CUSTOM: u8 = 0;
const MODULE: u8 = 1;
const COMPONENT: u8 = 4;

#[derive(Clone, Copy, PartialEq)]
enum Layer {
    Module,
    Component,
}

/// The component again, with every module inside reduced to its list of producers and its version.
pub fn from_component(component: &[u8]) -> Result<Vec<u8>> {
    reduced(component, Layer::Component)
}

fn reduced(bytes: &[u8], layer: Layer) -> Result<Vec<u8>> {
    let (preamble, mut rest) = bytes.split_at_checked(PREAMBLE).context("a preamble")?;
    let mut kept = preamble.to_vec();
    while let Some((&id, after)) = rest.split_first() {
        let (length, after) = number(after)?;
        let (body, after) = after.split_at_checked(length).context("a whole section")?;
        rest = after;
        match (layer, id) {
            (_, CUSTOM) if !is_kept(body)? => {}
            (Layer::Module, id) if id != CUSTOM => {}
            (Layer::Component, MODULE) => push(&mut kept, id, &reduced(body, Layer::Module)?),
            (Layer::Component, COMPONENT) => push(&mut kept, id, &reduced(body, Layer::Component)?),
            _ => push(&mut kept, id, body),
        }
    }
    Ok(kept)
}

fn is_kept(custom: &[u8]) -> Result<bool> {
    let (length, name) = number(custom)?;
    Ok(KEPT.contains(&name.get(..length).context("a name")?))
}

fn push(bytes: &mut Vec<u8>, id: u8, body: &[u8]) {
    bytes.push(id);
    let mut length = body.len();
    while length > 0x7f {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(body);
}

/// In LEB128, of at most 32 bits; and what follows.
fn number(bytes: &[u8]) -> Result<(usize, &[u8])> {
    let mut number = 0;
    for (index, byte) in bytes.iter().take(5).enumerate() {
        number |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Ok((number, &bytes[index + 1..]));
        }
    }
    bail!("a length in LEB128")
}
