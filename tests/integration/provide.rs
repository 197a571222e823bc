//! Asking, with real processes. `tests/recordings/` holds outputs of the agents: recorded, or in the shapes that their documents and bug
//! reports show.

mod async_runtime;
mod hostile;
mod http;
mod left_behind;
mod llamacpp;
mod prompt;
mod real_agents;
mod settings;
mod then;

use std::path::Path;
use std::time::Duration;

use guardhost_core::change::{Event, RepoPath};
use guardhost_core::error::{FaultKind, fault, kind};
use guardhost_provider::{Chain, FailureClass, Provider};
use serde::Deserialize;

use crate::support::agents::{ProviderHarness, failure, tree};

/// What an agent does, and what must come of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    exit: Option<i32>,
    signal: Option<i32>,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    stderr: String,
    /// A failure class, or `reply`.
    yields: String,
    /// Of a reply without a patch: why `extract` finds none.
    no_patch: Option<String>,
    reply: Option<String>,
    /// What the first failure says, where its words are made of the output and not taken from it.
    message: Option<String>,
    model: Option<String>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[test]
fn outputs_yield_their_class() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let mut seen = 0;
    for provider in ["claude", "codex", "gemini", "command"] {
        for file in std::fs::read_dir(folder.join(provider)).unwrap() {
            let file = file.unwrap().path();
            let case: Case = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            assert_eq!(play(provider, &case), case.yields, "{}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} cases were found");
}

fn play(provider: &str, case: &Case) -> String {
    let stage = ProviderHarness::new();
    std::fs::write(stage.dir.path().join("left/out"), &case.stdout).unwrap();
    std::fs::write(stage.dir.path().join("left/err"), &case.stderr).unwrap();
    let end = match (case.exit, case.signal) {
        (Some(code), None) => format!("exit {code}"),
        (None, Some(signal)) => format!("kill -{signal} $$"),
        _ => panic!("a case has an exit code or a signal"),
    };
    stage.agent(provider, &format!("cat >/dev/null; cat $LEFT/out; cat $LEFT/err >&2; {end}"));
    stage.agent("spare", "cat >/dev/null; echo spare");
    let spec = if provider == "command" { "command:command" } else { provider };
    let mut chain = Chain::new(vec![stage.provider(spec), stage.provider("command:spare")]);
    match stage.ask_chain(&mut chain, 1) {
        Ok(reply) if reply.provider == provider => {
            assert_eq!(case.reply.as_deref(), Some(str::from_utf8(&reply.bytes).unwrap()));
            if case.model.is_some() || case.output_tokens.is_some() {
                assert_eq!(
                    (&reply.model, reply.usage.input_tokens),
                    (&case.model, case.input_tokens.or(reply.usage.input_tokens))
                );
                assert_eq!(reply.usage.output_tokens, case.output_tokens.or(reply.usage.output_tokens));
            }
            then::check_patch(&reply, case.no_patch.as_deref(), &mut chain);
            "reply".into()
        }
        asked => {
            let class = asked.map_or_else(|error| failure(Err(error)).class, |_| then::class(&stage));
            then::check(&stage, class, provider, "spare");
            assert_eq!(case.message.as_ref().unwrap_or(&then::message(&stage)), &then::message(&stage));
            class.name().into()
        }
    }
}

#[test]
fn an_agent_gets_the_prompt_a_scratch_folder_and_few_variables() {
    let mut stage = ProviderHarness::new();
    stage.vars = [
        ("HOME", "/home/me"),
        ("ANTHROPIC_API_KEY", "sk-ant-12345"),
        ("GITHUB_TOKEN", "ghp-12345"),
        ("LD_PRELOAD", ""),
    ]
    .map(|(name, value)| (name.into(), value.into()))
    .into();
    for name in ["claude", "codex", "gemini"] {
        stage.agent(
            name,
            "me=$(basename $0); cat >$LEFT/$me.prompt; env >$LEFT/$me.env; ls -A >$LEFT/$me.ls; pwd >$LEFT/$me.pwd
             for arg; do echo \"<$arg>\"; done >$LEFT/$me.args",
        );
        assert_eq!(failure(stage.ask(&format!("{name}:some-model"))).class, FailureClass::Empty);
    }
    let names = |agent: &str| {
        let mut names: Vec<_> =
            stage.left(agent).lines().map(|line| line.split('=').next().unwrap().to_owned()).collect();
        // The shell that plays the agent sets these.
        names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(&name.as_str()));
        names.sort();
        names
    };
    assert_eq!(
        names("claude.env"),
        [
            "ANTHROPIC_API_KEY",
            "CLAUDE_CODE_DISABLE_TERMINAL_TITLE",
            "CLAUDE_CODE_MAX_RETRIES",
            "DISABLE_AUTOUPDATER",
            "HOME",
            "PATH",
            "TMPDIR"
        ]
    );
    assert_eq!(names("codex.env"), ["HOME", "PATH", "TMPDIR"]);
    assert_eq!(names("gemini.env"), ["GEMINI_CLI_TRUST_WORKSPACE", "HOME", "PATH", "TMPDIR"]);

    assert!(stage.left("claude.prompt").contains("Make it new."));
    assert!(stage.left("claude.prompt").contains("@@ -10,4 +10,4 @@"));
    assert!(stage.left("gemini.prompt").contains(r"\@\@ -10,4 +10,4 \@\@"), "gemini opens files at a bare @");
    assert_eq!(stage.left("claude.ls"), "");
    assert_eq!(stage.left("gemini.ls"), ".gemini\n", "settings that leave it no tools");
    assert!(!Path::new(stage.left("claude.pwd").trim()).exists(), "the scratch folder is thrown away");

    let args = |agent: &str| stage.left(agent).replace('\n', "");
    assert!(args("claude.args").contains("<--tools><><--model><some-model>"));
    assert!(args("codex.args").starts_with("<exec><--json><--color><never><--sandbox><read-only>"));
    assert!(args("codex.args").contains("<--ephemeral><--model><some-model><-c><features.shell_tool=false>"));
    assert!(args("codex.args").ends_with("<-c><notify=[]><->"));
    assert_eq!(args("gemini.args"), "<-o><json><--approval-mode><default><-e><none><-m><some-model>");
}

