//! One file with all that another machine with the same repository needs: records, the files that they name, and the components that the
//! host does not embed. Other than the bundle of `host report`, which is for pages and leaves out and masks, it keeps every byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File};
use std::io::{Read, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use guardhost_core::canonical::sha256;
use guardhost_core::component::Component;
use guardhost_core::error::{Context, Error, Fault, FaultKind, Result};
use guardhost_os::Private;
use guardhost_pipeline::replay::{LARGEST, Replaying, components, files};
use guardhost_report::journal::{FoundRun, History, RECORDS, find};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

/// Version of the format. A reader refuses a higher one.
const VERSION: u32 = 1;

/// Bytes of a bundle.
const MOST: u64 = 1 << 30;
const MOST_RUNS: usize = 10_000;
const MOST_FILES: usize = 100_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplayBundle {
    replay_bundle: u32,
    made_by: String,
    /// In the order in which they are judged.
    runs: Vec<BundledRun>,
    components: Vec<BundleBytes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundledRun {
    run: String,
    /// By the path in the run's folder.
    files: BTreeMap<String, BundleBytes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundleBytes {
    /// `sha256:…` of the bytes.
    key: String,
    /// The bytes, if they are UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

/// What was written.
pub struct WrittenBundle {
    pub bytes: u64,
    pub components: u32,
}

/// A bundle that was read.
pub struct BundleFile {
    pub runs: Vec<History>,
    /// By their digests.
    pub components: BTreeMap<String, Component>,
    /// The runs' folders, as long as they are needed.
    _folder: TempDir,
}

impl BundleBytes {
    fn new(bytes: Vec<u8>) -> Self {
        let key = sha256(&bytes);
        match String::from_utf8(bytes) {
            Ok(text) => BundleBytes { key, text: Some(text), base64: None },
            Err(error) => BundleBytes { key, text: None, base64: Some(STANDARD.encode(error.as_bytes())) },
        }
    }

    /// Err: what is wrong with them.
    fn read(self) -> Result<Vec<u8>, String> {
        let bytes = match (self.text, self.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(base64)) => STANDARD.decode(base64).map_err(|error| format!("is no base64: {error}"))?,
            (Some(_), Some(_)) | (None, None) => return Err("has not one form".to_owned()),
        };
        if bytes.len() as u64 > LARGEST {
            return Err(format!("has more than {} MiB", LARGEST >> 20));
        }
        if sha256(&bytes) != self.key {
            return Err(format!("is not {}", self.key.escape_debug()));
        }
        Ok(bytes)
    }
}

/// # Errors
/// [`FaultKind::Usage`]: the file is there already, or cannot be written; of the records and the components.
pub fn write(path: &Path, runs: &[History], replaying: &Replaying) -> Result<WrittenBundle> {
    let mut bundle = ReplayBundle {
        replay_bundle: VERSION,
        made_by: concat!("guardhost/", env!("CARGO_PKG_VERSION")).to_owned(),
        runs: Vec::new(),
        components: Vec::new(),
    };
    let mut known = BTreeSet::new();
    for history in runs {
        let kept = files(history)?.into_iter().map(|(path, bytes)| (path, BundleBytes::new(bytes)));
        bundle.runs.push(BundledRun { run: history.run.clone(), files: kept.collect() });
        for component in components(history, replaying)? {
            if known.insert(component.digest().to_owned()) {
                bundle.components.push(BundleBytes::new(component.bytes().to_vec()));
            }
        }
    }
    let cannot = || {
        Fault::new(FaultKind::Usage, format!("cannot write the bundle {}", path.display()))
            .hint("name a file that is not there yet, in a folder that you may write")
    };
    let json = serde_json::to_vec(&bundle).with_context(cannot)?;
    // It holds replies, which may quote private code.
    let mut file = File::options().private().write(true).create_new(true).open(path).with_context(cannot)?;
    file.write_all(&json).and_then(|()| file.write_all(b"\n")).with_context(cannot)?;
    Ok(WrittenBundle { bytes: json.len() as u64 + 1, components: known.len() as u32 })
}

/// Reads a bundle of whatever origin: no path in it leads out of its folder, no size is unbounded, and every file must have its digest.
///
/// # Errors
/// [`FaultKind::Usage`]: it is no bundle, is of a later version, or a part of it, which is named, is refused.
pub fn read(path: &Path, temp: &Path) -> Result<BundleFile> {
    let name = path.display().to_string();
    let fault = |what: String| {
        Error::from(
            Fault::new(FaultKind::Usage, format!("{name} {what}")).hint("host replay RUN --export FILE writes one"),
        )
    };
    let bytes =
        contents(path).with_context(|| Fault::new(FaultKind::Usage, format!("cannot read the bundle {name}")))?;
    if bytes.len() as u64 > MOST {
        return Err(fault(format!("has more than {} MiB, and is not read", MOST >> 20)));
    }
    let no_bundle = |error: serde_json::Error| fault(format!("is no bundle for replays: {error}"));
    #[derive(Deserialize)]
    struct BundleVersion {
        replay_bundle: u32,
    }
    let BundleVersion { replay_bundle } = serde_json::from_slice(&bytes).map_err(no_bundle)?;
    if replay_bundle > VERSION {
        return Err(fault(format!("is a bundle of version {replay_bundle}; this program reads up to {VERSION}")));
    }
    let bundle: ReplayBundle = serde_json::from_slice(&bytes).map_err(no_bundle)?;
    drop(bytes);
    let count = bundle.runs.iter().map(|run| run.files.len()).sum::<usize>();
    if bundle.runs.len() > MOST_RUNS || count > MOST_FILES {
        return Err(fault(format!("has {} runs and {count} files, which is too much", bundle.runs.len())));
    }
    let folder = tempfile::Builder::new().prefix("guardhost-replay-").tempdir_in(temp);
    let folder = folder.context("cannot make a folder for the bundle")?;
    let mut runs = Vec::new();
    for BundledRun { run, files } in bundle.runs {
        if !is_plain(&run) {
            return Err(fault(format!("has the run `{}`, which cannot name one", run.escape_debug())));
        }
        let dir = folder.path().join("runs").join(&run);
        if dir.exists() {
            return Err(fault(format!("has the run {run} twice")));
        }
        for (path, bytes) in files {
            let shown = path.escape_debug().to_string();
            let shown = shown.get(..200).unwrap_or(&shown).to_owned();
            if !is_file_of_run(&path) {
                return Err(fault(format!("has the file `{shown}` in the run {run}, which is no file of a run")));
            }
            let bytes = bytes.read().map_err(|why| fault(format!("is damaged: {shown} of the run {run} {why}")))?;
            unpack(&dir.join(&path), &bytes).with_context(|| format!("cannot unpack {shown} of the bundle"))?;
        }
        match find(folder.path(), &run)? {
            FoundRun::One(history) if history.run == run => runs.push(history),
            FoundRun::One(_) | FoundRun::None | FoundRun::Several(_) => {
                return Err(fault(format!("has no file of the run {run}")));
            }
        }
    }
    let mut components = BTreeMap::new();
    for bytes in bundle.components {
        let key: String = bytes.key.chars().take(71).collect();
        let bytes =
            bytes.read().map_err(|why| fault(format!("is damaged: the component {} {why}", key.escape_debug())))?;
        components.insert(key, Component::from(bytes));
    }
    Ok(BundleFile { runs, components, _folder: folder })
}

fn contents(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

/// `records.jsonl`, or a file in the folder of a round.
fn is_file_of_run(path: &str) -> bool {
    let is_round = |round: &str| (1..=9).contains(&round.len()) && round.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |name: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        (1..=64).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(plain)
    };
    path == RECORDS || path.split_once('/').is_some_and(|(round, name)| is_round(round) && is_name(name))
}

fn unpack(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).private().create(parent)?;
    }
    fs::write(path, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_runs_are_unpacked() {
        for path in ["records.jsonl", "1/final.diff", "12/judgement.json", "0/plan.json"] {
            assert!(is_file_of_run(path), "{path}");
        }
        let long = format!("1/{}", "x".repeat(65));
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "1/../x",
            "1/..",
            "1/.git",
            "1//x",
            "1/a/b",
            "x/y",
            "1/",
            "trace.jsonl",
            "1/a\0",
            &long,
        ] {
            assert!(!is_file_of_run(path), "{path:?}");
        }
        assert!(is_plain("01a2-b_c") && !is_plain("..") && !is_plain("a/b") && !is_plain(""));
    }
}
