//! What is there: manifests above the file, the workspace's packages, lock files.

use std::cell::OnceCell;

use guard_sdk::{Change, Ecosystem, Manifest, Repo, Side};

use crate::nearest;

pub struct Ground<'c> {
    repo: Repo<'c>,
    manifests: Vec<Manifest>,
    /// Lock files of the tree that cannot be searched.
    binary_lock: OnceCell<bool>,
}

#[rustfmt::skip]
const NPM_LOCKS: [&str; 6] = ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", ".pnp.cjs"];
#[rustfmt::skip]
const PYTHON_LOCKS: [&str; 7] = ["uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock*.toml", "*requirements*.txt", "**/requirements/*"];

/// What brings others with it, so that its users need not declare them.
#[rustfmt::skip]
const BRINGS: &[(&str, &[&str])] = &[
    ("vitepress", &["vite", "vue"]), ("vitest", &["vite"]), ("astro", &["vite"]), ("nuxt", &["vite", "vue"]), ("vite", &["rollup", "esbuild", "postcss", "rolldown"]), ("jest", &["babel-jest", "jest-environment-node", "@jest/globals"]),
    ("eslint", &["@eslint/js", "espree", "@eslint/eslintrc", "globals"]), ("@docusaurus/core", &["@docusaurus/types", "prism-react-renderer", "webpack"]), ("next", &["webpack", "postcss"]), ("react-scripts", &["eslint-config-react-app", "babel-preset-react-app"]),
    ("@angular-devkit/build-angular", &["webpack", "postcss"]), ("typescript-eslint", &["@typescript-eslint/parser", "@typescript-eslint/eslint-plugin"]),
];

/// The same of Python, by the names of modules.
#[rustfmt::skip]
const PYTHON_BRINGS: &[(&str, &[&str])] = &[
    ("flask", &["werkzeug", "jinja2", "click", "markupsafe", "itsdangerous", "blinker"]), ("django", &["asgiref", "sqlparse"]), ("fastapi", &["starlette", "pydantic", "anyio"]), ("starlette", &["anyio"]), ("httpx", &["httpcore", "anyio", "h11", "certifi"]),
    ("requests", &["urllib3", "certifi", "idna"]), ("aiohttp", &["yarl", "multidict"]), ("sphinx", &["docutils", "jinja2", "pygments"]), ("typer", &["click", "rich"]), ("celery", &["kombu"]), ("boto3", &["botocore"]), ("pandas", &["numpy"]),
];

impl<'c> Ground<'c> {
    pub fn new(change: &'c Change) -> Self {
        Ground {
            repo: change.repo(Side::After),
            manifests: change.facts(Side::After).manifests(),
            binary_lock: OnceCell::new(),
        }
    }

