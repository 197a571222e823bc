//! Wheel and npm packages: installed from files, offline, in clean environments, and then run. They are made of the binaries of this test
//! run, which are not optimised: what is tested is the packages, not the size or the speed of what is in them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

use crate::support::cli::server;
use crate::support::tools::{Tool, needs};

/// Whoever publishes says whose it is.
const MCP_NAME: &str = "io.github.owner/guardhost";

/// A folder with all packages, made once.
fn packages() -> &'static Path {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let out = tempfile::tempdir().expect("a folder");
        package("client", out.path());
        out
    })
    .path()
}

/// The programs of this test run, without what debuggers read: it is most of them, and would be compressed again and again.
fn binaries() -> &'static Path {
    static MADE: OnceLock<tempfile::TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        for program in [env!("CARGO_BIN_EXE_host").into(), env!("CARGO_BIN_EXE_guardhost").into(), server()] {
            let name = program.file_name().expect("a name");
            succeeds(Command::new("strip").arg("-o").arg(folder.path().join(name)).arg(&program));
        }
        folder
    })
    .path()
}

fn package(program: &str, out: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("python3");
    command
        .arg(root.join("host/packaging/package.py"))
        .args(["--program", program])
        .arg("--binaries")
        .arg(binaries())
        .arg("--out")
        .arg(out)
        .args(["--level", "1", "--mcp-name", MCP_NAME]);
    // What cargo's own registry holds is enough.
    succeeds(command.env("CARGO_NET_OFFLINE", "true"))
}

#[track_caller]
fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The one package whose name begins and ends so.
fn named(start: &str, end: &str) -> PathBuf {
    let entries = fs::read_dir(packages()).expect("packages").map(|entry| entry.expect("an entry").path());
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let found: Vec<_> = entries.filter(|path| name(path).starts_with(start) && name(path).ends_with(end)).collect();
    assert_eq!(found.len(), 1, "{start}…{end}: {found:?}");
    found[0].clone()
}

/// With no program but git and what is named: no cargo, no compiler.
fn clean(program: &Path, folder: &Path, more: &[&str]) -> Command {
    let bin = folder.join("clean-bin");
    fs::create_dir_all(&bin).expect("a folder");
    for name in ["git", "sh", "env"].iter().chain(more) {
        let found = succeeds(Command::new("sh").args(["-c", &format!("command -v {name}")]));
        let _ = symlink(found.trim(), bin.join(name));
    }
    let mut command = Command::new(program);
    command.env_clear().env("PATH", &bin).env("HOME", folder).env("LANG", "C.UTF-8").current_dir(folder);
    command
}

/// The demonstration ends in a commit, and a change that it rejects is shown.
fn demonstrates(mut command: Command) {
    let said = succeeds(command.args(["demo", "--format", "json"]));
    let report: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(report["outcome"], "committed", "{said}");
}