#[test]
fn secrets_are_blotted_out_of_everything() {
    let mut stage = ProviderHarness::new();
    stage.vars = vec![("CODEX_API_KEY".into(), "sk-very-secret".into()), ("MY_KEY".into(), "hunter2hunter2".into())];
    stage.agent("codex", "cat >/dev/null; echo \"bad key $CODEX_API_KEY\" >&2; exit 1");
    stage
        .agent("leaky", "cat >/dev/null; for i in 1 2 3; do echo \"using $MY_KEY\" >&2; done; echo \"+key = $MY_KEY\"");
    let mut leaky = stage.provider("command:leaky");
    leaky.keys = vec!["MY_KEY".into()];

    let message = failure(stage.ask("codex")).message;
    assert!(message.ends_with("bad key [secret]"), "{message}");
    stage.record = Some(stage.dir.path().join("record.jsonl"));
    let reply = stage.ask_chain(&mut Chain::new(vec![leaky]), 1).unwrap();
    assert_eq!(reply.bytes, b"+key = [secret]\n");
    let told = format!("{:?} {}", stage.events.all(), std::fs::read_to_string(stage.record.unwrap()).unwrap());
    assert!(told.contains("using [secret]") && told.contains("+key = [secret]"), "{told}");
    assert!(!told.contains("very-secret") && !told.contains("hunter2"), "{told}");
}

