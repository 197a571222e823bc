//! `host guard componentize`: turns a core module into a component that imports only the guard contract. Authors need it instead of
//! `wasm-tools component new`, so that the tool of their language is enough.

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata, metadata};
use wit_parser::Resolve;

use crate::cli::ComponentizeArgs;
use crate::command::CommandContext;
use guardhost_core::error::{Context, Error, Fault, Kind, Result};

/// The released contract: one package, declared in the first file.
const CONTRACT: &str = concat!(
    include_str!("../../../../wit/guard/types.wit"),
    include_str!("../../../../wit/guard/change.wit"),
    include_str!("../../../../wit/guard/authorities.wit"),
    include_str!("../../../../wit/guard/guard.wit"),
);

/// The default world of a module without embedded types. The component imports only what the module imports.
const WORLD: &str = "guard-with-authorities";

/// The adapter for modules that import WASI preview 1.
const PREVIEW1: &str = include_str!("preview1.wat");
const PREVIEW1_NAME: &str = "wasi_snapshot_preview1";
const PREVIEW1_WORLD: &str = "package guardhost:preview1; world adapter { import guardhost:guard/log@0.1.0; }";

/// Reads the core module and writes the component. Errors (`Kind::Usage`): a file that is no core module, a world that is
/// not there, imports or exports that the world does not have.
pub fn componentize(args: &ComponentizeArgs, ctx: &CommandContext) -> Result<()> {
    let path = ctx.path(&args.module);
    let module = std::fs::read(&path)
        .with_context(|| Fault::new(Kind::Usage, format!("cannot read the module {}", path.display())))?;
    let component = component(module, args.world.as_deref()).map_err(|error| {
        error.context(
            Fault::new(Kind::Usage, format!("{} does not become a guard", path.display()))
                .hint("it must be a core module that exports `describe` and `check` and imports nothing but the contract or WASI preview 1"),
        )
    })?;
    let output = ctx.path(&args.out);
    std::fs::write(&output, component).with_context(|| format!("cannot write {}", output.display()))
}

fn component(mut module: Vec<u8>, world: Option<&str>) -> Result<Vec<u8>> {
    let mut resolve = Resolve::default();
    let contract = resolve.push_str("guard.wit", CONTRACT)?;
    // Bindings that were made by a generator bring their world along, in a custom section.
    let typed = metadata::decode(&module)?.0.is_some();
    if world.is_some() || !typed {
        let world = resolve.select_world(&[contract], Some(world.unwrap_or(WORLD)))?;
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
