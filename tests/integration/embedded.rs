//! The embedded components, as they were built.

use std::collections::BTreeSet;

use guardhost_authoring::producers;
use guardhost_core::change::NullObserver;
use guardhost_core::component::Component;
use guardhost_core::syntax::SyntaxByPath;
use guardhost_engine::{DescribedOutline, EngineContext, GuardSet, GuardSpec, JudgeContext, Need, guard};

use crate::support::candidate::candidate;
use crate::support::cli::host;
use crate::support::component::imports;
use crate::support::judging::{component, evidence, machine};
use crate::support::repo::TestRepo;
use crate::support::tools::{Missing, Tool, unless_missing};

/// A build goes on without what its machine has no compiler for. What is published must not.
#[test]
fn every_reader_of_languages_is_in_this_build() {
    let missing: Vec<_> =
        guards::EMBEDDED.missing_readers.iter().map(|one| format!("{} {}", one.name, one.why)).collect();
    let found = if missing.is_empty() { Ok(()) } else { Err(Missing::NotInstalled(missing.join(", "))) };
    if unless_missing(Tool::Clang, found).is_none() {
        return;
    }
    let claims = guards::EMBEDDED.readers.iter().flat_map(|reader| reader.claims);
    let claimed: BTreeSet<&str> = claims.filter(|claim| claim.answers.outline).map(|claim| &*claim.language).collect();
    for language in ["c", "cpp", "csharp", "go", "java", "kotlin", "php", "python", "ruby", "rust", "swift"] {
        assert!(claimed.contains(language), "{language} is in no component: {claimed:?}");
    }
    // What pages colour by.
    for claim in guards::EMBEDDED.readers.iter().flat_map(|reader| reader.claims).filter(|claim| claim.answers.outline)
    {
        let name = format!("x.{}", claim.endings[0]);
        let syntax = guards::EMBEDDED.syntax(&name).expect(&name);
        let comments = syntax.line_comments.len() + syntax.block_comments.len();
        assert!(comments > 0 && !syntax.literals.is_empty(), "{name}: {syntax:?}");
    }
    assert!(guards::EMBEDDED.syntax("no-ending").is_none() && guards::EMBEDDED.syntax("py").is_none());
}

/// Packages whose interfaces every guard may import without a grant.
const GIVEN: [&str; 4] = ["guardhost:guard", "guardhost:plan", "guardhost:files", "guardhost:language"];

/// The SDK has bindings of every capability; what a guard never calls, its component must not import.
#[test]
fn a_guard_imports_the_capabilities_that_it_needs_and_no_other() {
    let mut needed = BTreeSet::new();
    for guard in guards::builtin() {
        let imports = imports(guards::component(guard.id).unwrap());
        assert!(
            imports.iter().any(|import| import.starts_with("guardhost:guard/report@")),
            "{}: {imports:?}",
            guard.id
        );
        let packages = imports.iter().map(|import| import.split_once('/').unwrap().0);
        let imported: BTreeSet<&str> = packages
            .filter(|package| !GIVEN.contains(package))
            .map(|package| package.strip_prefix("guardhost:").unwrap())
            .collect();
        let description = guard.description.get();
        let needs: BTreeSet<&str> = description.needs.iter().map(|need| need.name.as_str()).collect();
        assert_eq!(imported, needs, "{}", guard.id);
        needed.extend(needs.into_iter().map(str::to_owned));
    }
    assert!(needed.len() >= 5, "only {needed:?} are needed by any guard");
}

/// The program holds no component: what it tells of one is read from what is left without the code.
#[test]
fn what_is_left_of_a_component_tells_what_the_component_tells() {
    for guard in guards::builtin().iter().chain(guards::EMBEDDED.analyzers) {
        let component = guards::component(guard.id).unwrap();
        assert_eq!((guard.size, guard.digest), (component.len(), Component::from(component.to_vec()).digest()));
        assert!(guard.skeleton.len() < 16 << 10, "{}: {} bytes are left", guard.id, guard.skeleton.len());
        assert_eq!(imports(guard.skeleton), imports(component), "{}", guard.id);
        assert_eq!(producers(guard.skeleton), producers(component), "{}", guard.id);
        assert!(producers(component).iter().any(|tool| tool.starts_with("processed-by wit-component")), "{}", guard.id);
    }
    // The same words of the file of a component, which is read whole.
    let repo = TestRepo::with(&[("a.txt", "a\n")]);
    std::fs::write(repo.path().join("own.wasm"), guards::component("docs-kept").unwrap()).unwrap();
    let told = |what: &str| {
        let mut told = host(repo.path(), &["guard", "info", what, "--format", "json"]).expect(0).json();
        for of_the_pin in ["source", "rights", "pinned"] {
            told["guard"][of_the_pin].take();
        }
        told
    };
    assert_eq!(told("docs-kept"), told("own.wasm"));
}