#[test]
fn the_wheel_installs_without_an_index_and_a_compiler() {
    if needs(Tool::Python).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let venv = folder.path().join("venv");
    succeeds(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let wheel = named("guardhost-", ".whl");
    let python = venv.join("bin/python");
    let install = ["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"];
    succeeds(clean(&python, folder.path(), &[]).args(install).arg(&wheel));
    for name in ["host", "guardhost"] {
        let version = succeeds(clean(&venv.join("bin").join(name), folder.path(), &[]).arg("--version"));
        assert_eq!(version, format!("host {}\n", env!("CARGO_PKG_VERSION")));
    }
    demonstrates(clean(&venv.join("bin/guardhost"), folder.path(), &[]));
    let module = succeeds(clean(&python, folder.path(), &[]).args(["-m", "guardhost", "--version"]));
    assert!(module.starts_with("host "), "{module}");
    // A shell completes the name that the program is called by.
    let script = succeeds(clean(&venv.join("bin/guardhost"), folder.path(), &[]).args(["completions", "bash"]));
    assert!(script.contains("complete -F _guardhost"), "{script}");
    // pip compares every file with the record.
    let files = succeeds(clean(&python, folder.path(), &[]).args(["-m", "pip", "show", "--files", "guardhost"]));
    assert!(files.contains("bin/host") && files.contains("sboms/guardhost.cdx.json"), "{files}");
    succeeds(clean(&python, folder.path(), &[]).args(["-m", "pip", "uninstall", "--yes", "--quiet", "guardhost"]));
    assert!(!venv.join("bin/host").exists() && !venv.join("bin/guardhost").exists());
}

/// The server is installed by a wheel of its own, and `host` finds it there.
#[test]
fn the_wheel_of_the_server_stands_beside_that_of_the_client() {
    if needs(Tool::Python).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (venv, out) = (folder.path().join("venv"), folder.path().join("server"));
    package("server", &out);
    let made = fs::read_dir(&out).expect("packages").map(|entry| entry.expect("an entry").path());
    let wheels: Vec<_> = made.filter(|path| path.extension().is_some_and(|ending| ending == "whl")).collect();
    assert_eq!(wheels.len(), 1, "{wheels:?}");
    succeeds(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    let python = venv.join("bin/python");
    let install = |wheel: &Path| {
        let words = ["-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"];
        succeeds(clean(&python, folder.path(), &[]).args(words).arg(wheel));
    };
    install(&named("guardhost-", ".whl"));
    let host = || clean(&venv.join("bin/host"), folder.path(), &[]);
    let missing = host().args(["serve", "--list-tokens"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&missing.stderr).contains("guardhost-server"), "{missing:?}");
    install(&wheels[0]);
    assert_eq!(succeeds(host().args(["serve", "--list-tokens"])), "");
}

/// What the tag promises is what the program needs: symbols are read by another program than the one that wrote the tag.
#[test]
fn the_wheel_is_tagged_with_the_glibc_that_the_program_needs() {
    let symbols = succeeds(Command::new("objdump").arg("-T").arg(env!("CARGO_BIN_EXE_host")));
    let version = |line: &str| -> Option<(u32, u32)> {
        let (major, minor) = line.split_once("GLIBC_")?.1.split([')', ' ']).next()?.split_once('.')?;
        Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
    };
    let (major, minor) = symbols.lines().filter_map(version).max().expect("a program that uses glibc");
    let name = named("guardhost-", ".whl").display().to_string();
    assert!(name.contains(&format!("-manylinux_{major}_{minor}_")), "{name}: {major}.{minor}");
}

fn npm(folder: &Path, args: &[&str]) -> Output {
    // A folder without a `.npmrc` of anybody's, and no registry to reach.
    let mut command = Command::new("npm");
    command.current_dir(folder).env("HOME", folder).env("npm_config_userconfig", folder.join("npmrc"));
    let quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    command.args(args).args(quiet).output().expect("npm runs")
}

#[test]
fn the_npm_packages_install_offline_and_say_what_is_missing() {
    if needs(Tool::Node).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("package.json"), "{\"private\": true}\n").expect("written");
    let shim = packages().join(format!("guardhost-{}.tgz", env!("CARGO_PKG_VERSION")));
    let shim = shim.to_str().expect("UTF-8");
    let alone = npm(folder.path(), &["install", "--omit=optional", shim]);
    assert!(alone.status.success(), "{alone:?}");
    let program = folder.path().join("node_modules/.bin/guardhost");
    let missing = clean(&program, folder.path(), &["node"]).arg("--version").output().expect("it runs");
    assert_eq!(missing.status.code(), Some(127), "{missing:?}");
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(
        said.contains("npm install @guardhost/cli-")
            && said.contains(env!("CARGO_PKG_VERSION"))
            && !said.contains("at Module"),
        "{said}"
    );

    let platform = named("guardhost-cli-", ".tgz");
    let both = npm(folder.path(), &["install", "--omit=optional", shim, platform.to_str().expect("UTF-8")]);
    assert!(both.status.success(), "{both:?}");
    let version = succeeds(clean(&program, folder.path(), &["node"]).arg("--version"));
    assert_eq!(version, format!("host {}\n", env!("CARGO_PKG_VERSION")));
    demonstrates(clean(&folder.path().join("node_modules/.bin/host"), folder.path(), &["node"]));
    let wrong = clean(&program, folder.path(), &["node"]).args(["no-such-command"]).output().expect("it runs");
    assert_eq!(wrong.status.code(), Some(2), "the exit code is passed on: {wrong:?}");
    let manifest = fs::read_to_string(folder.path().join("node_modules/guardhost/package.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert!(manifest.get("scripts").is_none(), "nothing runs at installation");
    for (name, version) in manifest["optionalDependencies"].as_object().expect("platforms") {
        assert_eq!(version, env!("CARGO_PKG_VERSION"), "{name}: the same version, exactly");
    }
    let script = include_str!("../../host/packaging/npm/host.js");
    assert!(script.lines().count() <= 60);
}

/// The MCP registry finds the packages by their names, and itself in them.
#[test]
fn the_entry_of_the_mcp_registry_fits_the_packages() {
    let entry: Value = serde_json::from_slice(&fs::read(packages().join("server.json")).expect("read")).expect("JSON");
    assert_eq!((&entry["name"], &entry["version"]), (&MCP_NAME.into(), &env!("CARGO_PKG_VERSION").into()));
    assert!(entry["description"].as_str().is_some_and(|text| text.len() <= 100), "the registry's limit: {entry}");
    for package in entry["packages"].as_array().expect("packages") {
        assert_eq!((&package["identifier"], &package["version"]), (&"guardhost".into(), &entry["version"]));
        assert_eq!(package["packageArguments"][0]["value"], "mcp", "the command that serves: {entry}");
    }
    let shim = packages().join(format!("guardhost-{}.tgz", env!("CARGO_PKG_VERSION")));
    let manifest = succeeds(Command::new("tar").arg("-xzOf").arg(shim).arg("package/package.json"));
    assert_eq!(serde_json::from_str::<Value>(&manifest).expect("JSON")["mcpName"], MCP_NAME);
    let read = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); \
                print(*(z.read(n).decode() for n in z.namelist() if n.endswith('METADATA')))";
    let metadata = succeeds(Command::new("python3").args(["-c", read]).arg(named("guardhost-", ".whl")));
    assert!(metadata.contains(&format!("mcp-name: {MCP_NAME}")), "{metadata}");
}

/// Everything that was made has a checksum, the same binaries make the same bytes, and the SBOM names what is linked.
#[test]
fn packages_are_the_same_again_and_name_what_is_in_them() {
    let again = tempfile::tempdir().expect("a folder");
    package("client", again.path());
    let mut names: Vec<_> = fs::read_dir(packages())
        .expect("packages")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert_eq!(names.len(), 7, "{names:?}");
    for name in &names {
        let same = fs::read(packages().join(name)).expect("read") == fs::read(again.path().join(name)).expect("read");
        assert!(same, "{name} differs");
    }
    let sums = named("guardhost-", ".sha256");
    let text = fs::read_to_string(&sums).expect("sums");
    assert_eq!(text.lines().count(), names.len() - 1);
    succeeds(Command::new("sha256sum").args(["--check", "--quiet"]).arg(&sums).current_dir(packages()));
    let sbom: Value = serde_json::from_slice(&fs::read(named("guardhost-", ".cdx.json")).expect("read")).expect("JSON");
    let crates: Vec<_> =
        sbom["components"].as_array().expect("components").iter().filter_map(|each| each["name"].as_str()).collect();
    for linked in ["wasmtime", "git2", "libgit2-sys", "clap", "oxc_parser", "ruff_python_parser"] {
        assert!(crates.contains(&linked), "{linked}: {crates:?}");
    }
    for not_linked in ["insta", "proptest", "assert_cmd"] {
        assert!(!crates.contains(&not_linked), "{not_linked}");
    }
}

/// The build script of the modules needs no other crate, so it is compiled and run here, where every program that it could call fails.
#[test]
fn a_source_archive_needs_no_target_of_guards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let target = Path::new(env!("CARGO_BIN_EXE_host")).ancestors().nth(2).expect("the target folder");
    let make = root.join("host/packaging/source.py");
    succeeds(Command::new("python3").arg(make).arg("--target-dir").arg(target).arg("--out").arg(folder.path()));
    let name = format!("guardhost-{}", env!("CARGO_PKG_VERSION"));
    let unpack = ["-xzf", &format!("{name}-source.tar.gz")];
    succeeds(Command::new("tar").args(unpack).current_dir(folder.path()));
    let unpacked = folder.path().join(name);
    // The work tree may be ahead of the commit that was archived; sources and modules are those of one build.
    let list = fs::read_to_string(unpacked.join("guards/modules/prebuilt/SOURCES")).expect("a list");
    for line in list.lines() {
        let path = line.split_once("  ").expect("a digest").1;
        fs::create_dir_all(unpacked.join(path).parent().expect("a folder")).expect("made");
        fs::copy(root.join(path), unpacked.join(path)).expect("copied");
    }
    let script = folder.path().join("script");
    let source = root.join("guards/modules/build.rs");
    succeeds(Command::new("rustc").args(["--edition", "2024", "-o"]).arg(&script).arg(source).current_dir(root));
    let run = || {
        let mut command = Command::new(&script);
        command.env_clear().env("CARGO_MANIFEST_DIR", unpacked.join("guards/modules")).env("CARGO", "false");
        command
            .env("TARGET", "a-triple")
            .env("RUSTC", "false")
            .env("OUT_DIR", folder.path().join("a/b/c/d/out"))
            .output()
            .expect("it runs")
    };
    let output = run();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("modules/prebuilt\n"), "{output:?}");
    let module = unpacked.join("guards/modules/prebuilt/docs_kept.wasm");
    assert!(fs::read(module).expect("a module").starts_with(b"\0asm"));
    let edited = unpacked.join("guards/docs-kept/src/lib.rs");
    fs::write(&edited, fs::read_to_string(&edited).expect("a source") + "// edited\n").expect("written");
    let refused = run();
    assert!(!refused.status.success(), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("other sources"), "{refused:?}");
}

