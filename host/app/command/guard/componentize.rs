//! `host guard componentize`: turns a core module into a component that imports only the guard contract. Authors need it instead of
//! `wasm-tools component new`, so that the tool of their language is enough.

use wasmparser::Parser;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata, metadata};
use wit_parser::Resolve;

use crate::cli::ComponentizeArgs;
use crate::context::CommandContext;
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_engine::contract_packages;

use super::introduction::Introduction;
use super::plain_names::with_names_of_the_contract;

/// Worlds that name the whole contract.
const WORLDS: &str = include_str!("../../../../wit/worlds/worlds.wit");

/// The default world of a module without embedded types. The component imports only what the module imports.
const WORLD: &str = "guard-with-capabilities";

/// The adapter for modules that import WASI preview 1.
const PREVIEW1: &str = include_str!("preview1.wat");
const PREVIEW1_NAME: &str = "wasi_snapshot_preview1";
const PREVIEW1_WORLD: &str = "package guardhost:preview1; world adapter { import guardhost:guard/log@0.1.0; }";

/// Reads the core module, binary or text, and writes the component. Errors ([`FaultKind::Usage`]): a file that is no core module, a world
/// that does not exist, imports or exports that the world does not have. [`FaultKind::GuardLoad`]: the component cannot describe itself;
/// nothing is written then.
pub fn componentize(args: &ComponentizeArgs, ctx: &CommandContext) -> Result<()> {
    let path = ctx.path(&args.module);
    let module = std::fs::read(&path)
        .with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the module {}", path.display())))?;
    let component = component(&module, args.world.as_deref()).map_err(|error| {
        error.context(
            Fault::new(FaultKind::Usage, format!("{} does not become a guard", path.display()))
                .hint("sdk/README.md, \"Another language\", lists what a core module must export and may import"),
        )
    })?;
    let component = Component::from(component);
    Introduction::new(&component, &ctx.policies().machine()).map_err(|failure| {
        let what = format!("the component of {} does not describe itself", path.display());
        failure
            .into_fault(what)
            .hint("see what the module's function `guardhost:guard/metadata@0.1.0#describe` returns: a handle of a `description`")
    })?;
    let output = ctx.path(&args.out);
    std::fs::write(&output, component.bytes()).with_context(|| format!("cannot write {}", output.display()))
}

fn component(module: &[u8], world: Option<&str>) -> Result<Vec<u8>> {
    let module = wat::parse_bytes(module).map_err(Error::new)?;
    if Parser::is_component(&module) {
        return Err(Error::msg("it is a component already, and needs no `host guard componentize`"));
    }
    let mut module = with_names_of_the_contract(&module)?;
    let mut resolve = contract_packages()?;
    let worlds = resolve.push_str("worlds.wit", WORLDS)?;
    // Bindings that were made by a generator bring their world along, in a custom section.
    let typed = metadata::decode(&module)?.0.is_some();
    if world.is_some() || !typed {
        let world = resolve.select_world(&[worlds], Some(world.unwrap_or(WORLD)))?;
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    }
    let adapter = adapter(&mut resolve)?;
    ComponentEncoder::default().validate(true).module(&module)?.adapter(PREVIEW1_NAME, &adapter)?.encode()
}

fn adapter(resolve: &mut Resolve) -> Result<Vec<u8>> {
    let mut module = wat::parse_str(PREVIEW1).map_err(Error::new)?;
    let package = resolve.push_str("preview1.wit", PREVIEW1_WORLD)?;
    let world = resolve.select_world(&[package], None)?;
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8)?;
    Ok(module)
}
