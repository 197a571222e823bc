//! Whatever bytes a file holds, the guard answers.

use guard_sdk::Mode;
use guard_sdk::testing::{self, Case};
use proptest::prelude::*;
use schema_holds::SchemaHolds;

const PATHS: [&str; 8] = [
    "package.json",
    "tsconfig.json",
    ".eslintrc",
    ".prettierrc.json5",
    ".github/workflows/ci.yml",
    "docker-compose.yml",
    "Cargo.toml",
    "pyproject.toml",
];

fn ask(path: &str, before: Option<&[u8]>, after: &[u8]) {
    let mut case = Case::default();
    case.before.extend(before.map(|bytes| (path.to_owned(), (Mode::File, bytes.to_vec()))));
    case.after.insert(path.to_owned(), (Mode::File, after.to_vec()));
    // An error is an answer too: that a file takes too long.
    let _ = testing::check::<SchemaHolds>(&case);
}

/// Pieces that parsers turn on.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(":"),
        Just(": "),
        Just(","),
        Just("\n"),
        Just("\n  "),
        Just("- "),
        Just("\""),
        Just("'"),
        Just("#"),
        Just("&a "),
        Just("*a"),
        Just("<<: "),
        Just("!!str "),
        Just("---\n"),
        Just("|\n"),
        Just("on"),
        Just("jobs"),
        Just("steps"),
        Just("package"),
        Just("="),
        Just("."),
        Just("[["),
        Just("]]"),
        Just("0x"),
        Just("1e9999"),
        Just("é"),
        Just("\u{feff}"),
        Just("${{ a }}"),
        Just("services"),
        Just("name"),
        Just("tool"),
        Just("\r\n"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        PATHS.iter().for_each(|path| ask(path, None, &bytes));
    }

    #[test]
    fn any_pieces(before in pieces(), after in pieces()) {
        PATHS.iter().for_each(|path| ask(path, Some(before.as_bytes()), after.as_bytes()));
    }
}

#[test]
fn deep_and_large() {
    let wide: String = (0..10_000).map(|key| format!("k{key}: [1, 2]\n")).collect();
    let laughs: String =
        (1..40).map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}, *a{0}]\n", level - 1)).collect();
    let texts = [
        "[".repeat(10_000),
        "{\"a\":".repeat(10_000),
        "- ".repeat(10_000),
        "a:\n ".repeat(2_000),
        format!("a = {}", "[".repeat(10_000)),
        format!("{} = 1", vec!["a"; 10_000].join(".")),
        format!("[{}]", vec!["a"; 10_000].join(".")),
        format!("services: &a0 x\n{laughs}"),
        "&a [*a]".to_owned(),
        "a: &a {b: *a}".to_owned(),
        wide,
        format!("[\n{}]", "1,\n".repeat(10_000)),
    ];
    texts.iter().for_each(|text| PATHS.iter().for_each(|path| ask(path, None, text.as_bytes())));
}
