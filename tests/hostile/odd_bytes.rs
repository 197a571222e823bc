//! Odd and damaged files, judged by every embedded guard. Whatever the bytes, a guard gives a verdict or exceeds its limits, which is an
//! error and rejects; it never traps, and never answers what the contract does not allow.

use std::sync::LazyLock;
use std::thread;

use guard_cases::Mode;
use guardhost_core::change::{Candidate, GuardVerdict, Judgement, NullObserver, Task, Verdict};
use guardhost_engine::{GuardSet, GuardSpec, JudgeContext, Limits, default_set, guard};
use proptest::prelude::*;

use crate::support::candidate::candidate;
use crate::support::cases;
use crate::support::hostile_texts::{PIECES, texts};
use crate::support::judging::machine;

/// A file of every kind that a guard reads.
#[rustfmt::skip]
const PATHS: [&str; 60] = [
    "a.py", "a.pyi", "tests/test_a.py", "tests/conftest.py", "setup.py", "a.rs", "src/lib.rs", "a.js", "a.mjs", "a.jsx", "a.ts", "a.d.ts", "a.tsx", "a.test.ts", "vite.config.ts", ".eslintrc.cjs",
    "babel.config.json", ".babelrc", "package.json", "a.json", "a.jsonc", "a.json5", "a.ndjson", "a.ipynb", "tsconfig.json", ".eslintrc.json", ".eslintrc", ".prettierrc", ".prettierrc.toml",
    "renovate.json", "Cargo.toml", "Cargo.lock", "pyproject.toml", "a.toml", "Pipfile", "setup.cfg", "tox.ini", ".editorconfig", "a.yaml", ".github/workflows/ci.yml", "action.yml",
    ".github/dependabot.yml", "compose.yaml", ".pre-commit-config.yaml", "README.md", "README", "docs/a.mdx", "docs/a.rst", "docs/a.adoc", "docs/a.txt", "CHANGELOG.md", "requirements.txt", "go.mod",
    "Gemfile", "composer.json", "pom.xml", "build.gradle", "package-lock.json", "a.css", "Makefile",
];

/// Beside the file, so that there is something to compare it with.
const BESIDE: [(&str, &[u8]); 2] = [
    ("crates/b/Cargo.toml", b"[package]\nname = \"b\"\nversion = \"1.0.0\"\n[dependencies]\naxum = \"0.8\"\n"),
    ("web/package.json", b"{ \"name\": \"web\", \"dependencies\": { \"vue\": \"3\" } }\n"),
];

/// Every embedded guard that judges changes without running their code. A tenth of the usual fuel reaches the same limit sooner.
static GUARDS: LazyLock<GuardSet> = LazyLock::new(|| {
    let limits = Limits { fuel: Limits::default().fuel / 10, ..Limits::default() };
    let specs = default_set(&guards::EMBEDDED, &["quality-scored".to_owned()]).unwrap();
    let specs = specs.into_iter().filter(|spec| spec.id != "no-repeated-failures");
    GuardSet::new(specs.map(|spec| GuardSpec { limits, ..spec }).collect(), &machine()).unwrap()
});

fn judge(candidate: &Candidate) -> Judgement {
    let task = Task { text: "Mend `a.py`".into(), hints: vec!["a.py".into()], ..Task::default() };
    guard(candidate, &GUARDS, &JudgeContext { task: Some(&task), observer: &NullObserver })
}

/// What is wrong with the guards' answers.
fn wrong(judgement: &Judgement) -> Vec<String> {
    let mut wrong = Vec::new();
    for evidence in &judgement.evidence {
        if let GuardVerdict::Error { code, message, .. } = &evidence.verdict {
            // What the host reads for a guard is part of its fuel.
            let is_unread = message.ends_with("it is more than one call may have read");
            if !["out-of-fuel", "out-of-memory"].contains(code) && !is_unread {
                wrong.push(format!("{} says [{code}] {message}", evidence.id));
            }
            if judgement.verdict() == Verdict::Pass {
                wrong.push(format!("{} failed, and the change is accepted", evidence.id));
            }
        }
    }
    wrong
}

/// A path with what stands there before, if anything does, and after.
type Edit<'a> = (&'a str, Option<&'a [u8]>, &'a [u8]);

fn change(edits: &[Edit]) -> Candidate {
    let mut sides = [BESIDE.to_vec(), BESIDE.to_vec()];
    for (path, before, after) in edits {
        sides[0].extend(before.map(|before| (*path, before)));
        sides[1].push((path, after));
    }
    candidate(&sides[0], &sides[1])
}

fn judged(what: &str, path: &str, before: Option<&[u8]>, after: &[u8]) -> Vec<String> {
    if before == Some(after) {
        return Vec::new();
    }
    let judgement = judge(&change(&[(path, before, after)]));
    wrong(&judgement).into_iter().map(|wrong| format!("{what} as {path}: {wrong}")).collect()
}

