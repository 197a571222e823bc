//! Which distribution gives a module that is not in the tree.

use guard_sdk::{Ecosystem, Manifest};

use super::script;
use crate::import::{Import, Need};
use crate::meaning::Meaning;
use crate::nearest::nearest;
use crate::resolver::Resolver;
use crate::test_data::is_test_data;
use crate::tree::folder;

/// How a file shows that it goes on without a package which one of its functions imports.
const CATCHES: [&str; 4] =
    ["except ImportError", "except ModuleNotFoundError", "except (ImportError", "except (ModuleNotFoundError"];

/// Files that name distributions beside the manifests: locks, environments, the scripts of a build.
#[rustfmt::skip]
const OTHERS: [&str; 24] = [
    "*.lock", "pylock*.toml", "*requirements*", "**/requirements/*", "constraints*.txt", "environment*.yml", "environment*.yaml", "tox.ini", "tox.toml", "noxfile.py", "setup.cfg", "setup.py", "pyproject.toml", "Pipfile",
    "Dockerfile*", "*.dockerfile", "Makefile", "*.yml", "*.yaml", "*.sh", "*.toml", "BUILD", "BUILD.bazel", "meta.json",
];

/// What `module` means, of which nothing is in the tree.
pub fn meaning(resolver: &Resolver, importer: &str, import: &Import, top: &str) -> Meaning {
    let tree = resolver.tree();
    let is_caught =
        || import.is_local && tree.text(importer).is_some_and(|text| CATCHES.iter().any(|line| text.contains(line)));
    if import.need == Need::Type || is_caught() || is_shown(importer) || BROUGHT_ALWAYS.contains(&top) {
        return Meaning::Unknown;
    }
    let names: Vec<String> = manifests(resolver)
        .flat_map(|manifest| manifest.name.iter().chain(manifest.dependencies.iter().map(|one| &one.name)))
        .map(|name| normal(name))
        .collect();
    let names: Vec<String> = names.into_iter().chain(script::declared(tree, importer)).collect();
    if names.iter().any(|name| gives(name, top)) || is_brought(&names, top) {
        return Meaning::Package(top.to_owned());
    }
    let broken = manifests(resolver).any(|manifest| manifest.problem.is_some() && covers(&manifest.path, importer));
    let declared = manifests(resolver).map(|manifest| manifest.dependencies.len()).sum::<usize>();
    if broken || declared == 0 {
        return Meaning::Unknown;
    }
    if crate::generated::is_ignored(tree, &format!("{top}.py")) || is_named(resolver, top) || is_imported(resolver, top)
    {
        return Meaning::Package(top.to_owned());
    }
    let mut declared: Vec<&str> = manifests(resolver)
        .flat_map(|manifest| &manifest.dependencies)
        .map(|dependency| dependency.name.as_str())
        .collect();
    declared.sort_unstable();
    declared.dedup();
    let nearest = nearest(top, declared.iter().copied(), 3);
    Meaning::NoPackage { name: top.to_owned(), nearest, declared: declared.len() }
}

/// Whether a declared distribution may give modules below that name, whatever the tree has of it.
pub fn may_give(resolver: &Resolver, _importer: &str, top: &str) -> bool {
    resolver.tree().manifests(Ecosystem::Python).any(|manifest| {
        manifest.problem.is_some()
            || manifest.dependencies.iter().any(|dependency| gives(&normal(&dependency.name), top))
    })
}

/// Whether a module that was found at `file` is rather that of a distribution of its name: one that the importer's own project declares,
/// while the file stands in a folder of the project that is no root of modules, such as a part of a namespace.
pub fn is_meant(resolver: &Resolver, importer: &str, module: &str, file: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    let place = file.strip_suffix("/__init__.py").or_else(|| file.strip_suffix(".py")).unwrap_or(file);
    let root = place.strip_suffix(&module.replace('.', "/")).map_or("", |root| root.trim_end_matches('/'));
    let mut own = manifests(resolver).filter(|manifest| covers(&manifest.path, importer));
    own.any(|manifest| {
        let at = folder(&manifest.path);
        let is_root = root == at || ["src", "lib", "python"].iter().any(|name| root == join_folder(at, name));
        !is_root && manifest.dependencies.iter().any(|one| normal(&one.name) == normal(top))
    })
}

