//! What the process was given.

use std::path::{Path, PathBuf};

use guardhost_core::error::{Context, Fault, FaultKind, Result};
use guardhost_core::process_env::ProcessEnv;
use guardhost_core::stop::StopToken;

/// The one place that reads the environment and the current folder.
/// # Errors
/// The current folder or the file of this program is gone.
pub fn process_env() -> Result<ProcessEnv> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let docker = var("DOCKER_CONFIG").or_else(|| Some(guardhost_os::home(&var)?.join(".docker")));
    Ok(ProcessEnv {
        cwd: std::env::current_dir().context(Fault::new(FaultKind::Usage, "the current folder is gone"))?,
        exe: own_file().context(Fault::new(FaultKind::GuardLoad, "cannot find this program's own file"))?,
        index: var("GIT_INDEX_FILE"),
        env: std::env::vars_os().collect(),
        cache: guardhost_os::cache_folder(&var).map(|cache| cache.join("guardhost")),
        settings: guardhost_os::settings_folder(&var).map(|folder| folder.join("guardhost/config.toml")),
        docker: docker.map(|folder| folder.join("config.json")),
        temp: std::env::temp_dir(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        stop: StopToken::default(),
    })
}

/// The system knows the file by /proc, which an empty root may lack; then the name by which the program was called has to do.
fn own_file() -> std::io::Result<PathBuf> {
    std::env::current_exe().or_else(|error| {
        let name = std::env::args_os().next().map(PathBuf::from).ok_or(error)?;
        if name.components().count() > 1 {
            return name.canonicalize();
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|file| file.is_file());
        found.ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "it is not on the PATH"))
    })
}

/// The name that this program was called by: it is installed as `host` and as `guardhost`.
pub fn called() -> &'static str {
    let name = std::env::args_os().next().map(PathBuf::from);
    let is_second = name.as_deref().and_then(Path::file_stem).is_some_and(|stem| stem == "guardhost");
    if is_second { "guardhost" } else { "host" }
}

pub fn set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

pub fn dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The locale says UTF-8.
pub fn unicode() -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| locale.to_string_lossy().to_ascii_lowercase().replace('-', "").contains("utf8"))
}
