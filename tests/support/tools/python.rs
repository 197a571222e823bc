//! Python packages, installed once for all test runs of a build folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Missing, is_unreachable};

const PIP: &str = "-m pip install --quiet --disable-pip-version-check --retries 1 --timeout 15";

/// A virtual environment with these packages, with blanks between them.
pub fn environment(name: &str, packages: &str) -> Result<PathBuf, Missing> {
    installed(name, packages, |folder| {
        run(Path::new("python3"), &["-m", "venv"], &[&folder.display().to_string()])?;
        run(&folder.join("bin/python"), &PIP.split(' ').collect::<Vec<_>>(), &packages.split(' ').collect::<Vec<_>>())
    })
}

/// A folder for `PYTHONPATH` with this package alone.
pub fn packages(package: &str) -> Result<PathBuf, Missing> {
    installed(package, package, |folder| {
        let only = ["--no-deps", "--only-binary", ":all:", "--target", &folder.display().to_string(), package];
        run(Path::new("python3"), &PIP.split(' ').collect::<Vec<_>>(), &only)
    })
}

/// The folder `name`, which `install` fills unless it did so for the same package before.
fn installed(name: &str, package: &str, install: impl Fn(&Path) -> Result<(), Missing>) -> Result<PathBuf, Missing> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    fs::create_dir_all(&root).unwrap();
    // Two test runs may want it at once.
    let lock = fs::File::create(root.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let (folder, done) = (root.join(name), root.join(format!("{name}.done")));
    if fs::read_to_string(&done).is_ok_and(|done| done == package) {
        return Ok(folder);
    }
    install(&folder)?;
    fs::write(done, package).unwrap();
    Ok(folder)
}

fn run(program: &Path, args: &[&str], more: &[&str]) -> Result<(), Missing> {
    let output = Command::new(program).args(args).args(more).output();
    let output = output.map_err(|error| Missing::NotInstalled(format!("{}: {error}", program.display())))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // Debian's Python says so when its package of `venv` is not there.
    let known = is_unreachable(&said) || said.contains("ensurepip is not available");
    assert!(known, "{} {} {}: {said}", program.display(), args.join(" "), more.join(" "));
    Err(Missing::NotInstalled(said))
}
