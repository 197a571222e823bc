//! A shell's command line as simple commands: enough to see what it starts, assigns and writes, and no more. Nothing is run.

/// One program with its words, without quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SimpleCommand {
    pub words: Vec<String>,
    /// The targets of its redirections that write.
    pub written: Vec<String>,
    /// Here-documents and here-strings.
    pub input: Vec<String>,
    /// The next command reads what this one prints.
    pub is_piped: bool,
}

/// What stands in a command line.
#[derive(Debug, Default)]
pub(super) struct ShellLine {
    pub commands: Vec<SimpleCommand>,
    /// The texts of `$(…)` and of backquotes: command lines, too.
    pub nested: Vec<String>,
}

pub(super) fn read(line: &str) -> ShellLine {
    let mut reader = WordReader { commands: vec![SimpleCommand::default()], ..WordReader::default() };
    reader.read(line);
    let is_empty = |command: &SimpleCommand| command.words.is_empty() && command.written.is_empty();
    reader.commands.retain(|command| !is_empty(command));
    ShellLine { commands: reader.commands, nested: reader.nested }
}

/// A name without folders, and without the ending of Windows' programs, which the Windows Subsystem for Linux starts, too.
pub(super) fn base_name(word: &str) -> &str {
    let name = word.rsplit(std::path::is_separator).next().unwrap_or(word);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.eq_ignore_ascii_case("exe") => stem,
        _ => name,
    }
}

/// What the next word is.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Expected {
    #[default]
    Word,
    /// The target of a redirection that writes.
    Written,
    /// That of one that reads.
    Read,
    /// The end of a here-document; `<<-` takes the tabs off before it.
    Document { is_indented: bool },
    /// The text of `<<<`.
    HereString,
}

#[derive(Default)]
struct WordReader {
    commands: Vec<SimpleCommand>,
    nested: Vec<String>,
    word: Option<String>,
    expected: Expected,
    /// Here-documents that begin behind the next end of a line: their command, their last line, whether it is indented.
    documents: Vec<(usize, String, bool)>,
}

impl WordReader {
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
                '>' | '<' => at = self.redirection(c, &chars, at),
                '#' if self.word.is_none() => at += chars[at..].iter().take_while(|c| **c != '\n').count(),
                '\n' => {
                    self.end_command(false);
                    at = self.read_documents(&chars, at);
                }
                '|' => {
                    let is_or = chars.get(at) == Some(&'|');
                    self.end_command(!is_or);
                    at += usize::from(is_or);
                }
                ';' | '&' | '(' | ')' => self.end_command(false),
                '{' | '}' if self.word.is_none() => self.end_command(false),
                c => self.push(c),
            }
        }
        self.end_word();
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        let last = self.commands.len() - 1;
        let expected = std::mem::take(&mut self.expected);
        let command = &mut self.commands[last];
        match expected {
            Expected::Word => command.words.push(word),
            Expected::Written => command.written.push(word),
            Expected::Read => {}
            Expected::HereString => command.input.push(word),
            Expected::Document { is_indented } => self.documents.push((last, word, is_indented)),
        }
    }

    fn end_command(&mut self, is_piped: bool) {
        self.end_word();
        if let Some(last) = self.commands.last_mut() {
            last.is_piped = is_piped;
        }
        self.commands.push(SimpleCommand::default());
    }

    /// From behind the first character of a redirection to behind its last one.
    fn redirection(&mut self, sign: char, chars: &[char], mut at: usize) -> usize {
        // The number of a descriptor belongs to it.
        if self.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        let next = |at: usize| chars.get(at).copied();
        self.expected = match (sign, next(at), next(at + 1)) {
            ('<', Some('<'), Some('<')) => {
                at += 2;
                Expected::HereString
            }
            ('<', Some('<'), after) => {
                let is_indented = after == Some('-');
                at += 1 + usize::from(is_indented);
                Expected::Document { is_indented }
            }
            // A process substitution: its brackets separate commands.
            (_, Some('('), _) => Expected::Word,
            ('>', Some('>' | '|'), _) | ('<', Some('>'), _) => {
                at += 1;
                Expected::Written
            }
            (_, Some('&'), _) => {
                at += 1;
                Expected::Read
            }
            ('>', _, _) => Expected::Written,
            _ => Expected::Read,
        };
        at
    }

    /// The lines of the here-documents that were announced.
    fn read_documents(&mut self, chars: &[char], mut at: usize) -> usize {
        for (command, end, is_indented) in std::mem::take(&mut self.documents) {
            let mut text = String::new();
            while at < chars.len() {
                let length = chars[at..].iter().take_while(|c| **c != '\n').count();
                let line: String = chars[at..at + length].iter().collect();
                at = (at + length + 1).min(chars.len());
                let shown = if is_indented { line.trim_start_matches('\t') } else { line.as_str() };
                if shown == end {
                    break;
                }
                text.push_str(shown);
                text.push('\n');
            }
            self.commands[command].input.push(text);
        }
        at
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
        let rest = &chars[at..];
        let (skipped, length) = match (sign, rest.first()) {
            // `$'…'` and `$"…"` are quotes.
            ('$', Some('\'' | '"')) => return at,
            ('`', _) => (0, rest.iter().take_while(|c| **c != '`').count()),
            (_, Some('(')) => {
                let mut open = 0;
                let length = rest.iter().take_while(|c| {
                    open += i32::from(**c == '(') - i32::from(**c == ')');
                    open > 0
                });
                (1, length.count())
            }
            _ => {
                self.push(sign);
                return at;
            }
        };
        let text: String = rest[skipped..length.max(skipped)].iter().collect();
        let known = git_folder(&text).unwrap_or_else(|| sign.to_string());
        self.word.get_or_insert_default().push_str(&known);
        self.nested.push(text);
        at + (length + 1).min(rest.len())
    }
}

/// What `git rev-parse` prints for the folder of git, as far as it is the same everywhere.
fn git_folder(command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let asked = words.windows(2).position(|pair| pair[0] == "rev-parse")? + 1;
    match (words[asked], words.get(asked + 1)) {
        ("--git-dir" | "--git-common-dir" | "--absolute-git-dir", _) => Some(".git".to_owned()),
        ("--git-path", Some(path)) => Some(format!(".git/{path}")),
        _ => None,
    }
}
