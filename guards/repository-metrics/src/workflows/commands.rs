//! The commands in the file of a CI service.

use guard_yaml::{Kind, Node};

/// Commands of one file, and the values that a word of a matrix is tried with.
const MOST: usize = 2_000;
const VALUES: usize = 30;
/// Expressions of one command that are replaced.
const EXPRESSIONS: usize = 4;

pub struct Command {
    pub form: Form,
    /// One line or several.
    pub text: String,
    /// From 1.
    pub line: u32,
    /// Where it runs, from the root; empty at the root, and where it is not known.
    pub folder: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Shell,
    /// The name of an action or of another workflow.
    Action,
}

/// Of a file that is no YAML, every line.
pub fn collect(text: &str) -> Vec<Command> {
    let mut found = Vec::new();
    match guard_yaml::read(text) {
        Some(root @ Node { kind: Kind::Map(_) | Kind::List(_), .. }) => {
            let lines: Vec<&str> = text.lines().collect();
            Reader { lines, found: &mut found }.node(&root, &Context::default());
        }
        _ => {
            let shell = |(line, text): (u32, &str)| Command {
                form: Form::Shell,
                text: text.to_owned(),
                line,
                folder: String::new(),
            };
            found.extend((1..).zip(text.lines()).map(shell));
        }
    }
    found.truncate(MOST);
    found
}

/// What stands above a command.
#[derive(Debug, Clone, Copy, Default)]
struct Context<'n> {
    matrix: Option<&'n Node>,
    /// Variables, of the job and of the whole file.
    variables: [Option<&'n Node>; 2],
    folder: &'n str,
}

struct Reader<'r> {
    lines: Vec<&'r str>,
    found: &'r mut Vec<Command>,
}

impl Reader<'_> {
    fn node<'n>(&mut self, node: &'n Node, above: &Context<'n>) {
        if self.found.len() > MOST {
            return;
        }
        node.items().iter().for_each(|item| self.node(item, above));
        let own = node.get("strategy").and_then(|strategy| strategy.get("matrix"));
        let defaults = node.get("defaults").and_then(|defaults| defaults.get("run")?.text_at("working-directory"));
        let folder = node.text_at("working-directory").or(defaults).filter(|folder| !folder.contains("${{"));
        let variables = match node.get("env").filter(|env| !env.members().is_empty()) {
            Some(own) => [Some(own), above.variables[0]],
            None => above.variables,
        };
        let context = Context { matrix: own.or(above.matrix), variables, folder: folder.unwrap_or(above.folder) };
        for (key, _, value) in node.members() {
            match (form(key), &value.kind) {
                (Some(form), Kind::Text(_) | Kind::List(_)) => self.commands(form, value, &context),
                _ => self.node(value, &context),
            }
        }
        self.found.extend(subcommand(node, context.folder));
    }

    fn commands(&mut self, form: Form, node: &Node, context: &Context) {
        match &node.kind {
            Kind::Text(text) => {
                let folder = context.folder.trim_start_matches("./").trim_end_matches('/').to_owned();
                for text in with_values(text, context) {
                    self.found.extend(self.lines_of(form, &text, node.line, &folder));
                }
            }
            Kind::List(items) => items.iter().for_each(|item| self.commands(form, item, context)),
            // `- run: …` within a list of commands, as CircleCI has it.
            Kind::Map(_) => self.node(node, context),
        }
    }

    /// The text by its lines, each where it stands in the file.
    fn lines_of(&self, form: Form, text: &str, from: u32, folder: &str) -> Vec<Command> {
        let joined = text.replace("\\\n", "\u{1}");
        let mut at = from;
        let mut commands = Vec::new();
        for line in joined.lines().filter(|line| !line.trim().is_empty()) {
            let first = line.split('\u{1}').next().unwrap_or_default().trim();
            let stands = |number: &u32| self.lines.get(*number as usize - 1).is_some_and(|raw| raw.contains(first));
            at = (at.max(1)..at.saturating_add(200)).find(stands).unwrap_or(at);
            commands.push(Command { form, text: line.replace('\u{1}', " "), line: at, folder: folder.to_owned() });
        }
        commands
    }
}

fn form(key: &str) -> Option<Form> {
    Some(match key {
        "run" | "script" | "commands" | "command" | "bash" | "powershell" | "pwsh" | "before_install" | "install"
        | "before_script" | "after_script" | "after_success" => Form::Shell,
        "uses" | "task" => Form::Action,
        _ if key.ends_with("_script") => Form::Shell,
        _ => return None,
    })
}

/// Of a step whose action runs a subcommand that its settings name: `uses: actions-rs/cargo@v1` with `command: test`.
fn subcommand(step: &Node, folder: &str) -> Option<Command> {
    let uses = step.get("uses")?;
    let command = step.get("with")?.text_at("command")?;
    let program = uses.text()?.split('@').next()?.rsplit('/').next()?;
    Some(Command {
        form: Form::Shell,
        text: format!("{program} {command}"),
        line: uses.line,
        folder: folder.to_owned(),
    })
}

/// The text with each value of the matrix and each variable that it names: `tox -e ${{ matrix.env }}`, `$CARGO test`.
fn with_values(text: &str, context: &Context) -> Vec<String> {
    let mut texts = vec![text.to_owned()];
    for _ in 0..EXPRESSIONS {
        let grown: Vec<String> = texts.iter().flat_map(|text| with_value(text, context)).take(VALUES).collect();
        if grown == texts {
            break;
        }
        texts = grown;
    }
    texts.iter().map(|text| with_variables(text, context)).collect()
}

/// The text with each value of the first expression whose values are known.
fn with_value(text: &str, context: &Context) -> Vec<String> {
    for (at, _) in text.match_indices("${{") {
        let Some((name, after)) = text[at + 3..].split_once("}}") else { break };
        let mut values = Vec::new();
        if let (Some(name), Some(matrix)) = (name.trim().strip_prefix("matrix."), context.matrix) {
            matrix.get(name).iter().for_each(|values_of| values_of.texts(&mut values));
            let included = matrix.get("include").map_or(&[][..], Node::items).iter();
            included.filter_map(|row| row.get(name)).for_each(|value| value.texts(&mut values));
        }
        if let Some(name) = name.trim().strip_prefix("env.") {
            values.extend(variable(name, context).map(|value| (value, 0)));
        }
        if !values.is_empty() {
            return values.iter().take(VALUES).map(|(value, _)| format!("{}{value}{after}", &text[..at])).collect();
        }
    }
    vec![text.to_owned()]
}

fn with_variables(text: &str, context: &Context) -> String {
    let mut text = text.to_owned();
    for (name, _, value) in context.variables.iter().flatten().flat_map(|env| env.members()) {
        let Some(value) = value.text().filter(|value| !value.contains('$') && !value.is_empty()) else { continue };
        text = text.replace(&format!("${{{name}}}"), value);
        // `$CARGO`, and not the beginning of `$CARGO_HOME`.
        let parts: Vec<String> = text.split(&format!("${name}")).map(str::to_owned).collect();
        let goes_on = |part: &String| part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if parts.len() > 1 && !parts[1..].iter().any(goes_on) {
            text = parts.join(value);
        }
    }
    text
}

fn variable<'n>(name: &str, context: &Context<'n>) -> Option<&'n str> {
    context.variables.iter().flatten().find_map(|env| env.text_at(name))
}
