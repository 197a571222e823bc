//! Promise 7, and the layout of the sources: rules that the compiler does not check.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::support::rust_source::Source;

/// The crates of `host/`, and which of our crates each may depend on; each only on those above it. A new dependency is a decision:
/// it is added here, and in `ARCHITECTURE.md`.
const CRATES: [(&str, &[&str]); 23] = [
    ("os", &[]),
    ("http", &[]),
    ("core", &["os"]),
    ("git", &["core", "os"]),
    ("patch", &["core", "git"]),
    ("observer", &["core", "http", "os"]),
    ("telemetry", &["core", "http"]),
    ("process", &[]),
    ("provider", &["core", "http", "os", "process"]),
    ("toolchain", &["core", "os", "process"]),
    ("forge", &["core", "http"]),
    ("postgres", &["http"]),
    ("fleet", &["http", "os", "postgres"]),
    ("report", &["core", "os"]),
    ("display", &["core", "report"]),
    ("pages", &["core", "report"]),
    ("service", &["core", "observer", "os", "pages", "postgres", "telemetry"]),
    ("engine", &["core", "http", "os", "toolchain"]),
    ("policy", &["core", "engine", "git", "os", "patch", "report", "toolchain"]),
    ("authoring", &["core", "engine", "git", "os", "report"]),
    ("gate", &["core", "engine", "git", "patch", "policy"]),
    ("pipeline", &["core", "engine", "gate", "git", "os", "patch", "policy", "provider", "report"]),
    // On top of the application: a program of its own.
    (
        "server",
        &[
            "core",
            "engine",
            "fleet",
            "forge",
            "gate",
            "git",
            "observer",
            "os",
            "pipeline",
            "policy",
            "provider",
            "report",
            "service",
            "telemetry",
        ],
    ),
];

/// What only the server may depend on, so that nobody's hooks link it: docs/decisions/server.md.
const OF_THE_SERVER: [&str; 4] = ["fleet", "postgres", "server", "service"];

/// The folder of the application, which is the root package.
const APPLICATION: &str = "app";
/// No crate: what makes packages of a build.
const PACKAGING: &str = "packaging";
/// The programs and what they share, one of which Cargo runs while it builds: they alone read the environment, and print beside `host/display`.
const PROGRAMS: [&str; 5] =
    ["host/app/program/", "host/guardhost.rs", "host/main.rs", "host/os/build.rs", "host/server/main.rs"];

fn is_program(name: &str) -> bool {
    PROGRAMS.iter().any(|program| name.starts_with(program))
}

/// The stages of one crate, `host/patch`. The others are crates of their own, or alone in theirs.
const STAGES_OF_PATCH: [&str; 4] = ["repair", "extract", "sanitize", "apply"];

/// The most lines of a file, whatever is in them.
const LINES: usize = 400;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder, relative to the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path.strip_prefix(root()).expect("below the root").to_owned());
            }
        }
    }
    found.sort();
    found
}

/// The sources of `host/`, but for the tests and the examples of crates. Paths begin with `host/`. They are read once for all tests.
fn sources() -> &'static [(String, Source)] {
    static SOURCES: LazyLock<Vec<(String, Source)>> = LazyLock::new(read_sources);
    &SOURCES
}

fn read_sources() -> Vec<(String, Source)> {
    let sources: Vec<_> = files("host")
        .into_iter()
        .filter(|file| !file.iter().any(|part| part == "tests" || part == "examples"))
        .map(|file| {
            let text = fs::read_to_string(root().join(&file)).expect("a source file");
            // Below the folder of its crate: `host/NAME/`; main.rs has none.
            let depth = if file.components().count() > 2 { 2 } else { 1 };
            let source = Source::new(&text, &file.iter().skip(depth).collect::<PathBuf>());
            (file.display().to_string(), source)
        })
        .collect();
    assert!(sources.len() > 300, "the sources were not found");
    sources
}

fn manifest(path: &str) -> toml::Table {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Our own crates among the dependencies of every kind, by the name of their folder.
fn own_dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let own =
        |name: &String| name.strip_prefix("guardhost-").or((name == "guards").then_some("guards")).map(str::to_owned);
    let mut found = BTreeSet::new();
    for (key, value) in manifest {
        match (key.as_str(), value.as_table()) {
            ("dependencies" | "dev-dependencies" | "build-dependencies", Some(list)) => {
                found.extend(list.keys().filter_map(own))
            }
            ("target", Some(targets)) => {
                found.extend(targets.values().filter_map(toml::Value::as_table).flat_map(own_dependencies));
            }
            _ => {}
        }
    }
    found
}

fn without_tests(manifest: toml::Table) -> toml::Table {
    manifest.into_iter().filter(|(key, _)| key != "dev-dependencies").collect()
}

