//! Guards in languages without a template: modules that become components, and the examples of `sdk/examples`.

use std::fs;

use serde_json::json;

use super::imports_nothing_but_the_contract;
use crate::support::author::{TemplateProject, host, root};
use crate::support::repo::TestRepo;

#[test]
fn modules_that_cannot_become_a_guard_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("not-wasm", "not wasm at all".as_bytes().to_vec(), "expected `(`"),
        ("a-component", b"\0asm\x0d\0\x01\0".to_vec(), "a component already"),
        ("no-exports", wat::parse_str("(module)").unwrap(), "guardhost:guard/metadata@0.1.0"),
        (
            "other-imports",
            wat::parse_str(r#"(module (import "env" "system" (func (param i32))) (memory (export "memory") 1))"#)
                .unwrap(),
            "env",
        ),
    ];
    for (name, module, word) in cases {
        fs::write(folder.path().join("core.wasm"), module).unwrap();
        let ran = host(folder.path(), &["guard", "componentize", "core.wasm"]).expect(2);
        assert!(ran.stderr.contains(word) || ran.stdout.contains(word), "{name} does not say {word}: {ran:?}");
        assert!(!folder.path().join("guard.wasm").exists(), "{name}");
    }
    let ran = host(folder.path(), &["guard", "componentize", "core.wasm", "--world", "elsewhere"]).expect(2);
    assert!(format!("{ran:?}").contains("elsewhere"), "{ran:?}");
}

/// `describe` that returns no handle of a description is found before anything is written.
#[test]
fn a_module_that_does_not_describe_itself_becomes_no_guard() {
    let folder = tempfile::tempdir().unwrap();
    let text = by_hand("(i32.const 0)");
    fs::write(folder.path().join("core.wat"), text).unwrap();
    let ran = host(folder.path(), &["guard", "componentize", "core.wat"]).expect(4);
    assert!(ran.stderr.contains("does not describe itself"), "{ran:?}");
    assert!(!folder.path().join("guard.wasm").exists());
}

/// The guide's table of layouts, as text: plain export names, and no allocation because nothing is read.
#[test]
fn a_guard_by_hand_judges() {
    let folder = tempfile::tempdir().unwrap();
    let texts = "(i32.const 64) (i32.const 7) (i32.const 80) (i32.const 5) (i32.const 96) (i32.const 4)";
    fs::write(folder.path().join("core.wat"), by_hand(&format!("(call $description {texts})"))).unwrap();
    host(folder.path(), &["guard", "componentize", "core.wat"]).expect(0);
    let repo = TestRepo::with(&[("a.txt", "one\n")]);
    repo.write("guards/by-hand.wasm", fs::read(folder.path().join("guard.wasm")).unwrap());
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"by-hand\"\nsource = \"path:guards/by-hand.wasm\"\n");
    repo.commit("rules");
    repo.write("a.txt", "two\n");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    let finding = &ran["guards"][0]["findings"][0];
    assert_eq!((&finding["rule"], &finding["message"]), (&json!("by-hand"), &json!("none")), "{ran}");
}

/// A guard that rejects every change, in WebAssembly text.
fn by_hand(describe: &str) -> String {
    format!(
        r#"(module
          (import "guardhost:guard/report@0.1.0" "[constructor]description"
            (func $description (param i32 i32 i32 i32 i32 i32) (result i32)))
          (import "guardhost:guard/report@0.1.0" "[constructor]finding"
            (func $finding (param i32 i32 i32 i32 i32) (result i32)))
          (memory (export "memory") 1)
          (data (i32.const 64) "by-hand")
          (data (i32.const 80) "0.1.0")
          (data (i32.const 96) "none")
          ;; result<verdict, string>: ok, reject, a list of one handle.
          (data (i32.const 128) "\00\00\00\00\01\00\00\00\a0\00\00\00\01\00\00\00")
          (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
          (func (export "describe") (result i32) {describe})
          (func (export "check") (param i32 i32) (result i32)
            (i32.store (i32.const 160)
              (call $finding (i32.const 64) (i32.const 7) (i32.const 0) (i32.const 96) (i32.const 4)))
            (i32.const 128)))"#
    )
}

/// An example of `sdk/examples`, in a language without a template: built as its guard.toml says, certified, and asked.
fn example(language: &'static str) {
    let Some(guard) = TemplateProject::build_template(language).and_then(|project| project.build("example", |_| {}))
    else {
        return;
    };
    imports_nothing_but_the_contract(&guard);
    host(root(), &["guard", "certify", guard.to_str().unwrap(), "--changes", "12"]).expect(0);
    let repo = TestRepo::with(&[("a.py", "x = 1\n# FIXME: was there\ny = 2\n"), ("b.py", "1\n2\n3\n4\n")]);
    repo.write("guards/no-fixme.wasm", fs::read(&guard).unwrap());
    repo.write("guards.toml", "schema = 1\n[[guard]]\nid = \"no-fixme\"\nsource = \"path:guards/no-fixme.wasm\"\n");
    repo.commit("rules");
    repo.write("a.py", "x = 1\n# FIXME: was there\ny = 3\n");
    repo.stage_all();
    host(repo.path(), &["check", "--staged"]).expect(0);
    repo.write("b.py", "1\n3\n4 # FIXME\n5 FIXME");
    repo.stage_all();
    let ran = host(repo.path(), &["check", "--staged", "--format", "json"]).expect(1).json();
    let found: Vec<_> =
        ran["guards"][0]["findings"].as_array().unwrap().iter().map(|one| (&one["path"], &one["line"])).collect();
    assert_eq!(found, [(&json!("b.py"), &json!(3)), (&json!("b.py"), &json!(4))], "{language}: {ran}");
}

#[test]
fn assemblyscript() {
    example("assemblyscript");
}

#[test]
fn cpp() {
    example("cpp");
}

#[test]
fn zig() {
    example("zig");
}
