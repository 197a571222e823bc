//! Plain names for the exports of a guard, for languages whose export names are identifiers.

use wasmparser::{ExportSectionReader, Parser, Payload};

use guardhost_core::error::Result;

/// What a core module may call its exports, and what the contract calls them.
const NAMES: [(&str, &str); 5] = [
    ("describe", "guardhost:guard/metadata@0.1.0#describe"),
    ("check", "guardhost:guard/judge@0.1.0#check"),
    ("cabi_post_check", "cabi_post_guardhost:guard/judge@0.1.0#check"),
    ("check_plan", "guardhost:plan/review@0.1.0#check-plan"),
    ("cabi_post_check_plan", "cabi_post_guardhost:plan/review@0.1.0#check-plan"),
];

/// The module with the contract's names. Other exports keep theirs.
pub fn with_names_of_the_contract(module: &[u8]) -> Result<Vec<u8>> {
    let mut renamed = module.get(..8).unwrap_or_default().to_vec();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match (&payload, payload.as_section()) {
            (Payload::ExportSection(exports), Some((id, _))) => {
                let exports = exports_renamed(exports.clone())?;
                renamed.push(id);
                push_number(&mut renamed, exports.len());
                renamed.extend(exports);
            }
            (_, Some((id, range))) => {
                renamed.push(id);
                push_number(&mut renamed, range.len());
                renamed.extend(module.get(range).unwrap_or_default());
            }
            (_, None) => {}
        }
    }
    Ok(renamed)
}

/// The content of an export section: a count, and for each export its name, one byte for its kind, and its index.
fn exports_renamed(exports: ExportSectionReader) -> Result<Vec<u8>> {
    let mut renamed = Vec::new();
    push_number(&mut renamed, exports.count() as usize);
    for export in exports {
        let export = export?;
        let name = NAMES.iter().find(|(plain, _)| *plain == export.name).map_or(export.name, |(_, name)| name);
        push_number(&mut renamed, name.len());
        renamed.extend(name.as_bytes());
        renamed.push(export.kind as u8);
        push_number(&mut renamed, export.index as usize);
    }
    Ok(renamed)
}

/// As unsigned LEB128.
fn push_number(to: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}
