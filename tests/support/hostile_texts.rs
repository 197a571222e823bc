//! Texts that attack parsers, by name of the attack.

/// Bytes of the largest: a file of a mebibyte is rare, and still a file.
const LARGE: usize = 1 << 20;

/// How deep; a stack of a mebibyte holds some thousand frames.
const DEEP: usize = 20_000;

#[rustfmt::skip]
pub fn texts() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| all.push((name.to_owned(), bytes));
    add("nothing", Vec::new());
    add("a NUL", b"\0".to_vec());
    add("NULs in lines", b"a = 1\0\n\0b: 2\n".to_vec());
    add("a byte order mark alone", b"\xef\xbb\xbf".to_vec());
    add("two byte order marks", b"\xef\xbb\xbf\xef\xbb\xbf{}\n".to_vec());
    add("a byte order mark inside", b"{\"a\": \xef\xbb\xbf1}\n".to_vec());
    add("UTF-16", [0xff, 0xfe].into_iter().chain("{\"a\": [1, \u{1f600}]}\n".encode_utf16().flat_map(u16::to_le_bytes)).collect());
    add("half a UTF-16", b"\xff\xfe\x3d\xd8a".to_vec());
    add("UTF-16, the other end first", b"\xfe\xff\xd8\x3d\0a\0".to_vec());
    add("Latin-1", b"# caf\xe9\nname = \"caf\xe9\"\n".to_vec());
    add("UTF-8 cut in a letter", b"# caf\xc3".to_vec());
    add("overlong UTF-8", b"\xc0\xaf\xe0\x80\xaf\n".to_vec());
    add("a surrogate in UTF-8", b"\xed\xa0\x80\n".to_vec());
    add("mixed line endings", b"a: 1\r\nb: 2\rc: 3\n\r\n\x0b\x0c\xc2\x85\xe2\x80\xa8d: 4".to_vec());
    add("letters from right to left", "x = '\u{202e}\u{2066}// \u{2069}'\n# \u{200b}\u{200d}\u{feff}\n".into());
    add("letters of four bytes", "𝒳 = '𝕊𝕊𝕊' # 👩‍👩‍👧‍👦\n\n```𝒳\n👩‍👩‍👧‍👦\n```\n".into());
    add("signs of three bytes around everything", PIECES.iter().map(|piece| format!("→{piece}→a")).collect::<String>().into());
    add("lines that begin with a sign of three bytes", PIECES.iter().map(|piece| format!("→{piece}(→)\n")).collect::<String>().into());
    add("combining marks", format!("a{}\n", "\u{301}".repeat(5_000)).into());
    add("escape codes", b"\x1b[2J\x1b]0;x\x07 = \x7f\x80\n".to_vec());
    add("a line of a mebibyte", b"x".repeat(LARGE));
    add("a string of a mebibyte", [b"x = \"".to_vec(), b"y".repeat(LARGE), b"\"\n".to_vec()].concat());
    add("brackets of a mebibyte", b"[".repeat(LARGE));
    add("braces of a mebibyte", b"{".repeat(LARGE));
    add("parentheses of a mebibyte", b"(".repeat(LARGE));
    add("newlines of a mebibyte", b"\n".repeat(LARGE));
    add("blanks of a mebibyte", b" ".repeat(LARGE));
    add("quotation marks", b"\"".repeat(50_000));
    add("quotation marks of three", b"'''\"\"\"".repeat(9_000));
    add("backticks of every number", (1..400).map(|number| format!("{}a ", "`".repeat(number))).collect::<String>().into());
    add("backslashes", b"\\".repeat(50_000));
    add("openings without an end", b"<!-- /* ''' \"\"\" ` ``` {{ {% <% ${ [ ( {\n".repeat(500));
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("{", "}"), ("<a>", "</a>"), ("- ", ""), ("> ", ""), ("* ", ""), ("![", "](a)"), ("**a ", "**"), ("if x:\n ", ""), ("!", ""), ("-", ""), ("not ", ""), ("a(", ")"), ("a[", "]"), ("a.", ""), ("&", ""), ("fn f() { ", "}"), ("() => ", ""), ("a ? ", ": b"), ("`${", "}`"), ("<div>{", "}</div>"), ("a: {", "}"), ("a if b else ", ""), ("lambda: ", ""), ("await ", ""), ("impl A<", ">"), ("mod a { ", "}"), ("#[", "]"), ("type A<", ">"), ("[[", "]]"), ("a.b.", "c = 1"), ("\"a\" + ", ""), ("1 + ", "1"), ("1 ** ", "1"), ("x = ", "1"), ("else ", ""), ("f\"{", "}\""), ("@a\n", ""), ("| a ", "|"), ("? ", ""), ("!!a ", ""), ("::", ""), ("/(", ")/")] {
        for depth in [150, DEEP] {
            add(&format!("{open} {depth} deep"), format!("{}{}\n", open.repeat(depth), close.repeat(depth)).into());
        }
        add(&format!("{open} without its end"), open.repeat(3_000).into());
        add(&format!("x = {open} without its end"), format!("x = {}", open.repeat(3_000)).into());
    }
    add("indented deeper and deeper", (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect::<String>().into());
    add("Python indented deeper and deeper", (0..300).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect::<String>().into());
    add("a list in a list in a document", (0..500).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect::<String>().into());
    add("headings without an end", "# a\n".repeat(30_000).into());
    add("one heading, many times", "# a\n\n[a](#a-1)\n\n".repeat(5_000).into());
    add("links without an end", "[a](b) [c]: d ![e](<f g>) <https://h>\n".repeat(5_000).into());
    add("references that nobody defines", "[a][b] ".repeat(20_000).into());
    add("definitions of one name", "[a]: b\n".repeat(20_000).into());
    add("a table of many columns", format!("{}\n{}\n{}\n", "|a".repeat(5_000), "|-".repeat(5_000), "|b".repeat(5_000)).into());
    add("emphasis that may or may not be", "*a _b ".repeat(20_000).into());
    add("a bomb of anchors", {
        let level = |n: u32| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", "));
        format!("a0: &a0 [lol]\n{}", (1..12).map(level).collect::<String>()).into()
    });
    add("an anchor of itself", b"a: &a [*a, *a]\nb: &b {c: *b}\n".to_vec());
    add("merge keys of merge keys", format!("a0: &a0 {{x: 1}}\n{}", (1..40).map(|n| format!("a{n}: &a{n} {{<<: [*a{0}, *a{0}], y{n}: 1}}\n", n - 1)).collect::<String>()).into());
    add("a merge key of a workflow", b"on: &a push\n<<: *a\njobs: &j\n  <<: *j\n  a: &b\n    <<: [*b, *b]\n".to_vec());
    add("many documents", "---\na: 1\n...\n".repeat(10_000).into());
    add("a directive of nobody's", b"%YAML 9.9\n%TAG ! !\n---\n!<tag:\x01> a\n".to_vec());
    add("a block scalar that is indented by 9", b"a: |9\n x\nb: >-9\n  y\n".to_vec());
    add("enormous numbers", format!("{{\"a\": {0}, \"b\": -{0}.{0}e{0}, \"c\": 1e999999999}}\n", "9".repeat(5_000)).into());
    add("enormous numbers as assignments", format!("a = {0}\nb = 0x{0}\nc = 1e{0}\nd = 1_{0}.0\ne = 9999-99-99T99:99:99\n", "9".repeat(5_000)).into());
    add("versions of enormous numbers", format!("[package]\nname = \"a\"\nversion = \"{0}.{0}.{0}\"\n[dependencies]\na = \">={0}\"\n", "9".repeat(500)).into());
    add("one key, many times", format!("{{{}\"a\": 1}}\n", "\"a\": {\"a\": 1}, ".repeat(5_000)).into());
    add("many keys", format!("{{{}\"a\": 1}}\n", (0..20_000).map(|n| format!("\"k{n}\": {n}, ")).collect::<String>()).into());
    add("many keys as assignments", (0..20_000).map(|n| format!("k{n} = {n}\n")).collect::<String>().into());
    add("many keys as a mapping", (0..20_000).map(|n| format!("k{n}: {n}\n")).collect::<String>().into());
    add("many definitions", (0..3_000).map(|n| format!("def f{n}():\n    return f{}()\n\n\n", n + 1)).collect::<String>().into());
    add("many functions", (0..3_000).map(|n| format!("export function f{n}() {{ return f{}(); }}\n", n + 1)).collect::<String>().into());
    add("many items", (0..3_000).map(|n| format!("pub fn f{n}() -> u8 {{ f{}() }}\n", n + 1)).collect::<String>().into());
    add("a schema's deepest wish", "{\"rules\": {\"a\": [".repeat(2_000).into());
    add("a workflow of many jobs", format!("on: push\njobs:\n{}", (0..3_000).map(|n| format!("  j{n}:\n    runs-on: a\n    steps:\n      - run: b\n")).collect::<String>()).into());
    add("tables of tables", (0..2_000).map(|n| format!("[a.b{n}.c]\nd = {{ e = [{{ f = 1 }}] }}\n[[g.h]]\n")).collect::<String>().into());
    add("a dotted key of many parts", format!("{} = 1\n", vec!["a"; 5_000].join(".")).into());
    add("escapes that end too soon", b"a = \"\\u12\\x\\N{\\U00110000\\ud800\"\nb = '\\'\n{\"c\": \"\\ud83d\"}\n".to_vec());
    add("literal newlines", "# Title\\nText\\n\\n- a\\n- b\\n".repeat(2_000).into());
    add("markers of a conflict", "<<<<<<< a\n=======\n>>>>>>> b\n||||||| c\n".repeat(3_000).into());
    add("a regular expression that never ends", b"const a = /(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')\n".to_vec());
    add("an entity of entities", b"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;\">]><project>&d;</project>\n".to_vec());
    add("paths that lead out", "[a](../../../../../../etc/passwd) [b](/proc/self/mem) [c](file:///etc/passwd) [d](%2e%2e/%00) [e](C:\\\\x)\n-r ../../a\n-r a.txt\n".into());
    add("addresses of the machine", b"[a](http://127.0.0.1:1/) [b](http://[::1]/) [c](http://169.254.169.254/) [d](http://0x7f.1/)\n".to_vec());
    all
}

