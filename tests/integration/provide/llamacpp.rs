//! A real server, as it answers and as it refuses.

use guardhost_provider::{FailureClass, Provider};

use super::http::{ask, provider};
use crate::support::agents::{ProviderHarness, failure};
use crate::support::llamacpp::{Llama, only};

const KEY: &str = "sk-llama-0123456789";

fn llama(stage: &ProviderHarness, llama: &Llama, more: &str) -> Provider {
    provider(stage, &format!("base_url = \"{}/v1\"\nkey_env = \"MY_KEY\"\n{more}", llama.url))
}

#[test]
fn llamacpp_answers_and_refuses() {
    let Some(server) = Llama::start(KEY) else { return };
    let mut stage = ProviderHarness::new();
    stage.vars = vec![("MY_KEY".into(), KEY.into())];
    for stream in [true, false] {
        let body = toml::Value::from(only("two\nlines, é"));
        let it = llama(&stage, &server, &format!("stream = {stream}\nbody = {{ temperature = 0, grammar = {body} }}"));
        let reply = ask(&stage, it).unwrap();
        assert_eq!(String::from_utf8_lossy(&reply.bytes), "two\nlines, é");
        assert!(reply.model.unwrap().ends_with("nothing.gguf"));
        let (input, output) = (reply.usage.input_tokens.unwrap(), reply.usage.output_tokens.unwrap());
        assert!(input > 1_000 && (12..=14).contains(&output), "a token is a byte: {input}, {output}");
    }
    for (settings, class, says) in [
        ("body = { max_tokens = 4 }", FailureClass::TruncatedOutput, "the answer was cut off at a limit (length)"),
        ("stream = false\nbody = { max_tokens = 4 }", FailureClass::TruncatedOutput, "(length)"),
        ("body = { grammar = \"root ::= (\" }", FailureClass::Config, "failed to parse grammar"),
    ] {
        let refused = failure(ask(&stage, llama(&stage, &server, settings)));
        assert_eq!(refused.class, class, "{}", refused.message);
        assert!(refused.message.contains(says), "{}", refused.message);
    }
    let elsewhere = provider(&stage, &format!("base_url = \"{}/v2\"\nkey_env = \"MY_KEY\"", server.url));
    assert_eq!(failure(ask(&stage, elsewhere)).class, FailureClass::Config);
    stage.task.text = "x".repeat(20_000);
    let long = failure(ask(&stage, llama(&stage, &server, "")));
    assert!(long.message.contains("exceeds the available context size (16384 tokens)"), "{}", long.message);
    assert_eq!(long.class, FailureClass::ContextTooLong);
    stage.vars = vec![("MY_KEY".into(), "sk-llama-9876543210".into())];
    assert_eq!(failure(ask(&stage, llama(&stage, &server, ""))).class, FailureClass::Auth);
}
