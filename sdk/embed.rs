//! Puts the templates, the faces of the contract and the shared cases into the binary: what `host guard new` writes then always
//! fits the host that wrote it, and needs no network.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const FOLDERS: [&str; 2] = ["sdk", "wit"];

/// What tools leave behind.
const LEFT_OUT: [&str; 5] = ["target", "node_modules", ".venv", "__pycache__", "embed.rs"];

/// The tests of the packages here are not for others; those of a template are its author's.
fn is_left_out(folder: &Path, name: &OsStr) -> bool {
    LEFT_OUT.iter().any(|left_out| name == *left_out) || (name == "tests" && !folder.ends_with("template"))
}

fn main() -> io::Result<()> {
    // This script belongs to the package in host/authoring.
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let root = package.ancestors().nth(2).ok_or(io::ErrorKind::NotFound)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut list = String::from("&[\n");
    for folder in FOLDERS {
        println!("cargo:rerun-if-changed={}", root.join(folder).display());
        gather(root, Path::new(folder), &mut list)?;
    }
    list.push(']');
    fs::write(out.join("sdk.rs"), list)
}

/// Every file as a line of Rust, sorted.
fn gather(root: &Path, folder: &Path, list: &mut String) -> io::Result<()> {
    let mut names =
        fs::read_dir(root.join(folder))?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort();
    for name in names.into_iter().filter(|name| !is_left_out(folder, name)) {
        let path = folder.join(name);
        let full = root.join(&path);
        let meta = fs::symlink_metadata(&full)?;
        let (mode, bytes) = if meta.is_dir() {
            gather(root, &path, list)?;
            continue;
        } else if meta.is_symlink() {
            let target = fs::read_link(&full)?;
            ("Symlink", format!("{:?}.as_bytes()", target.to_string_lossy()))
        } else {
            let mode = if is_executable(&full, &meta)? { "Executable" } else { "File" };
            (mode, format!("include_bytes!({full:?})"))
        };
        // Writing to a string cannot fail.
        let _ = writeln!(list, "    ({:?}, FileMode::{mode}, {bytes}),", path.to_string_lossy());
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(_: &Path, meta: &fs::Metadata) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    Ok(meta.permissions().mode() & 0o100 != 0)
}

/// Files have no such bit there; a script says itself that it is one.
#[cfg(not(unix))]
fn is_executable(file: &Path, _: &fs::Metadata) -> io::Result<bool> {
    Ok(fs::read(file)?.starts_with(b"#!"))
}