#[test]
fn crates_depend_on_those_that_the_table_allows() {
    let mut above: BTreeSet<&str> = ["guards"].into();
    for (name, allowed) in CRATES {
        let manifest = manifest(&format!("host/{name}/Cargo.toml"));
        let (found, linked) = (own_dependencies(&manifest), own_dependencies(&without_tests(manifest)));
        let allowed: BTreeSet<String> = allowed.iter().map(|name| name.to_string()).collect();
        let fits = linked.is_subset(&allowed) && allowed.is_subset(&found);
        assert!(fits, "host/{name}/Cargo.toml, and the table of this test: {linked:?} {allowed:?}");
        // The examples of a crate may use what stands below it.
        assert!(found.iter().all(|other| above.contains(other.as_str())), "the tests of host/{name}: {found:?}");
        assert!(allowed.iter().all(|other| above.contains(other.as_str())), "host/{name} stands above what it needs");
        above.insert(name);
    }
    let application = own_dependencies(&manifest("Cargo.toml"));
    let known: BTreeSet<String> = above.iter().map(|name| name.to_string()).collect();
    assert!(application.is_subset(&known), "{application:?}");
    let linked = own_dependencies(&without_tests(manifest("Cargo.toml")));
    assert!(OF_THE_SERVER.iter().all(|name| !linked.contains(*name)), "{linked:?}");
}

#[test]
fn every_folder_of_host_is_a_crate_of_the_table_or_the_application() {
    let entries = fs::read_dir(root().join("host")).expect("host/").map(|entry| entry.expect("an entry").path());
    let folders =
        entries.filter(|path| path.is_dir()).map(|path| path.file_name().expect("a name").display().to_string());
    let known = CRATES.iter().map(|(name, _)| *name).chain([APPLICATION, PACKAGING]).map(str::to_owned);
    assert_eq!(folders.collect::<BTreeSet<_>>(), known.collect::<BTreeSet<_>>());
}

#[test]
fn every_crate_says_what_it_is_and_is_on_the_map() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for name in CRATES.iter().map(|(name, _)| *name).chain([APPLICATION]) {
        let text = fs::read_to_string(root().join(format!("host/{name}/lib.rs"))).expect("lib.rs");
        assert!(text.starts_with("//! "), "host/{name}/lib.rs begins with no doc comment");
        let row = |line: &&str| line.starts_with('|') && line.contains(&format!("`host/{name}"));
        assert!(map.lines().find(row).is_some(), "ARCHITECTURE.md: no row of a table names `host/{name}`");
    }
}

#[test]
fn stages_do_not_import_one_another() {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for (name, source) in sources() {
        let Some(stage) = STAGES_OF_PATCH.into_iter().find(|stage| name.starts_with(&format!("host/patch/{stage}")))
        else {
            continue;
        };
        *seen.entry(stage).or_default() += 1;
        for path in source.paths() {
            let [root, rest @ ..] = path.as_slice() else { continue };
            // The crate's root under another name, or all of it, is every stage.
            let foreign = match rest.first().map(String::as_str) {
                None | Some("*") => true,
                Some(other) => other != stage && STAGES_OF_PATCH.contains(&other),
            };
            assert!(root != "crate" || !foreign, "{name}: {}", path.join("::"));
        }
    }
    assert_eq!(seen.len(), STAGES_OF_PATCH.len(), "{seen:?}");
}

/// Where a set of guards is asked beside the gate, and why that is no ruling on a change.
const BESIDE_THE_GATE: [(&str, &str); 4] = [
    ("host/app/command/review/critics.rs", "critics advise, after the gate has ruled"),
    ("host/app/command/fix/detectors.rs", "a detector asks about a whole tree, not about a change"),
    ("host/app/command/guard/backtest.rs", "one component is compared with another over past commits"),
    ("host/pipeline/replay/reviewed.rs", "what critics said is said again"),
];

/// One change has one verdict, because one crate rules on it. What makes up a ruling is named nowhere else.
#[test]
fn nothing_is_ruled_beside_the_gate() {
    let mut seen = BTreeSet::new();
    for (name, source) in sources() {
        if ["host/gate/", "host/engine/", "host/policy/"].iter().any(|room| name.starts_with(room)) {
            continue;
        }
        let parts = [
            ("guardhost_engine", "guard"),
            ("guardhost_policy", "check_candidate_lock"),
            ("sanitize", "check_rule_files"),
            ("comment", "CommentTrust"),
        ];
        let found: Vec<String> = parts.iter().flat_map(|(parent, part)| named_in(source, parent, &[part])).collect();
        match BESIDE_THE_GATE.iter().find(|(file, _)| file == name) {
            Some((file, _)) if !found.is_empty() => drop(seen.insert(*file)),
            _ => assert!(found.is_empty(), "{name} rules by itself: {found:?}; ask guardhost_gate"),
        }
    }
    assert_eq!(seen.len(), BESIDE_THE_GATE.len(), "an exception that is gone is taken out of the list: {seen:?}");
}

