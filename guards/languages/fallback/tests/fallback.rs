//! What the parsers in place of the grammars say.

use guard_sdk::language::{Questions, Reader, Source, Unread};
use language_fallback::Fallback;

/// The lines of the problems, or why there are none.
fn lines(language: &str, dialect: &str, text: &str) -> Result<Vec<u32>, Unread> {
    let wanted = Questions { problems: true, outline: true, surface: false, signatures: false, names: false };
    let source = Source { language: language.into(), dialect: dialect.into(), is_test: false, text: text.into() };
    let reading = Fallback::read(source, wanted);
    assert!(matches!(reading.outline, Some(Err(Unread::Unsupported))) && reading.names.is_none());
    let problems = reading.problems.expect("it was wanted")?;
    assert!(problems.iter().all(|problem| problem.is_certain));
    Ok(problems.iter().map(|problem| problem.line).collect())
}

#[test]
fn texts_parse_or_have_a_line_where_they_do_not() {
    // The line is where the parser stops: gosyn names the one before the end of the text.
    for (language, whole, broken, line) in [
        ("go", "package a\n\nfunc f() {}\n", "package a\n\nfunc f( {\n", 2),
        ("php", "<?php\nfunction f() {}\n", "<?php\nfunction f( {\n", 2),
        ("ruby", "def f\nend\n", "def f\n", 1),
        ("ruby", "def f(*)\n  g(*)\nend\n", "def f(*)\n  g(*\nend\n", 3),
    ] {
        assert_eq!(lines(language, language, whole).expect(language), [0u32; 0], "{language}");
        assert_eq!(lines(language, language, broken).expect(language), [line], "{language}");
    }
}

#[test]
fn what_no_parser_can_follow_is_no_problem() {
    let links: String = (0..5_000).map(|number| format!(" else if x == {number} {{\n\treturn\n}}")).collect();
    let chain = format!("package a\n\nfunc f(x int) {{\nif x < 0 {{\n\treturn\n}}{links}\n}}\n");
    assert!(matches!(lines("go", "go", &chain), Err(Unread::Other(_))));
    assert!(matches!(lines("php", "blade.php", "@if ($x)\n<?php foreach (\n"), Err(Unread::Foreign(_))));
    assert!(matches!(lines("java", "java", "class A {}\n"), Err(Unread::Unsupported)));
}

#[test]
fn every_claim_is_read() {
    for claim in Fallback::claims() {
        assert!(lines(&claim.language, &claim.endings[0], "").is_ok(), "{}", claim.language);
    }
}
