//! A component's imports and exports, read from its bytes before anything is compiled.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use wasmparser::{
    CanonicalFunction, CanonicalOption, Chunk, ComponentAlias, ComponentExternalKind, ComponentOuterAliasKind,
    ComponentType, ComponentTypeRef, Encoding, InstanceTypeDeclaration, Parser, Payload, TypeBounds,
};

use crate::failure::GuardFailure;
use crate::grant::Grants;
use crate::limits::COMPONENT;
use crate::load::contract::{ImportedInterface, InterfaceName, check_functions, check_import};

/// Checks a component's size, and the names, versions and grants of its imports.
pub fn check(component: &[u8], grants: &Grants) -> Result<(), GuardFailure> {
    check_size(component)?;
    for import in imports_and_exports(component)?.imports {
        check_import(&import.name, grants)?;
    }
    Ok(())
}

/// Checks that a component reads a language: its size, that it answers from its arguments alone, and what it exports.
pub fn check_language(component: &[u8]) -> Result<(), GuardFailure> {
    check_size(component)?;
    let ImportsAndExports { imports, exports } = imports_and_exports(component)?;
    if ComponentKind::from_exports(&exports) == ComponentKind::Guard {
        let what =
            "it exports no `reader` of guardhost:language, so that it is no language; a guard is pinned as [[guard]]";
        return Err(GuardFailure::new("not-a-language", what));
    }
    for import in imports {
        check_import(&import.name, &Grants::all())?;
        if let Some(function) = import.functions.first() {
            let what = format!(
                "the language imports `{function}` of `{}`; it answers from its arguments alone, and may import nothing but types",
                import.name
            );
            return Err(GuardFailure::new("ungranted-import", what));
        }
    }
    Ok(())
}

fn check_size(component: &[u8]) -> Result<(), GuardFailure> {
    if component.len() <= COMPONENT {
        return Ok(());
    }
    let (size, limit) = (component.len() >> 20, COMPONENT >> 20);
    Err(GuardFailure::new("component-limit", format!("the component has {size} MiB; {limit} MiB is the limit")))
}

/// What a component is for, by what it exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComponentKind {
    /// It judges; also what exports nothing that is known.
    Guard,
    /// It reads texts.
    Language,
}

impl ComponentKind {
    /// # Errors
    /// It is no component.
    pub fn from_component(component: &[u8]) -> Result<Self, GuardFailure> {
        Ok(ComponentKind::from_exports(&imports_and_exports(component)?.exports))
    }

    fn from_exports(exports: &[String]) -> Self {
        let is_reader = |export: &String| {
            InterfaceName::read(export).is_some_and(|name| (name.package, name.interface) == ("language", "reader"))
        };
        if exports.iter().any(is_reader) { ComponentKind::Language } else { ComponentKind::Guard }
    }
}

/// The section in which a language component says its version. The name is that of the tools for registries:
/// <https://github.com/bytecodealliance/wasm-tools/tree/main/crates/wasm-metadata>
const VERSION: &str = "version";

/// The version that a language component gives itself, of itself or of a module inside.
///
/// # Errors
/// `no-version`: it says none.
pub fn language_version(component: &[u8]) -> Result<String, GuardFailure> {
    let said = Parser::new(0).parse_all(component).find_map(|payload| match payload {
        Ok(Payload::CustomSection(section)) if section.name() == VERSION => Some(section.data()),
        _ => None,
    });
    let is_version = |text: &&str| (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let version = said.and_then(|bytes| std::str::from_utf8(bytes).ok()).filter(is_version);
    version.map(str::to_owned).ok_or_else(|| {
        let what = "the language does not say its version: a custom section `version` with a version such as 1.2.0 in the component";
        GuardFailure::new("no-version", what)
    })
}

/// Checks that this host has every function that the component imports.
pub fn check_contract(component: &[u8]) -> Result<(), GuardFailure> {
    check_functions(&imports_and_exports(component)?.imports)
}

/// The names of a component's imports and exports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComponentInterface {
    /// Capabilities by the names of pins, and interfaces that every guard has, without those that carry no authority; sorted.
    pub imports: Vec<String>,
    /// Bare names; sorted.
    pub exports: Vec<String>,
}

impl ComponentInterface {
    /// Reads the outermost sections; nested modules and components are skipped.
    pub fn read(component: &[u8]) -> Result<Self, GuardFailure> {
        let ImportsAndExports { imports, exports } = imports_and_exports(component)?;
        let short = |name: &str| InterfaceName::read(name).map_or(name, InterfaceName::short).to_owned();
        let mut imports: Vec<String> = imports
            .iter()
            .filter(|import| !InterfaceName::read(&import.name).is_some_and(InterfaceName::is_free_of_authority))
            .map(|import| short(&import.name))
            .collect();
        let mut exports: Vec<String> = exports.iter().map(|export| short(export)).collect();
        for names in [&mut imports, &mut exports] {
            names.sort();
            names.dedup();
        }
        Ok(ComponentInterface { imports, exports })
    }
}

/// With package and version.
pub fn import_names(component: &[u8]) -> Result<Vec<String>, GuardFailure> {
    Ok(imports_and_exports(component)?.imports.into_iter().map(|import| import.name).collect())
}