/// Fails for every file of `host/` that `applies`, and in which `offence` finds something.
fn none_of(applies: impl Fn(&str) -> bool, offence: impl Fn(&Source) -> Vec<String>) {
    let found = sources().iter().filter(|(name, _)| applies(name));
    let found: Vec<_> =
        found.map(|(name, source)| (name, offence(source))).filter(|(_, found)| !found.is_empty()).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// Paths of which two neighbours are `parent` and one of `names`, or a glob.
fn named_in(source: &Source, parent: &str, names: &[&str]) -> Vec<String> {
    let is_one = |pair: &[String]| pair[0] == parent && (pair[1] == "*" || names.contains(&pair[1].as_str()));
    let paths = source.paths().into_iter().filter(|path| path.windows(2).any(is_one));
    paths.map(|path| path.join("::")).collect()
}

#[test]
fn nothing_prints_outside_main_and_display() {
    // The child that compiles a component answers on its standard output; the supervisor of a sandbox passes its own on. Both are
    // processes of their own.
    const CHILDREN: [&str; 2] = ["host/engine/load/compile.rs", "host/toolchain/sandbox/supervise.rs"];
    let quiet = |name: &str| !is_program(name) && !name.starts_with("host/display/") && !CHILDREN.contains(&name);
    const MACROS: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];
    none_of(quiet, |source| {
        let macros = source.macros().filter(|name| MACROS.contains(name)).map(|name| format!("{name}!"));
        let streams = ["io", "stdio"].iter().flat_map(|parent| named_in(source, parent, &["stdout", "stderr"]));
        macros.chain(streams).collect()
    });
}

#[test]
fn the_library_reads_neither_the_environment_nor_the_current_directory() {
    const FUNCTIONS: [&str; 13] = [
        "args",
        "args_os",
        "current_dir",
        "current_exe",
        "home_dir",
        "remove_var",
        "set_current_dir",
        "set_var",
        "temp_dir",
        "var",
        "var_os",
        "vars",
        "vars_os",
    ];
    none_of(
        |name| !is_program(name),
        |source| {
            let environment = named_in(source, "env", &FUNCTIONS);
            // These ask for the folder of temporary files; `tempdir_in` is given one.
            let temporary = source.calls().filter(|name| ["tempdir", "tempfile"].contains(name)).map(str::to_owned);
            let files = ["NamedTempFile", "TempDir"].iter().flat_map(|parent| named_in(source, parent, &["new"]));
            let macros = source.macros().filter(|name| *name == "option_env").map(str::to_owned);
            environment.into_iter().chain(temporary).chain(files).chain(macros).collect()
        },
    );
}

#[test]
fn only_sanitize_makes_a_clean_patch() {
    none_of(|name| !name.starts_with("host/patch/sanitize/"), |source| named_in(source, "CleanPatch", &["new"]));
    let text = fs::read_to_string(root().join("host/patch/sanitize/clean_patch.rs")).expect("a source file");
    assert!(text.contains("pub struct CleanPatch(Patch);"), "its field is private");
}

/// Modules are where the compiler looks for them, so that a file's path says which module it is.
#[test]
fn no_module_is_elsewhere() {
    for (name, source) in sources() {
        let elsewhere = source.tokens.windows(3).any(|three| three.join("") == "#[path");
        assert!(!elsewhere, "{name}");
    }
}

#[test]
fn no_file_is_too_long() {
    // Generated files, and repositories that tests judge.
    let is_data = |part: &std::ffi::OsStr| part == "cases" || part == "target";
    let ours = |file: &&PathBuf| !file.to_string_lossy().ends_with("bindings.rs") && !file.iter().any(is_data);
    let all: Vec<PathBuf> = ["host", "guards", "sdk", "tests"].iter().flat_map(|folder| files(folder)).collect();
    let lines = |file: &Path| fs::read_to_string(root().join(file)).expect("a source file").lines().count();
    let long: Vec<_> = all.iter().filter(ours).filter(|file| lines(file) > LINES).collect();
    assert!(long.is_empty(), "more than {LINES} lines: {long:#?}");
}

/// A file or folder that is named in backticks, from the root of the repository.
#[test]
fn documents_name_files_that_are_there() {
    let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(PathBuf::from).into_iter();
    let pages = fs::read_dir(root().join("docs")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let pages = pages.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let (mut named, mut missing) = (0, Vec::new());
    for document in documents.chain(pages) {
        let text = fs::read_to_string(root().join(&document)).expect("a document");
        for span in text.split('`').skip(1).step_by(2) {
            let is_path = span.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
            if is_path && ["host/", "tests/", "sdk/", "guards/", "wit/"].iter().any(|folder| span.starts_with(folder)) {
                named += 1;
                if !root().join(span).exists() {
                    missing.push(format!("{}: {span}", document.display()));
                }
            }
        }
    }
    assert!(named > 100, "only {named} were found");
    assert_eq!(missing, Vec::<String>::new());
}
