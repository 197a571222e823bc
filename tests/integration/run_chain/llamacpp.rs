//! The whole way with a real server: llama.cpp, and a model that a grammar leaves no other words than a patch.

use serde_json::json;

use super::PATCH;
use super::place::{Place, SECRET};
use crate::support::llamacpp::{Llama, only};

#[test]
fn a_patch_out_of_a_real_server_is_committed() {
    let Some(server) = Llama::start(SECRET) else { return };
    let grammar = toml::Value::from(only(PATCH));
    let place = Place::new(&format!(
        "command_chain = [\"missing\", \"it\"]\n[providers.missing]\nbase_url = \"http://127.0.0.1:9/v1\"\n\
         [providers.it]\nbase_url = \"{}/v1\"\nkey_env = \"SERVER_KEY\"\nbody = {{ temperature = 0, grammar = {grammar} }}\n",
        server.url
    ));
    let run = place.run(&[]).expect(0).json();
    assert_eq!((&run["outcome"], &run["rounds"][0]["provider"]), (&json!("committed"), &json!("it")));
    assert_eq!(run["rounds"][0]["failed"][0]["provider"], "missing");
    assert!(run["diff"].as_str().unwrap().contains("+    return 2"));
    assert!(run["spent"]["input_tokens"].as_u64().unwrap() > 1_000, "{}", run["spent"]);
}