/// Not even where the compiler could not be started.
#[test]
fn a_component_that_is_embedded_is_not_compiled_again() {
    let machine = EngineContext { exe: "no-such-program".into(), ..machine() };
    let change = candidate(&[("README.md", b"# a\n")], &[("README.md", b"# a\n\nb\n")]);
    let judged = |wasm: Vec<u8>| {
        let grants = guards::EMBEDDED.get("docs-kept").unwrap().grants.iter().map(ToString::to_string).collect();
        let spec = GuardSpec { grants, ..component("docs-kept", wasm) };
        let set = GuardSet::new(vec![spec], &machine).unwrap();
        let judgement = guard(&change, &set, &JudgeContext { task: None, observer: &NullObserver });
        judgement.evidence[0].verdict.as_str()
    };
    let wasm = guards::component("docs-kept").unwrap().to_vec();
    assert_eq!(judged(wasm.clone()), "pass");
    // Another component, by a custom section: it would have to be compiled.
    assert_eq!(judged([wasm, vec![0, 2, 1, b'x']].concat()), "error");
}

/// A check reads the outlines of all guards, and the descriptions of those that it calls.
#[test]
fn the_outline_of_a_guard_is_that_of_its_description() {
    for guard in guards::builtin() {
        let description = guard.description.get();
        assert_eq!(guard.outline, DescribedOutline::from(description), "{}", guard.id);
        let grants: Vec<String> = description.needs.iter().flat_map(Need::grants).collect();
        assert_eq!(guard.grants, grants, "{}", guard.id);
    }
}

/// A pin without settings is not checked at each start.
#[test]
fn every_guard_accepts_to_have_no_settings() {
    for guard in guards::builtin() {
        let schema = serde_json::from_str(&guard.description.get().settings_schema).unwrap();
        assert!(jsonschema::is_valid(&schema, &serde_json::json!({})), "{}", guard.id);
    }
}

/// What a pin withholds is not absent: a guard that has to see the whole tree says that it did not.
#[test]
fn a_guard_that_is_not_shown_what_it_needs_passes_nothing() {
    let module =
        candidate(&[("src/lib.rs", b"mod a;\n"), ("src/a.rs", b"pub fn f() {}\n")], &[("src/lib.rs", b"mod a;\n")]);
    let import = candidate(&[("src/a.py", b"\n")], &[("src/a.py", b"from os import path\n")]);
    let manifest: (&str, &[u8]) = ("package.json", b"{\"name\": \"a\", \"devDependencies\": {\"prettier\": \"3\"}}\n");
    let config: (&str, &[u8]) = (".prettierrc", b"{\"plugins\": [\"prettier-plugin-nope\"]}\n");
    let plugin = candidate(&[manifest], &[manifest, config]);
    for (id, change, grants, withheld) in [
        ("definitions-kept", &module, ["repo:docs/**"].as_slice(), "src/lib.rs"),
        ("imports-resolve", &import, &["facts", "modules", "repo:docs/**"], "src/a.py"),
        ("known-packages", &plugin, &["facts", "repo:docs/**"], "bun.lockb"),
    ] {
        let grants = grants.iter().map(ToString::to_string).collect();
        let found = evidence(change, GuardSpec { grants, ..GuardSpec::builtin(id) });
        let reason = found.verdict.reason().unwrap_or_default();
        assert_eq!(found.verdict.as_str(), "error", "{id}: {:?}", found.verdict);
        assert!(reason.contains(&format!("the pin does not grant {withheld}")), "{id}: {reason}");
    }
}
