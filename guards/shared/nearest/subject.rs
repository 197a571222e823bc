//! What a file is about, by its name.

use std::collections::BTreeSet;

use outline::name_words;

use crate::places::folder;

/// Names of files that stand for their folder.
const OF_FOLDER: [&str; 6] = ["__init__", "__main__", "index", "mod", "lib", "main"];
const STARTS: [&str; 3] = ["test_", "test-", "tests_"];
const ENDS: [&str; 9] = ["_test", "_tests", "-test", "-tests", "_spec", "-spec", "tests", "test", "spec"];

/// The same for `src/http_client.py`, `tests/test_http_client.py`, `HttpClientTest.php`, `http-client.spec.ts`: `httpclient`.
pub fn from_path(path: &str) -> String {
    let lower = written(path).to_lowercase();
    let stem = STARTS.iter().find_map(|start| lower.strip_prefix(start)).unwrap_or(&lower);
    let stem = ENDS.iter().find_map(|end| stem.strip_suffix(end)).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    stem.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Its name without endings, or that of its folder if it stands for it.
pub fn written(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or(name);
    match OF_FOLDER.contains(&stem) {
        true => folder(path).rsplit('/').next().filter(|folder| !folder.is_empty()).unwrap_or(stem),
        false => stem,
    }
}

/// Letters of the shortest word that stands for one thing.
const SHORTEST: usize = 4;

pub fn words(name: &str) -> impl Iterator<Item = String> {
    name_words(name).into_iter().filter(|word| word.chars().count() >= SHORTEST && word != "spec")
}

/// Whether a word of one is the beginning of a word of the other: `split`, `splitter`.
pub fn share_a_word(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let is_shared = |word: &String| other.iter().any(|it| it.starts_with(&**word) || word.starts_with(&**it));
    one.iter().any(is_shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_about_what_they_are_named_after() {
        for (code, test) in [
            ("src/http_client.py", "tests/unit/test_http_client.py"),
            ("pkg/mux.go", "pkg/mux_test.go"),
            ("src/HttpClient.php", "tests/HttpClientTest.php"),
            ("src/http-client.ts", "src/http-client.spec.ts"),
            ("lib/thor/shell.rb", "spec/shell_spec.rb"),
            ("more/parts/__init__.py", "tests/test_parts.py"),
        ] {
            assert_eq!(from_path(code), from_path(test), "{code}");
        }
        let share =
            |code: &str, test: &str| share_a_word(&words(written(code)).collect(), &words(written(test)).collect());
        for (code, test) in [
            ("sql/statement_splitter.py", "tests/test_split.py"),
            ("src/textWrap.ts", "src/wrapping.spec.ts"),
            ("_wrap_text_to_widths", "test/test_textwrapper.py"),
        ] {
            assert!(share(code, test), "{code}");
        }
        for (code, test) in [("src/test_helper.rb", "spec/test_spec.rb"), ("src/api.py", "tests/test_apis.py")] {
            assert!(!share(code, test), "{code}");
        }
        assert_ne!(from_path("src/client.py"), from_path("tests/test_server.py"));
        assert_eq!(from_path("test.py"), "test", "something is left");
    }
}
