//! `host lsp` as editors meet it: by the client of pygls, from the package index, and by one of our own for what that does not show.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::cli::command;
use crate::support::lsp::{LspClient, address};
use crate::support::repo::TestRepo;
use crate::support::tools::{Tool, needs};

const CODE: &str = "def x():\n    return 1\n";
/// A name that nothing binds, behind a character of two UTF-16 units and four bytes.
const BAD: &str = "def x():\n    return \"\u{1f980}\" + missing\n";

fn editor(repo: &TestRepo) -> LspClient {
    editor_with(repo, json!({}))
}

fn editor_with(repo: &TestRepo, capabilities: Value) -> LspClient {
    let mut client = LspClient::start(&mut command(repo.path(), &["lsp"], &[]));
    client.hello(capabilities);
    client
}

fn codes(published: &Value) -> Vec<&str> {
    let found = published["diagnostics"].as_array().expect("a list");
    found.iter().map(|found| found["code"].as_str().expect("a code")).collect()
}

fn actions(client: &mut LspClient, uri: &str, published: &Value) -> Vec<Value> {
    let range = published["diagnostics"][0]["range"].clone();
    let asked = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    client.ask("textDocument/codeAction", asked)["result"].as_array().expect("a list").clone()
}

/// The only edit of an action.
fn edit(action: &Value, uri: &str) -> Value {
    let edits = match action["edit"]["changes"][uri].as_array() {
        Some(edits) => edits.clone(),
        None => action["edit"]["documentChanges"][0]["edits"].as_array().expect("edits").clone(),
    };
    assert_eq!(edits.len(), 1, "{action}");
    json!({ "range": edits[0]["range"], "text": edits[0]["newText"] })
}

/// The server in the client of pygls.
struct Pygls {
    child: Child,
    told: BufReader<ChildStdout>,
}

impl Pygls {
    fn say(&mut self, line: &Value) -> Value {
        writeln!(self.child.stdin.as_ref().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        self.told.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("the client said {answer:?} of {line}: {error}"))
    }
}

/// A test that fails leaves no programs behind.
impl Drop for Pygls {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_client_of_a_library_shows_explains_and_allows() {
    let Some(environment) = needs(Tool::LspClient) else { return };
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let mut command = Command::new(environment.join("bin/python"));
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/lsp_client.py"));
    command.args([env!("CARGO_BIN_EXE_host"), "lsp"]).current_dir(repo.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(child.stdout.take().unwrap());
    let mut client = Pygls { child, told };

    let hello = json!({ "processId": null, "rootUri": null, "capabilities": {
        "general": { "positionEncodings": ["utf-16"] } } });
    let hello = client.say(&json!({ "ask": "initialize", "params": hello }));
    assert_eq!(hello["capabilities"]["positionEncoding"], "utf-16", "{hello}");
    client.say(&json!({ "tell": "initialized", "params": {} }));
    let uri = address(&repo.path().join("x.py"));
    let document = json!({ "uri": uri, "languageId": "python", "version": 1, "text": BAD });
    client.say(&json!({ "tell": "textDocument/didOpen", "params": { "textDocument": document } }));
    let published = client.say(&json!({ "wait": uri }));
    assert_eq!(codes(&published), ["no-undefined-names/name-unbound"], "{published}");
    let range = &published["diagnostics"][0]["range"];
    let characters = (&range["start"]["character"], &range["end"]["character"]);
    assert_eq!((&range["start"]["line"], characters), (&json!(1), (&json!(4), &json!(25))), "{published}");

    let at = json!({ "textDocument": { "uri": uri }, "position": range["start"] });
    let hover = client.say(&json!({ "ask": "textDocument/hover", "params": at }));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("**no-undefined-names/name-unbound**") && text.contains("```diff\n"), "{text}");

