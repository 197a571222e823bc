//! The exports of the component.

use crate::bindings;
use crate::bindings::exports::guardhost::indexer::index::{Guest, Signatures, Surface};

struct Component;

impl Guest for Component {
    fn read_surface(dialect: String, text: String) -> Result<Surface, String> {
        crate::surface(&dialect, &text).map(|(imports, offered)| Surface { imports, offered })
    }

    fn read_signatures(dialect: String, text: String) -> Result<Signatures, String> {
        crate::signatures(&dialect, &text).map(|(functions, calls)| Signatures { functions, calls })
    }
}

bindings::export_indexer!(Component with_types_in bindings);
