//! A shell's command line as words: enough to see which programs it starts, and no more. Nothing is expanded.

/// The simple commands of a command line, each as its words without quotes. Those inside of `$(…)`, backquotes and `sh -c '…'` are
/// listed too.
pub(super) fn commands(line: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect(line, 0, &mut found);
    found
}

/// Shells inside of shells that are looked into.
const DEPTH: u32 = 4;

fn collect(line: &str, depth: u32, found: &mut Vec<Vec<String>>) {
    if depth > DEPTH {
        return;
    }
    let mut reader = Reader { commands: vec![Vec::new()], nested: Vec::new(), word: None };
    reader.read(line);
    for inner in std::mem::take(&mut reader.nested) {
        collect(&inner, depth + 1, found);
    }
    for words in reader.commands.into_iter().filter(|words| !words.is_empty()) {
        if let Some(script) = script(&words) {
            collect(&script, depth + 1, found);
        }
        found.push(words);
    }
}

/// The text that a shell of this command runs: `bash -lc TEXT`, `eval TEXT…`.
fn script(words: &[String]) -> Option<String> {
    const SHELLS: [&str; 5] = ["sh", "bash", "dash", "zsh", "ksh"];
    let at = words.iter().position(|word| word == "eval" || SHELLS.contains(&base_name(word)))?;
    if words[at] == "eval" {
        return Some(words[at + 1..].join(" "));
    }
    let rest = &words[at + 1..];
    let flag = rest.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))?;
    rest.get(flag + 1).cloned()
}

pub(super) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

struct Reader {
    commands: Vec<Vec<String>>,
    /// The texts of `$(…)` and of backquotes.
    nested: Vec<String>,
    word: Option<String>,
}

impl Reader {
    fn read(&mut self, line: &str) {
        let chars: Vec<char> = line.chars().collect();
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            at += 1;
            match c {
                '\\' => {
                    match chars.get(at) {
                        Some('\n') | None => {}
                        Some(next) => self.push(*next),
                    }
                    at += 1;
                }
                '\'' => at = self.quoted(&chars, at, '\''),
                '"' => at = self.quoted(&chars, at, '"'),
                '`' | '$' => at = self.expansion(c, &chars, at),
                ' ' | '\t' | '\r' => self.end_word(),
                // A redirection begins a word of its own, so that its target is seen.
                '>' | '<' => {
                    self.end_word();
                    self.push(c);
                    if chars.get(at) != Some(&c) {
                        self.end_word();
                    }
                }
                '#' if self.word.is_none() => {
                    at += chars[at..].iter().take_while(|c| **c != '\n').count();
                }
                ';' | '&' | '|' | '\n' | '(' | ')' | '{' | '}' if !self.is_brace_in_word(c) => {
                    self.end_word();
                    self.commands.push(Vec::new());
                }
                c => self.push(c),
            }
        }
        self.end_word();
    }

    fn is_brace_in_word(&self, c: char) -> bool {
        (c == '{' || c == '}') && self.word.is_some()
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        if let (Some(word), Some(command)) = (self.word.take(), self.commands.last_mut()) {
            command.push(word);
        }
    }

    /// From behind the opening quote to behind the closing one.
    fn quoted(&mut self, chars: &[char], mut at: usize, quote: char) -> usize {
        self.word.get_or_insert_default();
        while let Some(&c) = chars.get(at) {
            at += 1;
            match c {
                c if c == quote => return at,
                '\\' if quote == '"' => {
                    if let Some(next) = chars.get(at) {
                        if !matches!(next, '"' | '\\' | '$' | '`' | '\n') {
                            self.push('\\');
                        }
                        self.push(*next);
                    }
                    at += 1;
                }
                '`' | '$' if quote == '"' => at = self.expansion(c, chars, at),
                c => self.push(c),
            }
        }
        at
    }

    /// From behind a `$` or a backquote to behind what belongs to it.
    fn expansion(&mut self, sign: char, chars: &[char], at: usize) -> usize {
        self.push(sign);
        let rest = &chars[at..];
        let (skipped, length) = match (sign, rest.first()) {
            ('`', _) => (0, rest.iter().take_while(|c| **c != '`').count()),
            (_, Some('(')) => {
                let mut open = 0;
                let length = rest.iter().take_while(|c| {
                    open += i32::from(**c == '(') - i32::from(**c == ')');
                    open > 0
                });
                (1, length.count())
            }
            _ => return at,
        };
        self.nested.push(rest[skipped..length.max(skipped)].iter().collect());
        at + (length + 1).min(rest.len())
    }
}
