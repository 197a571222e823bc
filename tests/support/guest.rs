//! Guards written as WebAssembly text, and made into components as a toolchain does.

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

pub const ID: &str = "test-guest";

/// A guard that passes, unless a test sets other fields. The core module has one memory with constants below 4 KiB, the texts of
/// its findings from 8 KiB on, and a bump allocator from 64 KiB on.
pub struct Guest {
    /// Imports of the guard's world beyond `guard`, as WIT.
    pub world: &'static str,
    /// A package that the world refers to, beside the contract.
    pub package: &'static str,
    /// Core imports, as WAT. Those of [`IMPORTS`] are always there.
    pub imports: &'static str,
    /// What `check` does before it answers, with `$settings` and `$length`.
    pub check: String,
    pub answer: Answer,
    /// Pages of 64 KiB that the memory starts with.
    pub pages: u32,
    /// More functions and data, as WAT.
    pub items: String,
    /// Alters every text of the contract, and the core module's.
    pub contract: fn(String) -> String,
    pub stage: &'static str,
    /// Its id, as `describe` returns it.
    pub id: &'static str,
    pub version: &'static str,
}

/// What `check` returns.
pub enum Answer {
    /// A verdict ([`PASS`], [`REJECT`]) with findings.
    Verdict(u8, Vec<Found>),
    /// Bytes of a `result<verdict, string>` that begin at [`ANSWER`].
    Bytes(Vec<u8>),
}

impl From<Vec<u8>> for Answer {
    fn from(bytes: Vec<u8>) -> Self {
        Answer::Bytes(bytes)
    }
}

/// Where the answer lies; data of a test may follow at [`DATA`].
pub const ANSWER: u32 = 2048;
pub const DATA: u32 = 3072;

/// Where handles of findings, and their texts, lie.
const FINDINGS: u32 = 8192;

