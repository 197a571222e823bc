//! What one line of a test checks, as far as the line itself tells.

/// A statement that checks something.
#[derive(Debug, PartialEq, Eq)]
pub enum Check<'l> {
    /// Two values are the same. The second is empty where it goes on in the next line.
    Equal(&'l str, &'l str),
    /// A value is there, or true: most values are.
    Present(&'l str),
    /// True whatever the code does.
    Constant,
    /// A value is compared with itself.
    Same(&'l str),
    /// Anything else.
    Other,
}

impl Check<'_> {
    pub fn always_holds(&self) -> bool {
        matches!(self, Check::Constant | Check::Same(_))
    }
}

/// Functions that compare, without signs and in lower case.
#[rustfmt::skip]
const EQUAL: &[&str] = &[
    "assertequal", "assertequals", "assertsame", "asserteq", "assertstrictequal", "assertdeepequal", "assertareequal", "requireequal",
    "assertdeepstrictequal", "tis", "tequal", "tdeepequal", "thisassertequals", "thisassertsame", "xctassertequal", "xctassertidentical", "expecteq", "expectstreq", "assertstreq",
    "assertcontentequals", "assertarrayequals", "assertiterableequals", "thisassertequalscanonicalizing", "assertcountequal", "assertlistequal", "assertdictequal",
];
/// Functions that ask only whether there is something.
#[rustfmt::skip]
const PRESENT: &[&str] = &[
    "assert", "asserttrue", "assertisnotnone", "assertnotnull", "assertnotnil", "requirenotnil", "assertistrue", "assertisnotnull", "refutenil", "assertok",
    "requiretrue", "tok", "thisassertnotnull", "thisasserttrue", "assertexists", "assertisdefined", "xctassertnotnil", "xctasserttrue", "expecttrue", "assertnotempty", "requirenotempty",
    "thisassertnotempty", "assertisnotempty", "assertpresent",
];
/// Matchers behind `expect(…)`, `assertThat(…)`, `….Should()` and their like, likewise.
#[rustfmt::skip]
const MATCHERS_EQUAL: &[&str] = &[
    "tobe", "toequal", "tostrictequal", "todeepequal", "toeq", "toeql", "tomatchobject", "tomatcharray", "tocontainexactly",
    "isequalto", "issameas", "issameinstanceas", "containsexactly", "containsexactlyinanyorder", "containsexactlyelementsin", "containsexactlyentriesof", "containsonly", "hassize", "hasvalue", "isequalbycomparingto",
    "equalto", "is", "issameinstance", "containsinanyorder", "be", "equal", "beequivalentto", "havecount", "shouldbe", "shouldbeequivalentto", "isequivalentto",
];
#[rustfmt::skip]
const MATCHERS_PRESENT: &[&str] = &[
    "tobetruthy", "tobedefined", "nottobenull", "nottobeundefined", "tobeok", "toexist", "nottobenil", "tobepresent", "tonotbenil", "tonotbenull", "nottobefalsy", "nottobeempty", "tonotbeempty",
    "isnotnull", "isnotempty", "isnotblank", "ispresent", "notnullvalue", "isnotnullvalue", "notbenull", "notbeempty", "notbenullorempty", "notbenullorwhitespace", "shouldnotbenull", "shouldnotbeempty", "shouldnotbe",
];

/// None when the line checks nothing.
pub fn check(line: &str) -> Option<Check<'_>> {
    let line = line.trim().trim_end_matches(';').trim_start_matches("await ");
    if let Some(said) = line.strip_prefix("assert ") {
        return Some(from_expression(said));
    }
    if let Some((values, is_equal)) = from_ruby(line) {
        let values = split(values, ',').0;
        return Some(match (is_equal, values.as_slice()) {
            (true, [a, b, ..]) => equal(a, b),
            (false, [value, ..]) => present(value),
            _ => Check::Other,
        });
    }
    if let Some((subject, rest)) = from_fluent(line) {
        return Some(matched(subject, rest));
    }
    let (name, inside) = line.split_once('(')?;
    let plain = flat(name);
    if name.chars().any(|c| c.is_whitespace() || c == '=') {
        return None;
    }
    let (mut values, rest) = split(inside, ',');
    if matches!(plain.as_str(), "expect" | "assertthat") {
        let subject = values.first().copied().unwrap_or_default();
        return Some(match values.get(1) {
            // The matcher stands in the brackets.
            Some(matcher) if plain == "assertthat" => matched(subject, matcher),
            _ if rest.trim().is_empty() => from_expression(subject),
            _ => matched(subject, rest),
        });
    }
    // Go's tests hand themselves on.
    if values.first() == Some(&"t") {
        values.remove(0);
    }
    let plain = plain.strip_prefix("self").unwrap_or(&plain);
    match values.as_slice() {
        // A member may be made anew whenever it is asked for: that it is the same one is what such a test is about.
        [a, b, ..] if plain.ends_with("assertsame") && a.contains('.') => Some(Check::Equal(a, b)),
        [a, b, ..] if EQUAL.contains(&plain) => Some(equal(a, b)),
        [value, ..] if PRESENT.contains(&plain) => Some(match from_expression(value) {
            Check::Other if !value.contains("&&") && !value.contains("||") => Check::Other,
            other => other,
        }),
        _ => ["assert", "expect", "require", "verify"].iter().any(|word| plain.contains(word)).then_some(Check::Other),
    }
}

