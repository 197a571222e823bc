//! Secrets whose value a line writes out: into a log, onto a terminal, or into the text of an error.

use lexing::Line;

use crate::signs::{Sign, is_called};

/// Names of which the value is secret, as whole identifiers.
#[rustfmt::skip]
const SECRETS: [&str; 18] = [
    "password", "passwd", "api_key", "apikey", "apiKey", "secret_key", "secretKey", "access_token", "accessToken", "private_key", "privateKey", "client_secret", "clientSecret", "auth_token", "authToken", "refresh_token",
    "refreshToken", "apiToken",
];

/// Words of the name of a variable of the environment that holds one.
pub const SECRET_VARIABLES: [&str; 9] = [
    "SECRET",
    "SECRET_KEY",
    "PASSWORD",
    "PASSWD",
    "API_KEY",
    "PRIVATE_KEY",
    "ACCESS_TOKEN",
    "AUTH_TOKEN",
    "ENCRYPTION_KEY",
];

/// Calls that write into a log, and statements that end in an error which others log.
#[rustfmt::skip]
const LOGS: [&str; 27] = [
    "logger.info(", "logger.debug(", "logger.error(", "logger.warning(", "logger.warn(", "logger.exception(", "logging.info(", "logging.debug(", "logging.error(", "logging.warning(", "log.info(", "log.debug(", "log.error(",
    "log.warn(", "log.Printf(", "log.Println(", "log.Print(", "log.Fatalf(", "Log.d(", "Log.i(", "Log.e(", "console.error(", "console.warn(", "console.debug(", "console.info(", "throw new Error(", "logger.trace(",
];

/// Calls by which a program may also show a secret to the one whose it is.
#[rustfmt::skip]
const SHOWS: [&str; 9] = [
    "print(", "console.log(", "fmt.Println(", "fmt.Printf(", "System.out.println(", "println!(", "eprintln!(", "puts", "warn",
];

/// Whether a text may break the rules at all.
pub fn may_print(dense: &str) -> bool {
    let has = |signs: &[&str]| signs.iter().any(|sign| dense.contains(sign));
    (has(&LOGS) || has(&SHOWS) || dense.contains("raise"))
        && (has(&SECRETS) || has(&["environ", "getenv", "process.env", "ENV["]))
}

/// `code` is the line without strings and comments, [`crate::signs::dense`].
pub fn printed(line: &Line, code: &str, javascript: bool, python: bool) -> Option<Sign> {
    let call = |calls: &[&'static str]| {
        calls.iter().find_map(|call| code.find(call).filter(|at| is_called(code, *at)).map(|at| at + call.len()))
    };
    let raises = python && code.starts_with("raise") && code.contains('(');
    let (logs, shows) = (call(&LOGS), call(&SHOWS));
    let at = logs.or(shows).or_else(|| raises.then(|| code.find('(')).flatten())?;
    let is_logged = logs.is_some() || raises;
    // An argument by itself: not a call of it, not a length or a mask of it.
    let arguments = code.get(at..).unwrap_or_default().split(',');
    let argument =
        arguments.map(|argument| argument.trim_end_matches([')', ';', '}'])).find(|argument| is_secret(argument));
    if let Some(argument) = argument.filter(|_| javascript || python || is_logged) {
        return Some(("secret-printed", argument.to_owned()));
    }
    let values = values_in(line.text);
    let read = values.iter().find(|value| is_secret_variable(value));
    let named = values.iter().find(|value| is_secret(value));
    let rule = if read.is_some() || is_logged { "secret-printed" } else { "secret-shown" };
    read.or(named).map(|value| (rule, (*value).to_owned()))
}

/// `self.password`, `config().apiKey`; not `mask(config.apiKey)`.
fn is_secret(value: &str) -> bool {
    let last = value.rsplit('.').next().unwrap_or(value);
    SECRETS.contains(&last)
        && value.chars().all(|c| c.is_alphanumeric() || "_.$()".contains(c))
        && value.matches('(').count() == value.matches(')').count()
}

/// `os.environ["API_KEY"]`, `process.env.CLIENT_SECRET`, and what follows in brackets behind such a name.
fn is_secret_variable(value: &str) -> bool {
    let start = ["os.environ[", "os.environ.get(", "os.getenv(", "process.env.", "process.env[", "ENV["];
    let name = start.iter().find_map(|start| value.strip_prefix(start));
    let ends = |name: &str| name.ends_with(|c: char| c.is_alphanumeric() || "])\"'".contains(c));
    name.is_some_and(|name| {
        let upper = name.to_ascii_uppercase();
        SECRET_VARIABLES.iter().any(|word| upper.contains(word)) && ends(name) && name.matches(['[', '(']).count() == 0
    })
}

/// The first name of a line that ends with such a word, and what stands behind it: `DB_PASSWORD`, and not `DB_PASSWORD_FILE`.
pub fn variable(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    SECRET_VARIABLES.iter().find_map(|word| {
        text.match_indices(*word).find_map(|(at, _)| {
            let (start, end) = (text[..at].trim_end_matches(is_part).len(), at + word.len());
            (!text[end..].starts_with(is_part)).then(|| (&text[start..end], &text[end..]))
        })
    })
}

/// What is put into the texts of a line: `{x}` of an f-string, `${x}` in backticks, `#{x}`.
fn values_in(text: &str) -> Vec<&str> {
    let is_format = ["f\"", "f'", "F\"", "fr\"", "rf\""].iter().any(|start| {
        text.match_indices(start).any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    });
    let opens: &[&str] = match (is_format, text.contains('`'), text.contains("#{")) {
        (true, _, _) => &["{"],
        (_, true, _) => &["${"],
        (_, _, true) => &["#{"],
        _ => return Vec::new(),
    };
    let places = opens.iter().flat_map(|open| text.match_indices(open).map(|(at, _)| at + open.len()));
    let inner = places.filter_map(|at| text.get(at..)?.split('}').next());
    inner.map(|inner| inner.split(['!', ':']).next().unwrap_or(inner).trim_end_matches('=').trim()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use guard_sdk::files::Language;
    use lexing::masked;

    #[test]
    fn values_that_are_written_out() {
        for (text, python, rule) in [
            ("print(f\"{name}={os.environ[secret_name]}\")", true, Some("secret-printed")),
            ("logger.info(f\"with {self.password!r}\")", true, Some("secret-printed")),
            ("print(f\"your password: {password}\")", true, Some("secret-shown")),
            ("raise ValueError(f\"wrong {user.api_key}\")", true, Some("secret-printed")),
            ("return logger.info(self.password)", true, Some("secret-printed")),
            ("def print(self, password):", true, None),
            ("logger.info(f\"{len(password)} {mask(api_key)} {password[:2]}\")", true, None),
            ("logger.info(\"{password}\")", true, None),
            ("print(os.environ.get('HOME'), f\"{os.environ['TOKEN_FILE']}\")", true, None),
            ("throw new Error(`no ${url.username}:${url.password}`)", false, Some("secret-printed")),
            ("console.log(`${process.env.CLIENT_SECRET}`)", false, Some("secret-printed")),
            ("console.log(`${password ? 1 : 2}`)", false, None),
            ("blog.info(password)", false, None),
            ("print(\"key\", config().api_key)", true, Some("secret-printed")),
            ("print(\"key\", mask(config.api_key))", true, None),
        ] {
            let lines = masked(text, if python { Language::Python } else { Language::JavaScript }).unwrap();
            let code = crate::signs::dense(&lines[0].code);
            assert_eq!(printed(&lines[0], &code, !python, python).map(|(rule, _)| rule), rule, "{text}");
        }
    }
}