    let asked = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    let found = client.say(&json!({ "ask": "textDocument/codeAction", "params": asked }));
    let allow = found.as_array().unwrap().iter().find(|action| action["title"].as_str().unwrap().starts_with("Allow"));
    let change = edit(allow.expect("a way to allow it"), &uri);
    let document = json!({ "uri": uri, "version": 2 });
    let changed = json!({ "textDocument": document, "contentChanges": [change] });
    client.say(&json!({ "tell": "textDocument/didChange", "params": changed }));
    let published = client.say(&json!({ "wait": uri }));
    assert_eq!((codes(&published), &published["version"]), (vec![], &json!(2)), "{published}");

    client.say(&json!({ "ask": "shutdown" }));
    writeln!(client.child.stdin.as_ref().unwrap(), "{}", json!({ "tell": "exit" })).unwrap();
    drop(client.child.stdin.take());
    assert!(client.child.wait().unwrap().success());
    assert_eq!(repo.status(), "", "nothing is written");
}

/// The guard's own fix, in a file whose lines end in CRLF in the editor alone.
#[test]
fn a_fix_is_an_edit_of_the_editor() {
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let mut client = editor(&repo);
    let text = format!("\u{feff}{CODE}").replace('\n', "\r\n");
    let uri = client.open(&repo.path().join("x.py"), &text);
    let published = client.diagnostics(&uri);
    assert_eq!(codes(&published), ["no-leftovers/byte-order-mark-added"], "{published}");
    let found = actions(&mut client, &uri, &published);
    let fix = found.iter().find(|action| action["isPreferred"] == true).unwrap_or_else(|| panic!("a fix: {found:?}"));
    client.change(&uri, 2, json!([edit(fix, &uri)]));
    let published = client.diagnostics(&uri);
    assert_eq!(codes(&published), Vec::<&str>::new(), "{published}");
    // The comment keeps the line endings of the editor.
    client.change(&uri, 3, json!([{ "text": BAD.replace('\n', "\r\n") }]));
    let published = client.diagnostics(&uri);
    let found = actions(&mut client, &uri, &published);
    let allow = found.iter().find(|action| action["isPreferred"] == false).expect("a comment");
    let comment = edit(allow, &uri);
    let said = "# guardhost: allow no-undefined-names/name-unbound the reason is still to be said\r\n    ";
    assert_eq!(comment["text"], said, "above the line, which would be long, and nothing else");
    client.change(&uri, 4, json!([comment]));
    let published = client.diagnostics(&uri);
    assert_eq!(codes(&published), Vec::<&str>::new(), "{published}");
    assert!(client.end().0.success());
    assert_eq!(repo.status(), "");
}

/// What git does not keep as the editor shows it has no diagnostics, and neither has what HEAD has.
#[test]
fn only_what_would_be_committed_is_judged() {
    let repo = TestRepo::with(&[("x.py", BAD), (".gitignore", "ignored.py\n")]);
    let outside = tempfile::tempdir().unwrap();
    let mut client = editor(&repo);
    let uri = client.open(&repo.path().join("x.py"), BAD);
    assert_eq!(codes(&client.diagnostics(&uri)), Vec::<&str>::new());
    let nothing = [
        (repo.path().join("ignored.py"), BAD),
        (outside.path().join("x.py"), BAD),
        (repo.path().join(".git/x.py"), BAD),
        (repo.path().join("binary.py"), "x = missing\0\n"),
    ];
    for (path, text) in nothing {
        let uri = client.open(&path, text);
        assert!(!client.publishes(&uri), "{}", path.display());
    }
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": {
        "uri": "untitled:x.py", "languageId": "python", "version": 1, "text": BAD } }),
    );
    assert!(!client.publishes("untitled:x.py"));
    assert!(client.end().0.success());
}

