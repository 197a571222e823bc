//! Fixes, one row each; and what must be left alone.

use guardhost_core::change::{NoPatchKind, RepoPath};
use guardhost_core::stop::StopToken;
use guardhost_patch::repair::repair;
use proptest::prelude::*;

use crate::support::text::{pieces, read, reply};

const DIFF: &str = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    repair(&reply(bytes), &StopToken::default()).unwrap().notes.iter().map(|note| note.code).collect()
}

#[test]
fn damage_is_mended_and_noted() {
    let escaped = DIFF.replace('\n', "\\n");
    let rows: &[(&str, String, &str)] = &[
        ("bom", format!("\u{feff}{DIFF}"), DIFF),
        ("ansi", format!("\x1b[?25l\x1b]0;title\x07{DIFF}\x1b[?25h"), DIFF),
        ("thinking", format!("<think>one\ntwo</think>{DIFF}"), DIFF),
        ("thinking", format!("<Thinking>\n```\nx\n```\n</thinking>{DIFF}"), DIFF),
        ("thinking", format!("so the answer is\n</think>\n{DIFF}"), DIFF),
        ("json-string", format!("\"{escaped}\"\n"), DIFF),
        ("literal-newlines", escaped, DIFF),
        (
            "quoted-printable",
            "Content-Transfer-Encoding: quoted-printable\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a =3D=\n 1\n+b\n".into(),
            "\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a = 1\n+b\n",
        ),
        ("zero-width", DIFF.replace("+++ ", "\u{200b}+++\u{2060} "), DIFF),
        (
            "html-escaped",
            "--- a/f\n+++ b/f\n@@ -1 +1 @@ fn f() -&gt; T {\n-a &amp;&amp; b\n+a &lt; &quot;b&quot;\n".into(),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@ fn f() -> T {\n-a && b\n+a < \"b\"\n",
        ),
    ];
    for (code, damaged, whole) in rows {
        let repaired = repair(&reply(damaged.as_bytes()), &StopToken::default()).unwrap();
        assert_eq!(String::from_utf8_lossy(&repaired.bytes), *whole, "{code}");
        assert_eq!(codes(damaged.as_bytes()), [*code]);
    }
}

#[test]
fn what_may_be_meant_is_left_alone() {
    let rows: &[&[u8]] = &[
        b"",
        DIFF.as_bytes(),
        b"\xff\xfe\x00 any bytes",
        // A file's own escape sequences, entities, tags and invisible characters.
        b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-\x1b[1mdiff --git\n+\x1b[2mdiff\n",
        b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a\x1b[0m\n",
        b"\x1b[1m--- a/f\x1b[m\n\x1b[1m+++ b/f\x1b[m\n@@ -1 +1,2 @@\n\x1b[31m-a\x1b[m\n\x1b[32m+b\x1b[m\n\x1b[32m+\x1b[1mbold\x1b[m\n",
        b"--- a/f\n+++ b/f\n@@ -1 +1 @@ <p>&lt;\n-&lt;\n+&gt;\n",
        b"--- a/f\n+++ b/f\n@@ -1 +1 @@ a -&gt; b\n-x < y\n+x &lt; y\n",
        b"--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n <think>\n-a\n+b\n </think>\n",
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\u{200b}\n+b\u{feff}\n".as_bytes(),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,1 @@\n--- a\u{200b}\n+b\n".as_bytes(),
        // A written-out newline in one line among others.
        b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n--- \\n+++ x\n+b\n",
        b"f.py\n```python\nprint('</think>')\n</think>\nx\n```\n",
        b"<think>never ends\n--- a/f\n",
        b"\"not a patch\"",
        br#"{"patches": [{"path": "a", "content": "b", "n": 1e5, "u": "\u00e9\/"}]}"#,
    ];
    for row in rows {
        let repaired = repair(&reply(*row), &StopToken::default()).unwrap();
        assert_eq!(repaired.bytes, *row, "{}", String::from_utf8_lossy(row));
        assert_eq!(repaired.notes, []);
    }
}

/// What a list with this text as its only entry's content is read as.
fn content(raw: &str) -> Result<String, NoPatchKind> {
    list(&format!(r#"{{"patches": [{{"path": "a", "content": "{raw}"}}]}}"#))
}

fn list(text: &str) -> Result<String, NoPatchKind> {
    match read(text, &[]) {
        Ok(patch) => {
            let shown = patch.files.iter().map(|file| match &file.op {
                guardhost_core::change::FileOp::Write(content) | guardhost_core::change::FileOp::Create(content) => {
                    format!("{}={}", file.path, String::from_utf8_lossy(content))
                }
                other => format!("{}:{other:?}", file.path),
            });
            let shown: Vec<String> = shown.collect();
            Ok(shown.join(";"))
        }
        Err(none) => Err(none.kind),
    }
}

/// Mistakes inside a string: the whole content, or nothing.
#[test]
fn strings_are_read_whole_or_not_at_all() {
    let rows: &[(&str, Result<&str, NoPatchKind>)] = &[
        (r#"use "}" here"#, Ok(r#"use "}" here"#)),
        (r#"say "}" now"#, Ok(r#"say "}" now"#)),
        (r#"say "}]" now"#, Ok(r#"say "}]" now"#)),
        (r#"he said "hi", then left"#, Ok(r#"he said "hi", then left"#)),
        (r#"x = {"a": "b", "c": "d"} # "#, Ok(r#"x = {"a": "b", "c": "d"} # "#)),
        (r#"print("hi")"#, Ok(r#"print("hi")"#)),
        ("a\nb\r\nc\td", Ok("a\nb\r\nc\td")),
        ("a\rb", Ok("a\rb")),
        ("```json\n{\"a\": 1}\n```", Ok("```json\n{\"a\": 1}\n```")),
        (r"it\'s", Ok("it's")),
        (r"\ud83d\ude00 \u00e9 \\ \/", Ok("😀 é \\ /")),
        ("# \u{1}", Ok("# \u{1}")),
        // `\d` says that backslashes are not escaped, so `\b` would be read wrongly.
        (r"\d+\b", Err(NoPatchKind::Malformed)),
        (r#"x = "" # "#, Ok(r#"x = "" # "#)),
        // Two strings put together, or one with quotes in it?
        (r#"one" + "two"#, Err(NoPatchKind::Malformed)),
        ("one\"\n  \"two", Err(NoPatchKind::Malformed)),
        // Quotes in their proper places are evidence: two entries, the second with one quote too many.
        (r#"x"}, {"path": "b", "content": "6" pipe"#, Ok(r#"x;b=6" pipe"#)),
    ];
    for (raw, want) in rows {
        let want = want.map(|text| format!("a={text}"));
        assert_eq!(content(raw), want, "{raw}");
    }
}

/// Mistakes around strings, and everything in which the wrong object might be taken for the answer.
#[test]
fn the_right_object_or_none() {
    let good = r#"{"patches": [{"path": "a", "content": "x"}]}"#;
    let one = |text: &str| list(text);
    let ok: Result<String, NoPatchKind> = Ok("a=x".into());
    for text in [
        r#"{"patches": [{"path": "a", "content": "x"},],}"#.to_owned(),
        r#"{'patches': [{'path': 'a', 'content': 'x'}]}"#.into(),
        "{patches: [{path: \"a\", /* why */ content: \"x\"}]} // end".into(),
        "{\"patches\": [{\"path\": \"a\", # python\n\"content\": \"x\", \"overwrite\": True, \"old\": None}]}".into(),
        format!("<think>{{\"patches\": [{{\"path\": \"b\", \"content\": \"y\"}}]}}</think>{good}"),
        format!("Here you are:\n\n```json\n{good}\n```\nAnything else? {{ }}\n"),
        format!("The patch: {good}"),
        format!("```json title=patch\n{good}\n```"),
        format!("```json\n{good}\n"),
        // An object that is no list stands before it.
        format!("The config is\n{{\"debug\": true}}\nso:\n{good}"),
    ] {
        assert_eq!(one(&text), ok, "{text}");
    }
    for (text, kind) in [
        (good[..good.len() - 1].to_owned(), NoPatchKind::Truncated),
        (good[..good.len() - 6].to_owned(), NoPatchKind::Truncated),
        (format!("{good} \"here\"}}"), NoPatchKind::Malformed),
        (good.replace("\"x\"", "\"x\" \"y\""), NoPatchKind::Malformed),
        (good.replace("\"x\"", "NaN"), NoPatchKind::Malformed),
        (good.replace("[{", "[,{"), NoPatchKind::Malformed),
        (good.replace("\"a\",", "\"a\",,"), NoPatchKind::Malformed),
        (good.replace("\"a\",", "\"a\""), NoPatchKind::Malformed),
        // The outer object is broken; the inner list would do, and must not.
        (format!("{{\"patches\": oops, \"draft\": {good}}}"), NoPatchKind::Malformed),
        (format!("{{\"patches\": [oops\n{}]}}", r#"{"path": "a", "content": "x"}"#), NoPatchKind::Malformed),
        (r#"{"patches": [{"path": "a", "content": "x", "content": "y"}]}"#.into(), NoPatchKind::Malformed),
        (r#"{'patches': [{'path': 'a', 'content': 'x', 'content': 'y'}]}"#.into(), NoPatchKind::Malformed),
        (r#"[{"a": 1}]"#.into(), NoPatchKind::Prose),
        (r#"{"answer": 42}"#.into(), NoPatchKind::Prose),
    ] {
        assert_eq!(one(&text), Err(kind), "{text}");
    }
    // A fence around all of it, and one inside a content.
    let fenced = good.replace("\"x\"", r##""# T\n```json\n{\"a\": 1}\n```\n""##);
    assert_eq!(list(&format!("```json\n{fenced}\n```")), Ok("a=# T\n```json\n{\"a\": 1}\n```\n".into()));
    // Two lists are two parts of one answer.
    let two = format!("{good}\n{}", good.replace("\"a\"", "\"b\""));
    assert_eq!(list(&two), Ok("a=x;b=x".into()));
}

proptest! {
    #[test]
    fn repairing_twice_is_repairing_once(text in pieces()) {
        let once = repair(&reply(text), &StopToken::default()).unwrap();
        let twice = repair(&reply(once.bytes.clone()), &StopToken::default()).unwrap();
        prop_assert_eq!(String::from_utf8_lossy(&twice.bytes), String::from_utf8_lossy(&once.bytes));
        prop_assert_eq!(twice.notes, vec![]);
    }

    #[test]
    fn any_bytes_give_a_patch_or_none(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(bytes, &[RepoPath::from("a")]);
    }

    #[test]
    fn any_pieces_give_a_patch_or_none(text in pieces()) {
        let _ = read(text.clone(), &[]);
        let _ = read(text, &[RepoPath::from("src/a.rs")]);
    }

    /// What an encoder writes is never touched and always read.
    #[test]
    fn valid_json_is_never_changed(path in "[a-z/]{1,9}", content in ".*", pretty: bool) {
        let value = serde_json::json!({"patches": [{"path": path, "content": content}]});
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(repair(&reply(text.clone()), &StopToken::default()).unwrap().bytes, text.clone().into_bytes());
        let whole = format!("{path}={content}");
        prop_assert_eq!(list(&text), Ok(whole));
    }
}