/// Several files as one change: to call all guards costs more than to read one small file. Where a guard does not come to its end, each file is
/// judged alone, since one that uses up the fuel hides those after it.
fn judged_together(what: &str, edits: &[Edit]) -> Vec<String> {
    let judgement = judge(&change(edits));
    if !judgement.evidence.iter().any(|evidence| matches!(evidence.verdict, GuardVerdict::Error { .. })) {
        return Vec::new();
    }
    let alone = edits.iter().flat_map(|(path, before, after)| judged(what, path, *before, after));
    let together = wrong(&judgement).into_iter().map(|wrong| format!("{what} as many files: {wrong}"));
    alone.chain(together).collect()
}

/// Longer texts are tried as one file a parser only, for they take long.
const LONG: usize = 2_000;
const PARSED: [&str; 14] = [
    "vite.config.ts",
    "pom.xml",
    "a.py",
    "a.rs",
    "a.js",
    "a.tsx",
    "package.json",
    "tsconfig.json",
    "a.json5",
    "pyproject.toml",
    ".github/workflows/ci.yml",
    "setup.cfg",
    "README.md",
    "docs/a.rst",
];

/// Each text once as each kind of file: added, in place of a valid one, deleted again, or with one more line. Which of them differs from
/// kind to kind, so that every text is met in each way; all of them for all kinds took seven CPU-minutes and found nothing more.
#[test]
fn hand_made_texts_as_every_kind_of_file() {
    let as_every_kind = |(name, text): &(String, Vec<u8>)| {
        let paths = if text.len() > LONG { &PARSED[..] } else { &PATHS[..] };
        let longer = [text, &b"\nx\n"[..]].concat();
        let in_way = |way: usize| -> (Option<&[u8]>, &[u8]) {
            match way {
                0 => (None, text),
                1 => (Some(b"x = 1\n"), text),
                2 => (Some(text), b"\n"),
                _ => (Some(text), &longer),
            }
        };
        let one_way = |way: usize| {
            let (before, after) = in_way(way);
            let turns = paths.iter().enumerate().filter(|(turn, _)| (turn + name.len()) % 4 == way);
            let edits: Vec<Edit> = turns.map(|(_, path)| (*path, before, after)).collect();
            judged_together(name, &edits)
        };
        (0..4).flat_map(one_way).collect::<Vec<_>>()
    };
    let texts = texts();
    let (left, right) = texts.split_at(texts.len() / 2);
    let wrong: Vec<String> = thread::scope(|scope| {
        let other = scope.spawn(|| right.iter().flat_map(as_every_kind).collect::<Vec<_>>());
        left.iter().flat_map(as_every_kind).chain(other.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that guards read although the change does not touch them: importing, linked, manifests, ignore files, lock files.
#[rustfmt::skip]
const SURROUNDINGS: [&str; 18] = [
    "package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "Cargo.toml", "pyproject.toml", "requirements.txt", "setup.py", "uv.lock", ".gitignore", "docs/b.md", "docs/mkdocs.yml",
    "lib/b.py", "lib/conftest.py", "tests/test_a.py", "web/b.ts", "web/tsconfig.json", "src/b.rs",
];

/// Definitions are removed, links and claims added: each guard reads other files of the repository.
#[rustfmt::skip]
const LOOKING: [(&str, &str, &str); 5] = [
    ("lib/a.py", "def frobnicate():\n    return 1\n\n\ndef g():\n    return 2\n", "def g():\n    return 2\n"),
    ("web/a.ts", "export function frobnicate() { return 1 }\nexport const g = 2\n", "export const g = 2\n"),
    ("src/a.rs", "pub fn frobnicate() -> u8 { 1 }\npub mod b;\n", "pub mod b;\n"),
    ("README.md", "# frobnicate\n", "# a\n\nThis project is built with React.\n[b](docs/b.md#c) [d](docs/d.md) [e](https://e.test/)\n"),
    ("vite.config.js", "export default {}\n", "import a from 'vite-plugin-a'\nexport default { plugins: [a()] }\n"),
];

/// A beginning that makes guards read the file, before its text.
fn naming(path: &str, text: &[u8]) -> Vec<u8> {
    let first: &[u8] = match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("py") => b"from lib.a import frobnicate\n",
        Some("ts") => b"import { frobnicate } from './a'\n",
        Some("rs") => b"use crate::a::frobnicate;\n",
        Some("md") => b"[a](../README.md#frobnicate)\n",
        _ => b"",
    };
    [first, text].concat()
}

#[test]
fn hand_made_texts_around_a_change() {
    let wrong: Vec<String> = texts()
        .iter()
        .flat_map(|(name, text)| {
            let around = SURROUNDINGS.map(|path| (path, naming(path, text)));
            let around: Vec<(&str, &[u8])> = around.iter().map(|(path, text)| (*path, text.as_slice())).collect();
            let old = LOOKING.map(|(path, before, _)| (path, before.as_bytes()));
            let new = LOOKING.map(|(path, _, after)| (path, after.as_bytes()));
            let change = candidate(&[&around[..], &old].concat(), &[&around[..], &new].concat());
            let judgement = judge(&change);
            let rejects =
                |id: &str| judgement.evidence.iter().any(|said| said.id == id && said.verdict.as_str() == "reject");
            // The same files without the odd text are read without an error.
            assert!(
                !text.is_empty() || (rejects("definitions-kept") && rejects("links-resolve")),
                "no guard read another file"
            );
            wrong(&judgement).into_iter().map(|wrong| format!("around: {name}: {wrong}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Ordinary sources: the guards' own cases.
static REAL: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for (_, case) in cases::all() {
        let plain = case.below("after").filter(|(_, file)| file.mode != Mode::Link && file.bytes.len() < 20_000);
        found.extend(plain.map(|(path, file)| (path.to_string_lossy().into_owned(), file.bytes.clone())));
    }
    assert!(found.len() > 300, "only {} files", found.len());
    found
});

/// Damage to the bytes of a file.
#[derive(Debug, Clone)]
enum Damage {
    CutAt(prop::sample::Index),
    Without(prop::sample::Index, usize),
    Twice(prop::sample::Index, usize),
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    let piece = prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec());
    prop_oneof![
        at().prop_map(Damage::CutAt),
        (at(), 1usize..200).prop_map(|(at, length)| Damage::Without(at, length)),
        (at(), 1usize..200).prop_map(|(at, length)| Damage::Twice(at, length)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        (at(), prop_oneof![piece, prop::collection::vec(any::<u8>(), 1..8)])
            .prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
    ]
}

fn damaged(mut bytes: Vec<u8>, all: &[Damage]) -> Vec<u8> {
    for damage in all {
        let place = |at: &prop::sample::Index| at.index(bytes.len() + 1);
        match damage {
            Damage::CutAt(at) => bytes.truncate(place(at)),
            Damage::Without(at, length) => {
                let (start, end) = (place(at), (place(at) + length).min(bytes.len()));
                bytes.drain(start..end);
            }
            Damage::Twice(at, length) => {
                let (start, end) = (place(at), (place(at) + length).min(bytes.len()));
                let again = bytes[start..end].to_vec();
                bytes.splice(start..start, again);
            }
            Damage::Flip(at, byte) => {
                let at = place(at);
                bytes.get_mut(at).into_iter().for_each(|old| *old ^= byte);
            }
            Damage::Insert(at, new) => {
                let at = place(at);
                bytes.splice(at..at, new.iter().copied());
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn real_files_that_were_damaged(file in any::<prop::sample::Index>(), all in prop::collection::vec(damage(), 1..6), added in any::<bool>()) {
        let (path, real) = file.get(&REAL);
        let after = damaged(real.clone(), &all);
        let before = (!added).then_some(real.as_slice());
        prop_assert_eq!(judged("damaged", path, before, &after), Vec::<String>::new());
    }

    #[test]
    fn pieces_of_every_language(path in prop::sample::select(&PATHS[..]), pieces in prop::collection::vec(prop::sample::select(PIECES), 1..80), old in 0usize..80) {
        let text = pieces.concat();
        let before = pieces[..old.min(pieces.len())].concat();
        prop_assert_eq!(judged("pieces", path, Some(before.as_bytes()), text.as_bytes()), Vec::<String>::new());
    }

    #[test]
    fn random_bytes(path in prop::sample::select(&PATHS[..]), bytes in prop::collection::vec(any::<u8>(), 0..3_000), before in prop::option::of(prop::collection::vec(any::<u8>(), 0..300))) {
        prop_assert_eq!(judged("random", path, before.as_deref(), &bytes), Vec::<String>::new());
    }
}

/// What a guard cannot finish is its error, by name, and nothing that a change could pass with.
#[test]
fn who_runs_out_says_so_and_rejects() {
    let style = "a { color: red }\n".repeat(20_000);
    let change = change(&[("a.css", None, style.as_bytes())]);
    let starved = |limits: Limits| {
        // It has a parser of its own.
        let spec = GuardSpec { limits, ..GuardSpec::builtin("texts-parse") };
        let set = GuardSet::new(vec![spec], &machine()).unwrap();
        let judgement = guard(&change, &set, &JudgeContext { task: None, observer: &NullObserver });
        assert_eq!(judgement.verdict(), Verdict::Error);
        judgement.evidence[0].verdict.code().unwrap()
    };
    assert_eq!(starved(Limits { fuel: 1_000_000, ..Limits::default() }), "out-of-fuel");
    assert_eq!(starved(Limits { memory: 3 << 20, ..Limits::default() }), "out-of-memory");
}
