//! Refused before it runs: bytes that are no guard, and guards that import more than they are granted.

use std::os::unix::fs::PermissionsExt;

use guardhost_core::change::NullObserver;
use guardhost_engine::{EngineContext, GuardSet, GuardSpec, JudgeContext, guard};

use super::{beside, change, error, spec};
use crate::support::guest::{FILES, Guest, ID};
use crate::support::judging::{component, machine};

fn refused(wasm: Vec<u8>) -> (&'static str, String) {
    let evidence = beside(component(ID, wasm));
    let (code, load, message) = error(&evidence);
    assert!(load, "{message}");
    (code, message.to_string())
}

#[test]
fn bytes_that_are_no_component() {
    let whole = Guest::default().component();
    let cases = [
        Vec::new(),
        b"no guard at all".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        [&whole[..], b"\x0a\x05garbage"].concat(),
    ];
    for wasm in cases {
        let (code, message) = refused(wasm);
        assert_eq!(code, "invalid-component", "{message}");
    }
    // Valid, and empty.
    assert_eq!(refused(b"\0asm\x0d\0\x01\0".to_vec()).0, "bad-export");
    let (code, message) = refused(Guest::default().module());
    assert_eq!((code, message.contains("core module")), ("invalid-component", true));
}

/// The sections are in order, so that the imports can be read; only a validator sees that the code is invalid.
#[test]
fn code_that_does_not_validate() {
    let mut wasm = Guest::checking("(drop (i32.const 424242))").component();
    let mut needle = vec![0x41];
    needle.extend([0xb2, 0xf2, 0x19, 0x1a]);
    let at = wasm.windows(needle.len()).position(|window| window == needle).unwrap();
    wasm[at + 4] = 0x6a; // `drop` becomes `i32.add`, for which the stack lacks a value.
    let (code, message) = refused(wasm);
    assert_eq!(code, "invalid-component");
    assert!(message.contains("type mismatch"), "{message}");
}

#[test]
fn a_huge_component() {
    let mut wasm = Guest::default().component();
    wasm.resize((64 << 20) + 1, 0);
    let (code, message) = refused(wasm);
    assert_eq!((code, message.as_str()), ("component-limit", "a test: the component has 64 MiB; 64 MiB is the limit"));
}

#[test]
fn an_import_without_a_grant() {
    let (code, message) = refused(Guest::curious().component());
    assert_eq!(code, "ungranted-import");
    assert!(
        message.contains("guardhost:repo/tree@0.1.0") && message.contains("add \"repo\" to its grants"),
        "{message}"
    );
    let granted = GuardSpec { grants: vec!["repo".to_string()], ..spec(&Guest::curious()) };
    assert_eq!(beside(granted).verdict.as_str(), "pass");
}

#[test]
fn wasi() {
    let guest = Guest {
        package: "package wasi:cli@0.2.0; interface environment { initial-cwd: func() -> option<string>; }",
        world: "import wasi:cli/environment@0.2.0;",
        imports: r#"(import "wasi:cli/environment@0.2.0" "initial-cwd" (func $cwd (param i32)))"#,
        ..Guest::checking("(call $cwd (i32.const 4000))")
    };
    let (code, message) = refused(guest.component());
    assert_eq!(code, "ungranted-import");
    assert!(message.contains("wasi:cli/environment@0.2.0") && message.contains("no WASI"), "{message}");
}

#[test]
fn another_version_of_the_contract() {
    let guest = Guest {
        contract: |text| text.replace("@0.1.0", "@0.2.0"),
        imports: FILES,
        ..Guest::checking("(call $files (i32.const 4000))")
    };
    let (code, message) = refused(guest.component());
    assert_eq!(code, "contract-version");
    assert!(message.contains("it was built for 0.2.0 of guardhost:guard, and this host serves 0.1.x"), "{message}");
}

#[test]
fn the_asynchronous_abi() {
    // A component of one section: `canon lift` of a core function, with the option `async`.
    let lift = [0x08, 0x07, 0x01, 0x00, 0x00, 0x00, 0x01, 0x06, 0x00];
    let (code, message) = refused([b"\0asm\x0d\0\x01\0", &lift[..]].concat());
    assert_eq!(code, "async-component", "{message}");
}

#[test]
fn another_digest_than_pinned() {
    let pinned = format!("sha256:{}", "0".repeat(64));
    let evidence = beside(GuardSpec { expected_digest: Some(pinned.clone()), ..spec(&Guest::default()) });
    let (code, load, message) = error(&evidence);
    assert_eq!((code, load), ("digest-mismatch", true));
    assert!(message.contains(&pinned), "{message}");

    let own = beside(spec(&Guest::default())).digest;
    let evidence = beside(GuardSpec { expected_digest: Some(own.clone()), ..spec(&Guest::default()) });
    assert_eq!((evidence.verdict.as_str(), evidence.digest), ("pass", own));
}

#[test]
fn another_name_than_pinned() {
    let evidence = beside(component("somebody-else", Guest::default().component()));
    assert_eq!(
        error(&evidence),
        (
            "wrong-id",
            true,
            "a test: the guard calls itself `test-guest`; pin it under that id, or write guard = \"test-guest\""
        )
    );
}

/// A start function runs before any export is called.
#[test]
fn a_start_that_does_not_end() {
    let items = "(func $begin (loop $l (br $l))) (start $begin)".to_string();
    let guest = Guest { items, ..Guest::default() };
    let limits = guardhost_engine::Limits { fuel: 100_000_000, ..Default::default() };
    let evidence = beside(GuardSpec { limits, ..spec(&guest) });
    assert_eq!((error(&evidence).0, error(&evidence).1), ("out-of-fuel", true));
}

/// A component can do harm before it runs only in the compile child; every end of that child is an error of the guard.
#[test]
fn compilers_that_fail() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("exit 0", "load", "cannot be loaded"),
        ("echo no good >&2; exit 1", "invalid-component", "does not compile: no good"),
        ("cat > /dev/null; echo oh dear >&2; exit 101", "compile", "oh dear"),
        ("kill -XCPU $$", "compile-limit", "took more than 4096 MiB or 75 s"),
        ("head -c 10 /dev/zero", "load", "cannot be loaded"),
    ];
    for (index, (script, code, message)) in cases.into_iter().enumerate() {
        let exe = folder.path().join(format!("compiler-{index}"));
        std::fs::write(&exe, format!("#!/bin/sh\nPATH=/bin:/usr/bin\n{script}\n")).unwrap();
        std::fs::set_permissions(&exe, std::fs::Permissions::from_mode(0o755)).unwrap();
        let set = GuardSet::new(vec![spec(&Guest::default())], &EngineContext { exe, ..machine() }).unwrap();
        let judgement = guard(&change(), &set, &JudgeContext { task: None, observer: &NullObserver });
        let found = error(&judgement.evidence[0]);
        assert!((found.0, found.1) == (code, true) && found.2.contains(message), "{script}: {found:?}");
    }
    let exe = folder.path().join("nothing");
    let set = GuardSet::new(vec![spec(&Guest::default())], &EngineContext { exe, ..machine() }).unwrap();
    let judgement = guard(&change(), &set, &JudgeContext { task: None, observer: &NullObserver });
    assert_eq!(error(&judgement.evidence[0]).0, "compile");
}
