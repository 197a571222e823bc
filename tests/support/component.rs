//! What a component says of itself, read from its bytes and not from the host's report about it.

use wasmparser::{Parser, Payload};

/// Interfaces that the component imports, such as `guardhost:repo/tree@0.1.0`, without those of nested components and modules.
pub fn imports(component: &[u8]) -> Vec<String> {
    let (mut depth, mut imports) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(component) {
        match payload.unwrap() {
            Payload::ComponentSection { .. } | Payload::ModuleSection { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(section) if depth == 0 => {
                imports.extend(section.into_iter().map(|import| import.unwrap().name.name.to_string()));
            }
            _ => {}
        }
    }
    imports
}