#[test]
fn a_chain_falls_back_and_remembers_a_quota() {
    let stage = ProviderHarness::new();
    let out = |text: &str| format!("cat >/dev/null; echo '{text}'");
    stage.agent(
        "claude",
        &out(r#"{"type":"result","subtype":"success","is_error":true,"result":"Credit balance is too low"}"#),
    );
    stage.agent("codex", "kill -11 $$");
    stage.agent("forgetful", "cat >/dev/null; test -e $LEFT/asked && echo answer; touch $LEFT/asked");
    let steps = ["claude", "codex", "command:forgetful"].map(|spec| stage.provider(spec));
    let mut chain = Chain::new(steps.into());
    assert_eq!(chain.to_string(), "claude, codex, forgetful");

    let reply = stage.ask_chain(&mut chain, 1).unwrap();
    assert_eq!((reply.bytes.as_slice(), reply.provider.as_str()), (&b"answer\n"[..], "forgetful"));
    assert_eq!(
        stage.events.failures(),
        ["claude quota-exhausted -> codex", "codex crashed -> forgetful", "forgetful empty -> forgetful"]
    );
    // Whoever answered is asked first, and of the others only those whose quota is not used up.
    stage.ask_chain(&mut chain, 2).unwrap();
    assert_eq!(stage.events.failures().len(), 3);
    std::fs::remove_file(stage.dir.path().join("left/asked")).unwrap();
    std::fs::write(stage.dir.path().join("bin/forgetful.sh"), "exit 1").unwrap();
    failure(stage.ask_chain(&mut chain, 3));
    assert_eq!(stage.events.failures()[3..], ["forgetful crashed -> codex", "codex crashed -> "]);
}

#[test]
fn settings_that_are_wrong_stop_the_chain() {
    let stage = ProviderHarness::new();
    stage.agent("gemini", "exit 41").agent("spare", "echo never asked");
    for (spec, class, hint) in
        [("gemini", "auth", "GEMINI_API_KEY"), ("claude", "config", "choose another provider with --provider")]
    {
        let error = stage
            .ask_chain(&mut Chain::new(vec![stage.provider(spec), stage.provider("command:spare")]), 1)
            .unwrap_err();
        let fault = fault(&error).unwrap();
        assert_eq!((fault.kind, &fault.what), (FaultKind::Provider, &format!("no answer from {spec} ({class})")));
        assert!(fault.hint.as_ref().unwrap().contains(hint), "{fault:?}");
    }
    assert_eq!(kind(&stage.ask_chain(&mut Chain::new(vec![]), 1).unwrap_err()), FaultKind::Provider);
}

/// The provider `command:agent` with one second for everything.
fn hurried(stage: &ProviderHarness) -> Provider {
    let mut provider = stage.provider("command:agent");
    provider.limits.wall = Duration::from_secs(1);
    provider
}

/// Waits until the process whose id was left is gone; a zombie of somebody else's counts as gone.
pub fn gone(stage: &ProviderHarness, name: &str) -> bool {
    let stat = format!("/proc/{}/stat", stage.left(name).trim());
    (0..200).any(|_| {
        let dead = std::fs::read_to_string(&stat)
            .map_or(true, |stat| stat.rsplit(')').next().unwrap().trim().starts_with('Z'));
        if !dead {
            std::thread::sleep(Duration::from_millis(10));
        }
        dead
    })
}

#[test]
fn who_hangs_is_ended_with_all_its_children() {
    let stage = ProviderHarness::new();
    // Deaf to SIGTERM, and so is its child.
    stage.agent("agent", "trap '' TERM; sh -c \"trap '' TERM; echo \\$\\$ >$LEFT/child; sleep 60; :\" & echo $$ >$LEFT/self; wait; sleep 60");
    let failure = failure(stage.ask_chain(&mut Chain::new(vec![hurried(&stage)]), 1));
    assert_eq!((failure.class, failure.message.as_str()), (FailureClass::Timeout, "gave no answer within 1 s"));
    assert!(gone(&stage, "self") && gone(&stage, "child"));
}

#[test]
fn silence_has_a_limit_of_its_own() {
    let stage = ProviderHarness::new();
    stage.agent("agent", "for i in 1 2 3 4 5 6; do echo working >&2; sleep 0.1; done; sleep 60");
    let mut provider = stage.provider("command:agent");
    provider.limits.idle = Some(Duration::from_millis(400));
    let failure = failure(stage.ask_chain(&mut Chain::new(vec![provider]), 1));
    assert_eq!((failure.class, failure.message.as_str()), (FailureClass::Timeout, "said nothing for 0.4 s"));
    let progress = stage
        .events
        .all()
        .iter()
        .filter(|event| matches!(event, Event::Progress { text } if text == "working"))
        .count();
    assert!(progress > 1, "it was heard {progress} times");
}

#[test]
fn what_outlives_the_agent_dies_and_does_not_hold_up_the_answer() {
    let stage = ProviderHarness::new();
    stage.agent("agent", "sleep 60 & echo $! >$LEFT/child; echo answer");
    assert_eq!(stage.ask("command:agent").unwrap().bytes, b"answer\n");
    assert!(gone(&stage, "child"));
}

#[test]
fn a_flood_ends_the_agent_on_stdout_and_passes_by_on_stderr() {
    let stage = ProviderHarness::new();
    stage.agent("agent", "echo $$ >$LEFT/self; head -c 200000000 /dev/zero");
    stage.agent("chatty", "head -c 200000000 /dev/zero | tr '\\0' '\\n' >&2; echo last words >&2; exit 1");
    let flooded = failure(stage.ask("command:agent"));
    assert_eq!(
        (flooded.class, flooded.message.as_str()),
        (FailureClass::TooMuchOutput, "wrote more than 16777216 bytes")
    );
    assert!(gone(&stage, "self"));
    assert_eq!(failure(stage.ask("command:chatty")).message, "exit code 1: last words");
}

#[test]
fn a_prompt_larger_than_every_pipe_blocks_nobody() {
    let mut stage = ProviderHarness::new();
    let big = "x".repeat(300_000) + "\n";
    stage.tree = tree(&[("big.txt", big.as_bytes())]);
    stage.task.hints = vec![RepoPath::from("big.txt")];
    // One does not read at all; the other writes more than a pipe holds before it reads.
    stage.agent("deaf", "exec <&-; echo answer").agent("eager", "head -c 1000000 /dev/zero; cat");
    assert_eq!(stage.ask("command:deaf").unwrap().bytes, b"answer\n");
    let reply = stage.ask("command:eager").unwrap().bytes;
    assert!(
        reply.len() > 1_300_000 && reply[1_000_000..].windows(300_000).any(|part| part == &big.as_bytes()[..300_000])
    );
}

#[test]
fn cancelling_ends_the_group_and_says_so() {
    let stage = ProviderHarness::new();
    stage.agent("agent", "echo $$ >$LEFT/self; echo ready >&2; echo ready >&2; sleep 60");
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            while stage.events.all().iter().all(|event| !matches!(event, Event::Progress { .. })) {
                std::thread::sleep(Duration::from_millis(5));
            }
            stage.cancel.cancel();
        });
        stage
            .ask_chain(&mut Chain::new(vec![stage.provider("command:agent"), stage.provider("claude")]), 1)
            .unwrap_err()
    });
    assert_eq!(kind(&error), FaultKind::Interrupted);
    assert_eq!(stage.events.failures(), ["agent interrupted -> "]);
    assert!(gone(&stage, "self"));
}

