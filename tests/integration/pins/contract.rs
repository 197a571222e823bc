//! The contract between versions: guards of every released one, as they were built then, and guards of later ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wit_parser::Resolve;

use crate::support::author;
use crate::support::cli::host;
use crate::support::guest::{FILES, Found, Guest, ID, REJECT, verdict};
use crate::support::repo::TestRepo;

#[test]
fn components_of_every_released_version_judge() {
    let mut languages = BTreeSet::new();
    for version in released() {
        let files = fs::read_dir(version).unwrap().map(|entry| entry.unwrap().path());
        for component in files.filter(|path| path.extension().is_some_and(|extension| extension == "wasm")) {
            languages.insert(component.file_stem().unwrap().to_string_lossy().into_owned());
            let repo = TestRepo::with(&[("a.py", "x = 1\n"), ("guards.toml", "schema = 1\nguards = []\n")]);
            repo.write("guard.wasm", fs::read(&component).unwrap());
            author::host(repo.path(), &["guard", "add", "path:guard.wasm"]).expect(0);
            repo.commit("rules");
            for (line, code) in [("# TODO(ada): more\n", 0), ("# TODO more\n", 1)] {
                repo.write("a.py", format!("x = 1\n{line}"));
                repo.stage_all();
                let ran = author::host(repo.path(), &["check", "--staged", "--locked"]);
                assert_eq!(ran.code, code, "{}: {ran:?}", component.display());
            }
        }
    }
    let templates = embedded_languages();
    assert_eq!(languages, templates, "a language without a component of a released contract");
}