fn join_folder(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") }
}

/// Whether a declared distribution is called after the first word of a namespace: `acme-plugin-erc20` may stand in `acme_plugins`.
pub fn may_add_to(resolver: &Resolver, namespace: &str) -> bool {
    let name = normal(namespace);
    let word = name.split('-').next().unwrap_or(&name);
    let mut declared = manifests(resolver).flat_map(|manifest| &manifest.dependencies).map(|one| normal(&one.name));
    declared.any(|one| one.split('-').any(|part| part == word))
}

/// Those of the project itself, not what its tests are fed with.
fn manifests<'r>(resolver: &'r Resolver) -> impl Iterator<Item = &'r Manifest> {
    resolver.tree().manifests(Ecosystem::Python).filter(|manifest| !is_test_data(&manifest.path))
}

fn covers(manifest: &str, importer: &str) -> bool {
    let at = folder(manifest);
    at.is_empty() || importer.strip_prefix(at).is_some_and(|rest| rest.starts_with('/'))
}

/// Documents and examples are for readers who have more installed.
fn is_shown(importer: &str) -> bool {
    let among = [
        "docs",
        "doc",
        "docs_src",
        "examples",
        "example",
        "demo",
        "demos",
        "tutorials",
        "tutorial",
        "benchmarks",
        "benchmark",
        "notebooks",
        "contrib",
    ];
    importer.split('/').rev().skip(1).any(|part| among.contains(&part))
}

/// <https://packaging.python.org/en/latest/specifications/name-normalization/>
pub fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' | '_' | '.' if normal.ends_with('-') => {}
            '-' | '_' | '.' => normal.push('-'),
            c => normal.push(c.to_ascii_lowercase()),
        }
    }
    normal
}

/// Whether a distribution, by its normalised name, gives a module of that name.
fn gives(distribution: &str, module: &str) -> bool {
    let wanted = normal(module);
    let bare = |name: &str| name.replace('-', "");
    distribution == wanted
        || bare(distribution) == bare(&wanted)
        // `dateutil` of python-dateutil, `google` of google-cloud-storage, `psycopg2` of psycopg2-binary.
        || distribution.split('-').any(|part| part == wanted)
        || distribution.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('-'))
        || distribution.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.ends_with('-') || rest == "py" || rest == "python")
        || distribution == format!("{wanted}-python")
        || distribution.strip_prefix("types-").is_some_and(|typed| typed == wanted)
        || OTHER_NAMES.iter().any(|(name, packages)| *name == module && packages.split(' ').any(|one| distribution.starts_with(one)))
}

/// Whether a distribution is certainly the one of a module: they have the same name, or the table tells.
pub fn is_distribution(distribution: &str, module: &str) -> bool {
    let distribution = normal(distribution);
    distribution == normal(module) || modules_of(&distribution).iter().any(|name| name == module)
}

/// Modules that a distribution certainly gives.
pub fn modules_of(distribution: &str) -> Vec<String> {
    let name = normal(distribution);
    let others = OTHER_NAMES.iter().filter(|(_, packages)| packages.split(' ').any(|one| one == name));
    std::iter::once(name.replace('-', "_")).chain(others.map(|(module, _)| (*module).to_owned())).collect()
}

/// Whether a distribution may give a module of that name.
pub fn may_be_of(distribution: &str, module: &str) -> bool {
    let name = normal(distribution);
    gives(&name, module) || is_brought(&[name], module)
}

