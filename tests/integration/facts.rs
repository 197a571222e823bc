//! Facts: each file of `tests/facts` is a small repository, its snapshot is what the host knows of it.

use std::fmt::Write as _;
use std::path::Path;

use git2::{ObjectType, Oid};
use guardhost_core::change::{FileMode, Objects, RepoPath, TreeEntry};
use guardhost_engine::facts::{Facts, FactsCache, facts, languages};
use proptest::prelude::*;

use crate::support::objects::{Files, MemoryObjects};

/// One small repository: files, added one by one.
#[derive(Default)]
struct Sample {
    objects: MemoryObjects,
    files: Files,
}

impl Sample {
    fn add(&mut self, path: impl Into<Vec<u8>>, bytes: &[u8]) {
        let oid = self.objects.put_blob(bytes).unwrap();
        self.files.insert(RepoPath::new(path), TreeEntry { oid, mode: FileMode::File });
    }

    fn tree(&self) -> Oid {
        self.objects.put_tree(self.files.clone()).unwrap()
    }

    /// Files begin at `-- path --`; what stands before the first is a comment.
    fn from_case(text: &str) -> Self {
        let mut memory = Sample::default();
        let mut open: Option<(&str, String)> = None;
        for line in text.lines() {
            match line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
                Some(path) => {
                    if let Some((path, text)) = open.replace((path, String::new())) {
                        memory.add(path, text.as_bytes());
                    }
                }
                None => open.iter_mut().for_each(|(_, text)| writeln!(text, "{line}").unwrap()),
            }
        }
        let (path, text) = open.expect("a case has files");
        memory.add(path, text.as_bytes());
        memory
    }

    fn facts(&self) -> Facts {
        facts(&self.objects, self.tree()).unwrap()
    }
}

/// A page that a reviewer can read: one line a dependency.
fn page(memory: &Sample) -> String {
    let facts = memory.facts();
    let mut page = String::new();
    let word = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    for manifest in &facts.manifests {
        let ecosystem = word(serde_json::to_value(manifest.ecosystem).unwrap());
        writeln!(page, "{} ({ecosystem}) {}", manifest.path, manifest.name.as_deref().unwrap_or("-")).unwrap();
        for dependency in &manifest.dependencies {
            let kind = word(serde_json::to_value(dependency.kind).unwrap());
            writeln!(page, "  {kind:<8} {} {}", dependency.name, dependency.requirement).unwrap();
        }
        if !manifest.elsewhere.is_empty() {
            writeln!(page, "  from elsewhere: {}", manifest.elsewhere.join(", ")).unwrap();
        }
        if let Some(problem) = &manifest.problem {
            writeln!(page, "  problem: {problem}").unwrap();
        }
    }
    writeln!(page, "frameworks: {}", facts.frameworks.join(" ")).unwrap();
    writeln!(page, "entry points: {:?}", facts.entry_points).unwrap();
    for language in languages(&memory.objects, memory.tree()).unwrap() {
        writeln!(page, "language: {} {} files, {} bytes", language.name, language.files, language.bytes).unwrap();
    }
    page.lines().fold(String::new(), |page, line| page + line.trim_end() + "\n")
}

#[test]
fn a_small_repository_of_each_kind() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts");
    let mut cases: Vec<_> = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 4);
    for case in cases {
        let name = case.file_stem().unwrap().to_str().unwrap().to_owned();
        let memory = Sample::from_case(&std::fs::read_to_string(&case).unwrap());
        insta::assert_snapshot!(format!("facts_{name}"), page(&memory));
    }
}