/// The outermost component's imports and exports, without types, which carry no authority.
#[derive(Default)]
struct ImportsAndExports {
    imports: Vec<ImportedInterface>,
    exports: Vec<String>,
}

fn imports_and_exports(component: &[u8]) -> Result<ImportsAndExports, GuardFailure> {
    let mut parser = Parser::new(0);
    let mut rest = component;
    let mut found = ImportsAndExports::default();
    // Functions of the instance types, by the component's index space of types; None for every other type.
    let mut types: Vec<Option<Vec<String>>> = Vec::new();
    loop {
        let Chunk::Parsed { consumed, payload } =
            parser.parse(rest, true).map_err(|error| invalid(component, &error))?
        else {
            // Impossible: the parser knows that there is no more input.
            return Err(ends_too_early());
        };
        rest = &rest[consumed..];
        let invalid = |error: wasmparser::BinaryReaderError| invalid(component, &error);
        match payload {
            Payload::Version { encoding: Encoding::Module, .. } => {
                return Err(GuardFailure::new(
                    "invalid-component",
                    "this is a core module, not a component; turn it into one with `host guard componentize`",
                ));
            }
            Payload::ComponentTypeSection(section) => {
                for ty in section {
                    types.push(instance_functions(&ty.map_err(invalid)?));
                }
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section {
                    match alias.map_err(invalid)? {
                        ComponentAlias::InstanceExport { kind: ComponentExternalKind::Type, .. }
                        | ComponentAlias::Outer { kind: ComponentOuterAliasKind::Type, .. } => types.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentImportSection(section) => {
                for import in section {
                    let import = import.map_err(invalid)?;
                    let functions = match import.ty {
                        ComponentTypeRef::Type(bound) => {
                            types.push(named_type(&types, bound));
                            continue;
                        }
                        ComponentTypeRef::Instance(ty) => types.get(ty as usize).cloned().flatten().unwrap_or_default(),
                        _ => Vec::new(),
                    };
                    found.imports.push(ImportedInterface { name: import.name.name.to_string(), functions });
                }
            }
            Payload::ComponentExportSection(section) => {
                for export in section {
                    let export = export.map_err(invalid)?;
                    if export.kind == ComponentExternalKind::Type {
                        types.push(None);
                    } else {
                        found.exports.push(export.name.name.to_string());
                    }
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                for function in section {
                    if is_async(&function.map_err(invalid)?) {
                        return Err(GuardFailure::new(
                            "async-component",
                            "the guard uses the asynchronous ABI, which this host does not run; build it with \
                             synchronous exports and imports",
                        ));
                    }
                }
            }
            Payload::ModuleSection { unchecked_range, .. } | Payload::ComponentSection { unchecked_range, .. } => {
                rest = skip(rest, &unchecked_range)?;
            }
            Payload::End(_) => return Ok(found),
            _ => {}
        }
    }
}

/// None for a type that is no instance.
fn instance_functions(ty: &ComponentType) -> Option<Vec<String>> {
    let ComponentType::Instance(declarations) = ty else { return None };
    let functions = declarations.iter().filter_map(|declaration| match declaration {
        InstanceTypeDeclaration::Export { name, ty: ComponentTypeRef::Func(_) } => Some(name.name.to_string()),
        _ => None,
    });
    Some(functions.collect())
}

/// An imported type has a new index; when it equals another, it is that one.
fn named_type(types: &[Option<Vec<String>>], bound: TypeBounds) -> Option<Vec<String>> {
    match bound {
        TypeBounds::Eq(index) => types.get(index as usize).cloned().flatten(),
        TypeBounds::SubResource => None,
    }
}

fn invalid(component: &[u8], error: &wasmparser::BinaryReaderError) -> GuardFailure {
    let text = component.trim_ascii_start();
    let what = if text.starts_with(b"(component") || text.starts_with(b"(module") {
        "this is WebAssembly text; assemble it, and turn it into a component with `host guard componentize`".to_owned()
    } else if component.starts_with(b"\0asm") {
        format!("this is no valid WebAssembly component: {}", error.message())
    } else {
        "this is no WebAssembly: it does not begin with the bytes \"\\0asm\"".to_owned()
    };
    GuardFailure::new("invalid-component", what)
}

fn ends_too_early() -> GuardFailure {
    GuardFailure::new("invalid-component", "this is no valid WebAssembly component: it ends too early")
}

/// Nested parts are not read here; the compiler validates them.
fn skip<'a>(rest: &'a [u8], range: &Range<usize>) -> Result<&'a [u8], GuardFailure> {
    rest.get(range.len()..).ok_or_else(ends_too_early)
}

fn is_async(function: &CanonicalFunction) -> bool {
    match function {
        CanonicalFunction::Lift { options, .. } | CanonicalFunction::Lower { options, .. } => {
            options.iter().any(|option| matches!(option, CanonicalOption::Async | CanonicalOption::Callback(_)))
        }
        CanonicalFunction::ResourceNew { .. }
        | CanonicalFunction::ResourceDrop { .. }
        | CanonicalFunction::ResourceRep { .. } => false,
        _ => true,
    }
}