fn is_brought(declared: &[String], module: &str) -> bool {
    BRINGS.iter().any(|(bringer, brought)| {
        brought.split(' ').any(|one| one == module) && declared.iter().any(|name| name == bringer)
    })
}

/// Whether a lock file, an environment or a build's script has a word for it.
fn is_named(resolver: &Resolver, module: &str) -> bool {
    let wanted = normal(module);
    let mut needles = vec![module.to_owned(), wanted.clone(), wanted.replace('-', "_"), wanted.replace('-', ".")];
    needles.extend(
        OTHER_NAMES.iter().filter(|(name, _)| *name == module).flat_map(|(_, all)| all.split(' ').map(str::to_owned)),
    );
    needles.sort();
    needles.dedup();
    let needles: Vec<&str> = needles.iter().map(String::as_str).collect();
    !resolver.tree().search(&needles, &OTHERS, 1).is_empty()
}

/// Whether a file of the base imports it already.
fn is_imported(resolver: &Resolver, module: &str) -> bool {
    let hits = resolver.tree().search_base(&[module], &["*.py", "*.pyi", "*.pyx", "*.ipynb"], 400);
    let begins = |line: &str, word: &str| {
        let rest = line.trim_start_matches(['>', '.', ' ', '\t', '"']).strip_prefix(word);
        let rest = rest.and_then(|rest| rest.strip_prefix(module));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    hits.iter()
        .any(|hit| begins(&hit.text, "import ") || begins(&hit.text, "from ") || hit.text.contains("importorskip"))
}

/// What every installation has, or the tool that runs the file.
#[rustfmt::skip]
const BROUGHT_ALWAYS: [&str; 14] = [
    "pip", "setuptools", "pkg_resources", "wheel", "_distutils_hack", "site", "sitecustomize", "usercustomize", "conftest", "__main__", "pytest", "_pytest", "typing_extensions", "mypy_extensions",
];

/// Modules whose distribution has another name, each with the beginnings of those names. From the distributions' own pages at PyPI.
#[rustfmt::skip]
const OTHER_NAMES: &[(&str, &str)] = &[
    ("yaml", "pyyaml ruamel-yaml"), ("_yaml", "pyyaml"), ("PIL", "pillow"), ("bs4", "beautifulsoup4"), ("sklearn", "scikit-learn"), ("cv2", "opencv"), ("attr", "attrs"), ("attrs", "attrs"), ("OpenSSL", "pyopenssl"),
    ("Crypto", "pycrypto"), ("Cryptodome", "pycryptodomex"), ("jose", "python-jose"), ("magic", "python-magic"), ("skimage", "scikit-image"), ("usb", "pyusb"), ("wx", "wxpython"), ("zmq", "pyzmq"), ("ruamel", "ruamel"),
    ("google", "google protobuf grpc"), ("grpc", "grpcio"), ("grpc_tools", "grpcio-tools"), ("MySQLdb", "mysqlclient"), ("environ", "django-environ"), ("rest_framework", "djangorestframework"), ("factory", "factory-boy"),
    ("jwt", "pyjwt"), ("git", "gitpython"), ("serial", "pyserial"), ("docx", "python-docx"), ("pptx", "python-pptx"), ("dotenv", "python-dotenv"), ("dateutil", "python-dateutil"), ("markdown", "markdown"), ("flask_cors", "flask-cors"),
    ("corsheaders", "django-cors-headers"), ("django_filters", "django-filter"), ("debug_toolbar", "django-debug-toolbar"), ("win32api", "pywin32"), ("win32con", "pywin32"), ("win32com", "pywin32"), ("pywintypes", "pywin32"),
    ("pythoncom", "pywin32"), ("gi", "pygobject"), ("cairo", "pycairo"), ("nacl", "pynacl"), ("ldap", "python-ldap"), ("memcache", "python-memcached"), ("telegram", "python-telegram-bot"), ("slugify", "python-slugify"),
    ("levenshtein", "python-levenshtein"), ("Levenshtein", "python-levenshtein levenshtein"), ("lz4", "lz4"), ("mpl_toolkits", "matplotlib"), ("pylab", "matplotlib"), ("Xlib", "python-xlib"), ("xdg", "pyxdg"), ("bson", "pymongo"),
    ("gridfs", "pymongo"), ("tensorflow", "tensorflow tf-nightly"), ("torch", "torch pytorch"), ("faiss", "faiss"), ("fitz", "pymupdf"), ("OpenGL", "pyopengl"), ("umap", "umap-learn"), ("hydra", "hydra-core"),
    ("pl_bolts", "lightning-bolts"), ("pytorch_lightning", "pytorch-lightning lightning"), ("sentence_transformers", "sentence-transformers"), ("llama_index", "llama-index"), ("kafka", "kafka-python"), ("pika", "pika"),
    ("pymysql", "pymysql"), ("psycopg2", "psycopg2"), ("psycopg", "psycopg"), ("MySQL", "mysql"), ("mysql", "mysql-connector"), ("cassandra", "cassandra-driver"), ("elasticsearch_dsl", "elasticsearch"), ("socks", "pysocks"),
    ("sockshandler", "pysocks"), ("pkg_resources", "setuptools"), ("docutils", "docutils sphinx"), ("markupsafe", "markupsafe"), ("past", "future"), ("builtins", "future"), ("concurrent", "futures"), ("enum", "enum34"),
    ("backports", "backports"), ("sphinxcontrib", "sphinxcontrib"), ("zope", "zope"), ("azure", "azure"), ("opentelemetry", "opentelemetry"), ("airflow", "apache-airflow"), ("pyspark", "pyspark databricks"), ("jaraco", "jaraco"),
    ("pythonjsonlogger", "python-json-logger"), ("multipart", "python-multipart"), ("python_multipart", "python-multipart"), ("engineio", "python-engineio"), ("socketio", "python-socketio"), ("gitlab", "python-gitlab"),
    ("github", "pygithub"), ("jenkins", "python-jenkins"), ("nmap", "python-nmap"), ("rtmidi", "python-rtmidi"), ("snappy", "python-snappy"), ("stdnum", "python-stdnum"), ("vlc", "python-vlc"), ("zipstream", "zipstream"),
    ("impala", "impyla"), ("ibm_db", "ibm-db"), ("ephem", "pyephem ephem"), ("Bio", "biopython"), ("rdkit", "rdkit"), ("qtpy", "qtpy"), ("sqlalchemy_utils", "sqlalchemy-utils"), ("flaskext", "flask"), ("editor", "python-editor"),
    ("async_generator", "async-generator trio"), ("absl", "absl-py"), ("apt", "python-apt"), ("dns", "dnspython"), ("ffmpeg", "ffmpeg-python"), ("gflags", "python-gflags"), ("hamcrest", "pyhamcrest"), ("haystack", "django-haystack"),
    ("igraph", "python-igraph igraph"), ("isodate", "isodate"), ("kubernetes", "kubernetes"), ("mako", "mako"), ("mpi4py", "mpi4py"), ("netCDF4", "netcdf4"), ("nats", "nats-py"), ("osgeo", "gdal"), ("pcapy", "pcapy"), ("pwd", "pwd"),
    ("pyasn1", "pyasn1"), ("redis_lock", "python-redis-lock"), ("scapy", "scapy"), ("speech_recognition", "speechrecognition"), ("sass", "libsass"), ("tlz", "toolz"), ("toolz", "toolz cytoolz"), ("yarl", "yarl aiohttp"),
    ("googleapiclient", "google-api-python-client"), ("apiclient", "google-api-python-client"), ("oauth2client", "oauth2client google-api-python-client"), ("pywt", "pywavelets"), ("shapefile", "pyshp"),
    ("board", "adafruit-blinka"), ("busio", "adafruit-blinka"), ("digitalio", "adafruit-blinka"), ("bluetooth", "pybluez"), ("community", "python-louvain"), ("pwn", "pwntools"), ("pwnlib", "pwntools"), ("omegaconf", "omegaconf hydra-core"),
    ("whisper", "openai-whisper"), ("pynvml", "nvidia-ml-py pynvml"), ("rich_click", "rich-click"), ("sh", "sh"), ("pymemcache", "pymemcache"), ("ipdb", "ipdb"), ("IPython", "ipython jupyter ipykernel"), ("nbformat", "nbformat jupyter"), ("autogen", "ag2 pyautogen"),
];

/// What a distribution installs with it, and programs import without declaring it.
#[rustfmt::skip]
const BRINGS: &[(&str, &str)] = &[
    ("pytest", "py pluggy iniconfig exceptiongroup packaging pygments"), ("flask", "werkzeug jinja2 click markupsafe itsdangerous blinker"), ("django", "asgiref sqlparse pytz"), ("fastapi", "starlette pydantic anyio pydantic_core"),
    ("starlette", "anyio"), ("httpx", "httpcore anyio h11 certifi idna sniffio h2 socksio"), ("requests", "urllib3 certifi idna charset_normalizer chardet"), ("aiohttp", "yarl multidict aiosignal frozenlist async_timeout"),
    ("sphinx", "docutils jinja2 pygments babel imagesize"), ("scikit-learn", "numpy scipy joblib threadpoolctl"), ("pandas", "numpy dateutil pytz"), ("torch", "numpy sympy networkx"), ("mypy", "mypy_extensions"),
    ("sqlalchemy", "greenlet"), ("boto3", "botocore s3transfer"), ("jinja2", "markupsafe"), ("nox", "virtualenv argcomplete"), ("tox", "virtualenv pluggy"), ("hatchling", "pluggy pathspec packaging"), ("scipy", "numpy"),
    ("matplotlib", "numpy cycler PIL kiwisolver pyparsing"), ("pydantic", "pydantic_core annotated_types typing_inspection"), ("trio", "outcome sniffio sortedcontainers attr exceptiongroup"), ("anyio", "sniffio exceptiongroup trio"),
    ("twisted", "zope incremental constantly automat"), ("mkdocs", "markdown jinja2 yaml"), ("mkdocs-material", "mkdocs material pymdownx markdown"), ("jupyter", "IPython ipykernel ipywidgets nbformat nbconvert traitlets"),
    ("ipython", "traitlets"), ("click", "colorama"), ("transformers", "huggingface_hub tokenizers numpy safetensors"), ("typer", "click rich shellingham"), ("celery", "kombu billiard vine"), ("alembic", "mako sqlalchemy"),
    ("cibuildwheel", "packaging"), ("build", "pyproject_hooks packaging"), ("poetry", "cleo tomlkit poetry"), ("setuptools", "distutils"), ("cryptography", "cffi"), ("cffi", "_cffi_backend"), ("dask", "toolz cloudpickle fsspec"), ("hypothesis", "sortedcontainers"),
];

#[cfg(test)]
mod tests {
    use super::{gives, normal};

    #[test]
    fn names_of_distributions() {
        for (distribution, module) in [
            ("PyYAML", "yaml"),
            ("python-dateutil", "dateutil"),
            ("google-cloud-storage", "google"),
            ("typing_extensions", "typing_extensions"),
            ("opencv-python-headless", "cv2"),
            ("psycopg2-binary", "psycopg2"),
            ("Flask-SQLAlchemy", "flask_sqlalchemy"),
            ("ruamel.yaml", "ruamel"),
        ] {
            assert!(gives(&normal(distribution), module), "{distribution} {module}");
        }
        for (distribution, module) in [("requests", "reqeusts"), ("numpy", "numpyy"), ("pandas", "pandas_ai")] {
            assert!(!gives(&normal(distribution), module), "{distribution} {module}");
        }
    }
}
