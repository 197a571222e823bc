//! Servers, played over real connections. `tests/recordings/openai` and `…/anthropic` hold what they answer, in the shapes that their
//! documents and bug reports show.

use std::path::Path;
use std::time::Duration;

use guardhost_core::change::Event;
use guardhost_core::error::fault;
use guardhost_provider::{Chain, FailureClass, Provider, ProviderFailure, ProviderSettings};
use serde::Deserialize;

use super::then;
use crate::support::agents::{ProviderHarness, failure};
use crate::support::server::{Play, Server};

/// What a server answers, and what must come of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(default = "ok")]
    status: u16,
    #[serde(default)]
    headers: std::collections::BTreeMap<String, String>,
    body: String,
    /// The connection breaks at the end of the body.
    #[serde(default)]
    cut: bool,
    /// A failure class, or `reply`.
    yields: String,
    /// Part of the failure's message.
    says: Option<String>,
    retry_after: Option<u64>,
    /// Of a reply without a patch: why `extract` finds none.
    no_patch: Option<String>,
    reply: Option<String>,
    model: Option<String>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cost_usd: Option<f64>,
}

fn ok() -> u16 {
    200
}

impl Case {
    fn play(&self) -> Play {
        let stream = self.status == 200 && ["data:", "event:", ":"].iter().any(|start| self.body.starts_with(start));
        let play =
            if stream { Play::stream(&self.body) } else { Play::new(self.status, "application/json", &self.body) };
        let more = self.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        Play { headers: play.headers.iter().cloned().chain(more).collect(), cut: self.cut, ..play }
    }
}

/// The provider `it`, with these settings.
pub fn provider(stage: &ProviderHarness, settings: &str) -> Provider {
    let file = stage.dir.path().join("config.toml");
    std::fs::write(&file, format!("[providers.it]\n{settings}\n")).unwrap();
    ProviderSettings::read(&file).unwrap().provider("it", stage.dir.path()).unwrap()
}

pub fn ask(
    stage: &ProviderHarness,
    provider: Provider,
) -> guardhost_core::error::Result<guardhost_core::change::Reply> {
    let mut chain = Chain::new(vec![provider]);
    chain.patience = Duration::ZERO;
    stage.ask_chain(&mut chain, 1)
}

#[test]
fn answers_yield_their_class() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let mut seen = 0;
    for api in ["openai", "anthropic"] {
        for file in std::fs::read_dir(folder.join(api)).unwrap() {
            let file = file.unwrap().path();
            let name = file.display();
            let case: Case =
                toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
            let server = Server::start(vec![case.play()]);
            let stage = ProviderHarness::new();
            let settings = format!("base_url = \"{}/v1\"\napi = \"{api}\"\nmodel = \"asked-for\"", server.url);
            let it = provider(&stage, &settings);
            match ask(&stage, it.clone()) {
                Ok(reply) => {
                    if case.no_patch.is_some() {
                        then::check_patch(&reply, case.no_patch.as_deref(), &mut Chain::new(vec![it]));
                    }
                    assert_eq!(case.yields, "reply", "{name}");
                    assert_eq!(Some(String::from_utf8(reply.bytes).unwrap()), case.reply, "{name}");
                    assert_eq!(reply.model, case.model.or(Some("asked-for".into())), "{name}");
                    let usage = reply.usage;
                    let wanted = (case.input_tokens, case.output_tokens, case.cost_usd);
                    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cost_usd), wanted, "{name}");
                }
                failed => {
                    let ProviderFailure { class, message, retry_after, .. } = failure(failed);
                    assert_eq!(class.name(), case.yields, "{name}: {message}");
                    assert!(case.says.is_none_or(|says| message.contains(&says)), "{name}: {message}");
                    assert_eq!(retry_after, case.retry_after.map(Duration::from_secs), "{name}: {message}");
                    let stage = ProviderHarness::new();
                    stage.agent("spare", "echo spare");
                    let steps = vec![provider(&stage, &settings), stage.provider("command:spare")];
                    // Whether it ends well is in the story.
                    let _ = stage.ask_chain(&mut Chain::new(steps), 1);
                    then::check(&stage, class, "it", "spare");
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} cases were found");
}

const ANSWER: &str = "data: {\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"hello\"},\"finish_reason\":null}]}\n\n\
                      data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

