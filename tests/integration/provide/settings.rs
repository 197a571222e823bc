//! Whom a run asks: the user's settings, and what a repository may choose among them.

use guardhost_core::error::{FaultKind, kind};
use guardhost_provider::{Chain, ChainHint, ProviderSettings};

const SETTINGS: &str = r#"
command_chain = ["claude:opus", "local", { provider = "codex", model = "gpt-5", args = ["--oss"], timeout = 9, env = ["CODEX_X"] }]
command_chain_fast = ["local:small"]

[providers.local]
preset = "lmstudio"
model = "qwen"
[providers.mine]
command = "./bin/agent --plain 'two words'"
[providers.claude]
timeout = 5
[providers.gateway]
base_url = "https://llm.example.org/v1"
api = "anthropic"
key_env = "GATEWAY_KEY"
"#;

fn settings(text: &str) -> (guardhost_core::error::Result<ProviderSettings>, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("config.toml"), text).unwrap();
    (ProviderSettings::read(&dir.path().join("config.toml")), dir)
}

/// What is asked for a hint when the repository has these chains: plain and fast.
fn picked(text: &str, hint: Option<ChainHint>, plain: &[&str], fast: &[&str]) -> (String, Option<String>) {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let (plain, fast, none) = (owned(plain), owned(fast), Vec::new());
    let picked = settings(text).0.unwrap().chain(hint, &|hint| match hint {
        None => &plain,
        Some(ChainHint::Fast) => &fast,
        Some(ChainHint::Quality) => &none,
    });
    let picked = picked.unwrap();
    (Chain::new(picked.providers).to_string(), picked.notice)
}

/// A server on this machine is there or not; a person who sees a tick starts a run.
#[test]
fn a_local_server_that_does_not_listen_is_not_ready() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let ready = |url: &str| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, format!("[providers.own]\nbase_url = \"{url}\"\n")).unwrap();
        let providers = guardhost_provider::ProviderSettings::read(&file).unwrap().everybody().unwrap();
        let own = providers.into_iter().find(|provider| provider.name == "own").unwrap();
        own.ready(&guardhost_provider::Environment::new([("HOME", "/")]))
    };
    for host in ["127.0.0.1", "localhost"] {
        assert!(ready(&format!("http://{host}:{port}/v1")).is_ok(), "{host}");
    }
    // Another machine is not connected to unasked.
    assert!(ready("http://guards.invalid:1/v1").is_ok());
    drop(listener);
    let why = ready(&format!("http://127.0.0.1:{port}/v1")).unwrap_err();
    assert!(why.contains("nothing listens"), "{why}");
}

#[test]
fn the_hint_picks_the_chain_and_the_repository_comes_first() {
    let chain = |hint, plain: &[&str], fast: &[&str]| picked(SETTINGS, hint, plain, fast).0;
    assert_eq!(chain(None, &[], &[]), "claude:opus, local:qwen, codex:gpt-5");
    assert_eq!(chain(Some(ChainHint::Fast), &[], &[]), "local:small");
    assert_eq!(
        chain(Some(ChainHint::Quality), &[], &[]),
        "claude:opus, local:qwen, codex:gpt-5",
        "the plain chain stands in"
    );
    assert_eq!(chain(None, &["mine", "local", "mine"], &["claude"]), "mine, local:qwen");
    assert_eq!(chain(Some(ChainHint::Fast), &["mine"], &["claude"]), "claude");
    assert_eq!(chain(Some(ChainHint::Fast), &["mine"], &[]), "local:small", "a hint is the user's own wish");
}

#[test]
fn a_repository_chooses_and_never_adds() {
    // A command, a recording, a model, a preset that the user did not set up: none is taken from a repository.
    for name in ["command:rm -rf /", "replay:/etc/passwd", "local:huge", "openai", "codex", "../mine", ""] {
        let (chain, notice) = picked(SETTINGS, None, &[name], &[]);
        assert_eq!(chain, "claude:opus, local:qwen, codex:gpt-5", "{name}");
        let notice = notice.unwrap();
        assert!(notice.starts_with(&format!("ignored `{name}`: ")), "{notice}");
    }
    let (chain, notice) = picked(SETTINGS, None, &["openai", "gateway"], &[]);
    assert_eq!((chain.as_str(), notice.is_some()), ("gateway", true));
}

#[test]
fn what_is_wrong_in_the_settings_is_told_without_showing_the_line() {
    for (text, says) in [
        ("command_chain = [1]", "config.toml:1: expected the name of a provider, or a table"),
        ("[providers.x]\nkey = \"sk-secret\"", "config.toml:2: unknown field `key`"),
        ("[providers.x]\npreset = \"claude\"\ntimeout = 0", "config.toml:3: invalid value: integer `0`"),
        ("[providers.x]\ncommand = \"a\"\nbase_url = \"b\"", "provider x: command cannot be combined with preset"),
        ("[providers.x]\npreset = \"y\"", "provider x: preset is one of claude, codex, gemini, openai"),
        ("[providers.x]", "provider x: a preset, a command or a base_url is needed"),
        ("[providers.x]\ncommand = \"a\"\nkey_env = \"K\"", "provider x: key_env, stream and body are for servers"),
        ("[providers.x]\npreset = \"claude\"\nbase_url = \"http://b\"", "provider x: base_url is for servers"),
        ("[providers.x]\nbase_url = \"localhost:1234\"", "provider x: base_url begins with http:// or https://"),
        ("[providers.x]\nbase_url = \"https://me:sk-secret@llm.example.org\"", "provider x: base_url holds a log-in"),
        ("[providers.x]\nbase_url = \"http://b\"\nargs = [\"-v\"]", "provider x: args and env are for programs"),
    ] {
        let (read, dir) = settings(text);
        let error = read.and_then(|settings| settings.provider("x", dir.path()).map(drop)).unwrap_err();
        assert_eq!(kind(&error), FaultKind::Config, "{text}");
        let told = format!("{error:#}");
        assert!(told.contains(says) && !told.contains("sk-secret"), "{told}");
    }
}

#[test]
fn no_settings_are_fine_until_somebody_must_be_asked() {
    let settings = ProviderSettings::read(std::path::Path::new("/no/such/config.toml")).unwrap();
    let dir = std::path::Path::new("/");
    assert_eq!(settings.provider("ollama:qwen3:8b", dir).unwrap().model.as_deref(), Some("qwen3:8b"));
    let nobody = settings.chain(None, &|_| &[]).unwrap_err();
    assert_eq!(kind(&nobody), FaultKind::Usage);
}
