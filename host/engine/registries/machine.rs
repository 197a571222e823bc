//! The registries that this machine's package managers are set up with: variables of the environment, then files of the person. Nothing of
//! a repository is read, and what cannot be read is as if it was not there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use guardhost_core::process_env::ProcessEnv;
use reqwest::Url;
use toml::{Table, Value};

use super::addresses::{MachineAddresses, Registry, RegistryEcosystem, url};

/// Bytes of a file of settings that are read.
const LONGEST: u64 = 256 << 10;

pub fn addresses(process: &ProcessEnv) -> MachineAddresses {
    let machine = ProcessMachine(process);
    let registries = [machine.cargo(), machine.npm(), machine.python(), machine.go()].into_iter().flatten();
    let scopes = machine.npm_settings().into_iter().filter_map(|(key, _)| {
        let scope = key.strip_suffix(":registry").filter(|scope| scope.starts_with('@'))?;
        Some((RegistryEcosystem::Npm, scope.to_owned()))
    });
    let places = ["GOPRIVATE", "GONOPROXY"].into_iter().filter_map(|name| machine.go_setting(name));
    let places: Vec<String> = places.flat_map(|list| words(&list, &[','])).collect();
    let private = scopes.chain(places.into_iter().map(|place| (RegistryEcosystem::Go, place))).collect();
    MachineAddresses { registries: registries.collect(), private }
}

struct ProcessMachine<'p>(&'p ProcessEnv);

impl ProcessMachine<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        self.0.var(name)?.to_str().map(str::to_owned)
    }

    fn first(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.variable(name))
    }

    fn home(&self, path: &str) -> Option<PathBuf> {
        Some(Path::new(&self.first(&["HOME", "USERPROFILE"])?).join(path))
    }

    /// What stands for the registry that everybody uses, by `[source]` of the person's settings.
    fn cargo(&self) -> Option<Registry> {
        let home = self.variable("CARGO_HOME").map(PathBuf::from).or_else(|| self.home(".cargo"))?;
        let settings = ["config.toml", "config"].iter().find_map(|name| text(&home.join(name)))?;
        let settings: Table = settings.parse().ok()?;
        let sources = settings.get("source")?;
        let mut name = sources.get("crates-io")?.get("replace-with")?.as_str()?;
        // A chain of replacements is short; a circle is an error of Cargo's.
        for _ in 0..8 {
            let source = sources.get(name)?;
            match source.get("replace-with").and_then(Value::as_str) {
                Some(next) => name = next,
                None => {
                    let address = source.get("registry")?.as_str()?;
                    // Only a sparse index can be asked for one package.
                    return address.starts_with("sparse+").then(|| registry(RegistryEcosystem::Cargo, url(address)))?;
                }
            }
        }
        None
    }

    fn npm(&self) -> Option<Registry> {
        let set = self.first(&["npm_config_registry", "NPM_CONFIG_REGISTRY"]);
        let written =
            || self.npm_settings().into_iter().rev().find(|(key, _)| key == "registry").map(|(_, value)| value);
        registry(RegistryEcosystem::Npm, url(&set.or_else(written)?))
    }

    fn npm_settings(&self) -> Vec<(String, String)> {
        let set = self.first(&["npm_config_userconfig", "NPM_CONFIG_USERCONFIG"]).map(PathBuf::from);
        let file = set.or_else(|| self.home(".npmrc")).and_then(|file| text(&file)).unwrap_or_default();
        settings(&file)
    }

    fn python(&self) -> Option<Registry> {
        let file = |key: &str| self.pip_settings().into_iter().find(|(found, _)| found == key).map(|(_, value)| value);
        let main = self.first(&["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"]).or_else(|| file("index-url"));
        let more = self.first(&["PIP_EXTRA_INDEX_URL", "UV_EXTRA_INDEX_URL"]).or_else(|| file("extra-index-url"));
        let more = words(&more.unwrap_or_default(), &[' ', '\n']);
        registry(
            RegistryEcosystem::Python,
            main.iter().chain(&more).map(|address| url(address)).collect::<Option<Vec<Url>>>()?,
        )
    }

    /// The person's before the machine's.
    fn pip_settings(&self) -> Vec<(String, String)> {
        let named = self.variable("PIP_CONFIG_FILE").map(PathBuf::from);
        let own = [".config/pip/pip.conf", ".pip/pip.conf"].into_iter().filter_map(|path| self.home(path));
        let windows = self.variable("APPDATA").map(|folder| Path::new(&folder).join("pip").join("pip.ini"));
        let files = named.into_iter().chain(own).chain(windows).chain([PathBuf::from("/etc/pip.conf")]);
        files.filter_map(|file| text(&file)).flat_map(|text| settings(&text)).collect()
    }

    fn go(&self) -> Option<Registry> {
        let list = self.go_setting("GOPROXY")?;
        let words = words(&list, &[',', '|']);
        let proxies = words.iter().take_while(|word| !matches!(word.as_str(), "direct" | "off"));
        let urls: Vec<Url> = proxies.map(|proxy| url(proxy)).collect::<Option<_>>()?;
        let goes_on = words.iter().any(|word| word == "direct");
        Some(Registry { goes_on, ..registry(RegistryEcosystem::Go, urls)? })
    }

    fn go_setting(&self, name: &str) -> Option<String> {
        let file = || {
            let own =
                [".config/go/env", "Library/Application Support/go/env"].into_iter().filter_map(|path| self.home(path));
            let mut files = self.variable("GOENV").map(PathBuf::from).into_iter().chain(own);
            settings(&files.find_map(|file| text(&file))?)
                .into_iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value)
        };
        self.variable(name).or_else(file)
    }
}

fn registry(ecosystem: RegistryEcosystem, urls: impl IntoIterator<Item = Url>) -> Option<Registry> {
    let urls: Vec<Url> = urls.into_iter().collect();
    (!urls.is_empty()).then_some(Registry { ecosystem, urls, goes_on: false })
}

fn text(file: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(file).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

fn words(list: &str, between: &[char]) -> Vec<String> {
    list.split(between).map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// `key = value` of npm, pip and Go, whatever the section. A line that is indented goes on with the value.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', ';', '['])) {
        match (line.starts_with([' ', '\t']), line.split_once('='), found.last_mut()) {
            (true, _, Some((_, value))) => *value = format!("{value}\n{}", line.trim()),
            (_, Some((key, value)), _) => {
                found.push((key.trim().to_owned(), value.trim().trim_matches(['"', '\'']).to_owned()));
            }
            _ => {}
        }
    }
    found
}