#[test]
fn the_request_is_what_the_api_wants_and_the_key_is_nowhere_else() {
    let server = Server::start(vec![
        Play::stream(ANSWER),
        Play::new(
            401,
            "application/json",
            r#"{"error":{"message":"bad key sk-top-secret-0123","code":"invalid_api_key"}}"#,
        ),
    ]);
    let mut stage = ProviderHarness::new();
    stage.vars =
        vec![("MY_KEY".into(), " sk-top-secret-0123\n".into()), ("http_proxy".into(), "http://127.0.0.1:9".into())];
    stage.record = Some(stage.dir.path().join("record.jsonl"));
    let settings = format!(
        "base_url = \"{}/v1/\"\nmodel = \"m\"\nkey_env = \"MY_KEY\"\nbody = {{ temperature = 0.5, stream_options = {{ include_usage = false }} }}",
        server.url
    );
    assert_eq!(ask(&stage, provider(&stage, &settings)).unwrap().bytes, b"hello");
    let recorded = std::fs::read_to_string(stage.record.as_ref().unwrap()).unwrap();
    assert_eq!(recorded, "{\"round\":1,\"provider\":\"it\",\"model\":\"m\",\"reply\":\"hello\"}\n");
    let refused = ask(&stage, provider(&stage, &settings)).unwrap_err();
    assert_eq!(fault(&refused).unwrap().hint.as_deref(), Some("check the key in MY_KEY"));
    let said = failure(Err(refused));
    assert_eq!((said.class, said.message.as_str()), (FailureClass::Auth, "HTTP 401: bad key [secret]"));

    let first = &server.requests()[0];
    assert_eq!(first.line, "POST /v1/chat/completions");
    let header = |name: &str| first.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!(header("authorization"), Some("Bearer sk-top-secret-0123"));
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!((&first.body["model"], &first.body["stream"]), (&"m".into(), &true.into()));
    assert_eq!(
        (&first.body["temperature"], &first.body["stream_options"]["include_usage"]),
        (&0.5.into(), &false.into())
    );
    assert!(first.body["messages"][0]["content"].as_str().unwrap().contains("Make it new."));
    assert!(!format!("{:?}{recorded}", stage.events.all()).contains("top-secret"));
}

