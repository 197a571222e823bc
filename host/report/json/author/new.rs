//! The new project and its files.

use serde_json::{Value, json};

use crate::NewGuard;

pub fn new_guard(NewGuard { name, language, folder, files }: &NewGuard) -> Value {
    json!({ "id": name, "language": language, "folder": folder.to_string_lossy(), "files": files })
}