/// Another file that is not saved yet counts as the editor shows it, and so does a new HEAD.
#[test]
fn other_files_are_seen_as_they_are_now() {
    let repo = TestRepo::with(&[("a.py", CODE), ("b.py", "from a import x\n\nprint(x)\n")]);
    let mut client = editor(&repo);
    let (a, b) = (repo.path().join("a.py"), repo.path().join("b.py"));
    let importing = "from a import z\n\nprint(z)\n";
    let of_b = client.open(&b, importing);
    let published = client.diagnostics(&of_b);
    assert!(!codes(&published).is_empty(), "nothing has that name: {published}");
    let of_a = client.open(&a, CODE);
    client.diagnostics(&of_a);
    client.change(&of_a, 2, json!([{ "text": format!("{CODE}\n\ndef z():\n    return 2\n") }]));
    client.diagnostics(&of_a);
    client.change(&of_b, 2, json!([{ "text": format!("{importing}\n") }]));
    assert_eq!(
        codes(&client.diagnostics(&of_b)),
        Vec::<&str>::new(),
        "the other file defines it, though it is not saved"
    );

    client.change(&of_b, 3, json!([{ "text": "print(missing)\n" }]));
    assert!(!codes(&client.diagnostics(&of_b)).is_empty());
    repo.write("b.py", "print(missing)\n");
    repo.commit("somebody wanted it");
    assert_eq!(codes(&client.diagnostics(&of_b)), Vec::<&str>::new(), "HEAD has it now");
    assert!(client.end().0.success());
}

/// What judges is read once, and not for each key: with its file gone from the objects nothing could read it again, until something is saved.
#[test]
fn rules_are_read_once_for_many_keys() {
    let rules = "schema = 1\n\n[[guard]]\nid = \"no-undefined-names\"\ngrants = [\"repo\"]\n";
    let repo = TestRepo::with(&[("x.py", CODE), ("guards.toml", rules)]);
    let mut client = editor(&repo);
    let uri = client.open(&repo.path().join("x.py"), CODE);
    assert_eq!(codes(&client.diagnostics(&uri)), Vec::<&str>::new());
    let blob = repo.git(&["rev-parse", "HEAD:guards.toml"]);
    fs::remove_file(repo.path().join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    for version in 2..5_i64 {
        client.change(&uri, version, json!([{ "text": format!("{BAD}# {version}\n") }]));
        let published = client.diagnostics(&uri);
        assert_eq!(codes(&published), ["no-undefined-names/name-unbound"], "{published}");
    }
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let published = client.diagnostics(&uri);
    assert_ne!(
        codes(&published),
        ["no-undefined-names/name-unbound"],
        "the rules are read anew, and are gone: {published}"
    );
    assert!(client.end().0.success());
}

/// Only the last of several changes in a row is judged.
#[test]
fn a_burst_of_keys_is_judged_once() {
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let mut client = editor_with(&repo, json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } }));
    let uri = client.open(&repo.path().join("x.py"), CODE);
    client.diagnostics(&uri);
    for (version, text) in (2..).zip(["(", "(]", "(]}"]) {
        client.change(&uri, version, json!([{ "text": text }]));
    }
    client.change(&uri, 5, json!([{ "text": BAD }]));
    let published = client.diagnostics(&uri);
    assert_eq!(published["version"], 5, "{published}");
    assert_eq!(published["diagnostics"][0]["range"]["end"]["character"], 27, "in bytes: {published}");
    thread::sleep(Duration::from_millis(100));
    assert!(!client.publishes(&uri));
    assert!(client.end().0.success());
}

/// An agent that starts the server does not excuse itself.
#[test]
fn an_agent_gets_no_comment_that_allows() {
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let mut client = LspClient::start(&mut command(repo.path(), &["lsp"], &[("CLAUDECODE", "1")]));
    client.hello(json!({}));
    let uri = client.open(&repo.path().join("x.py"), BAD);
    let published = client.diagnostics(&uri);
    assert_eq!(codes(&published), ["no-undefined-names/name-unbound"]);
    assert_eq!(actions(&mut client, &uri, &published), Vec::<Value>::new());
    assert!(client.end().0.success());
}

