//! Which models are of one maker. Those share a taste: a model approves of what one of its family wrote more readily than others do.

use std::fmt;

/// The makers whose models are known by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelFamily {
    Anthropic,
    OpenAi,
    Google,
    Meta,
    Mistral,
    Qwen,
    DeepSeek,
    XAi,
    /// Of a name that tells no maker: only the same name is the same family.
    Named(String),
}

/// Words of names, in lower case. The first that is found decides: some names have two.
const WORDS: [(&str, ModelFamily); 18] = [
    ("claude", ModelFamily::Anthropic),
    ("anthropic", ModelFamily::Anthropic),
    ("codex", ModelFamily::OpenAi),
    ("gpt", ModelFamily::OpenAi),
    ("openai", ModelFamily::OpenAi),
    ("gemini", ModelFamily::Google),
    ("gemma", ModelFamily::Google),
    ("google", ModelFamily::Google),
    // DeepSeek's small models are made from Llama's and Qwen's, and carry both names.
    ("deepseek", ModelFamily::DeepSeek),
    ("llama", ModelFamily::Meta),
    ("mistral", ModelFamily::Mistral),
    ("mixtral", ModelFamily::Mistral),
    ("codestral", ModelFamily::Mistral),
    ("devstral", ModelFamily::Mistral),
    ("qwen", ModelFamily::Qwen),
    ("qwq", ModelFamily::Qwen),
    ("grok", ModelFamily::XAi),
    ("xai", ModelFamily::XAi),
];

impl ModelFamily {
    /// By the name of the model, if it tells, else by that of the provider.
    pub fn from_names(provider: &str, model: Option<&str>) -> Self {
        let known = |name: &str| {
            let name = name.to_lowercase();
            WORDS.iter().find(|(word, _)| name.contains(word)).map(|(_, family)| family.clone())
        };
        // Of a command, the folders of its files tell nothing of a model: those of temporary files are random.
        let files = provider.split_whitespace().filter_map(|word| word.rsplit(['/', '\\']).next());
        let files = files.collect::<Vec<_>>().join(" ");
        model.and_then(known).or_else(|| known(&files)).unwrap_or_else(|| ModelFamily::Named(provider.to_lowercase()))
    }
}

impl fmt::Display for ModelFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModelFamily::Anthropic => "Anthropic",
            ModelFamily::OpenAi => "OpenAI",
            ModelFamily::Google => "Google",
            ModelFamily::Meta => "Meta",
            ModelFamily::Mistral => "Mistral",
            ModelFamily::Qwen => "Qwen",
            ModelFamily::DeepSeek => "DeepSeek",
            ModelFamily::XAi => "xAI",
            ModelFamily::Named(name) => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_told_by_model_then_by_provider() {
        for (provider, model, expected) in [
            ("claude", None, ModelFamily::Anthropic),
            ("router", Some("anthropic/claude-opus"), ModelFamily::Anthropic),
            ("claude", Some("gpt-5"), ModelFamily::OpenAi),
            ("codex", None, ModelFamily::OpenAi),
            ("gemini", Some("a-model"), ModelFamily::Google),
            ("local", Some("DeepSeek-R1-Distill-Qwen-7B"), ModelFamily::DeepSeek),
            ("local", Some("Meta-Llama-3"), ModelFamily::Meta),
            ("command:/opt/qwen-cli --fast", None, ModelFamily::Qwen),
            ("command:/tmp/.tmpHQWQ/judge", None, ModelFamily::Named("command:/tmp/.tmphqwq/judge".into())),
            ("Mine", None, ModelFamily::Named("mine".into())),
        ] {
            assert_eq!(ModelFamily::from_names(provider, model), expected, "{provider} {model:?}");
        }
    }
}
