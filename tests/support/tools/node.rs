//! Packages of npm, installed once for all test runs of a build folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Missing, is_unreachable};

/// A folder whose `node_modules` has these packages, as `name@version`, with blanks between them.
pub fn package(packages: &str) -> Result<PathBuf, Missing> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("node");
    fs::create_dir_all(&root).unwrap();
    let name = packages.replace(['/', ' '], "+");
    // Two test runs may want it at once.
    let lock = fs::File::create(root.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let (folder, done) = (root.join(&name), root.join(format!("{name}.done")));
    if done.exists() {
        return Ok(folder);
    }
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("package.json"), "{\"private\": true}").unwrap();
    let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    let output = Command::new("npm").args(install).args(packages.split(' ')).current_dir(&folder).output();
    let output = output.map_err(|error| Missing::NotInstalled(format!("npm: {error}")))?;
    if !output.status.success() {
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(is_unreachable(&said), "npm {} {packages}: {said}", install.join(" "));
        return Err(Missing::NotInstalled(said));
    }
    fs::write(done, packages).unwrap();
    Ok(folder)
}

/// The program of a package with one.
pub fn program(name_and_version: &str, program: &str) -> Result<PathBuf, Missing> {
    Ok(package(name_and_version)?.join("node_modules/.bin").join(program))
}

/// A program whose package holds none; its script, which is not run here, takes it from the package for this platform. `scope`: the folder of
/// these packages below `node_modules`; `file`: the program in each.
pub fn native(name_and_version: &str, scope: &str, file: &str) -> Result<PathBuf, Missing> {
    let scope = package(name_and_version)?.join("node_modules").join(scope);
    let platforms = fs::read_dir(&scope).unwrap().map(|entry| entry.unwrap().path().join(file));
    let runs = |program: &PathBuf| {
        let answer = Command::new(program).arg("--version").output();
        answer.is_ok_and(|output| output.status.success())
    };
    let found = platforms.into_iter().filter(|program| program.is_file()).find(runs);
    found.ok_or_else(|| Missing::Unsupported(format!("no program in {} runs here", scope.display())))
}