#[test]
fn an_editor_that_leaves_without_goodbye_ends_the_server() {
    let repo = TestRepo::with(&[("x.py", CODE)]);
    assert_eq!(editor(&repo).leave().code(), Some(2));
    // Nothing of the repository was touched, and no state was made.
    assert!(!fs::exists(repo.path().join(".git/guardhost")).unwrap());
}

/// As JSON-RPC 2.0 wants it: the server tells whoever can be told, and goes on.
#[test]
fn what_cannot_be_read_is_answered() {
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let mut client = editor(&repo);
    let large = format!("{{\"id\":9,\"method\":\"{}\"}}", "x".repeat(64 << 20));
    let deep = "[".repeat(100_000);
    for (message, id, code) in [
        (b"nope".as_slice(), Value::Null, -32_700),
        (b"{\"id\":7,\"method\":\"\xff\"}", json!(7), -32_700),
        (large.as_bytes(), json!(9), -32_700),
        (deep.as_bytes(), Value::Null, -32_700),
        (b"[]", Value::Null, -32_600),
        (b"{\"id\":8}", json!(8), -32_600),
    ] {
        // Answers are not answered.
        client.say(b"Content-Length: 23\r\n\r\n{\"id\":null,\"error\":{}}\n");
        client.say(format!("Content-Length: {}\r\n\r\n", message.len()).as_bytes());
        client.say(message);
        let answer = client.read();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{answer}");
    }
    // Half of a character, as an editor that counts in UTF-16 may send it.
    let uri = address(&repo.path().join("x.py"));
    let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": {
        "uri": uri, "languageId": "any", "version": 1, "text": BAD } } });
    let halved = open.to_string().replace('\u{1f980}', "\\ud83e");
    client.say(format!("Content-Length: {}\r\n\r\n{halved}", halved.len()).as_bytes());
    let published = client.diagnostics(&uri);
    assert_eq!(codes(&published), ["no-undefined-names/name-unbound"], "{published}");
    assert!(client.end().0.success());
}

/// Nothing is made room for that does not come, and the reason is told.
#[test]
fn headers_that_cannot_be_read_end_the_server() {
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let endless = "A".repeat(5_000);
    for (header, why) in [
        ("Content-Length: 9223372036854775807\r\n\r\n{}", "the input ends within a message"),
        ("Content-Length: 60000000\r\n\r\n{}", "the input ends within a message"),
        ("X: 1\r\n\r\n{}", "no `Content-Length`"),
        (&endless, "the headers of a message are too long"),
    ] {
        let mut child = command(repo.path(), &["lsp"], &[]).spawn().unwrap();
        // What ends at once need not take it all.
        let _ = child.stdin.take().unwrap().write_all(header.as_bytes());
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), told.contains(why)), (Some(2), true), "{header}: {told}");
    }
}

/// Neovim counts columns in bytes, whatever the protocol does.
#[test]
fn neovim_shows_and_allows() {
    let Some(program) = needs(Tool::Neovim) else { return };
    let repo = TestRepo::with(&[("x.py", CODE)]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/neovim.lua");
    let mut editor = Command::new(&program);
    editor.args(["--headless", "-u", "NONE", "-c"]).arg(format!("luafile {}", script.display()));
    editor.env("TEST_REPO", repo.path()).env("TEST_HOST", env!("CARGO_BIN_EXE_host")).stdin(Stdio::null());
    let runtime = program.with_file_name("usr").join("share/nvim/runtime");
    if runtime.exists() {
        editor.env("VIMRUNTIME", runtime);
    }
    let output = editor.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    let allowed = "    # guardhost: allow no-undefined-names/name-unbound the reason is still to be said";
    let code: Vec<&str> = BAD.lines().collect();
    let wanted = ["1 4 27 no-undefined-names/name-unbound", "0 left", code[0], allowed, code[1]];
    assert_eq!(lines, wanted, "{output:?}");
    assert_eq!(repo.status(), "", "nothing is saved");
}