/// Those that `host guard new` knows.
fn embedded_languages() -> BTreeSet<String> {
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk");
    let folders = fs::read_dir(sdk).unwrap().map(|entry| entry.unwrap().path());
    let languages = folders.filter(|folder| folder.join("template.toml").is_file());
    languages.map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// A guard of the next series: refused before anything is written or run.
#[test]
fn a_newer_series_says_what_to_do() {
    let newer = Guest {
        contract: |text| text.replace("@0.1.0", "@0.2.0"),
        imports: FILES,
        ..Guest::checking("(call $files (i32.const 4000))")
    };
    refused(newer, "it was built for 0.2.0 of guardhost:guard, and this host serves 0.1.x");
}

/// A later version of this series, with an extra function, an extra method and an extra question.
const LATER: fn(String) -> String = |text| {
    text.replace("0.1.0", "0.1.9")
        .replace(
            "    files: func() -> list<file>;",
            "    files: func() -> list<file>;\n    @since(version = 0.1.9)\n    moon: func() -> u32;",
        )
        .replace(
            "        set-help: func(help: string);",
            "        set-help: func(help: string);\n        @since(version = 0.1.9)\n        set-weight: func(weight: u32);",
        )
        .replace(
            "/// A guard of changes. What it wants",
            "@since(version = 0.1.9)\ninterface second-thoughts { reconsider: func() -> u32; }\n/// A guard of changes. What it wants",
        )
};

/// A guard that answers the extra question.
fn later(guest: Guest) -> Guest {
    Guest {
        contract: LATER,
        world: "export guardhost:guard/second-thoughts@0.1.9;",
        items: r#"(func (export "guardhost:guard/second-thoughts@0.1.9#reconsider") (result i32) (i32.const 1))"#
            .to_owned(),
        ..guest
    }
}

/// It exports a question that this host never asks, and sets an attribute that this host does not know: both are left out, and it judges.
#[test]
fn a_later_version_that_asks_nothing_new_judges() {
    let found = Found { attributes: vec![("weight", "7")], ..Found::at("a.txt", 1) };
    let later = later(Guest::answering(verdict(REJECT, &[found])));
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\nguards = []\n")]);
    repo.write("guard.wasm", later.component());
    host(repo.path(), &["guard", "add", "path:guard.wasm"]).expect(0);
    repo.commit("rules");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    assert_eq!(ran["guards"][0]["findings"][0]["rule"], "a-rule", "{ran}");
}

/// What it needs, and of which version, is named.
#[test]
fn a_later_version_that_asks_something_new_names_it() {
    let curious = later(Guest {
        imports: r#"(import "guardhost:guard/change@0.1.0" "moon" (func $moon (result i32)))"#,
        ..Guest::checking("(drop (call $moon))")
    });
    let told = "the function `moon` of `guardhost:guard/change@0.1.9`, which version 0.1.0 of this host does not have";
    refused(curious, told);
    let weighing = later(Guest {
        imports: r#"(import "guardhost:guard/report@0.1.0" "[method]finding.set-weight" (func $weigh (param i32 i32)))"#,
        ..Guest::checking("(call $weigh (i32.const 0) (i32.const 7))")
    });
    refused(weighing, "the function `finding.set-weight` of `guardhost:guard/report@0.1.9`");
}

/// By `guard add`, which writes nothing then, and by `check` of a pin that was written by hand.
fn refused(guest: Guest, told: &str) {
    let repo = TestRepo::with(&[("a.txt", "one\n"), ("guards.toml", "schema = 1\nguards = []\n")]);
    repo.write("guard.wasm", guest.component());
    let ran = host(repo.path(), &["guard", "add", "path:guard.wasm"]).expect(4);
    assert!(ran.stderr.contains(told), "{ran:?}");
    assert_eq!(repo.read("guards.toml"), b"schema = 1\nguards = []\n");
    repo.write("guards.toml", format!("schema = 1\n[[guard]]\nid = \"{ID}\"\nsource = \"path:guard.wasm\"\n"));
    repo.commit("pinned by hand");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged"]).expect(4);
    assert!(ran.stdout.replace('\n', " ").contains(told), "{ran:?}");
}

/// The next version of the contract may only add to each released one: whatever was built before still fits.
#[test]
fn the_contract_only_grows() {
    for version in released() {
        grows(&contract(&version.join("wit")), &contract(Path::new("wit"))).unwrap();
    }
}

/// The check above finds what breaks components, and lets pass what does not.
#[test]
fn what_breaks_components_is_found() {
    let now = contract(Path::new("wit"));
    let with = |from: &str, to: &str| {
        assert!(now.iter().any(|text| text.contains(from)), "{from}");
        now.iter().map(|text| text.replace(from, to)).collect::<Vec<_>>()
    };
    for (from, to) in [
        ("    files: func() -> list<file>;", ""),
        ("        status: func() -> status;", "        status: func() -> string;"),
        ("record hunk {", "record hunk { extra: u32,"),
        ("enum severity {", "enum severity { fatal,"),
        ("export judge;", "export judge; export log;"),
    ] {
        assert!(grows(&now, &with(from, to)).is_err(), "{from} -> {to}");
    }
    let more = with("    files: func() -> list<file>;", "    files: func() -> list<file>;\n    more: func() -> u32;");
    grows(&now, &more).unwrap();
}

/// The folders of released versions.
fn released() -> Vec<PathBuf> {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract");
    let versions = fs::read_dir(room).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    versions.collect()
}

/// The text of each package below a folder, those first that others refer to.
fn contract(folder: &Path) -> Vec<String> {
    const PACKAGES: [&str; 15] = [
        "guard",
        "plan",
        "analysis",
        "files",
        "repo",
        "commits",
        "facts",
        "modules",
        "language",
        "net",
        "registry",
        "toolchain",
        "history",
        "model",
        "worlds",
    ];
    let found = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let unknown: Vec<String> = found.filter(|name| !PACKAGES.contains(&name.as_str())).collect();
    assert!(unknown.is_empty(), "{}: packages that this test does not know: {unknown:?}", folder.display());
    let package = |name: &&str| {
        let mut files: Vec<_> = fs::read_dir(folder.join(name)).unwrap().map(|file| file.unwrap().path()).collect();
        // The file with the package's own line comes first.
        files.sort_by_key(|file| !fs::read_to_string(file).unwrap().contains("\npackage "));
        files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
    };
    // A released version may lack packages that came later.
    PACKAGES.iter().filter(|name| folder.join(name).is_dir()).map(package).collect()
}

/// Err: what a component that was built for `before` would miss.
fn grows(before: &[String], now: &[String]) -> anyhow::Result<()> {
    for world in ["guard-with-capabilities", "planner-with-capabilities"] {
        let mut resolve = Resolve::default();
        // Two versions of one package stand side by side only under two version numbers, which the comparison leaves out.
        let mut add = |texts: &[String], number: &str| {
            let versioned = |text: &String| {
                let text = text.replace("package guardhost:worlds;", "package guardhost:worlds@0.1.0;");
                let gates = text.lines().filter(|line| !line.trim_start().starts_with("@since"));
                gates.collect::<Vec<_>>().join("\n").replace("@0.1.0", number)
            };
            let added = texts.iter().map(|text| resolve.push_str("contract.wit", &versioned(text)));
            added.collect::<Result<Vec<_>, _>>().map(|packages| packages[packages.len() - 1])
        };
        let (old, new) = (add(before, "@7.0.0")?, add(now, "@8.0.0")?);
        let (old, new) = (resolve.select_world(&[old], Some(world))?, resolve.select_world(&[new], Some(world))?);
        wit_component::semver_check(resolve, old, new)?;
    }
    Ok(())
}
