//! Signs of unsafe code, line by line. Strings and comments are told apart: a sign in a text or a comment is none.

use lexing::Line;

use crate::secrets;

/// A rule that a line breaks, and what shows it.
pub type Sign = (&'static str, String);

/// What a programmer writes to switch the check of certificates off. Without blanks.
#[rustfmt::skip]
const UNVERIFIED: [&str; 22] = [
    "verify=False", "verify_ssl=False", "ssl_verify=False", "check_hostname=False", "cert_reqs=ssl.CERT_NONE", "cert_reqs=CERT_NONE", "verify_mode=ssl.CERT_NONE", "ssl._create_unverified_context", "verify_certs=False", "validate_certs=False",
    "rejectUnauthorized:false", "strictSSL:false", "insecureHTTPParser:true", "InsecureSkipVerify:true", "danger_accept_invalid_certs(true)", "danger_accept_invalid_hostnames(true)", "CURLOPT_SSL_VERIFYPEER,false", "CURLOPT_SSL_VERIFYPEER,0",
    "CURLOPT_SSL_VERIFYHOST,false", "CURLOPT_SSL_VERIFYHOST,0", "VERIFY_NONE", "ServerCertificateCustomValidationCallback=HttpClientHandler.DangerousAcceptAnyServerCertificateValidator",
];

/// Calls that send a statement to a database.
const SQL_CALLS: [&str; 8] = [
    ".execute(",
    ".executemany(",
    ".query(",
    ".raw(",
    ".queryRaw(",
    "$queryRawUnsafe(",
    "$executeRawUnsafe(",
    ".exec(",
];

/// Without blanks.
const OPEN_ORIGINS: [&str; 5] =
    ["allow_origins=[\"*\"]", "allow_origins=['*']", "origin:\"*\"", "origin:'*'", "CORS_ALLOW_ALL_ORIGINS=True"];

/// Which rules a text can break at all. Looking for every sign in every line of a large text costs more than a call may take; looking for
/// each once in the whole text does not.
#[derive(Clone, Copy)]
pub struct Possible {
    javascript: bool,
    python: bool,
    unverified: bool,
    sql: bool,
    shell: bool,
    eval: bool,
    mode: bool,
    printed: bool,
    by_default: bool,
    origin: bool,
    host: bool,
}

impl Possible {
    pub fn in_text(text: &str, path: &str) -> Self {
        let ending = path.rsplit('.').next().unwrap_or_default();
        let javascript = ["js", "mjs", "cjs", "ts", "mts", "tsx", "jsx", "vue"].contains(&ending);
        let python = ending == "py";
        let dense = dense(text);
        let has = |signs: &[&str]| signs.iter().any(|sign| dense.contains(sign));
        Possible {
            javascript,
            python,
            unverified: has(&UNVERIFIED) || has(&["NODE_TLS_REJECT_UNAUTHORIZED"]),
            sql: has(&SQL_CALLS),
            shell: has(&["os.system(", "os.popen(", "commands.getoutput(", "shell=True", "execSync(", ".exec("]),
            eval: has(&["eval(", "exec(", "new Function(", "yaml.load("]),
            mode: has(&["chmod", "Chmod", "from_mode("]),
            printed: secrets::may_print(&dense),
            by_default: has(&secrets::SECRET_VARIABLES),
            origin: has(&["Access-Control-Allow-Origin"]) || has(&OPEN_ORIGINS),
            host: if python { text.contains("\" in ") || text.contains("' in ") } else { has(&[".includes("]) },
        }
    }

    pub fn is_any(self) -> bool {
        self.unverified
            || self.sql
            || self.shell
            || self.eval
            || self.mode
            || self.printed
            || self.by_default
            || self.origin
            || self.host
    }

    /// The first rule that a line breaks.
    pub fn sign(self, line: &Line) -> Option<Sign> {
        let Possible { javascript, python, .. } = self;
        let code = dense(&line.code);
        if code.is_empty() {
            return None;
        }
        let when = |possible: bool, sign: &dyn Fn() -> Option<Sign>| if possible { sign() } else { None };
        when(self.unverified, &|| unverified(&code, line))
            .or_else(|| when(self.sql, &|| sql(line)))
            .or_else(|| when(self.shell, &|| shell(&code, line, javascript, python)))
            .or_else(|| when(self.eval, &|| eval(&code, line, javascript, python)))
            .or_else(|| when(self.mode, &|| mode(&code)))
            .or_else(|| when(self.printed, &|| secrets::printed(line, &code, javascript, python)))
            .or_else(|| when(self.by_default, &|| by_default(&code, line, javascript, python)))
            .or_else(|| when(self.origin, &|| origin(line)))
            .or_else(|| when(self.host, &|| host(line, javascript, python)))
    }
}

/// A text without its blanks, but for one between two words: `return eval(x)` calls `eval`, and not something named `returneval`.
pub fn dense(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut dense = String::new();
    for part in text.split_whitespace() {
        if dense.ends_with(is_word) && part.starts_with(is_word) {
            dense.push(' ');
        }
        dense.push_str(part);
    }
    dense
}

/// Words of Python and JavaScript behind which an expression stands. Behind any other word, a call has the form of a definition.
#[rustfmt::skip]
const BEFORE_EXPRESSIONS: [&str; 19] = [
    "return", "await", "yield", "from", "in", "is", "not", "and", "or", "if", "elif", "else", "while", "assert", "throw", "case", "of", "typeof",
    "void",
];

/// Whether the name at that byte of a dense text is called there: it is no part of another name, no member, and nothing defines it.
pub fn is_called(code: &str, at: usize) -> bool {
    let before = &code[..at];
    match before.strip_suffix(' ') {
        Some(words) => {
            let word = words.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            BEFORE_EXPRESSIONS.contains(&word)
        }
        None => !before.ends_with(|c: char| c.is_alphanumeric() || "_.$".contains(c)),
    }
}

fn unverified(code: &str, line: &Line) -> Option<Sign> {
    let sign = UNVERIFIED.iter().find(|sign| {
        code.match_indices(**sign).any(|(at, _)| {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let begins = !sign.starts_with(is_word) || !code[..at].chars().next_back().is_some_and(is_word);
            begins && !code[at + sign.len()..].chars().next().is_some_and(is_word)
        })
    });
    // Node reads it from the environment, where it is a text.
    let by_node = line.text.contains("NODE_TLS_REJECT_UNAUTHORIZED") && line.text.contains('0') && code.contains('=');
    sign.map(|sign| (*sign).to_owned())
        .or_else(|| by_node.then(|| "NODE_TLS_REJECT_UNAUTHORIZED".into()))
        .map(|sign| ("tls-unverified", sign))
}

/// Whether a string of the line has values put into it, or is joined with some.
fn is_composed(line: &Line, from: usize) -> bool {
    let text = line.text.get(from..).unwrap_or_default();
    let f_string = ["f\"", "f'", "F\"", "rf\"", "fr\"", "f\"\"\""].iter().any(|start| {
        text.match_indices(start)
            .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') && text[at..].contains('{'))
    });
    let template = text.split_once('`').is_some_and(|(_, inside)| inside.contains("${"));
    let joins = ["\" + ", "' + ", "\"+", "'+", "\" % ", "' % ", "\".format(", "'.format("]
        .iter()
        .any(|join| text.contains(join));
    f_string || template || joins
}

fn sql(line: &Line) -> Option<Sign> {
    const VERBS: [&str; 6] = ["select ", "insert into ", "update ", "delete from ", "drop table ", "alter table "];
    let at = SQL_CALLS.iter().find_map(|call| line.code.find(call).map(|at| at + call.len()))?;
    let argument = line.text.get(at..)?.trim_start();
    let lower = argument.to_lowercase();
    let inside = lower.trim_start_matches(['f', 'r', '"', '\'', '`', ' ']);
    let is_statement = VERBS.iter().any(|verb| inside.starts_with(verb));
    // A value that stands in a place for names of tables is told apart by nobody: the whole is a warning's matter elsewhere.
    (is_statement && is_composed(line, at)).then(|| ("sql-from-text", argument.chars().take(50).collect()))
}

fn shell(code: &str, line: &Line, javascript: bool, python: bool) -> Option<Sign> {
    let call =
        |names: &[&'static str]| names.iter().find_map(|name| line.code.find(name).map(|at| (*name, at + name.len())));
    if python {
        if let Some((name, at)) = call(&["os.system(", "os.popen(", "commands.getoutput("]) {
            return is_composed(line, at).then(|| ("shell-from-text", name.trim_end_matches('(').to_owned()));
        }
        let runs = call(&[
            "subprocess.run(",
            "subprocess.call(",
            "subprocess.check_call(",
            "subprocess.check_output(",
            "subprocess.Popen(",
        ])?;
        return (code.contains("shell=True") && is_composed(line, runs.1))
            .then(|| ("shell-from-text", "shell=True".to_owned()));
    }
    if javascript {
        let (name, at) = call(&["execSync(", "child_process.exec(", "cp.exec("])?;
        let first = line.text.get(at..)?.trim_start();
        return (first.starts_with(['`', '"', '\'']) && is_composed(line, at))
            .then(|| ("shell-from-text", name.trim_end_matches('(').to_owned()));
    }
    None
}

fn eval(code: &str, line: &Line, javascript: bool, python: bool) -> Option<Sign> {
    let names: &[&str] = match (python, javascript) {
        (true, _) => &["eval(", "exec("],
        (_, true) => &["eval(", "new Function("],
        _ => return None,
    };
    for name in names {
        let Some(at) = code.find(name) else { continue };
        let argument = &code[at + name.len()..];
        // What comes from outside has a name that says so.
        const DATA: [&str; 14] = [
            "request", "req.", "input", "user", "body", "query", "params", "payload", "data", "expr", "message",
            "argv", "response", "reply",
        ];
        let first = argument.split([',', ')']).next().unwrap_or_default().to_lowercase();
        let is_data = DATA.iter().any(|word| first.contains(word));
        if is_called(code, at) && is_data {
            return Some(("eval-of-data", format!("{name}{first})")));
        }
    }
    let is_unsafe_yaml =
        python && line.code.contains("yaml.load(") && !code.contains("Loader") && !code.contains("yaml.load()");
    (is_unsafe_yaml && code.contains("yaml.load(") && code.matches(',').count() == 0)
        .then(|| ("eval-of-data", "yaml.load".to_owned()))
}

fn mode(code: &str) -> Option<Sign> {
    const MODES: [&str; 6] = ["0o777", "0777", "0o666", "0666", "S_IRWXO", "a+rwx"];
    let is_mode = |mode: &&&str| {
        code.match_indices(**mode).any(|(at, _)| {
            let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            edge(code[..at].chars().next_back()) && edge(code[at + mode.len()..].chars().next())
        })
    };
    // What a folder is made with is narrowed by the process's own mask; a mode that is set is not.
    let sets = code.contains("chmod(")
        || code.contains("Chmod(")
        || code.contains("chmodSync(")
        || code.contains("from_mode(");
    let shell = code.starts_with("chmod 777")
        || code.starts_with("chmod-R 777")
        || code.contains("chmod a+rwx")
        || code.contains("sudo chmod 777");
    let set = sets.then(|| MODES.iter().find(is_mode)).flatten();
    set.map(|mode| ("mode-open-to-all", (*mode).to_owned()))
        .or_else(|| shell.then(|| ("mode-open-to-all", "chmod 777".to_owned())))
}

fn by_default(code: &str, line: &Line, javascript: bool, python: bool) -> Option<Sign> {
    // Whoever runs the program on a machine of one's own may know it.
    const HARMLESS: [&str; 6] = ["localhost", "test", "dummy", "postgres", "none", "null"];
    let text = line.text;
    let (name, behind) = secrets::variable(text)?;
    let reads = match (python, javascript) {
        (true, _) => code.contains("os.getenv(") || code.contains("os.environ.get("),
        (_, true) => code.contains("process.env"),
        _ => false,
    };
    let value =
        if python { behind.split_once(',')?.1 } else { behind.split_once("||").or_else(|| behind.split_once("??"))?.1 };
    let value = value.trim_start();
    let quote = value.chars().next().filter(|c| "\"'`".contains(*c))?;
    let (value, _) = value[1..].split_once(quote)?;
    let lower = value.to_lowercase();
    let is_real = value.len() >= 6 && !HARMLESS.iter().any(|word| lower.contains(word));
    (reads && is_real).then(|| ("secret-by-default", name.to_owned()))
}

fn origin(line: &Line) -> Option<Sign> {
    let text = dense(line.text);
    let header = text.contains("Access-Control-Allow-Origin") && (text.contains("\"*\"") || text.contains("'*'"));
    (!line.code.trim().is_empty() && (header || OPEN_ORIGINS.iter().any(|open| text.contains(open))))
        .then(|| ("origin-open-to-all", "*".to_owned()))
}

fn host(line: &Line, javascript: bool, python: bool) -> Option<Sign> {
    let text = line.text;
    let is_host = |name: &str| {
        let parts: Vec<&str> = name.split('.').collect();
        parts.len() >= 2
            && parts
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'))
            && matches!(parts[parts.len() - 1], "com" | "org" | "net" | "io" | "dev" | "app")
    };
    if python {
        let (before, after) = text.split_once("\" in ").or_else(|| text.split_once("' in "))?;
        let name = before.rsplit(['"', '\'']).next()?;
        let subject = after.split([':', ' ', ')']).next().unwrap_or_default();
        let is_address =
            ["url", "netloc", "host", "hostname", "origin"].iter().any(|word| subject.to_lowercase().ends_with(word));
        return (is_host(name) && is_address && line.code.contains(" in "))
            .then(|| ("host-by-substring", name.to_owned()));
    }
    let (before, after) = text.split_once(".includes(").filter(|_| javascript)?;
    let subject = before.rsplit([' ', '(', '!']).next().unwrap_or_default().to_lowercase();
    let name = after.trim_start_matches(['"', '\'']).split(['"', '\'']).next().unwrap_or_default();
    let is_address = ["url", "host", "hostname", "origin"].iter().any(|word| subject.ends_with(word));
    (is_host(name) && is_address).then(|| ("host-by-substring", name.to_owned()))
}
