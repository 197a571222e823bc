//! Guards written as WebAssembly text, and made into components as a toolchain does.

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

pub const ID: &str = "test-guest";

/// A guard that passes, unless a test sets other fields. The core module has one memory with constants below 4 KiB,
/// and a bump allocator from 64 KiB on.
pub struct Guest {
    /// Imports of the guard's world beyond `guard`, as WIT.
    pub world: &'static str,
    /// A package that the world refers to, beside the contract.
    pub package: &'static str,
    /// Core imports, as WAT.
    pub imports: &'static str,
    /// What `check` does before it answers, with `$settings` and `$length`.
    pub check: String,
    /// The answer: where a `result<verdict, string>` lies.
    pub answer: Answer,
    /// Pages of 64 KiB that the memory starts with.
    pub pages: u32,
    /// More functions and data, as WAT.
    pub items: String,
    /// The text of the contract, altered.
    pub contract: fn(String) -> String,
    pub stage: u8,
    /// Its id, as `describe` returns it.
    pub id: &'static str,
    pub version: &'static str,
}

pub enum Answer {
    /// `pass` with no finding.
    Pass,
    /// Bytes of a `result<verdict, string>` that begin at [`ANSWER`].
    Bytes(Vec<u8>),
}

/// Where the answer lies; data of a test may follow at [`DATA`].
pub const ANSWER: u32 = 2048;
pub const DATA: u32 = 3072;

impl Default for Guest {
    fn default() -> Self {
        Guest {
            world: "",
            package: "",
            imports: "",
            check: String::new(),
            answer: Answer::Pass,
            pages: 2,
            items: String::new(),
            contract: |text| text,
            stage: 1,
            id: ID,
            version: "0.1.0",
        }
    }
}

impl Guest {
    pub fn checking(check: &str) -> Self {
        Guest { check: check.to_string(), ..Guest::default() }
    }

    pub fn answering(bytes: Vec<u8>) -> Self {
        Guest { answer: Answer::Bytes(bytes), ..Guest::default() }
    }

    /// The core module, with the world's types embedded.
    pub fn module(&self) -> Vec<u8> {
        let mut resolve = Resolve::default();
        let contract: String = ["types", "change", "authorities", "guard"]
            .map(|file| std::fs::read_to_string(format!("wit/guard/{file}.wit")).unwrap())
            .concat();
        resolve.push_str("contract.wit", &(self.contract)(contract.clone())).unwrap();
        if !self.package.is_empty() {
            resolve.push_str("other.wit", self.package).unwrap();
        }
        let version = if (self.contract)(contract).contains("guard@0.2.0") { "0.2.0" } else { "0.1.0" };
        let world =
            format!("package test:guest; world guest {{ include guardhost:guard/guard@{version}; {} }}", self.world);
        let package = resolve.push_str("guest.wit", &world).unwrap();
        let world = resolve.select_world(&[package], Some("guest")).unwrap();
        let mut module = wat::parse_str(self.text()).unwrap();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).unwrap();
        module
    }

    pub fn component(&self) -> Vec<u8> {
        ComponentEncoder::default().validate(true).module(&self.module()).unwrap().encode().unwrap()
    }

    fn text(&self) -> String {
        let answer = match &self.answer {
            Answer::Pass => vec![0; 16],
            Answer::Bytes(bytes) => bytes.clone(),
        };
        // A description: nine pairs of pointer and length; texts at 1024, one stage at 1536.
        let texts = [self.id, self.version, "T1", "Promises nothing."];
        let mut words: Vec<u32> = Vec::new();
        let mut at = 1024;
        for text in texts {
            words.extend([at, text.len() as u32]);
            at += text.len() as u32;
        }
        let schema = "{}";
        words.extend([1536, 1, 0, 0, 0, 0, at, schema.len() as u32, 0, 0]);
        let (imports, check, items, pages) = (self.imports, &self.check, &self.items, self.pages);
        format!(
            r#"(module
              {imports}
              (memory (export "memory") {pages})
              (global $top (mut i32) (i32.const 65536))
              (data (i32.const 512) "{description}")
              (data (i32.const 1024) "{texts}{escaped}")
              (data (i32.const 1536) "\{stage:02x}")
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
              (func (export "describe") (result i32) (i32.const 512))
              (func (export "check") (param $settings i32) (param $length i32) (result i32)
                (local $i i32) (local $text i32) (local $size i32)
                {check}
                (i32.const {ANSWER})))"#,
            description = escape(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()),
            texts = texts.concat(),
            escaped = escape(schema.as_bytes()),
            stage = self.stage,
            answer = escape(&answer),
        )
    }
}

