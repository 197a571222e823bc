//! Links GCC's unwinder into the program on Linux, where the standard library otherwise has it loaded as `libgcc_s.so.1`. That library
//! asks the processor for its features whenever it is loaded; on a virtual machine each such question leaves the machine, and all of them
//! took a twentieth of `host --version`.
//!
//! The library is linked only if the unwinder is not found in what comes before it, so nothing changes where a compiler has no static one.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let set = |name: &str| env::var(name).unwrap_or_default();
    let uses_gcc = set("CARGO_CFG_TARGET_OS") == "linux" && set("CARGO_CFG_TARGET_ENV") == "gnu";
    // Without one that Cargo was told, the linker is `cc`, which is for the machine that builds.
    let linker = env::var("RUSTC_LINKER").ok().or_else(|| (set("TARGET") == set("HOST")).then(|| "cc".to_owned()));
    if uses_gcc && linker.is_some_and(|linker| has_static_unwinder(&linker)) {
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// The compiler prints the path of a library that it has, and the bare name of any other.
fn has_static_unwinder(linker: &str) -> bool {
    let asked = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output();
    asked.is_ok_and(|asked| {
        let path = String::from_utf8_lossy(&asked.stdout);
        Path::new(path.trim()).is_absolute()
    })
}