#[test]
fn one_answer_is_read_where_a_server_sends_several() {
    let chunk = |index: u32, text: &str| {
        format!("data: {{\"choices\":[{{\"index\":{index},\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
    };
    let both = "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"d\"}},{\"index\":0,\"delta\":{\"content\":\"c\"}}]}\n\n";
    let end = "data: {\"choices\":[{\"index\":7,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n\
               data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let stream = [&chunk(0, "a"), &chunk(1, "x"), &chunk(999, "y"), &chunk(0, "b"), both, end].concat();
    let server = Server::start(vec![Play::stream(&stream)]);
    let stage = ProviderHarness::new();
    let settings = format!("base_url = \"{}/v1/\"\nmodel = \"m\"", server.url);
    assert_eq!(ask(&stage, provider(&stage, &settings)).unwrap().bytes, b"abc");
}

#[test]
fn anthropic_gets_its_own_headers_and_no_stream_when_none_is_wanted() {
    let body = r#"{"type":"message","model":"claude-x","content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":2}}"#;
    let server = Server::start(vec![Play::new(200, "application/json", body)]);
    let mut stage = ProviderHarness::new();
    stage.vars = vec![("ANTHROPIC_API_KEY".into(), "sk-ant-0123456789".into())];
    let settings = format!(
        "preset = \"anthropic\"\nbase_url = \"{}\"\nkey_env = \"ANTHROPIC_API_KEY\"\nstream = false",
        server.url
    );
    assert_eq!(ask(&stage, provider(&stage, &settings)).unwrap().bytes, b"hello");
    let request = &server.requests()[0];
    assert_eq!(request.line, "POST /messages");
    let header = |name: &str| request.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!((header("x-api-key"), header("anthropic-version")), (Some("sk-ant-0123456789"), Some("2023-06-01")));
    assert_eq!((&request.body["stream"], request.body["max_tokens"].is_u64()), (&false.into(), true));
}

#[test]
fn keys_go_nowhere_that_the_user_did_not_name() {
    let mut stage = ProviderHarness::new();
    stage.vars = vec![("MY_KEY".into(), "sk-top-secret-0123".into())];
    // Elsewhere, as the redirect's target sees it.
    let elsewhere = Server::start(vec![Play::stream(ANSWER)]);
    let mut play = Play::new(307, "text/plain", "");
    play.headers.push(("location".into(), format!("{}/v1/chat/completions", elsewhere.url)));
    let server = Server::start(vec![play]);
    let redirected =
        failure(ask(&stage, provider(&stage, &format!("base_url = \"{}/v1\"\nkey_env = \"MY_KEY\"", server.url))));
    assert_eq!(redirected.class, FailureClass::Config, "{}", redirected.message);
    assert_eq!(elsewhere.requests().len(), 0);

    let plain = failure(ask(&stage, provider(&stage, "base_url = \"http://192.0.2.1/v1\"\nkey_env = \"MY_KEY\"")));
    assert!(plain.message.contains("http://192.0.2.1 is not encrypted"), "{}", plain.message);
    let unset =
        failure(ask(&stage, provider(&stage, &format!("base_url = \"{}/v1\"\nkey_env = \"NO_KEY\"", server.url))));
    assert_eq!((unset.class, unset.message.as_str()), (FailureClass::Auth, "the variable NO_KEY is not set"));
    assert_eq!(server.requests().len(), 1, "neither was sent");
    // A preset's own key belongs to the preset's own address.
    let moved = provider(&stage, &format!("preset = \"openai\"\nbase_url = \"{}\"", elsewhere.url));
    stage.vars = vec![("OPENAI_API_KEY".into(), "sk-top-secret-0123".into())];
    ask(&stage, moved).unwrap();
    assert!(elsewhere.requests()[0].headers.iter().all(|(name, _)| name != "authorization"));
}

#[test]
fn slow_answers_arrive_and_silent_servers_are_left() {
    let stage = ProviderHarness::new();
    let slow = Play { pause: Duration::from_millis(20), ..Play::stream(ANSWER) };
    let server = Server::start(vec![
        slow.clone(),
        Play { hang: true, ..Play::stream(&ANSWER[..40]) },
        Play { chunks: Vec::new(), hang: true, ..Play::stream("") },
        Play { pause: Duration::from_millis(300), ..slow },
        // Done, and still not closed.
        Play { hang: true, ..Play::stream(ANSWER) },
    ]);
    let mut it = provider(&stage, &format!("base_url = \"{}\"", server.url));
    it.limits.idle = Some(Duration::from_millis(800));
    assert_eq!(ask(&stage, it.clone()).unwrap().bytes, b"hello");
    for _ in 0..2 {
        let silent = failure(ask(&stage, it.clone()));
        assert_eq!((silent.class, silent.message.as_str()), (FailureClass::Timeout, "said nothing for 0.8 s"));
    }
    it.limits.wall = Duration::from_secs(1);
    let endless = failure(ask(&stage, it.clone()));
    assert_eq!((endless.class, endless.message.as_str()), (FailureClass::Timeout, "gave no answer within 1 s"));
    assert_eq!(ask(&stage, it).unwrap().bytes, b"hello");
}

#[test]
fn a_flood_is_cut_off() {
    let stage = ProviderHarness::new();
    let line = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x".repeat(60_000));
    let mut flood = Play::stream("");
    flood.chunks = vec![line.into_bytes(); 3_500];
    let server =
        Server::start(vec![flood, Play { chunks: vec![vec![b'x'; 1 << 20]; 200], ..Play::new(500, "text/html", "") }]);
    let it = provider(&stage, &format!("base_url = \"{}\"", server.url));
    let flooded = failure(ask(&stage, it.clone()));
    assert_eq!(
        (flooded.class, flooded.message.as_str()),
        (FailureClass::TooMuchOutput, "sent more than 16777216 bytes")
    );
    assert_eq!(failure(ask(&stage, it)).class, FailureClass::Overloaded, "of a failure's body the beginning is enough");
}

#[test]
fn nobody_there_is_no_overload() {
    let stage = ProviderHarness::new();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let gone = ask(&stage, provider(&stage, &format!("base_url = \"http://{port}/v1\""))).unwrap_err();
    assert_eq!(fault(&gone).unwrap().hint, Some(format!("is there a server at http://{port}/v1?")));
    assert_eq!(failure(Err(gone)).class, FailureClass::Unreachable);
}

#[test]
fn cancelling_closes_the_connection() {
    let stage = ProviderHarness::new();
    let written = ANSWER.replace("hello", "hello there");
    let server = Server::start(vec![Play { hang: true, ..Play::stream(&written[..96]) }]);
    let it = provider(&stage, &format!("base_url = \"{}\"", server.url));
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            while stage.events.all().iter().all(|event| !matches!(event, Event::Progress { .. })) {
                std::thread::sleep(Duration::from_millis(5));
            }
            stage.cancel.cancel();
        });
        ask(&stage, it).unwrap_err()
    });
    assert_eq!(guardhost_core::error::kind(&error), guardhost_core::error::FaultKind::Interrupted);
}

#[test]
fn a_busy_server_is_waited_for_within_reason() {
    let stage = ProviderHarness::new();
    let mut busy = Play::new(
        429,
        "application/json",
        r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#,
    );
    busy.headers.push(("retry-after".into(), "0.2".into()));
    let server = Server::start(vec![busy, Play::stream(ANSWER)]);
    let mut chain = Chain::new(vec![provider(&stage, &format!("base_url = \"{}\"", server.url))]);
    assert_eq!(stage.ask_chain(&mut chain, 1).unwrap().bytes, b"hello");
    assert_eq!(stage.events.failures(), ["it rate-limited -> it"]);
    let told = |event: &Event| matches!(event, Event::Notice { text } if text.ends_with("s before it is asked again"));
    assert!(stage.events.all().iter().any(told), "waiting is told");
}
