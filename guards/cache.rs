//! What was made of a module, on disk: a build makes only those guards again whose module changed, in whatever profile.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wasmtime::Result;

use crate::component::{self, Describe, Guard};
use crate::hex;

const WASM: &str = "guard.wasm";
const COMPILED: &str = "guard.cwasm";
/// The description, and the digests of both files.
const INDEX: &str = "guard.json";

pub struct Cache {
    /// Holds `<guard>/<key>/`, one key a guard.
    pub folder: PathBuf,
    /// Versions and settings of everything that works on a module.
    pub tools: String,
    /// In a build for another system.
    pub cross: Option<Cross>,
}

pub struct Cross {
    pub target: String,
    /// Of the builds for this machine, where components say what they are.
    pub here: Box<Cache>,
}

impl Cache {
    /// From the cache, or made.
    pub fn get(&self, name: &str, module: &[u8], describe: Describe) -> Result<Guard> {
        let key = hex(&Sha256::new().chain_update(Sha256::digest(module)).chain_update(&self.tools).finalize());
        let folder = self.folder.join(name);
        if let Some(guard) = read(&folder.join(&key)) {
            return Ok(guard);
        }
        let guard = match &self.cross {
            None => component::make(module, describe)?,
            Some(cross) => component::compiled_for(&cross.target, cross.here.get(name, module, describe)?)?,
        };
        write(&folder, &key, &guard)?;
        Ok(guard)
    }
}

/// None when it is not there, not whole, or not what was written.
fn read(entry: &Path) -> Option<Guard> {
    let index: Value = serde_json::from_slice(&fs::read(entry.join(INDEX)).ok()?).ok()?;
    let file = |name: &str| {
        let bytes = fs::read(entry.join(name)).ok()?;
        (index[name] == hex(&Sha256::digest(&bytes))).then_some(bytes)
    };
    Some(Guard { wasm: file(WASM)?, compiled: file(COMPILED)?, description: index["description"].clone() })
}

/// In place of what stood there for an older module. The index comes last: an entry without it is none.
fn write(folder: &Path, key: &str, guard: &Guard) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let entry = folder.join(key);
    fs::create_dir_all(&entry)?;
    fs::write(entry.join(WASM), &guard.wasm)?;
    fs::write(entry.join(COMPILED), &guard.compiled)?;
    let index = json!({
        "description": guard.description,
        WASM: hex(&Sha256::digest(&guard.wasm)),
        COMPILED: hex(&Sha256::digest(&guard.compiled)),
    });
    fs::write(entry.join(INDEX), index.to_string())?;
    Ok(())
}