#[test]
fn a_recording_gives_back_every_byte() {
    let mut stage = ProviderHarness::new();
    stage.agent("agent", r#"cat >/dev/null; printf 'caf\303\251\r\n\377\000'"#);
    stage.agent(
        "claude",
        r#"cat >/dev/null; printf '%s' '{"type":"result","subtype":"success","is_error":false,"result":"a\n\"b\""}'"#,
    );
    let file = stage.dir.path().join("record.jsonl");
    let recorded: Vec<_> = {
        stage.record = Some(file.clone());
        ["command:agent", "claude:opus"].map(|spec| {
            let reply = stage.ask(spec).unwrap();
            (std::fs::read_to_string(&file).unwrap(), reply)
        })
    }
    .into();
    assert_eq!(recorded[1].0, "{\"round\":1,\"provider\":\"claude\",\"model\":\"opus\",\"reply\":\"a\\n\\\"b\\\"\"}\n");
    stage.record = None;
    for (line, reply) in &recorded {
        std::fs::write(&file, line.replace("\"round\":1", "\"round\":2")).unwrap();
        let mut chain = Chain::new(vec![stage.provider("replay:record.jsonl")]);
        let again = stage.ask_chain(&mut chain, 2).unwrap();
        assert_eq!((&again.bytes, &again.model, again.recorded), (&reply.bytes, &reply.model, true));
        assert_eq!(failure(stage.ask_chain(&mut chain, 3)).class, FailureClass::Config);
    }
    std::fs::write(&file, "{\"round\":1}\n").unwrap();
    let failure = failure(stage.ask("replay:record.jsonl"));
    assert!(failure.message.contains("record.jsonl, line 1,"), "{}", failure.message);
}

#[test]
fn live_lines_are_clean_and_few() {
    let stage = ProviderHarness::new();
    stage.agent(
        "codex",
        r#"cat >/dev/null
        line='{"type":"item.completed","item":{"type":"reasoning","text":"\u001b[31mred\u001b[0m\nand \u202ebold"}}'
        yes "$line" | head -n 20000"#,
    );
    failure(stage.ask("codex"));
    let lines: Vec<_> = stage
        .events
        .all()
        .into_iter()
        .filter_map(|event| match event {
            Event::Progress { text } => Some(text),
            _ => None,
        })
        .collect();
    assert!(!lines.is_empty() && lines.len() < 100, "{} lines", lines.len());
    assert!(lines.iter().all(|line| line == "red and \u{fffd}bold"), "{:?}", lines[0]);
}
