//! Signs of unsafe code, line by line. Strings and comments are told apart: a sign in a text or a comment is none.

use guard_sdk::files::Language;
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

/// Settings and calls of frameworks by which every origin may ask, by their references. Without blanks.
#[rustfmt::skip]
const OPEN_ORIGINS: [&str; 32] = [
    "allow_origins=[\"*\"]", "allow_origins=['*']", "origin:\"*\"", "origin:'*'", "CORS_ALLOW_ALL_ORIGINS=True", "CORS_ORIGIN_ALLOW_ALL=True", "origins=\"*\"", "origins='*'", "origins=[\"*\"]", "origins=['*']",
    "\"origins\":\"*\"", "'origins':'*'", "origins'*'", "origins\"*\"", "AllowOrigins:[]string{\"*\"}", "AllowOrigins:\"*\"", "AllowedOrigins:[]string{\"*\"}", "AllowedOrigins([]string{\"*\"})", "AllowAllOrigins:true",
    "AllowAllOrigins=true", "AllowAnyOrigin()", "CorsLayer::permissive()", "CorsLayer::very_permissive()", "Cors::permissive()", ".allow_origin(Any)", ".allow_any_origin()", "@CrossOrigin(\"*\")", "allowedOrigins(\"*\")",
    "allowedOriginPatterns(\"*\")", "addAllowedOrigin(\"*\")", "addAllowedOriginPattern(\"*\")", "setAllowedOrigins(List.of(\"*\"))",
];

/// Calls that look for a part of a text.
const CONTAINING: [&str; 6] = [".includes(", ".contains(", ".Contains(", ".include?(", ".indexOf(", "str_contains("];

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
            mode: has(&["chmod", "Chmod", "from_mode(", "set_mode("]),
            printed: secrets::may_print(&dense),
            by_default: has(&secrets::SECRET_VARIABLES),
            origin: has(&["Access-Control-Allow-Origin"]) || has(&OPEN_ORIGINS),
            host: if python { text.contains("\" in ") || text.contains("' in ") } else { has(&CONTAINING) },
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
            .or_else(|| when(self.mode, &|| mode(&code, line)))
            .or_else(|| when(self.printed, &|| secrets::printed(line, &code, javascript, python)))
            .or_else(|| when(self.by_default, &|| by_default(&code, line, javascript, python)))
            .or_else(|| when(self.origin, &|| origin(line)))
            .or_else(|| when(self.host, &|| host(line, python)))
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

fn mode(code: &str, line: &Line) -> Option<Sign> {
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
        || code.contains("from_mode(")
        || code.contains("set_mode(");
    let set = sets.then(|| MODES.iter().find(is_mode)).flatten();
    set.map(|mode| ("mode-open-to-all", (*mode).to_owned()))
        .or_else(|| command(line).map(|mode| ("mode-open-to-all", format!("chmod {mode}"))))
}

/// The mode that a command of a shell gives, if everybody may write then. A folder with the sticky bit is meant for all.
fn command(line: &Line) -> Option<String> {
    let mut words = line.code.split_whitespace();
    words.find(|word| *word == "chmod" || word.ends_with("/chmod"))?;
    let mode = words.find(|word| !word.starts_with('-'))?;
    let is_number = mode.len() >= 3 && mode.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let opens = match mode.find(['+', '=']) {
        Some(at) => {
            mode[..at].contains(['o', 'a'])
                && mode[at..].contains('w')
                && mode[..at].chars().all(|c| "ugoa".contains(c))
        }
        None => is_number && mode.ends_with(['2', '3', '6', '7']) && !(mode.len() == 4 && mode.starts_with('1')),
    };
    opens.then(|| mode.to_owned())
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
    let header = text.contains("Access-Control-Allow-Origin")
        && ["\"*\"", "'*'", "Access-Control-Allow-Origin:*"].iter().any(|open| text.contains(open));
    (!line.code.trim().is_empty() && (header || OPEN_ORIGINS.iter().any(|open| text.contains(open))))
        .then(|| ("origin-open-to-all", "*".to_owned()))
}

fn host(line: &Line, python: bool) -> Option<Sign> {
    let text = line.text;
    let sign = |name: &str, subject: &str| {
        let subject = subject.trim_end_matches("()").to_lowercase();
        let is_address =
            ["url", "uri", "netloc", "host", "hostname", "origin"].iter().any(|word| subject.ends_with(word));
        (is_address && is_host(name, &subject)).then(|| ("host-by-substring", name.to_owned()))
    };
    if python {
        let (before, after) = text.split_once("\" in ").or_else(|| text.split_once("' in "))?;
        let name = before.rsplit(['"', '\'']).next()?;
        let subject = after.split([':', ' ', ')']).next().unwrap_or_default();
        return sign(name, subject).filter(|_| line.code.contains(" in "));
    }
    let (before, after) = CONTAINING.iter().find_map(|call| {
        let at = line.code.find(call)?;
        Some((text.get(..at)?, text.get(at + call.len()..)?))
    })?;
    // `strings.Contains(u.Host, "a.org")` names the address first.
    let (subject, name) = match after.trim_start().starts_with(['"', '\'']) {
        true => (before.trim_end_matches("()").rsplit([' ', '(', '!']).next().unwrap_or_default(), after),
        false => after.split_once(',')?,
    };
    let name = name.trim_start().trim_start_matches(['"', '\'']).split(['"', '\'']).next().unwrap_or_default();
    sign(name, subject)
}

/// Whether a text is the name of a host. In an address the name of a file stands as well: `url.includes("index.html")`.
fn is_host(name: &str, subject: &str) -> bool {
    #[rustfmt::skip]
    const FILES: [&str; 16] = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "pdf", "zip", "gz", "txt", "csv", "mp4", "mp3", "wasm", "exe",
    ];
    let parts: Vec<&str> = name.split('.').collect();
    let is_label =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let last = parts[parts.len() - 1];
    let is_domain = (2..=24).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_file = subject.ends_with("url") || subject.ends_with("uri");
    let is_file = is_file && (FILES.contains(&last) || Language::from_path(name).is_some());
    parts.len() >= 2 && parts.iter().all(is_label) && is_domain && !is_file
}