/// `assert_equal a, b` and `refute_nil a`, without brackets.
fn from_ruby(line: &str) -> Option<(&str, bool)> {
    line.strip_prefix("assert_equal ")
        .map(|rest| (rest, true))
        .or_else(|| line.strip_prefix("refute_nil ").map(|rest| (rest, false)))
}

/// What is compared and the matcher, where that is called on the value itself: `x.Should().Be(3)`, `x.ShouldBe(3)`, `x shouldBe 3`.
fn from_fluent(line: &str) -> Option<(&str, &str)> {
    let behind = |sign: &str| line.split_once(sign);
    if let Some(parts) = behind(".Should().") {
        return Some(parts);
    }
    let at = line.find(".ShouldBe").or_else(|| line.find(".ShouldNot")).or_else(|| line.find(".shouldNot"));
    let at = at.or_else(|| line.find(" shouldBe ").or_else(|| line.find(" shouldNotBe ")));
    at.map(|at| (line[..at].trim(), line[at + 1..].trim()))
}

/// What stands behind Python's `assert`, or in the brackets of another language's.
fn from_expression(said: &str) -> Check<'_> {
    let said = split(said, ',').0.first().copied().unwrap_or_default();
    if said.ends_with(" or True") || said.ends_with("|| true") {
        return Check::Constant;
    }
    let has = |signs: &[&str]| signs.iter().any(|sign| said.contains(sign));
    for value in [" is not None", ".is_some()", ".is_ok()", " !== null", " != null", " != nil", " !== undefined"] {
        if let Some(value) = said.strip_suffix(value).filter(|value| !value.contains(" == ")) {
            return Check::Present(value.trim());
        }
    }
    if has(&[" and ", " or ", "&&", "||", " if ", " for "]) {
        return Check::Other;
    }
    let sides = [" === ", " == ", " is "].iter().find_map(|sign| said.split_once(sign));
    match sides {
        Some((a, b)) if !b.starts_with("not ") && !a.contains('(') | balanced(a) => equal(a.trim(), b.trim()),
        Some(_) => Check::Other,
        None if has(&[" in ", "<", ">", "!=", "not ", "==", "isinstance("]) || said.starts_with('!') => {
            if said == "not False" { Check::Constant } else { Check::Other }
        }
        None => present(said),
    }
}

fn balanced(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

/// `rest` stands behind `expect(subject`.
fn matched<'l>(subject: &'l str, rest: &'l str) -> Check<'l> {
    let rest = rest.trim_start_matches(['.', ' ']);
    let (chain, inside) = match rest.split_once('(').unwrap_or((rest, "")) {
        // Without brackets the value stands behind a blank: `to eq 3`, `shouldBe 3`.
        (chain, "") => {
            let words = if chain.starts_with("to ") || chain.starts_with("not_to ") || chain.starts_with("to_not ") {
                2
            } else {
                1
            };
            let at = chain.match_indices(' ').nth(words - 1).map_or(chain.len(), |(at, _)| at);
            (&chain[..at], chain[at..].trim())
        }
        parts => parts,
    };
    if inside.contains("notNullValue") {
        return present(subject);
    }
    let plain = flat(chain);
    let plain = plain.trim_start_matches("resolves");
    let value = split(inside, ',').0.first().copied().unwrap_or_default();
    // Whether a member or a call gives the same object twice is what a matcher of identity asks.
    let is_identity = matches!(chain.trim(), "to equal" | "to be" | "toBe");
    if is_identity && subject == value && subject.contains('.') {
        return Check::Equal(subject, value);
    }
    if MATCHERS_EQUAL.contains(&plain) {
        return equal(subject, value);
    }
    if MATCHERS_PRESENT.contains(&plain) {
        return present(subject);
    }
    Check::Other
}

fn equal<'l>(a: &'l str, b: &'l str) -> Check<'l> {
    // What is called twice may give two things.
    let is_same = a == b && !a.is_empty() && !a.contains(['(', '[', '{']) && !a.contains("new ");
    if is_same { Check::Same(a) } else { Check::Equal(a, b) }
}

fn present(value: &str) -> Check<'_> {
    let is_constant = ["True", "true", "1"].contains(&value);
    if is_constant { Check::Constant } else { Check::Present(value) }
}