/// Python of `host/packaging`, given a folder.
fn python(script: &str, folder: &Path) {
    let packaging = Path::new(env!("CARGO_MANIFEST_DIR")).join("host/packaging");
    let script = format!(
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; out = Path(sys.argv[2])\n{script}"
    );
    succeeds(Command::new("python3").args(["-c", &script]).arg(packaging).arg(folder));
}

/// Nothing of the project reads it: another program checks the digests, and unpacks what is run.
#[test]
fn the_image_is_one_for_other_tools() {
    if needs(Tool::Skopeo).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    python(
        "import image\n\
         name, content = image.archive('aarch64-unknown-linux-musl', [('host', b'a program'), ('guardhost', b'x')], 1700000000, 1)\n\
         (out / 'image.tar').write_bytes(content)",
        folder.path(),
    );
    let image = format!("oci-archive:{}", folder.path().join("image.tar").display());
    let said = succeeds(Command::new("skopeo").args(["inspect", "--override-arch", "arm64", &image]));
    let said: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&said["Architecture"], &said["Created"]), (&"arm64".into(), &"2023-11-14T22:13:20Z".into()));
    assert_eq!(said["Labels"]["org.opencontainers.image.version"], env!("CARGO_PKG_VERSION"));
    let copy = folder.path().join("copy");
    let to = format!("dir:{}", copy.display());
    let words = ["--insecure-policy", "--override-arch", "arm64", "copy", "--quiet", &image, &to];
    succeeds(Command::new("skopeo").args(words));
    let layer = said["Layers"][0].as_str().and_then(|digest| digest.strip_prefix("sha256:")).expect("a layer");
    let listed = succeeds(Command::new("tar").arg("-tvzf").arg(copy.join(layer)));
    assert!(listed.contains("drwxrwxrwt") && listed.contains("-rwxr-xr-x"), "{listed}");
    let program = succeeds(Command::new("tar").arg("-xzOf").arg(copy.join(layer)).arg("usr/bin/host"));
    assert_eq!(program, "a program");
}

