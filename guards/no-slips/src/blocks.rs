//! The parts of a text that a change touches. A block begins where a statement of the file, or of a class, begins: what the rules compare
//! stands in one block, so that the others need not be read.

use std::ops::RangeInclusive;

use guard_sdk::files::Language;
use lexing::{Line, Lines, Told};

use crate::words::{Statement, begins_with, is_word, statements, without_comment};

/// A text, of which some blocks are told apart into lines and statements once for all rules.
pub struct Read<'t> {
    /// None where the strings cannot be told apart; then there is no block.
    lines: Option<Lines<'t>>,
    starts: Vec<u32>,
    pub blocks: Vec<Block<'t>>,
}

pub struct Block<'t> {
    /// Those of the whole block, in order.
    pub lines: Vec<Line<'t>>,
    pub statements: Vec<Statement>,
}

impl<'t> Read<'t> {
    /// The whole text, as one block.
    pub fn whole(text: &'t str, language: Language) -> Self {
        let lines = Lines::read(text, language);
        let blocks = lines.iter().map(|lines| Block::new(lines.masked(1..=lines.count()))).collect();
        Read { lines, starts: vec![1], blocks }
    }

    /// The blocks that hold lines of these runs, which are in order.
    pub fn around(text: &'t str, language: Language, runs: &[RangeInclusive<u32>]) -> Self {
        let mut starts = Starts::new(language);
        let lines = Lines::read_each(text, language, |line| starts.read(&line));
        let mut read = Read { lines, starts: starts.found, blocks: Vec::new() };
        if read.lines.is_none() {
            return read;
        }
        let mut spans: Vec<RangeInclusive<u32>> = Vec::new();
        for run in runs {
            let span = read.span(*run.start()).0..=read.span(*run.end()).1;
            match spans.last_mut().filter(|last| last.end() >= span.start()) {
                Some(last) => *last = *last.start()..=*span.end(),
                None => spans.push(span),
            }
        }
        read.blocks = spans.into_iter().map(|span| Block::new(read.masked(span))).collect();
        read
    }

    pub fn masked(&self, numbers: RangeInclusive<u32>) -> Vec<Line<'t>> {
        self.lines.as_ref().map(|lines| lines.masked(numbers)).unwrap_or_default()
    }

    /// The line of that number, and whether it begins in code.
    pub fn line(&self, number: u32) -> Option<(&'t str, bool)> {
        self.lines.as_ref()?.line(number)
    }

    /// The block that holds a line, read for itself.
    pub fn block_of(&self, number: u32) -> Block<'t> {
        let (first, last) = self.span(number);
        Block::new(self.masked(first..=last))
    }

    pub fn statements(&self) -> impl Iterator<Item = (&Block<'t>, &Statement)> {
        self.blocks.iter().flat_map(|block| block.statements.iter().map(move |one| (block, one)))
    }

    /// The last line above that is no comment, as it is written.
    pub fn text_above(&self, number: u32) -> String {
        let mut above = (1..number).rev().flat_map(|above| self.masked(above..=above));
        above.find(|line| !line.is_blank()).map(|line| without_comment(&line).trim().to_owned()).unwrap_or_default()
    }

    fn span(&self, number: u32) -> (u32, u32) {
        let next = self.starts.partition_point(|start| *start <= number);
        let first = next.checked_sub(1).map_or(1, |at| self.starts[at]);
        (first, self.starts.get(next).map_or(u32::MAX, |start| start - 1))
    }
}

impl<'t> Block<'t> {
    fn new(lines: Vec<Line<'t>>) -> Self {
        Block { statements: statements(&lines), lines }
    }

    pub fn lines_of(&self, one: &Statement) -> &[Line<'t>] {
        self.lines_in(one.first, one.last)
    }

    pub fn lines_in(&self, first: u32, last: u32) -> &[Line<'t>] {
        let at = |number: u32| self.lines.partition_point(|line| line.number < number);
        &self.lines[at(first)..at(last + 1)]
    }
}

/// Finds the lines at which blocks begin.
struct Starts {
    language: Language,
    /// Brackets that are open.
    open: Vec<u8>,
    /// How far the members of the classes are indented that are open, and the statements of the file.
    indents: Vec<usize>,
    opens_class: bool,
    goes_on: bool,
    found: Vec<u32>,
}

impl Starts {
    fn new(language: Language) -> Self {
        Starts { language, open: Vec::new(), indents: vec![0], opens_class: false, goes_on: false, found: Vec::new() }
    }

    fn read(&mut self, line: &Told) {
        let text = line.text;
        let indent = text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let begins = text[indent..].chars().next().is_some_and(|c| is_word(c) || matches!(c, '@' | '['));
        if begins && line.begins_in_code && !self.goes_on && !self.is_in_brackets() {
            self.statement(line.number, indent, &text[indent..]);
        }
        let mut last = b' ';
        for part in line.code() {
            for byte in part {
                match byte {
                    b'(' | b'[' | b'{' => self.open.push(*byte),
                    b')' | b']' | b'}' => drop(self.open.pop()),
                    _ => {}
                }
            }
            last = part.trim_ascii_end().last().copied().unwrap_or(last);
        }
        self.goes_on = last == b'\\';
    }

