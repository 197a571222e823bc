//! Programs of Debian: installed, or unpacked once from their packages into the build folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Missing;

/// `name` is the program and its package; `libraries` are the packages that it needs beside it where it is not installed.
pub fn debian(name: &str, libraries: &[&str]) -> Result<PathBuf, Missing> {
    program_of(name, name, libraries)
}

/// The same for a package whose program has another name.
pub fn program_of(package: &str, name: &str, libraries: &[&str]) -> Result<PathBuf, Missing> {
    let installed = Path::new("/usr/bin").join(name);
    if installed.exists() { Ok(installed) } else { unpacked(package, name, libraries).map_err(Missing::NotInstalled) }
}

/// A script that runs the program with its libraries.
fn unpacked(package: &str, name: &str, libraries: &[&str]) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("debian-{name}"));
    let script = folder.join("run");
    if script.exists() {
        return Ok(script);
    }
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let run = |program: &str, args: &[&str]| -> Result<(), String> {
        let output = Command::new(program).args(args).current_dir(scratch.path()).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(format!("{program} {}: {said}", args.join(" "))) }
    };
    let download = [&["download", package], libraries].concat();
    if let Err(why) = run("apt-get", &download) {
        // A new machine has no lists of packages yet.
        run("apt-get", &["update"]).and_then(|()| run("apt-get", &download)).map_err(|_| why)?;
    }
    let files = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path());
    let packages: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "deb")).collect();
    for package in &packages {
        run("dpkg-deb", &["-x", &package.display().to_string(), "unpacked"])?;
    }
    let tree = scratch.path().join("unpacked");
    if !tree.join("usr/bin").join(name).exists() {
        return Err(format!("the package {package} has no program {name}"));
    }
    let text = format!(
        "#!/bin/sh\nhere=$(dirname \"$0\")\nLD_LIBRARY_PATH=$(echo \"$here\"/usr/lib/*-linux-gnu) exec \"$here/usr/bin/{name}\" \"$@\"\n"
    );
    fs::write(tree.join("run"), text).unwrap();
    fs::set_permissions(tree.join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    // Where two test runs unpack at once, one of them wins.
    let _ = fs::rename(tree, &folder);
    if script.exists() { Ok(script) } else { Err(format!("{} could not be made", folder.display())) }
}