    fn above(&self, path: &str, ecosystem: &Ecosystem) -> Vec<&Manifest> {
        let covers = |manifest: &&Manifest| {
            let folder = manifest.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            manifest.ecosystem == *ecosystem
                && (folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        };
        self.manifests.iter().filter(covers).collect()
    }

    /// Whether anything can be said of the packages of a file: it has a manifest, and all that it has can be read.
    pub fn can_judge(&self, path: &str, ecosystem: &Ecosystem) -> bool {
        let above = self.above(path, ecosystem);
        let binary = || {
            *self
                .binary_lock
                .get_or_init(|| *ecosystem == Ecosystem::Npm && matches!(self.repo.stat("bun.lockb"), Ok(Some(_))))
        };
        !above.is_empty() && above.iter().all(|manifest| manifest.problem.is_none()) && !binary()
    }

    /// Whether a manifest above the file has the package, or the workspace makes it, or another package brings it.
    pub fn has_npm(&self, path: &str, package: &str) -> bool {
        let above = self.above(path, &Ecosystem::Npm);
        let declares = |name: &str| {
            above.iter().any(|manifest| manifest.dependencies.iter().any(|dependency| dependency.name == name))
        };
        let types = package
            .strip_prefix('@')
            .map_or_else(|| format!("@types/{package}"), |rest| format!("@types/{}", rest.replace('/', "__")));
        declares(package)
            || declares(&types)
            || self.manifests.iter().any(|manifest| manifest.name.as_deref() == Some(package))
            || BRINGS.iter().any(|(bringer, brought)| brought.contains(&package) && declares(bringer))
            || self.is_folder(path, package)
    }

    /// `src/x` and the like: what a bundler or `baseUrl` finds in the tree.
    fn is_folder(&self, path: &str, package: &str) -> bool {
        let folders = std::iter::successors(path.rsplit_once('/').map(|(folder, _)| folder), |folder| {
            folder.rsplit_once('/').map(|(above, _)| above)
        });
        folders.chain([""]).any(|folder| {
            let at = if folder.is_empty() { package.to_string() } else { format!("{folder}/{package}") };
            self.repo.is_dir(&at) == Ok(true)
        })
    }

    /// Of these packages those that stand in a lock file.
    pub fn locked(&self, packages: &[&str], ecosystem: &Ecosystem) -> Vec<String> {
        let locks: &[&str] = if *ecosystem == Ecosystem::Npm { &NPM_LOCKS } else { &PYTHON_LOCKS };
        let mut found = Vec::new();
        // One at a time, or one that stands in every line would use up the hits of all.
        for package in packages {
            let other = OTHER_NAMES.iter().find(|(name, _)| name == package).map(|(_, other)| *other);
            let other = other.filter(|_| *ecosystem == Ecosystem::Python).unwrap_or(package);
            // pip and its like do not mind how a name is spelled.
            let spelled = [package.to_string(), other.to_string(), capital(other)];
            let needles: Vec<&str> = spelled.iter().map(String::as_str).collect();
            let hits = self.repo.search(&needles, locks, 400);
            if hits.iter().any(|hit| stands_in(&hit.text, needles[hit.needle as usize])) {
                found.push(package.to_string());
            }
        }
        found
    }

    /// Whether a Python module is the project's own, or may come from a package that is declared: their names need not be the same.
    pub fn has_python(&self, path: &str, module: &str) -> bool {
        let bare =
            |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let wanted = bare(module);
        let alike = |name: &str| {
            let name = bare(name);
            // `psycopg2` of psycopg, `django_filters` of django-filter; but `pytest_x` need not be of pytest.
            name.contains(&wanted) || (4 * name.len() >= 3 * wanted.len() && wanted.contains(&name))
        };
        let other = OTHER_NAMES.iter().find(|(name, _)| *name == module).map(|(_, package)| *package);
        let declared = self.manifests.iter().filter(|manifest| manifest.ecosystem == Ecosystem::Python);
        let names = declared.flat_map(|manifest| {
            manifest.name.iter().chain(manifest.dependencies.iter().map(|dependency| &dependency.name))
        });
        PYTHON.contains(&module)
            || provided(path).contains(&module)
            || names.into_iter().any(|name| {
                let brings = |(bringer, brought): &(&str, &[&str])| *bringer == bare(name) && brought.contains(&module);
                alike(name)
                    || other.is_some_and(|other| bare(name).contains(&bare(other)))
                    || PYTHON_BRINGS.iter().any(brings)
            })
            || !self
                .repo
                .find(
                    &[
                        &format!("{module}.py"),
                        &format!("{module}.pyi"),
                        // A namespace has its modules further below.
                        &format!("**/{module}/**/*.py"),
                        &format!("{module}.pyx"),
                        &format!("{module}.c"),
                    ],
                    1,
                )
                .is_empty()
    }

    /// Packages that the file may name instead of this one.
    pub fn declared(&self, path: &str, ecosystem: &Ecosystem, package: &str) -> String {
        let above = self.above(path, ecosystem);
        let dependencies = above.iter().flat_map(|manifest| &manifest.dependencies);
        nearest::declared(package, dependencies.map(|dependency| dependency.name.as_str()))
    }
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether a line of a lock file names the package, not a longer one.
fn stands_in(line: &str, package: &str) -> bool {
    line.match_indices(package).any(|(at, _)| {
        let before = &line[..at];
        let scoped = before.strip_suffix('/').is_some_and(|rest| {
            let start = rest.rfind(|c: char| !(c.is_ascii_alphanumeric() || "-._~".contains(c))).map_or(0, |at| at);
            rest[start..].starts_with('@')
        });
        let begins = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c)) && !scoped;
        begins && !line[at + package.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || "-_./".contains(c))
    })
}

/// What the tool that runs a file brings with it.
fn provided(path: &str) -> &'static [&'static str] {
    match path.rsplit('/').next().unwrap_or_default() {
        "conftest.py" => &[
            "pytest",
            "_pytest",
            "py",
            "pluggy",
            "iniconfig",
            "packaging",
            "attr",
            "setuptools",
            "pkg_resources",
            "typing_extensions",
            "six",
        ],
        "setup.py" => &[
            "setuptools",
            "pkg_resources",
            "wheel",
            "Cython",
            "packaging",
            "_distutils_hack",
            "pip",
            "numpy",
            "pybind11",
            "setuptools_scm",
            "versioneer",
            "typing_extensions",
            "six",
        ],
        _ => &["nox", "argcomplete", "packaging", "virtualenv", "setuptools", "requests", "tomli"],
    }
}