    /// Curly brackets hold statements of their own.
    fn is_in_brackets(&self) -> bool {
        self.open.last().is_some_and(|last| *last != b'{')
    }

    fn statement(&mut self, number: u32, indent: usize, code: &str) {
        while self.indents.len() > 1 && self.indents.last().is_some_and(|members| indent < *members) {
            self.indents.pop();
            self.opens_class = false;
        }
        let members = self.indents.last().copied().unwrap_or_default();
        if indent > members && self.opens_class {
            self.indents.push(indent);
        } else if indent != members {
            return;
        }
        self.opens_class = false;
        if !goes_on(code) {
            self.found.push(number);
            self.opens_class = self.is_class(code);
        }
    }

    fn is_class(&self, code: &str) -> bool {
        let words: &[&str] = match self.language {
            Language::Ruby => &["class", "module"],
            Language::CSharp | Language::TypeScript => &["class", "namespace"],
            _ => &["class"],
        };
        // `public static final class`.
        code.split(' ').take(5).any(|word| words.contains(&word))
    }
}

/// Whether a statement goes on with what stands above it.
fn goes_on(code: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: [&str; 16] = [
        "else", "elif", "elsif", "except", "finally", "catch", "rescue", "ensure", "end", "when", "case", "default", "while", "and", "or", "in",
    ];
    WORDS.iter().any(|word| begins_with(code, word))
}

#[cfg(test)]
mod tests {
    use super::Read;
    use guard_sdk::files::Language;

    const PYTHON: &str = "import os\nfrom a import (\n    b,\n)\n\n@c\nclass D(E):\n    \"\"\"Doc\nx = 1\n    \"\"\"\n    f = {\n        1: 2,\n    }\n\n    @g\n    def h(self):\n        if self:\n            return 1\n        elif f:\n            return 2\n        return 3\n\n    class I:\n        j = 1\n        k = 2\n\n    def l(self):\n        pass\n\nif os:\n    m = 1\nelif b:\n    m = 2\nelse:\n    m = 3\nn = 4 + \\\n  5\no = 6\n";
    const TYPESCRIPT: &str = "import { a } from \"a\";\nexport default class B extends C {\n  d = [\n    1,\n  ];\n  e(f: number) {\n    if (f) {\n      return 1;\n    } else if (a) {\n      return 2;\n    }\n    return `x\n${f}\n`;\n  }\n\n  g() {\n    return 4;\n  }\n}\ninterface H {\n  i: string,\n  j: string,\n}\ndescribe(\"k\", () => {\n  it(\"l\", () => {\n    a(1,\n      2);\n  });\n});\n";
    const RUBY: &str = "module A\n  class B\n    def c\n      d\n    rescue E\n      f\n    ensure\n      g\n    end\n\n    def h = 1\n  end\nend\nx = <<~SQL\nselect\nSQL\ny = 1\n";
    const JAVA: &str = "package a;\n\n@B\npublic final class C\n        extends D {\n    int e;\n}\nclass F {\n    @G\n    int h() {\n        return 1;\n    }\n    int i() { return 2; }\n}\n";

    #[test]
    fn a_block_is_read_as_in_the_whole() {
        for (language, text, most) in [
            (Language::Python, PYTHON, 7),
            (Language::TypeScript, TYPESCRIPT, 11),
            (Language::Ruby, RUBY, 9),
            (Language::Java, JAVA, 5),
        ] {
            let shown = |read: &Read| -> Vec<_> {
                let shown = read.statements().map(|(_, one)| (one.first, one.last, one.depth, one.text.clone()));
                shown.collect()
            };
            let whole = shown(&Read::whole(text, language));
            for line in 1..=text.lines().count() as u32 {
                let read = Read::around(text, language, &[line..=line]);
                let part = shown(&read);
                assert!(part.iter().all(|one| whole.contains(one)), "{language:?} {line}: {part:?}");
                let own = whole.iter().filter(|one| (one.0..=one.1).contains(&line));
                assert!(own.clone().all(|one| part.contains(one)), "{language:?} {line}: {part:?}");
                assert!(read.blocks.iter().all(|block| block.lines.len() <= most), "{language:?} {line}: {part:?}");
            }
            let all = Read::around(text, language, &[1..=u32::MAX - 1]);
            assert_eq!(shown(&all), whole);
        }
        assert!(Read::around("x = \"\"\"\n", Language::Python, &[1..=1]).blocks.is_empty());
    }

    #[test]
    fn what_stands_above_a_block() {
        let read = Read::around("a = 1 +  # b\n# c\n\nd == e\n", Language::Python, &[4..=4]);
        assert_eq!(read.text_above(4), "a = 1 +");
        assert_eq!(read.text_above(1), "");
    }
}
