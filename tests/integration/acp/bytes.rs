//! Byte for byte: what the proxy hands on, what it does not, and how both ends end. The agent is a shell.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::{CODE, repo};
use crate::support::cli::{command, host_with};
use crate::support::repo::TestRepo;

/// `host acp` with an agent that runs this script.
fn through(repo: &TestRepo, script: &str, input: &str) -> String {
    host_with(repo.path(), &["acp", "--", "sh", "-c", script], input.as_bytes(), &[]).expect(0).stdout
}

#[test]
fn what_is_none_of_its_business_passes_byte_for_byte() {
    let repo = repo();
    let odd = r#"{ "params":{"b":1.0e2,"a":"\u00e9\/"} ,"method":"_x/y","jsonrpc":"2.0" }"#;
    let lines = [
        odd,
        r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan"}}}"#,
        r#"{"jsonrpc":"2.0","id":"a","method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}"#,
        "",
    ];
    let lines = lines.map(|line| format!("{line}\n")).concat() + "{\"method\": \"_z\"}\r\n";
    assert_eq!(through(&repo, "cat", &lines), lines, "both ways");
}

/// What passes, at the end.
const DONE: &str = r#"{"jsonrpc":"2.0","method":"_done"}"#;

/// A reader that is more generous than this one must not take for a write what was not judged.
#[test]
fn what_cannot_be_read_is_not_handed_on() {
    let repo = repo();
    let write = |text: &str| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "fs/write_text_file",
                "params": { "sessionId": "s", "path": repo.path().join("x.py"), "content": text } })
    };
    let bad = write("def x(:\n").to_string();
    let last_counts = bad.replacen("\"method\":", "\"method\":\"_x\",\"method\":", 1);
    let escaped = bad.replace("fs/write", "fs\\/\\u0077rite");
    let notification = bad.replace("\"id\":1,", "");
    let many = format!("[{bad}]");
    let surrogate = bad.replace("def x(", "\\ud800(");
    let two = format!("{bad}\r{bad}");
    let long = format!("{{\"id\":1,\"method\":\"x\",\"params\":\"{}\"}}", "x".repeat(65 << 20));
    let twice = bad.replace("\"content\":", "\"content\":\"a = 1\",\"content\":");
    let by_case = bad.replace("\"method\":", "\"method\":\"_x\",\"Method\":");
    for line in [&bad, &last_counts, &twice, &by_case, &escaped, &notification, &many, &surrogate, &two, &long] {
        fs::write(repo.path().join(".git/said"), format!("{line}\n{DONE}\n")).unwrap();
        let (mut child, stdin, mut stdout) = start(&repo, "cat .git/said; cat > .git/heard");
        let shown: String = line.chars().take(120).collect();
        let mut said = String::new();
        stdout.read_line(&mut said).unwrap();
        assert_eq!(said.trim_end(), DONE, "{shown}");
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let heard = String::from_utf8(repo.read(".git/heard")).unwrap();
        assert_eq!(
            heard.lines().count(),
            usize::from(*line != *notification),
            "the agent is answered: {shown}: {heard}"
        );
        assert!(heard.is_empty() || heard.contains("\"error\""), "{shown}: {heard}");
    }
    let good = write("def x():\n    return 2\n\n\ndef z():\n    return x()\n").to_string() + "\n";
    fs::write(repo.path().join(".git/said"), &good).unwrap();
    assert_eq!(through(&repo, "cat .git/said", ""), good);
}

/// What the agent says of itself decides nothing: not the form of its parameters, the kind of a command, or the name of another session.
#[test]
fn what_has_another_form_or_another_name_is_judged_or_denied() {
    let repo = repo();
    let x = repo.path().join("x.py");
    let request =
        |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let terminal = |mut params: Value| {
        params["sessionId"] = json!("s");
        request("terminal/create", params)
    };
    let permit = |call: Value| {
        request("session/request_permission", json!({ "sessionId": "s", "toolCall": call, "options": [] }))
    };
    let diff = |new: &str| json!([{ "type": "diff", "path": x, "oldText": "def x():", "newText": new }]);
    let shown = |session: &str, new: &str| {
        let update = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "t", "content": diff(new) });
        let params = json!({ "sessionId": session, "update": update });
        json!({ "jsonrpc": "2.0", "method": "session/update", "params": params })
    };
    let bypass = "git commit --no-verify -m x";
    let runs = json!({ "sessionId": "s", "update": { "sessionUpdate": "tool_call", "toolCallId": "t", "rawInput": { "command": bypass } } });
    let runs = json!({ "jsonrpc": "2.0", "method": "session/update", "params": runs });
    // Of each the last is not handed on.
    for said in [
        vec![terminal(json!({ "command": "git", "args": "commit --no-verify" }))],
        vec![terminal(json!({ "command": "git", "args": ["commit", ["--no-verify"]] }))],
        vec![terminal(json!({ "command": "git", "env": { "GIT_CONFIG_PARAMETERS": "'core.hooksPath=/x'" } }))],
        vec![request("fs/write_text_file", json!([x, "def x(:"]))],
        vec![permit(json!({ "toolCallId": "t", "kind": "other", "rawInput": { "command": bypass } }))],
        vec![permit(json!({ "toolCallId": "t", "content": diff("def x() :"), "rawInput": { "cmd": bypass } }))],
        vec![permit(json!({ "toolCallId": "t", "content": { "type": "diff", "path": x, "newText": "def x(:" } }))],
        vec![runs, permit(json!({ "toolCallId": "t" }))],
        vec![shown("s", "def x(:"), shown("other", "def x() :"), permit(json!({ "toolCallId": "t" }))],
    ] {
        let lines: Vec<String> = said.iter().map(|line| format!("{line}\n")).collect();
        fs::write(repo.path().join(".git/said"), format!("{}{DONE}\n", lines.concat())).unwrap();
        let script = "cat .git/said; cat > .git/heard";
        let expected = format!("{}{DONE}\n", lines[..lines.len() - 1].concat());
        let (mut child, stdin, mut stdout) = start(&repo, script);
        let mut passed = String::new();
        while !passed.ends_with(&format!("{DONE}\n")) && stdout.read_line(&mut passed).unwrap() > 0 {}
        assert_eq!(passed, expected);
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let heard = String::from_utf8(repo.read(".git/heard")).unwrap();
        assert!(heard.contains("-32001"), "{lines:?}: {heard}");
    }
}

