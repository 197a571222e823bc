//! guards.lock as a file: written one way, and of its guards.toml or of none.

use guardhost_policy::config::{
    ComponentSource, Digest, GuardsToml, LockFile, Locked, PinKind, check_lock, nothing_shared,
};

fn locked(id: &str, source: &str) -> Locked {
    Locked {
        kind: PinKind::Guard,
        id: id.to_owned(),
        guard: None,
        source: source.parse().unwrap(),
        version: "0.1.2".to_owned(),
        digest: Digest::of(id.as_bytes()),
        size: 12_345,
        imports: vec!["change".to_owned(), "repo".to_owned()],
        exports: vec!["check".to_owned(), "describe".to_owned()],
        settings: GuardsToml::parse(b"schema = 1\n[[guard]]\nid = \"x\"\n", "x", &nothing_shared).unwrap().guards[0]
            .settings_digest(),
        signers: vec!["a \"b\"".to_owned()],
        signatures: vec!["one\ntwo\\".to_owned()],
    }
}

#[test]
fn one_way_to_write_it() {
    let manifest = Digest::of(b"manifest");
    let mut lock = LockFile::default();
    lock.components.push(locked("b", "path:tools/b.wasm"));
    lock.components.push(locked("a", &format!("oci://localhost:5000/a:0.1.2@{manifest}")));
    let text = lock.render();
    insta::assert_snapshot!(text);
    lock.components.sort_by(|a, b| a.id.cmp(&b.id));
    let read = LockFile::parse(text.as_bytes(), "guards.lock").unwrap();
    assert_eq!((read.clone(), read.render()), (lock, text.clone()));
    // As a checkout on Windows has it.
    assert_eq!(LockFile::parse(text.replace('\n', "\r\n").as_bytes(), "guards.lock").unwrap(), read);
    for (from, to) in
        [("size = 12345", "size = 12_345"), ("\"0.1.2\"", "'0.1.2'"), ("schema = 1", "schema = 2"), ("id = ", "idd = ")]
    {
        let error = LockFile::parse(text.replacen(from, to, 1).as_bytes(), "guards.lock").unwrap_err();
        assert_eq!(guardhost_core::error::kind(&error), guardhost_core::error::FaultKind::Config, "{to}");
    }
}

#[test]
fn of_this_toml_or_of_none() {
    let rules = |text: &str| GuardsToml::parse(text.as_bytes(), "guards.toml", &nothing_shared).unwrap();
    let base = "schema = 1\n[[guard]]\nid = \"a\"\nsource = \"path:a.wasm\"\n";
    let lock = LockFile::new(vec![locked("a", "path:a.wasm")]);
    check_lock(&rules(base), &lock, "guards.lock").unwrap();
    check_lock(&rules(&format!("{base}version = \"^0.1\"\ngrants = [\"repo\"]\n# said\n")), &lock, "guards.lock")
        .unwrap();
    let digest = Digest::of(b"other");
    for (toml, expected, actual) in [
        ("schema = 1\nguards = []\n".to_owned(), "no pin", "one"),
        (format!("{base}[[guard]]\nid = \"b\"\n"), "a pin", "none"),
        (base.replace("a.wasm", "b.wasm"), "path:b.wasm", "path:a.wasm"),
        (base.replace("path:a.wasm", "builtin"), "builtin", "path:a.wasm"),
        (format!("{base}guard = \"b\"\nfolder = \"api\"\n"), "guard b", "no `guard`"),
        (format!("{base}version = \"^0.2\"\n"), "^0.2", "0.1.2"),
        (format!("{base}digest = \"{digest}\"\n"), digest.as_str(), "sha256:"),
        (format!("{base}settings = {{ floor = 0.5 }}\n"), "settings sha256:", "sha256:"),
    ] {
        let error = check_lock(&rules(&toml), &lock, "guards.lock at base").unwrap_err();
        let fault = guardhost_core::error::fault(&error).unwrap();
        let said = fault.to_string();
        assert!(said.contains(&format!("expected {expected}")) || said.contains(expected), "{toml}: {said}");
        assert!(said.contains("expected") && said.contains("actual") && said.contains(actual), "{toml}: {said}");
        assert!(fault.hint.as_ref().unwrap().contains("host guard lock"));
    }
    assert!(matches!(lock.components[0].source, ComponentSource::Path(_)));
}

/// Settings are what they say: order, comments and the way to write a table do not matter.
#[test]
fn settings_by_what_they_say() {
    let digest = |settings: &str| {
        let text = format!("schema = 1\n[[guard]]\nid = \"a\"\n{settings}");
        GuardsToml::parse(text.as_bytes(), "x", &nothing_shared).unwrap().guards[0].settings_digest()
    };
    let one = digest("settings = { floor = 0.5, names = [\"x\", \"y\"], deep = { b = 1, a = 2 } }");
    assert_eq!(
        one,
        digest("[guard.settings]\n# why\nnames = ['x', 'y']\nfloor = 0.5\n[guard.settings.deep]\na = 2\nb = 1\n")
    );
    assert_ne!(one, digest("settings = { floor = 0.5, names = [\"y\", \"x\"], deep = { b = 1, a = 2 } }"));
    assert_ne!(one, digest("settings = { floor = \"0.5\", names = [\"x\", \"y\"], deep = { b = 1, a = 2 } }"));
}