/// Checksums, provenance and formula name every file as it is, and the signature is that of the key.
#[test]
fn what_vouches_for_a_release_is_checked_by_other_tools() {
    if needs(Tool::SshKeygen).is_none() || needs(Tool::Python).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (out, key) = (folder.path().join("out"), folder.path().join("key"));
    fs::create_dir(&out).expect("made");
    let archive = format!("guardhost-{}-x86_64-unknown-linux-musl.tar.gz", env!("CARGO_PKG_VERSION"));
    fs::write(out.join(&archive), "an archive").expect("written");
    fs::write(out.join("part.sha256"), "of one machine").expect("written");
    succeeds(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key));
    let seal = || {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("host/packaging/seal.py");
        let url = "https://example.org/v1/";
        succeeds(
            Command::new("python3").arg(script).arg("--out").arg(&out).arg("--key").arg(&key).args(["--url", url]),
        );
        let mut files: Vec<_> =
            fs::read_dir(&out).expect("files").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files.into_iter().map(|path| (fs::read(&path).expect("read"), path)).collect::<Vec<_>>()
    };
    let first = seal();
    assert!(seal() == first, "the same files are vouched for in the same bytes");
    let sums = fs::read_to_string(out.join("SHA256SUMS")).expect("sums");
    let (all, themselves) = (first.len(), 2);
    assert_eq!(sums.lines().count(), all - themselves, "{sums}");
    let check = || {
        let mut command = Command::new("sha256sum");
        command.args(["--check", "--quiet", "--strict", "SHA256SUMS"]).current_dir(&out);
        command.output().expect("it runs").status.success()
    };
    assert!(check());
    let public = fs::read_to_string(key.with_extension("pub")).expect("a public key");
    fs::write(folder.path().join("signers"), format!("release {public}")).expect("written");
    let verify = |bytes: &str| {
        let signed = folder.path().join("signed");
        fs::write(&signed, bytes).expect("written");
        let mut command = Command::new("ssh-keygen");
        command.args(["-Y", "verify", "-I", "release", "-n", "file", "-f"]).arg(folder.path().join("signers"));
        command.arg("-s").arg(out.join("SHA256SUMS.sig")).stdin(fs::File::open(&signed).expect("open"));
        command.output().expect("it runs").status.success()
    };
    assert!(verify(&sums) && !verify(&sums.replacen(['0', '1', '2'], "3", 1)));
    let digest = sums.lines().find_map(|line| line.strip_suffix(&format!("  {archive}"))).expect("the archive's");
    let formula = fs::read_to_string(out.join("guardhost.rb")).expect("a formula");
    assert!(formula.contains(digest) && formula.contains(&format!("https://example.org/v1/{archive}")), "{formula}");
    let statement: Value =
        serde_json::from_slice(&fs::read(out.join("provenance.intoto.json")).expect("read")).expect("JSON");
    let named = statement["subject"].as_array().expect("subjects").iter().find(|each| each["name"] == archive.as_str());
    assert_eq!(named.expect("the archive")["digest"]["sha256"], digest);
    fs::write(out.join(&archive), "another archive").expect("written");
    assert!(!check());
}
