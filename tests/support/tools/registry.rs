//! Debian's `docker-registry`: installed, or unpacked once from its package into the build folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Missing;

pub fn docker_registry() -> Result<PathBuf, Missing> {
    let installed = Path::new("/usr/bin/docker-registry");
    if installed.exists() { Ok(installed.to_owned()) } else { unpacked().map_err(Missing::NotInstalled) }
}

fn unpacked() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docker-registry");
    let program = folder.join("usr/bin/docker-registry");
    if program.exists() {
        return Ok(program);
    }
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let run = |program: &str, args: &[&str]| -> Result<(), String> {
        let output = Command::new(program).args(args).current_dir(scratch.path()).output();
        let output = output.map_err(|error| format!("{program}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(format!("{program} {}: {said}", args.join(" "))) }
    };
    if let Err(why) = run("apt-get", &["download", "docker-registry"]) {
        // A new machine has no lists of packages yet.
        run("apt-get", &["update"]).and_then(|()| run("apt-get", &["download", "docker-registry"])).map_err(|_| why)?;
    }
    let package = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path());
    let package = package.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "deb"));
    let package = package.ok_or("apt-get downloaded nothing")?;
    run("dpkg-deb", &["-x", &package.display().to_string(), "unpacked"])?;
    // Where two test runs unpack at once, one of them wins.
    let _ = fs::rename(scratch.path().join("unpacked"), &folder);
    if program.exists() { Ok(program) } else { Err("the package holds no registry".to_owned()) }
}