/// Bytes as a string of WAT.
pub fn escape(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:02x}")).collect()
}

/// One finding as the contract lays it out in memory, with its texts.
#[derive(Clone)]
pub struct Found {
    pub rule: &'static str,
    pub severity: u8,
    pub path: Option<&'static str>,
    pub line: Option<u32>,
    pub end_line: Option<u32>,
    pub message: Vec<u8>,
    /// Edits of a fix: path, start, end, replacement. No fix when there are none.
    pub fix: Vec<(&'static str, u64, u64, &'static str)>,
}

pub const ERROR: u8 = 0;
pub const WARNING: u8 = 1;

impl Default for Found {
    fn default() -> Self {
        Found {
            rule: "a-rule",
            severity: ERROR,
            path: None,
            line: None,
            end_line: None,
            message: b"wrong".to_vec(),
            fix: Vec::new(),
        }
    }
}

/// Discriminants of `verdict`.
pub const PASS: u8 = 0;
pub const REJECT: u8 = 1;
pub const NOT_APPLICABLE: u8 = 2;

/// `ok(verdict)` with findings, as bytes that begin at [`ANSWER`].
pub fn verdict(word: u8, findings: &[Found]) -> Vec<u8> {
    const SIZE: u32 = 80;
    let list = ANSWER + 16;
    let mut tail = Tail { begins: list + SIZE * findings.len() as u32, bytes: Vec::new() };
    let mut records = Vec::new();
    let number =
        |number: Option<u32>| [u32::from(number.is_some()), number.unwrap_or(0)].map(u32::to_le_bytes).concat();
    for found in findings {
        let mut record = tail.text(found.rule.as_bytes());
        record.extend([found.severity, 0, 0, 0]);
        record.extend(u32::from(found.path.is_some()).to_le_bytes());
        record.extend(tail.text(found.path.unwrap_or_default().as_bytes()));
        record.extend(number(found.line));
        record.extend(number(found.end_line));
        record.extend(tail.text(&found.message));
        // No help.
        record.extend([0; 12]);
        record.extend(u32::from(!found.fix.is_empty()).to_le_bytes());
        record.extend(tail.text(b"a fix"));
        let mut edits = Vec::new();
        for (path, start, end, replacement) in &found.fix {
            edits.extend(tail.text(path.as_bytes()));
            edits.extend([*start, *end].map(u64::to_le_bytes).concat());
            edits.extend(tail.text(replacement.as_bytes()));
        }
        record.extend(tail.list(&edits, found.fix.len()));
        assert_eq!(record.len(), SIZE as usize);
        records.extend(record);
    }
    let head =
        [u32::from_le_bytes([0; 4]), u32::from(word), list, findings.len() as u32].map(u32::to_le_bytes).concat();
    [head, records, tail.bytes].concat()
}

/// The bytes that records point to.
struct Tail {
    begins: u32,
    bytes: Vec<u8>,
}

impl Tail {
    fn text(&mut self, text: &[u8]) -> Vec<u8> {
        self.list(text, text.len())
    }

    /// Its pointer, aligned for any record, and its length.
    fn list(&mut self, bytes: &[u8], count: usize) -> Vec<u8> {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let pair = [self.begins + self.bytes.len() as u32, count as u32].map(u32::to_le_bytes).concat();
        self.bytes.extend_from_slice(bytes);
        pair
    }
}
