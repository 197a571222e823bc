//! Packages of npm, installed once for all test runs of a build folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Missing, is_unreachable};

/// A folder whose `node_modules` has this package, as `name@version`.
pub fn package(package: &str) -> Result<PathBuf, Missing> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("node");
    fs::create_dir_all(&root).unwrap();
    // Two test runs may want it at once.
    let lock = fs::File::create(root.join(format!("{package}.lock"))).unwrap();
    lock.lock().unwrap();
    let (folder, done) = (root.join(package), root.join(format!("{package}.done")));
    if done.exists() {
        return Ok(folder);
    }
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("package.json"), "{\"private\": true}").unwrap();
    let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", package];
    let output = Command::new("npm").args(install).current_dir(&folder).output();
    let output = output.map_err(|error| Missing::NotInstalled(format!("npm: {error}")))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(is_unreachable(&said), "npm {}: {said}", install.join(" "));
        return Err(Missing::NotInstalled(said));
    }
    fs::write(done, package).unwrap();
    Ok(folder)
}