/// Whether a value is as good as a question whether there is one.
pub fn is_truth(value: &str) -> bool {
    ["True", "true", "False", "false", "None", "null", "nil", "undefined", "1", "0", ""].contains(&value)
}

/// A name without signs, in lower case.
fn flat(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The parts of a text between signs that stand in no bracket and no string, up to the bracket that closes it, and what is behind that.
pub fn split(text: &str, sign: char) -> (Vec<&str>, &str) {
    let (mut parts, mut from, mut depth, mut quote) = (Vec::new(), 0, 0_u32, None);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None => match c {
                '"' | '\'' | '`' => quote = Some(c),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth == 0 => {
                    parts.push(text[from..at].trim());
                    return (parts, &text[at + c.len_utf8()..]);
                }
                ')' | ']' | '}' => depth -= 1,
                c if c == sign && depth == 0 => {
                    parts.push(text[from..at].trim());
                    from = at + c.len_utf8();
                }
                _ => {}
            },
        }
    }
    parts.push(text[from..].trim());
    (parts, "")
}

#[cfg(test)]
mod tests {
    use super::{Check, check};

    #[test]
    fn what_lines_check() {
        for (line, said) in [
            ("assert total(x) == 3", Some(Check::Equal("total(x)", "3"))),
            ("assert total(x)", Some(Check::Present("total(x)"))),
            ("assert x is not None, 'why'", Some(Check::Present("x"))),
            ("assert x == x", Some(Check::Same("x"))),
            ("assert f(x) == f(x)", Some(Check::Equal("f(x)", "f(x)"))),
            ("assert x > 1 or True", Some(Check::Constant)),
            ("self.assertEqual(x, 3)", Some(Check::Equal("x", "3"))),
            ("self.assertIsNotNone(x)", Some(Check::Present("x"))),
            ("assert_eq!(1, 1);", Some(Check::Same("1"))),
            ("assert!(x.is_ok());", Some(Check::Present("x"))),
            ("assert!(x < 3);", Some(Check::Other)),
            ("expect(f(1)).toEqual({ a: 1 });", Some(Check::Equal("f(1)", "{ a: 1 }"))),
            ("expect(f(1)).not.toBeNull();", Some(Check::Present("f(1)"))),
            ("expect(f(1)).toThrow();", Some(Check::Other)),
            ("require.NotNil(t, got)", Some(Check::Present("got"))),
            ("assertEquals(3, total);", Some(Check::Equal("3", "total"))),
            ("$this->assertTrue(true);", Some(Check::Constant)),
            ("Assert.Same(Empty.Instance, Empty.Instance);", Some(Check::Equal("Empty.Instance", "Empty.Instance"))),
            ("assertSame(x, x);", Some(Check::Same("x"))),
            ("assertThat(removed).containsExactly(0L, 1L).inOrder();", Some(Check::Equal("removed", "0L"))),
            ("assertThat(removed).isNotEmpty(); // why", Some(Check::Present("removed"))),
            ("assertThat(f(x), is(3));", Some(Check::Equal("f(x)", "3"))),
            ("assertThat(f(x), is(notNullValue()));", Some(Check::Present("f(x)"))),
            ("Assert.That(x, Is.EqualTo(3));", Some(Check::Equal("x", "3"))),
            ("Assert.That(x, Is.Not.Null);", Some(Check::Present("x"))),
            ("expect(total).to eq 3", Some(Check::Equal("total", "3"))),
            ("expect(total).to eq(3)", Some(Check::Equal("total", "3"))),
            ("expect(total).not_to be_nil", Some(Check::Present("total"))),
            ("expect(total).to be_within(1).of(3)", Some(Check::Other)),
            ("x.Total().Should().Be(3);", Some(Check::Equal("x.Total()", "3"))),
            ("x.Total().Should().NotBeNull();", Some(Check::Present("x.Total()"))),
            ("x.ShouldBe(3);", Some(Check::Equal("x", "3"))),
            ("x.ShouldNotBeNull();", Some(Check::Present("x"))),
            ("total(x) shouldBe 3", Some(Check::Equal("total(x)", "3"))),
            ("total(x).shouldNotBeNull()", Some(Check::Present("total(x)"))),
            ("total(x) shouldNotBe null", Some(Check::Present("total(x)"))),
            ("XCTAssertEqual(x, 3)", Some(Check::Equal("x", "3"))),
            ("XCTAssertNotNil(x)", Some(Check::Present("x"))),
            ("#expect(x == 3)", Some(Check::Equal("x", "3"))),
            ("#expect(x != nil)", Some(Check::Present("x"))),
            ("EXPECT_EQ(total(x), 3);", Some(Check::Equal("total(x)", "3"))),
            ("assert_equal 3, total", Some(Check::Equal("3", "total"))),
            ("total(x)", None),
            ("x = check(1)", None),
        ] {
            assert_eq!(check(line), said, "{line}");
        }
    }
}
