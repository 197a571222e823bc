//! Which tools made a component, as its producers section says.
//!
//! Source: <https://github.com/WebAssembly/tool-conventions/blob/main/ProducersSection.md>

use std::collections::BTreeSet;

use wasmparser::{BinaryReader, Parser, Payload, ProducersSectionReader};

/// `processed-by rustc 1.95.0 (…)`, `sdk …`, of all modules inside; sorted, without duplicates. Unreadable entries are left out: they are
/// claims, and nothing depends on them. So are languages: that of a guard in JavaScript would be Rust, in which its engine is written.
pub fn producers(component: &[u8]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for payload in Parser::new(0).parse_all(component) {
        let Ok(Payload::CustomSection(section)) = payload else { continue };
        if section.name() != "producers" {
            continue;
        }
        let Ok(fields) = ProducersSectionReader::new(BinaryReader::new(section.data(), section.data_offset())) else {
            continue;
        };
        for field in fields.into_iter().flatten().filter(|field| field.name != "language") {
            for value in field.values.into_iter().flatten() {
                found.insert(format!("{} {} {}", field.name, value.name, value.version).trim().to_owned());
            }
        }
    }
    found.into_iter().collect()
}