/// What a guest makes its description and its findings with.
const IMPORTS: &str = r#"
    (import "guardhost:guard/report@0.1.0" "[constructor]description" (func $description (param i32 i32 i32 i32 i32 i32) (result i32)))
    (import "guardhost:guard/report@0.1.0" "[method]description.set-mark" (func $set-mark (param i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]description.add-stage" (func $add-stage (param i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]description.set-settings-schema" (func $set-schema (param i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[constructor]finding" (func $finding (param i32 i32 i32 i32 i32) (result i32)))
    (import "guardhost:guard/report@0.1.0" "[method]finding.set-path" (func $set-path (param i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]finding.set-lines" (func $set-lines (param i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]finding.set-columns" (func $set-columns (param i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]finding.set-fix" (func $set-fix (param i32 i32 i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]finding.add-related" (func $add-related (param i32 i32 i32 i32 i32 i32 i32)))
    (import "guardhost:guard/report@0.1.0" "[method]finding.set-attribute" (func $set-attribute (param i32 i32 i32 i32 i32)))
"#;

/// Imports `files`; [`FIRST_FILE`] among the items makes `$first-file` of it, which gives a handle of the first touched file.
pub const FILES: &str = r#"(import "guardhost:guard/change@0.1.0" "files" (func $files (param i32)))"#;
pub const FIRST_FILE: &str = "(func $first-file (result i32)
    (call $files (i32.const 4080))
    (i32.load (i32.load (i32.const 4080))))";

/// The packages of the contract, each with its files, in the order of their dependencies.
const CONTRACT: [&[&str]; 12] = [
    &["guard/types", "guard/change", "guard/report", "guard/log", "guard/guard"],
    &["plan/plan"],
    &["analysis/analysis"],
    &["repo/repo"],
    &["commits/commits"],
    &["facts/facts"],
    &["modules/modules"],
    &["language/language"],
    &["net/net"],
    &["toolchain/toolchain"],
    &["history/history"],
    &["model/model"],
];

impl Default for Guest {
    fn default() -> Self {
        Guest {
            world: "",
            package: "",
            imports: "",
            check: String::new(),
            answer: Answer::Verdict(PASS, Vec::new()),
            pages: 2,
            items: String::new(),
            contract: |text| text,
            stage: "content",
            id: ID,
            version: "0.1.0",
        }
    }
}

impl Guest {
    pub fn checking(check: &str) -> Self {
        Guest { check: check.to_string(), ..Guest::default() }
    }

    pub fn answering(answer: impl Into<Answer>) -> Self {
        Guest { answer: answer.into(), ..Guest::default() }
    }

    /// One that says back what the host answered: `check` returns `err` with the text to which `call` leaves pointer and length on the
    /// stack.
    pub fn echo(imports: &'static str, world: &'static str, call: &str) -> Self {
        Guest {
            imports,
            world,
            check: format!(
                "{call} (local.set $size) (local.set $text)
                 (i32.store8 (i32.const {DATA}) (i32.const 1))
                 (i32.store offset=4 (i32.const {DATA}) (local.get $text))
                 (i32.store offset=8 (i32.const {DATA}) (local.get $size))
                 (return (i32.const {DATA}))"
            ),
            ..Guest::default()
        }
    }

    /// One that says the message of the last commit that it is told of.
    pub fn with_last_message() -> Self {
        Guest::echo(
            r#"(import "guardhost:guard/change@0.1.0" "[method]commit.message" (func $message (param i32 i32)))
               (import "guardhost:guard/change@0.1.0" "commits" (func $commits (param i32)))"#,
            "",
            "(call $commits (i32.const 4000))
             (if (i32.eqz (i32.load (i32.const 4004))) (then (return (i32.const 2048))))
             (call $message
                (i32.load (i32.add (i32.load (i32.const 4000)) (i32.mul (i32.const 4) (i32.sub (i32.load (i32.const 4004)) (i32.const 1)))))
                (i32.const 4000))
             (i32.load (i32.const 4000)) (i32.load (i32.const 4004))",
        )
    }

    /// One that imports `repo`, which needs a grant.
    pub fn curious() -> Self {
        Guest {
            world: "import guardhost:repo/tree@0.1.0;",
            imports: r#"(import "guardhost:repo/tree@0.1.0" "is-dir" (func $dir (param i32 i32 i32 i32)))"#,
            ..Guest::checking("(call $dir (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 4000))")
        }
    }

    /// The core module, with the world's types embedded.
    pub fn module(&self) -> Vec<u8> {
        let mut resolve = Resolve::default();
        for files in CONTRACT {
            let text: String =
                files.iter().map(|file| std::fs::read_to_string(format!("wit/{file}.wit")).unwrap()).collect();
            resolve.push_str(files[0], &(self.contract)(text)).unwrap();
        }
        if !self.package.is_empty() {
            resolve.push_str("other.wit", self.package).unwrap();
        }
        let world =
            format!("package test:guest; world guest {{ include guardhost:guard/guard@0.1.0; {} }}", self.world);
        let package = resolve.push_str("guest.wit", &(self.contract)(world)).unwrap();
        let world = resolve.select_world(&[package], Some("guest")).unwrap();
        let mut module = wat::parse_str((self.contract)(self.text())).unwrap();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
        module
    }

    pub fn component(&self) -> Vec<u8> {
        ComponentEncoder::default().validate(true).module(&self.module()).unwrap().encode().unwrap()
    }

    fn text(&self) -> String {
        let mut texts = Texts { begins: FINDINGS, bytes: Vec::new() };
        let (answer, making) = match &self.answer {
            Answer::Bytes(bytes) => (bytes.clone(), String::new()),
            Answer::Verdict(word, findings) => {
                let handles = texts.room(4 * findings.len());
                let making = findings.iter().zip((handles..).step_by(4)).map(|(found, at)| found.text(at, &mut texts));
                let making = making.collect();
                (verdict_bytes(*word, handles, findings.len()), making)
            }
        };
        let mut constant = |text: &str| texts.constants(text.as_bytes());
        let (id, version, promise) = (constant(self.id), constant(self.version), constant("Promises nothing."));
        let (mark, stage, schema) = (constant("T1"), constant(self.stage), constant("{}"));
        let (imports, check, items, pages) = (self.imports, &self.check, &self.items, self.pages);
        format!(
            r#"(module
              {IMPORTS}
              {imports}
              (memory (export "memory") {pages})
              (global $top (mut i32) (i32.const 65536))
              (data (i32.const {FINDINGS}) "{texts}")
              (data (i32.const {ANSWER}) "{answer}")
              {items}
              (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
                (local $at i32)
                (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
                (global.set $top (i32.add (local.get $at) (local.get 3)))
                (block $fits (loop $more
                  (br_if $fits (i32.le_u (global.get $top) (i32.mul (memory.size) (i32.const 65536))))
                  (drop (memory.grow (i32.const 16)))
                  (br $more)))
                (local.get $at))
              (func (export "guardhost:guard/metadata@0.1.0#describe") (result i32)
                (local $made i32)
                (local.set $made (call $description {id} {version} {promise}))
                (call $set-mark (local.get $made) {mark})
                (call $add-stage (local.get $made) {stage})
                (call $set-schema (local.get $made) {schema})
                (local.get $made))
              (func (export "guardhost:guard/judge@0.1.0#check") (param $settings i32) (param $length i32) (result i32)
                (local $i i32) (local $text i32) (local $size i32) (local $found i32)
                {check}
                {making}
                (i32.const {ANSWER})))"#,
            texts = escape(&texts.bytes),
            answer = escape(&answer),
        )
    }
}

/// Bytes as a string of WAT.
pub fn escape(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:02x}")).collect()
}

/// One finding, as a guest makes it.
#[derive(Clone)]
pub struct Found {
    pub rule: &'static str,
    pub severity: u8,
    pub path: Option<&'static str>,
    pub lines: Option<(u32, u32)>,
    pub columns: Option<(u32, u32)>,
    pub message: Vec<u8>,
    /// Path, first and last line, message.
    pub related: Vec<(&'static str, u32, u32, &'static str)>,
    /// Edits of a fix: path, start, end, replacement. No fix when there are none.
    pub fix: Vec<(&'static str, u64, u64, &'static str)>,
    /// Name and value.
    pub attributes: Vec<(&'static str, &'static str)>,
}

pub const ERROR: u8 = 0;
pub const WARNING: u8 = 1;

impl Default for Found {
    fn default() -> Self {
        Found {
            rule: "a-rule",
            severity: ERROR,
            path: None,
            lines: None,
            columns: None,
            message: b"wrong".to_vec(),
            related: Vec::new(),
            fix: Vec::new(),
            attributes: Vec::new(),
        }
    }
}

impl Found {
    pub fn at(path: &'static str, line: u32) -> Self {
        Found { path: Some(path), lines: Some((line, line)), ..Found::default() }
    }

    /// Calls that make it, and store its handle at `at`.
    fn text(&self, at: u32, texts: &mut Texts) -> String {
        let (rule, message) = (texts.constants(self.rule.as_bytes()), texts.constants(&self.message));
        let mut calls = format!("(local.set $found (call $finding {rule} (i32.const {}) {message}))\n", self.severity);
        let mut call =
            |name: &str, arguments: String| calls += &format!("(call ${name} (local.get $found) {arguments})\n");
        let pair = |(first, last): (u32, u32)| format!("(i32.const {first}) (i32.const {last})");
        if let Some(path) = self.path {
            call("set-path", texts.constants(path.as_bytes()));
        }
        if let Some(lines) = self.lines {
            call("set-lines", pair(lines));
        }
        if let Some(columns) = self.columns {
            call("set-columns", pair(columns));
        }
        for (path, first, last, message) in &self.related {
            let path = texts.constants(path.as_bytes());
            call("add-related", format!("{path} {} {}", pair((*first, *last)), texts.constants(message.as_bytes())));
        }
        for (name, value) in &self.attributes {
            let name = texts.constants(name.as_bytes());
            call("set-attribute", format!("{name} {}", texts.constants(value.as_bytes())));
        }
        if !self.fix.is_empty() {
            let mut edits = Vec::new();
            for (path, start, end, replacement) in &self.fix {
                edits.extend(texts.pair(path.as_bytes()));
                edits.extend([*start, *end].map(u64::to_le_bytes).concat());
                edits.extend(texts.pair(replacement.as_bytes()));
            }
            let begin = texts.add(&edits);
            let edits = format!("(i32.const {begin}) (i32.const {})", self.fix.len());
            call("set-fix", format!("{} {edits}", texts.constants(b"a fix")));
        }
        calls + &format!("(i32.store (i32.const {at}) (local.get $found))\n")
    }
}

/// Discriminants of `verdict`.
pub const PASS: u8 = 0;
pub const REJECT: u8 = 1;
pub const NOT_APPLICABLE: u8 = 2;

pub fn verdict(word: u8, findings: &[Found]) -> Answer {
    Answer::Verdict(word, findings.to_vec())
}

/// `ok(verdict)` with a list of handles, as bytes that begin at [`ANSWER`].
pub fn verdict_bytes(word: u8, handles: u32, count: usize) -> Vec<u8> {
    [0, u32::from(word), handles, count as u32].map(u32::to_le_bytes).concat()
}

/// The bytes that arguments point to.
struct Texts {
    begins: u32,
    bytes: Vec<u8>,
}

impl Texts {
    /// Where the bytes lie, aligned for any record.
    fn add(&mut self, bytes: &[u8]) -> u32 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let at = self.begins + self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        assert!(self.begins + self.bytes.len() as u32 <= 65_536, "the texts reach into the allocator's room");
        at
    }

    fn room(&mut self, bytes: usize) -> u32 {
        self.add(&vec![0; bytes])
    }

    /// Pointer and length, as arguments of a call.
    fn constants(&mut self, bytes: &[u8]) -> String {
        format!("(i32.const {}) (i32.const {})", self.add(bytes), bytes.len())
    }

    /// Pointer and length, as they lie in memory.
    fn pair(&mut self, bytes: &[u8]) -> Vec<u8> {
        [self.add(bytes), bytes.len() as u32].map(u32::to_le_bytes).concat()
    }
}