/// However the agent ends it, except after the client's own cancel; and only the client's own request is answered.
#[test]
fn every_end_of_a_turn_is_judged() {
    let repo = repo();
    repo.write("x.py", CODE.replace("x():", "x(:"));
    let open = r#"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":".","mcpServers":[]}}"#;
    let prompt = r#"{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}"#;
    let cancel = r#"{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"S"}}"#;
    let begun = r#"{"jsonrpc":"2.0","id":1.0,"result":{"sessionId":"S"}}"#;
    let ends = [
        (r#"{"id":3,"result":{"stopReason":"end_turn"}}"#, false, "judged"),
        (r#"{"id":3,"result":{"stopReason":"cancelled"}}"#, false, "judged"),
        (r#"{"id":3,"result":{"stopReason":"cancelled"}}"#, true, "handed on"),
        (r#"{"id":3,"result":{}}"#, false, "judged"),
        (r#"{"id":3}"#, false, "judged"),
        (r#"{"id":3,"error":{"code":1,"message":"x"}}"#, false, "judged"),
        (r#"{"id":3.0,"result":{"stopReason":"end_turn"}}"#, false, "judged"),
        (r#"{"id":3e0,"result":{"stopReason":"end_turn"}}"#, false, "judged"),
        (r#"{"id":"3","result":{"stopReason":"end_turn"}}"#, false, "kept back"),
        (r#"{"id":4,"result":{"stopReason":"end_turn"}}"#, false, "kept back"),
    ];
    for (end, is_cancelled, expected) in ends {
        let asked = if is_cancelled { vec![open, prompt, cancel] } else { vec![open, prompt] };
        fs::write(repo.path().join(".git/said"), format!("{end}\n{DONE}\n")).unwrap();
        let script = format!(
            "read -r a; echo '{begun}'; for i in {}; do read -r a; done; cat .git/said; cat > .git/heard",
            if is_cancelled { "1 2" } else { "1" }
        );
        let (mut child, mut stdin, mut stdout) = start(&repo, &script);
        asked.iter().for_each(|line| writeln!(stdin, "{line}").unwrap());
        let mut hear = || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        assert_eq!(hear(), begun);
        let next = hear();
        let came = match &next {
            next if next == end => "handed on",
            next if next == DONE => "kept back",
            next if next.contains("Guardhost asked the agent to go on") => "judged",
            _ => "something else",
        };
        assert_eq!(came, expected, "{end}: {next}");
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

/// The agent is asked for the version that is spoken here, and none that answers with another is used.
#[test]
fn only_one_version_of_the_protocol_is_spoken() {
    let repo = repo();
    let hello = |version: u64| {
        let params = json!({ "protocolVersion": version, "clientCapabilities": {} });
        format!("{}\n", json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
    };
    let script = "read -r hello; echo \"$hello\" > .git/heard; echo '{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":1}}'";
    let said = through(&repo, script, &hello(2));
    assert_eq!(said, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":1}}\n");
    let heard: Value = serde_json::from_slice(&repo.read(".git/heard")).unwrap();
    assert_eq!((&heard["params"]["protocolVersion"], &heard["id"]), (&json!(1), &json!(0)));
    let said = through(&repo, &script.replace(":1}}", ":2}}"), &hello(1));
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert!(answer["error"]["message"].as_str().is_some_and(|said| said.contains("version 1")), "{said}");
}

fn start(repo: &TestRepo, script: &str) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut command = command(repo.path(), &["acp", "--", "sh", "-c", script], &[]);
    let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    (child, stdin, stdout)
}

fn is_alive(pid: &str) -> bool {
    // A process that has ended and was not waited for runs no more.
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Whatever it started: in the background, in a session of its own, with its input closed.
#[test]
fn nothing_of_the_agent_is_left() {
    let repo = repo();
    let script = "setsid sleep 600 & echo \"{\\\"method\\\":\\\"$!\\\"}\"; sleep 600 < /dev/null & echo \"{\\\"method\\\":\\\"$!\\\"}\"; \
                  trap '' TERM; exec cat";
    for is_killed in [false, true] {
        let (mut child, mut stdin, mut stdout) = start(&repo, script);
        let mut pid = || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            serde_json::from_str::<Value>(&line).unwrap()["method"].as_str().unwrap().to_owned()
        };
        let pids = [pid(), pid()];
        assert!(pids.iter().all(|pid| is_alive(pid)));
        match is_killed {
            true => child.kill().unwrap(),
            false => writeln!(stdin, "{{\"id\":1}}").unwrap(),
        }
        drop(stdin);
        let ended = child.wait().unwrap();
        assert_eq!(ended.success(), !is_killed);
        // A host that was killed cannot wait for them: the kernel ends them, on a machine that may be busy. Half a minute is no measure.
        for _ in 0..1_500 {
            if !is_killed || !pids.iter().any(|pid| is_alive(pid)) {
                break;
            }
            sleep(Duration::from_millis(20));
        }
        assert!(!pids.iter().any(|pid| is_alive(pid)));
    }
}
