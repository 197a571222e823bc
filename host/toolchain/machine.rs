//! The part of this machine that builds and tests may see: the system's programs and the user's toolchains, and nothing that holds a
//! secret.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::job_dirs::JobDirs;
use super::sandbox::View;
use super::tracked::programs_in_index;
use guardhost_core::error::{Context, Result};
use guardhost_os::{program_at, symlink_at};

/// Programs, libraries and their configuration, for reading. Not all of `/etc`: it holds keys.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/proc",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
    "/etc/alternatives",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    // Debian's Java starts with what lies there, and so does its Maven; the settings of Maven may hold passwords and stay out.
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/maven/logging",
    "/etc/maven/m2.conf",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    // Which extensions PHP loads; without it PHPUnit does not start.
    "/etc/php",
    "/etc/protocols",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
];

/// Toolchains in a home folder: the variable that names the folder, and its default. For reading.
const TOOLCHAINS: &[(&str, &str)] = &[
    ("RUSTUP_HOME", ".rustup"),
    ("PYENV_ROOT", ".pyenv"),
    ("NVM_DIR", ".nvm"),
    ("VOLTA_HOME", ".volta"),
    ("FNM_DIR", ".local/share/fnm"),
    ("ASDF_DATA_DIR", ".asdf"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("UV_PYTHON_INSTALL_DIR", ".local/share/uv/python"),
    ("GOMODCACHE", "go/pkg/mod"),
];

/// Variables that are passed on: the language, the time zone.
const PASSED_ON: &[&str] = &["LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/// Folders of downloaded sources in cargo's home.
const DOWNLOADS: [&str; 2] = ["registry", "git"];

/// The caller's environment, of which commands get a small part.
pub struct Machine {
    env: Vec<(OsString, OsString)>,
    /// Where programs are looked for.
    path: Vec<PathBuf>,
}

impl Machine {
    /// `workdir` is the user's work tree. Folders of the search path that git keeps in it are left out.
    pub fn new(env: Vec<(OsString, OsString)>, workdir: Option<&Path>) -> Self {
        let mut machine = Machine { env, path: Vec::new() };
        // A relative path would name a folder of the candidate.
        let is_own = |folder: &PathBuf| {
            folder.is_absolute() && !workdir.is_some_and(|workdir| programs_in_index(workdir, folder))
        };
        machine.path =
            machine.var("PATH").map(|path| std::env::split_paths(path).filter(is_own).collect()).unwrap_or_default();
        machine
    }

    pub fn var(&self, name: &str) -> Option<&OsStr> {
        let value = self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str());
        value.filter(|value| !value.is_empty())
    }

    /// The folder that a variable names, if the path is absolute.
    pub fn folder(&self, name: &str) -> Option<PathBuf> {
        self.var(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// The program that a shell would run.
    pub fn find(&self, program: &str) -> Option<PathBuf> {
        self.path.iter().find_map(|folder| program_at(folder.join(program)))
    }

    /// The folders in which programs are looked for, as a variable holds them.
    pub fn search_path(&self) -> Option<OsString> {
        std::env::join_paths(&self.path).ok().filter(|path| !path.is_empty())
    }

    /// The user's home folder, below which packages lie that were downloaded.
    pub fn home_folder(&self) -> Option<PathBuf> {
        self.folder("HOME")
    }

    /// The folder that a variable names, or its default in the home.
    fn below_home(&self, var: &str, below: &str) -> Option<PathBuf> {
        self.folder(var).or_else(|| Some(self.home_folder()?.join(below)))
    }

    /// The view of a command that works in `tree`. `reads` are more folders for reading.
    pub fn view(&self, tree: &Path, dirs: &JobDirs, reads: &[PathBuf]) -> View {
        let mut view = View { temp: dirs.temp.clone(), ..View::default() };
        view.read.extend(SYSTEM.iter().map(PathBuf::from));
        view.read.extend(self.path.iter().filter_map(|folder| self.readable_folder(folder.clone())));
        view.read.extend(reads.iter().cloned());
        for name in PASSED_ON {
            if let Some(value) = self.var(name) {
                view.env.insert(name.into(), value.into());
            }
        }
        if let Some(path) = self.search_path() {
            view.env.insert("PATH".into(), path);
        }
        for (var, below) in TOOLCHAINS {
            if let Some(folder) = self.below_home(var, below).filter(|folder| folder.is_dir()) {
                view.env.insert(var.into(), folder.clone().into());
                view.read.push(folder);
            }
        }
        // Packages that the user installed without a virtual environment.
        if let Some(base) = self.below_home("PYTHONUSERBASE", ".local").filter(|base| base.join("lib").is_dir()) {
            view.read.push(base.join("lib"));
            view.env.insert("PYTHONUSERBASE".into(), base.into());
        }
        if let Some(cargo) = self.cargo_home() {
            view.read.extend(DOWNLOADS.iter().map(|name| cargo.join(name)));
            view.env.insert("CARGO_HOME".into(), dirs.home.join(".cargo").into());
        }
        view.env.insert("HOME".into(), dirs.home.clone().into());
        view.env.insert("TMPDIR".into(), dirs.temp.clone().into());
        view.read.push(dirs.reporters.clone());
        view.write = [tree, &dirs.home, &dirs.temp, &dirs.built].map(Path::to_path_buf).into();
        view
    }

    /// Makes a cargo home in the job's home: with the user's downloaded sources and settings, without credentials.
    pub fn prepare_cargo_home(&self, dirs: &JobDirs) -> Result<()> {
        let Some(theirs) = self.cargo_home() else { return Ok(()) };
        let ours = dirs.home.join(".cargo");
        fs::create_dir_all(&ours).context("cannot make a cargo home")?;
        for name in DOWNLOADS.iter().filter(|name| theirs.join(name).is_dir()) {
            symlink_at(&theirs.join(name), &ours.join(name)).context("cannot link cargo's downloads")?;
        }
        let settings = fs::read_to_string(theirs.join("config.toml")).ok();
        if let Some(settings) = settings.and_then(|settings| without_tokens(&settings)) {
            fs::write(ours.join("config.toml"), settings).context("cannot write cargo's settings")?;
        }
        Ok(())
    }

    fn cargo_home(&self) -> Option<PathBuf> {
        self.below_home("CARGO_HOME", ".cargo").filter(|folder| folder.is_dir())
    }

    /// For a folder of the search path, what to make readable: the folder, or the whole version manager whose shims it holds.
    fn readable_folder(&self, folder: PathBuf) -> Option<PathBuf> {
        let shims = folder.file_name().is_some_and(|name| name == "shims");
        let granted = if shims { folder.parent()?.to_path_buf() } else { folder };
        self.may_be_read(&granted).then_some(granted)
    }

    /// Whether a folder is neither the home folder nor a parent of it.
    pub fn may_be_read(&self, folder: &Path) -> bool {
        let contains_home = self.home_folder().is_some_and(|home| home.starts_with(folder));
        !contains_home && folder.parent().is_some()
    }
}

/// Cargo's settings (linkers, mirrors, vendored sources) without credentials.
fn without_tokens(settings: &str) -> Option<String> {
    fn clean(table: &mut toml::Table) {
        table.retain(|key, _| !key.contains("token") && !key.contains("secret") && !key.contains("credential"));
        table.iter_mut().filter_map(|(_, value)| value.as_table_mut()).for_each(clean);
    }
    let mut table: toml::Table = settings.parse().ok()?;
    for key in ["env", "http"] {
        table.remove(key);
    }
    clean(&mut table);
    toml::to_string(&table).ok()
}

/// The installation folder that a program reads: the parent of its `bin`, if that has a `lib` too.
pub fn prefix(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    let bin = real.parent()?;
    let prefix = bin.parent().filter(|_| bin.file_name().is_some_and(|name| name == "bin"))?;
    prefix.join("lib").is_dir().then(|| prefix.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_keeps_its_mirrors_and_loses_its_tokens() {
        let settings = "[registries.mine]\nindex = \"x\"\ntoken = \"s3cret\"\n[source.crates-io]\nreplace-with = \"m\"\n\
                        [env]\nKEY = \"s3cret\"\n[registry]\ncredential-provider = \"x\"\n";
        let clean = without_tokens(settings).expect("TOML");
        assert!(clean.contains("replace-with") && clean.contains("index") && !clean.contains("s3cret"), "{clean}");
        assert!(!clean.contains("credential"), "{clean}");
    }
}