#[test]
fn bytes_that_are_no_text_are_a_problem_and_utf_16_is_text() {
    let mut memory = Sample::default();
    memory.add("a/package.json", b"\xff\xfe{\0}\0");
    memory.add("b/requirements.txt", b"\xfe\xff\0c\0l\0i\0c\0k");
    memory.add("c/pyproject.toml", b"\xef\xbb\xbf[project]\nname = 'c'\n");
    memory.add("d/Cargo.toml", b"[package]\nname = \"\xe9\"\n");
    memory.add("e/go.mod", &vec![b' '; (1 << 20) + 1]);
    memory.add(b"\xe9/package.json".as_slice(), br#"{"name": "latin-1", "main": "x.js"}"#);
    memory.add(b"\xe9/x.js".as_slice(), b"");
    insta::assert_snapshot!("facts_bytes", page(&memory));
}

/// A tree is walked once, however often it is judged; only the last few are remembered.
#[test]
fn facts_are_kept_by_tree() {
    let mut memory = Sample::default();
    memory.add("package.json", br#"{"name": "one"}"#);
    let known = FactsCache::default();
    let tree = |number: u8| {
        let tree = Oid::hash_object(ObjectType::Tree, &[number]).unwrap();
        memory.objects.put_tree_as(tree, memory.files.clone());
        tree
    };
    let walks = |known: &FactsCache, number: u8| {
        let before = memory.objects.walks();
        assert_eq!(*known.facts(&memory.objects, tree(number)).unwrap(), memory.facts());
        memory.objects.walks() - before - 1
    };
    assert_eq!([walks(&known, 0), walks(&known, 0), walks(&known, 1), walks(&known, 0)], [1, 0, 1, 0]);
    known.languages(&memory.objects, tree(0)).unwrap();
    assert_eq!(walks(&known, 0), 0);
    (2..10).for_each(|number| assert_eq!(walks(&known, number), 1));
    assert_eq!(walks(&known, 0), 1, "forgotten");
}

/// The cost of a file grows with its size, not with its square: each of these would take minutes otherwise.
#[test]
fn hostile_manifests_end() {
    let mut memory = Sample::default();
    let size = 1 << 19;
    memory.add("setup.py", "install_requires=[".repeat(size / 18).as_bytes());
    memory.add("a/setup.py", "\"\"\"\\".repeat(size / 4).as_bytes());
    memory.add("b/setup.py", format!("install_requires=[{}]", "x,".repeat(size / 2)).as_bytes());
    memory.add("c/setup.py", "x".repeat(size).as_bytes());
    memory.add("package.json", "[".repeat(size).as_bytes());
    memory.add("Cargo.toml", format!("a = {}", "[".repeat(size)).as_bytes());
    memory.add("pom.xml", "<dependency>".repeat(size / 12).as_bytes());
    memory.add("Gemfile", "group :a do\n".repeat(size / 12).as_bytes());
    memory.add("requirements.txt", "x\\\n".repeat(size / 3).as_bytes());
    let many: String = (0..size / 16).map(|n| format!("\"p{n}\":\"1\",")).collect();
    memory.add("d/package.json", format!("{{\"dependencies\":{{{many}\"last\":\"1\"}}}}").as_bytes());
    let facts = memory.facts();
    assert_eq!(facts.manifests.len(), 10);
    let largest = facts.manifests.iter().map(|manifest| manifest.dependencies.len()).max();
    assert_eq!(largest, Some(size / 16 + 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Damaged manifests may be read as less, never as a panic.
    #[test]
    fn no_bytes_panic(which in 0usize..4, cut in any::<prop::sample::Index>(), noise in "[\\[\\](){}'\"\\\\#=:;,<>@é \n\\-]{0,12}") {
        let cases = ["cargo-workspace", "npm-workspace", "python-projects", "other-ecosystems"];
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts").join(format!("{}.txt", cases[which]));
        let whole = Sample::from_case(&std::fs::read_to_string(path).unwrap());
        let mut damaged = Sample::default();
        for (path, entry) in &whole.files {
            let bytes = whole.objects.blob(entry.oid).unwrap();
            let text = std::str::from_utf8(&bytes).unwrap();
            let at = cut.index(text.len() + 1);
            damaged.add(path.as_bytes(), format!("{}{noise}{}", &text[..at], &text[at..]).as_bytes());
        }
        let again = page(&damaged);
        prop_assert_eq!(page(&damaged), again);
    }
}
