//! Configurations of tools, whatever their format, as settings with lines.

mod code;
mod ini;
mod json;
mod setting;
mod toml;
mod yaml;

pub use setting::{Setting, ends_as, key};

/// How a configuration is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Toml,
    Json,
    Yaml,
    Ini,
    /// A program: only properties with a plain value are read.
    Code,
}

impl Format {
    pub fn from_path(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "toml" => Format::Toml,
            "json" | "jsonc" | "json5" | "nycrc" | "c8rc" => Format::Json,
            "yml" | "yaml" | "cff" => Format::Yaml,
            "js" | "cjs" | "mjs" | "ts" | "mts" | "cts" | "rb" | "simplecov" => Format::Code,
            // JSON is YAML as well.
            "eslintrc" | "stylelintrc" | "yamllint" => Format::Yaml,
            _ => Format::Ini,
        }
    }
}

/// None when the text does not parse.
pub fn settings(text: &str, format: Format) -> Option<Vec<Setting>> {
    match format {
        Format::Toml => toml::settings(text),
        Format::Json => json::settings(text),
        Format::Yaml => yaml::settings(text),
        Format::Ini => Some(ini::settings(text)),
        Format::Code => Some(code::settings(text)),
    }
}

/// The line of a byte, from 1.
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        Lines(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    fn at(&self, byte: usize) -> u32 {
        self.0.partition_point(|end| *end < byte) as u32 + 1
    }
}
