//! Kept verdicts of the fleet, as the engine asks for them.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use guardhost_core::error::{Context as _, Fault, FaultKind, Result};
use guardhost_engine::{EmbeddedGuards, SharedEntry, SharedVerdicts};
use guardhost_fleet::shared_verdicts;
use sha2::{Digest, Sha256};

/// Trees whose authors are remembered: more than jobs at once.
const TREES: usize = 10_000;

#[derive(Debug)]
pub struct FleetVerdicts {
    shared: shared_verdicts::SignedVerdicts,
    program: String,
    /// How many in a thousand verdicts of other workers are recomputed instead of trusted.
    doubted: u32,
    /// Of which trees verdicts were taken, and from whom.
    taken: Mutex<HashMap<String, BTreeSet<String>>>,
}

impl FleetVerdicts {
    /// `exe` is this program: another one may answer a guard's questions otherwise.
    ///
    /// # Errors
    /// The program's file cannot be read.
    pub fn new(
        shared: shared_verdicts::SignedVerdicts,
        exe: &Path,
        embedded: &EmbeddedGuards,
        doubted: u32,
    ) -> Result<Arc<Self>> {
        let cannot = || Fault::new(FaultKind::Git, format!("cannot read {}", exe.display()));
        let mut file = std::fs::File::open(exe).with_context(cannot)?;
        let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
        loop {
            match file.read(&mut buffer).with_context(cannot)? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let program = format!("{} {} {digest}", env!("CARGO_PKG_VERSION"), embedded.fingerprint);
        Ok(Arc::new(FleetVerdicts { shared, program, doubted, taken: Mutex::default() }))
    }

    /// The workers whose verdicts on a tree were reused since the last call.
    pub fn taken(&self, tree: &str) -> Vec<String> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.remove(tree).into_iter().flatten().collect()
    }
}

impl SharedVerdicts for FleetVerdicts {
    fn program(&self) -> &str {
        &self.program
    }

    fn get(&self, name: &str) -> Vec<SharedEntry> {
        let entry = |shared_verdicts::FleetEntry { bytes, author, sealed }| SharedEntry { bytes, author, sealed };
        self.shared.get(name).into_iter().map(entry).collect()
    }

    fn put(&self, name: &str, new: &[Vec<u8>], kept: &[&SharedEntry]) {
        let kept: Vec<&[u8]> = kept.iter().map(|entry| entry.sealed.as_slice()).collect();
        self.shared.put(name, new, &kept);
    }

    fn doubts(&self) -> bool {
        guardhost_fleet::submit::draws(self.doubted)
    }

    fn took(&self, tree: &str, author: &str) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() < TREES {
            taken.entry(tree.to_owned()).or_default().insert(author.to_owned());
        }
    }

    fn differs(&self, author: &str, guard: &str, tree: &str) {
        self.shared.differs(author, &format!("the guard {guard} on the tree {tree}"));
    }
}