/// Modules whose package has another name.
#[rustfmt::skip]
const OTHER_NAMES: [(&str, &str); 22] = [
    ("yaml", "pyyaml"), ("PIL", "pillow"), ("bs4", "beautifulsoup4"), ("sklearn", "scikit-learn"), ("cv2", "opencv"), ("attr", "attrs"), ("OpenSSL", "pyopenssl"), ("Crypto", "pycryptodome"),
    ("jose", "python-jose"), ("magic", "python-magic"), ("skimage", "scikit-image"), ("usb", "pyusb"), ("wx", "wxpython"), ("zmq", "pyzmq"), ("ruamel", "ruamel.yaml"), ("pkg_resources", "setuptools"),
    ("google", "google"), ("MySQLdb", "mysqlclient"), ("psycopg2", "psycopg2"), ("environ", "django-environ"), ("rest_framework", "djangorestframework"), ("factory", "factory-boy"),
];

/// Python's own modules (<https://docs.python.org/3/py-modindex.html>), those that are gone included.
#[rustfmt::skip]
const PYTHON: [&str; 239] = [
    "__future__", "__builtin__", "BaseHTTPServer", "ConfigParser", "Cookie", "HTMLParser", "Queue", "SimpleHTTPServer", "SocketServer", "StringIO", "Tkinter", "cPickle", "cStringIO", "commands", "cookielib", "httplib", "thread", "urllib2", "urlparse", "xmlrpclib",
    "abc", "aifc", "annotationlib", "antigravity", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore", "atexit", "audioop", "base64",
    "bdb", "binascii", "bisect", "builtins", "bz2", "cProfile", "calendar", "cgi", "cgitb", "chunk", "cmath", "cmd", "code", "codecs", "codeop",
    "collections", "colorsys", "compileall", "compression", "concurrent", "configparser", "contextlib", "contextvars", "copy", "copyreg", "crypt",
    "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm", "decimal", "difflib", "dis", "distutils", "doctest", "email", "encodings",
    "ensurepip", "enum", "errno", "faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib", "functools", "gc", "genericpath",
    "getopt", "getpass", "gettext", "glob", "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac", "html", "http", "idlelib", "imaplib", "imghdr",
    "imp", "importlib", "inspect", "io", "ipaddress", "itertools", "json", "keyword", "lib2to3", "linecache", "locale", "logging", "lzma", "mailbox",
    "mailcap", "marshal", "math", "mimetypes", "mmap", "modulefinder", "msilib", "msvcrt", "multiprocessing", "netrc", "nis", "nntplib", "nt",
    "ntpath", "nturl2path", "numbers", "opcode", "operator", "optparse", "os", "ossaudiodev", "pathlib", "pdb", "pickle", "pickletools", "pipes",
    "pkgutil", "platform", "plistlib", "poplib", "posix", "posixpath", "pprint", "profile", "pstats", "pty", "pwd", "py_compile", "pyclbr", "pydoc",
    "pydoc_data", "pyexpat", "queue", "quopri", "random", "re", "readline", "reprlib", "resource", "rlcompleter", "runpy", "sched", "secrets",
    "select", "selectors", "shelve", "shlex", "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd", "sqlite3",
    "sre_compile", "sre_constants", "sre_parse", "ssl", "stat", "statistics", "string", "stringprep", "struct", "subprocess", "sunau", "symtable",
    "sys", "sysconfig", "syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap", "this", "threading", "time", "timeit",
    "tkinter", "token", "tokenize", "tomllib", "trace", "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata",
    "unittest", "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser", "winreg", "winsound", "wsgiref", "xdrlib", "xml",
    "xmlrpc", "zipapp", "zipfile", "zipimport", "zlib", "zoneinfo",
];

#[cfg(test)]
mod tests {
    use super::stands_in;

    #[test]
    fn names_in_lock_files() {
        for line in [
            "    \"node_modules/left-pad\": {",
            "left-pad@^1.0:",
            "  /left-pad@1.0.0:",
            "\"left-pad\": \"1\"",
            "  left-pad: 1",
            "name = \"left-pad\"",
            "left-pad==1",
        ] {
            assert!(stands_in(line, "left-pad"), "{line}");
        }
        for line in
            ["\"node_modules/left-pad-more\": {", "\"@x/left-pad\": 1", "not-left-pad@1", "https://x/left-pad/-/left"]
        {
            assert!(!stands_in(line, "left-pad"), "{line}");
        }
        assert!(stands_in("\"node_modules/@a/b\": {", "@a/b") && !stands_in("@a/b-c@1", "@a/b"));
    }
}
