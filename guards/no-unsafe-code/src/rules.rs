//! The rules of this guard, as its README lists them.

use guard_sdk::Rule;

#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    Rule::new("tls-unverified", "code or configuration stops verifying the other side of a connection: `verify=False`, `rejectUnauthorized: false`, `InsecureSkipVerify: true`, `danger_accept_invalid_certs(true)` and the like"),
    Rule::new("sql-from-text", "a statement of SQL is put together from values: an f-string, `+`, `%` or `format` in a call of `execute` or `query`. Over several lines, or under a name that the call is given, only where a value stands as one: behind `=`, `<`, `>`, `LIKE` or in quotes"),
    Rule::new("shell-from-text", "a command of a shell is put together from values: `shell=True`, `os.system`, `exec` or `child_process.exec` with a text that has values in it; `sh -c` by Rust's `Command` or Go's `exec.Command` with one"),
    Rule::new("eval-of-data", "`eval`, `exec` or `new Function` gets something else than a text that stands there; `pickle.loads` or `yaml.load` without a safe loader reads what comes from a request"),
    Rule::new("mode-open-to-all", "a file or folder is opened to everybody: `chmod 777`, mode `0o777` or `0o666`. What makes a file or folder may leave its mode to the process's mask, unless the base had a narrower one there"),
    Rule::new("secret-printed", "a secret is written out: a name such as `password` or `api_key`, or a variable of the environment that is named so, as a value that is printed, or in the text of a log or an error"),
    Rule::new("secret-shown", "warning: such a name stands in a text that is printed"),
    Rule::new("secret-by-default", "a secret has a default that everybody can read: `os.getenv(\"SECRET_KEY\", \"changeme\")`"),
    Rule::new("origin-open-to-all", "every origin may ask: `Access-Control-Allow-Origin: *`, `allow_origins=[\"*\"]`, and what other frameworks have for it. A warning, and an error where the base named origins"),
    Rule::new("host-by-substring", "a host is compared by a part of its name: `\"github.com\" in url`. A warning, and an error where the base compared it as a whole"),
    Rule::new("agent-unbound", "settings of an agent let it run whatever it likes without asking: `Bash(*)`, `bypassPermissions`, `danger-full-access`"),
    Rule::new("secret-in-image", "a Dockerfile keeps a secret in the image: `ENV X_TOKEN=$X_TOKEN`, `COPY .env`"),
    Rule::new("comparison-timed", "a comparison in constant time, such as `compare_digest`, `timingSafeEqual` or `hmac.Equal`, becomes `==`"),
];
