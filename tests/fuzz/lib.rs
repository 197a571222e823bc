//! What the targets share. The parsers are private, so each target begins a reply in a way that its parser takes.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::LazyLock;

use guardhost_core::change::{FileMode, GuardVerdict, LineRole, NullObserver, Reply, RepoPath};
use guardhost_core::stop::StopToken;
use guardhost_engine::link_check::LinkChecker;
use guardhost_engine::{EngineContext, GuardSet, HostServices, JudgeContext, Limits, default_set, guard};
use guardhost_git::ScratchRepository;
use guardhost_patch::apply::ApplyBase;
use guardhost_patch::propose::{ProposalStop, propose};
use guardhost_patch::sanitize::Rules;
use guardhost_patch::{
    extract::{Surroundings, extract},
    repair::repair,
};

// The tests have the same file, since the fuzzer builds this one without them.
#[allow(dead_code, clippy::duplicate_mod)]
#[path = "../../host/patch/tests/support/objects.rs"]
mod objects;

/// A reply that begins with `head` ends in a patch or in none, with a hint and without.
pub fn extracts(head: &str, data: &[u8]) {
    let reply = Reply { bytes: [head.as_bytes(), data].concat(), ..Reply::default() };
    let stop = StopToken::default();
    let mended = repair(&reply, &stop).expect("within its time");
    let _ = extract(mended.clone(), &[], &Surroundings::unknown(), &stop).expect("within its time");
    let _ = extract(mended, &[RepoPath::from("src/a.rs")], &Surroundings::unknown(), &stop).expect("within its time");
}

/// Whatever follows a diff: no line that begins an edit is taken for prose.
pub fn accounts(data: &[u8]) {
    const DIFF: &[u8] = b"```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n```\n\n";
    const BEGINNINGS: [&[u8]; 5] = [b"diff --git ", b"@@ -", b"<<<<<<< ", b"*** Begin Patch", b"+added"];
    let reply = Reply { bytes: [DIFF, data].concat(), ..Reply::default() };
    let stop = StopToken::default();
    let mended = repair(&reply, &stop).expect("within its time");
    let lines: Vec<Vec<u8>> = mended.bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let Ok(patch) = extract(mended, &[], &Surroundings::unknown(), &stop).expect("within its time") else { return };
    for part in patch.account.parts().iter().filter(|part| part.role == LineRole::Prose) {
        for line in &lines[part.lines.clone()] {
            assert!(!BEGINNINGS.iter().any(|begin| line.starts_with(begin)), "{}", line.escape_ascii());
        }
    }
}

/// A patch is placed on files of few different lines, or not, within the time and the memory that the fuzzer allows.
pub fn places(data: &[u8]) {
    let lines: String =
        data.iter().take(2_000).map(|byte| ["}\n", "\n", "x\n", "    }\n"][usize::from(byte % 4)]).collect();
    let base = objects::tree(&[("a.txt", FileMode::File, &lines), ("src/a.rs", FileMode::File, "fn f() {\n}\n")]);
    let reply = Reply { bytes: data.to_vec(), ..Reply::default() };
    let base = ApplyBase::new(None, base);
    match propose(&reply, &[], &base, &Rules::default(), &mut (), &StopToken::default()) {
        Ok(_) | Err(ProposalStop::Failure(_)) => {}
        Err(ProposalStop::Ended(stopped)) => panic!("{stopped}"),
        Err(ProposalStop::Error(error)) => panic!("{error:#}"),
    }
}

const PATHS: [&str; 16] = [
    "a.py",
    "a.rs",
    "a.ts",
    "a.tsx",
    "vite.config.js",
    "package.json",
    "tsconfig.json",
    "a.json5",
    "pyproject.toml",
    "Cargo.toml",
    ".github/workflows/ci.yml",
    "setup.cfg",
    "README.md",
    "docs/a.rst",
    "pom.xml",
    "requirements.txt",
];

/// Changes whose objects are kept in memory before they are forgotten.
const KEPT: u32 = 500;

static GUARDS: LazyLock<GuardSet> = LazyLock::new(|| {
    let limits = Limits { fuel: Limits::default().fuel / 10, ..Limits::default() };
    let specs = default_set(&guards::EMBEDDED, &["quality-scored".to_owned()]).expect("the embedded guards");
    let specs = specs.into_iter().map(|spec| guardhost_engine::GuardSpec { limits, ..spec }).collect();
    // Embedded guards need no compiler.
    let machine = EngineContext {
        exe: PathBuf::new(),
        cache_dir: None,
        modules_dir: None,
        measured_dir: None,
        verdicts: None,
        threads: 1,
        services: HostServices::only(LinkChecker::offline()),
        embedded: &guards::EMBEDDED,
        stop: StopToken::default(),
    };
    GuardSet::new(specs, &machine).expect("the embedded guards")
});

/// The first byte picks the file, the second says how much of the rest was there before.
pub fn judges(data: &[u8]) {
    thread_local!(static SCRATCH: RefCell<(u32, Option<ScratchRepository>)> = const { RefCell::new((0, None)) });
    let [which, share, text @ ..] = data else { return };
    let path = || RepoPath::from(PATHS[usize::from(*which) % PATHS.len()]);
    let old = &text[..text.len() * usize::from(*share) / 255];
    let beside =
        (RepoPath::from("web/package.json"), FileMode::File, b"{ \"dependencies\": { \"vue\": \"3\" } }".to_vec());
    let tree = |bytes: &[u8]| vec![beside.clone(), (path(), FileMode::File, bytes.to_vec())];
    let candidate = SCRATCH.with_borrow_mut(|(count, scratch)| {
        *count += 1;
        if *count % KEPT == 1 {
            *scratch = Some(ScratchRepository::new(&std::env::temp_dir()).expect("a repository"));
        }
        scratch.as_ref().expect("made above").candidate(&tree(old), &tree(text)).expect("a change")
    });
    for evidence in guard(&candidate, &GUARDS, &JudgeContext { task: None, observer: &NullObserver }).evidence {
        if let GuardVerdict::Error { code, message, .. } = &evidence.verdict {
            assert!(["out-of-fuel", "out-of-memory"].contains(code), "{}: [{code}] {message}", evidence.id);
        }
    }
}