/// Of which languages are made, and mistakes.
#[rustfmt::skip]
pub const PIECES: &[&str] = &[
    "{", "}", "[", "]", "(", ")", "<", ">", ":", ": ", ",", ", ", ";", ";\n", "=", " = ", "==", "=>", "->", "-", "- ", "--", "---\n", "...\n", "+", "*", "**", "/", "//", "/*", "*/", "#", "# ",
    "#!", "#[", "!", "!!", "&", "&a ", "*a", "|", "|\n", ">\n", "?", "? ", "@", "$", "${", "${{", "}}", "{{", "{%", "%}", "<%", "`", "```\n", "```python\n", "~~~\n", "'", "'''", "\"", "\"\"\"", "\\",
    "\\n", "\\u", "\\x", "\n", "\n\n", "\n  ", "\n    ", "\r\n", "\r", "\t", " ", "\0", "\u{feff}", "\u{202e}", "\u{2028}", "é", "→", "“", "ß", "İ", "𝒳", "(", "assert(", "expect(a).", ".should.", "def test_a():\n    ", "0", "1", "-1", "0x", "1e999", "1_000", ".5", "99999999999999999999",
    "null", "true", "no", "on", "None", "a", "a: 1\n", "a = 1\n", "\"a\": 1,\n", "def f():\n    ", "class A:\n    ", "import a\n", "from a import b\n", "fn f() {", "pub ", "mod a;\n", "use a::b;\n",
    "impl ", "struct A", "function f() {", "const a = ", "export default ", "import a from 'b'\n", "require('a')", "return ", "if ", "else ", "async ", "await ", "lambda ", "@a\n", "test('a', () => {",
    "it.skip(", "pass\n", "todo!()", "[package]\n", "[dependencies]\n", "[project]\n", "[[a]]\n", "[a.b]\n", "name: ", "on: push\n", "jobs:\n", "steps:\n", "runs-on: ", "uses: ", "run: |\n", "repos:\n",
    "services:\n", "\"rules\": ", "\"extends\": ", "\"plugins\": ", "\"compilerOptions\": ", "\"dependencies\": ", "# Title\n", "## Part\n", "[a](b)", "![a](b)", "[a]: b\n", "<a href=\"b\">", "<!-- ", " -->", "| a | b |\n|---|---|\n",
    "built with React", "uses Django", "rest of the code unchanged", "<<<<<<< a\n", "=======\n", ">>>>>>> b\n", ".. code::\n\n   a\n", "----\n", "<<: *a\n", "%YAML 1.2\n", "f\"{", "<T>", "'a ", "r#\"",
];
