//! The comments and literals of a whole text, or of a part of one.

use std::ops::Range;

use super::{Open, Scanner, Syntax, SyntaxPart};

/// Parts in bytes, in order.
pub type SyntaxParts = Vec<(Range<usize>, SyntaxPart)>;

impl Syntax {
    /// What does not end is none: a part of a file may begin within a string, whose end then looks like a beginning.
    pub fn parts(&self, text: &str) -> SyntaxParts {
        let mut scanner = Scanner::new(self);
        let (mut parts, mut from) = (SyntaxParts::new(), 0);
        loop {
            let (open, resume) = scanner.read(text, from, &mut parts);
            let Some(opening) = open.opening().filter(|_| !scanner.may_end(&open)) else { return parts };
            // Where one has no end, none that begins later has: they need not be looked for again.
            scanner.openings.all[opening].is_endless = true;
            while parts.pop_if(|(part, _)| part.end >= resume).is_some() {}
            from = resume;
        }
    }
}

impl Scanner<'_> {
    /// Adds the parts from a byte on; what is open at the end, and where what opened last has its first byte.
    fn read(&self, text: &str, from: usize, parts: &mut SyntaxParts) -> (Open, usize) {
        let (mut open, mut at, mut resume) = (Open::Code, from, from);
        for line in text[from..].split_inclusive('\n') {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let bare = bare.strip_suffix('\r').unwrap_or(bare);
            let end = self.line(&mut open, bare, &mut |run, part, is_new| match parts.last_mut() {
                Some((last, _)) if !is_new => last.end = at + run.end,
                Some(_) | None => parts.push((at + run.start..at + run.end, part)),
            });
            if end.is_cut {
                parts.pop();
            }
            resume = end.opened.map_or(resume, |behind| at + behind);
            at += line.len();
        }
        (open, resume)
    }
}

#[cfg(test)]
mod tests {
    use super::{Syntax, SyntaxPart, SyntaxParts};
    use crate::Language;

    /// Literals in «», comments in ⟨⟩.
    fn shown(text: &str, parts: &SyntaxParts) -> String {
        let (mut shown, mut at) = (String::new(), 0);
        for (range, part) in parts {
            let [open, close] = if *part == SyntaxPart::Comment { ['⟨', '⟩'] } else { ['«', '»'] };
            shown += &format!("{}{open}{}{close}", &text[at..range.start], &text[range.clone()]);
            at = range.end;
        }
        shown + &text[at..]
    }

    /// Each text is written with its marks.
    #[test]
    fn comments_and_literals_are_found() {
        use Language::{C, CSharp, Go, JavaScript, Kotlin, Perl, Php, Python, Ruby, Rust, Shell, Swift, Toml, Yaml};
        #[rustfmt::skip]
        let cases: &[(Language, &str)] = &[
            (C, "a = «\"x // y\"» ⟨// z⟩\n⟨/* b\nc */⟩ d"),
            (C, "f(«\"\\\"\"», «'\\\\'»)"),
            (C, "a */ b /* c"),
            (C, "⟨/* a /* b */⟩ c"),
            (C, "don't\nwon«'t '»x'"),
            (Kotlin, "⟨/* a /* b */ c */⟩ d «\"\"\"\\\"\"\"» e"),
            (JavaScript, "«`a\nb`» `\nc = «'d'»"),
            (Go, "«`\\`» + «\"a\"»"),
            (Python, "«\"\"\"a \" b\n\"\"\"» + «\"é\\é\"»⟨# c⟩"),
            (Python, "end of one\"\"\"\nx = 1"),
            (Toml, "a = «'\\'» ⟨# b⟩"),
            (Yaml, "a: it's ⟨# 'b'⟩\nc: d#e"),
            (CSharp, "«@\"a\"\"\nb\\\"» + «\"c\"»"),
            (Swift, "«#\"a\"b\"#» + «\"c\"»"),
            (Rust, "a::<'a>(«'\\''», «'é'», «r#\"b\"\n\"#», «br\"\\\"», «\"c\nd\"») ⟨// e⟩"),
            (Rust, "⟨/* a /* b */ c\n*/⟩ for_r«\"x\"»"),
            (Php, "$a = «\"b\nc\"»; ⟨# d⟩\n«?> it's <?»php f(<<<'EOT'\n«x(\"\n  EOT);»\ng();"),
            (Shell, "a «'b\nc\\'» $# <<-EOF; d\n«  it's $(e)\nEOF»\nf <<< «\"g\"» ⟨# h⟩"),
            (Ruby, "f(<<~A, <<-'b')\n«c'\nA\nd\"\n  b»\ng «%q(h (i)\nj)» ⟨# k⟩"),
            (Ruby, "a = «/b'\nc/» if d / e =~ «/f\"/»; g(«%w[h i]», j % k, «?\"», l / m, n /o)"),
            (Ruby, "puts «/a/»; def /(b) c = d ? «/e/» : «%r{f/}»; x.y(«`g\nh`»)"),
            (Ruby, "⟨=begin\na\n=end⟩\nb =begin «'c'»\n«__END__\nd'»"),
            (Perl, "a;\n⟨=head1 It's\n\nb\n=cut⟩\nc = «'d'»;\n =pod\n«__END__\n=pod\ne'»"),
            (Shell, "a << EOF\n«b'\nEOF»\nc"),
            (Ruby, "a << EOF.new\nb << «'c'»\nd"),
            (Ruby, "a «\"b\nc\"»\nd = <<EOF\ne"),
        ];
        for (language, expected) in cases {
            let text = expected.replace(['«', '»', '⟨', '⟩'], "");
            let shown = shown(&text, &Syntax::of(*language).unwrap().parts(&text));
            assert_eq!(shown, *expected, "{language:?}");
        }
    }

    proptest::proptest! {
        /// Parts are in order, begin and end at characters, and lie within the text.
        #[test]
        fn parts_are_within_the_text(text in "([ab\"'`/*#?%(){}\\\\é\n]|<<-?[A-Z]{2}|=begin|=end|r#|__END__){0,40}") {
            for language in [Language::Ruby, Language::Rust, Language::Php, Language::Shell, Language::CSharp, Language::Python] {
                let mut at = 0;
                for (part, _) in Syntax::of(language).unwrap().parts(&text) {
                    proptest::prop_assert!(at <= part.start && part.start <= part.end && text.get(part.clone()).is_some());
                    at = part.end;
                }
            }
        }
    }
}
