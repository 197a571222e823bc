//! A component's imports and exports, read from its bytes before anything is compiled. Imports must be interfaces of the contract, at a
//! version that this host serves, and granted.

use std::ops::Range;

use wasmparser::{
    CanonicalFunction, CanonicalOption, Chunk, ComponentExternalKind, ComponentTypeRef, Encoding, Parser, Payload,
};

use crate::bindings::VERSION;
use crate::capability::Capability;
use crate::failure::Failure;
use crate::limits::COMPONENT;

const PACKAGE: &str = "guardhost:guard/";

/// Interfaces that need no grant: every guard has them, or they hold only types.
const UNGRANTED: [&str; 5] = ["change", "log", "types", "refusal", "plans"];

/// Checks a component's size and imports. Errors name the import and what would allow it.
pub fn check(component: &[u8], granted: &[Capability]) -> Result<(), Failure> {
    if component.len() > COMPONENT {
        let (size, limit) = (component.len() >> 20, COMPONENT >> 20);
        return Err(Failure::new("component-limit", format!("the component has {size} MiB; {limit} MiB is the limit")));
    }
    for import in imports_and_exports(component)?.imports {
        check_import(&import, granted)?;
    }
    Ok(())
}

/// The names of a component's imports and exports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentInterface {
    /// Bare names of the imported interfaces, without those that hold only types; sorted.
    pub imports: Vec<String>,
    /// Sorted.
    pub exports: Vec<String>,
}

impl ComponentInterface {
    /// Reads the outermost sections; nested modules and components are skipped.
    pub fn read(component: &[u8]) -> Result<Self, Failure> {
        let bare = |import: &String| {
            let name = import.strip_prefix(PACKAGE).unwrap_or(import);
            name.split('@').next().unwrap_or(name).to_owned()
        };
        let ImportsAndExports { imports, mut exports } = imports_and_exports(component)?;
        let mut imports: Vec<String> =
            imports.iter().map(bare).filter(|name| !["types", "refusal", "plans"].contains(&name.as_str())).collect();
        imports.sort();
        exports.sort();
        Ok(ComponentInterface { imports, exports })
    }
}

fn check_import(import: &str, granted: &[Capability]) -> Result<(), Failure> {
    let Some((interface, version)) =
        import.strip_prefix(PACKAGE).map(|rest| rest.split_once('@').unwrap_or((rest, "")))
    else {
        let hint = if import.starts_with("wasi:") || import.starts_with("wasi_") {
            "; this host has no WASI: build for wasm32-unknown-unknown, or with stubs for WASI"
        } else {
            ""
        };
        return Err(Failure::new(
            "ungranted-import",
            format!("the guard imports `{import}`, which is none of {PACKAGE}*, so that no grant allows it{hint}"),
        ));
    };
    if !compatible(version) {
        let (needed, ours) = differing_versions(version);
        let what = format!(
            "the guard imports `{import}`: it needs guardhost:guard {needed}, this host has {ours}: update the host or pin an \
             older guard"
        );
        return Err(Failure::new("contract-version", what));
    }
    if UNGRANTED.contains(&interface) {
        return Ok(());
    }
    match Capability::from_name(interface) {
        Some(capability) if granted.contains(&capability) => Ok(()),
        Some(_) => Err(Failure::new(
            "ungranted-import",
            format!(
                "the guard imports `{import}`, which is not granted; add \"{interface}\" to its grants to allow it"
            ),
        )),
        None => Err(Failure::new(
            "ungranted-import",
            format!("the guard imports `{import}`, and version {VERSION} of the contract has no such interface"),
        )),
    }
}

/// Whether this host serves the version: equal up to the first number that is not zero, and not newer.
fn compatible(version: &str) -> bool {
    let numbers = |version: &str| -> Option<[u64; 3]> {
        let mut parts = version.split('.').map(|part| part.parse().ok());
        let numbers = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then_some(numbers)
    };
    let (Some(theirs), Some(ours)) = (numbers(version), numbers(VERSION)) else { return false };
    let track = |[major, minor, patch]: [u64; 3]| match (major, minor) {
        (0, 0) => [0, 0, patch],
        (0, minor) => [0, minor, 0],
        (major, _) => [major, 0, 0],
    };
    track(theirs) == track(ours) && theirs <= ours
}

/// The needed version and ours, shortened to the numbers in which they differ.
fn differing_versions(needed: &str) -> (&str, &str) {
    let short = |version: &'static str| version.rsplit_once('.').map_or(version, |(short, _)| short);
    let theirs = needed.rsplit_once('.').map_or(needed, |(short, _)| short);
    match theirs {
        "" => ("without a version", VERSION),
        _ if theirs == short(VERSION) => (needed, VERSION),
        _ => (theirs, short(VERSION)),
    }
}

/// Names of the outermost component's imports and exports, without types, which carry no capability.
struct ImportsAndExports {
    imports: Vec<String>,
    exports: Vec<String>,
}

fn imports_and_exports(component: &[u8]) -> Result<ImportsAndExports, Failure> {
    let invalid = |error: wasmparser::BinaryReaderError| {
        Failure::new("invalid-component", format!("this is no WebAssembly component: {error}"))
    };
    let mut parser = Parser::new(0);
    let mut rest = component;
    let mut names = ImportsAndExports { imports: Vec::new(), exports: Vec::new() };
    loop {
        let Chunk::Parsed { consumed, payload } = parser.parse(rest, true).map_err(invalid)? else {
            // Impossible: the parser knows that there is no more input.
            return Err(Failure::new("invalid-component", "this is no WebAssembly component: it ends too early"));
        };
        rest = &rest[consumed..];
        match payload {
            Payload::Version { encoding: Encoding::Module, .. } => {
                return Err(Failure::new(
                    "invalid-component",
                    "this is a core module, not a component; turn it into one with `wasm-tools component new`",
                ));
            }
            Payload::ComponentImportSection(section) => {
                for import in section {
                    let import = import.map_err(invalid)?;
                    if !matches!(import.ty, ComponentTypeRef::Type(_)) {
                        names.imports.push(import.name.name.to_string());
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                for export in section {
                    let export = export.map_err(invalid)?;
                    if export.kind != ComponentExternalKind::Type {
                        names.exports.push(export.name.name.to_string());
                    }
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                for function in section {
                    if is_async(&function.map_err(invalid)?) {
                        return Err(Failure::new(
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
            Payload::End(_) => return Ok(names),
            _ => {}
        }
    }
}

/// Nested parts are not read here; the compiler validates them.
fn skip<'a>(rest: &'a [u8], range: &Range<usize>) -> Result<&'a [u8], Failure> {
    rest.get(range.len()..)
        .ok_or_else(|| Failure::new("invalid-component", "this is no WebAssembly component: it ends too early"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert!(compatible("0.1.0"));
        for version in ["0.1.1", "0.2.0", "1.0.0", "0.0.1", "0.1", "", "0.1.0-rc.1", "x"] {
            assert!(!compatible(version), "{version}");
        }
    }
}
