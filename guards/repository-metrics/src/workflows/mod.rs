//! What CI services are told to run: the commands of their files, and what those commands run that is written down elsewhere in the tree.

mod commands;
mod delegates;
mod shell;
mod words;

use guard_sdk::analysis::{Point, Tree};

use commands::{Command, Form};
pub use words::{AUDIT, COVERAGE, LINT, TESTS};

/// Files of one kind of configuration that are read.
const MOST: u32 = 40;

/// Of services that read one file.
const SINGLE: [&str; 12] = [
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "azure-pipelines.yml",
    ".azure-pipelines.yml",
    ".travis.yml",
    ".drone.yml",
    "bitbucket-pipelines.yml",
    ".buildkite/pipeline.yml",
    ".woodpecker.yml",
    ".cirrus.yml",
    "appveyor.yml",
];

pub struct Workflows {
    paths: Vec<String>,
    runs: Vec<Run>,
}

/// A command that a service runs.
struct Run {
    /// In lower case; of an action, its name.
    text: String,
    place: Place,
}

#[derive(Debug, Clone)]
pub struct Place {
    /// The file of the service, and the line in it.
    pub path: String,
    pub line: u32,
    /// Where the command itself stands, if the service only calls it: `Makefile:27`.
    pub through: Option<String>,
}

impl Place {
    /// A point that is earned here.
    pub fn earns(self, rule: &'static str, possible: u32, message: impl std::fmt::Display) -> Point {
        let through = self.through.map(|through| format!(" ({through})")).unwrap_or_default();
        Point::earned(rule, possible, format!("{message}{through}")).at(self.path).line(self.line)
    }
}

impl Workflows {
    pub fn new(tree: &Tree) -> Self {
        let mut paths = tree.find(
            &[
                "/.github/workflows/*.yml",
                "/.github/workflows/*.yaml",
                "/.gitea/workflows/*.yml",
                "/.forgejo/workflows/*.yml",
            ],
            MOST,
        );
        paths.extend(SINGLE.iter().filter(|path| tree.has(path)).map(|path| path.to_string()));
        let mut runs = Vec::new();
        let mut called = delegates::Called::new(tree);
        for path in &paths {
            let Ok(text) = tree.text(path) else { continue };
            for command in commands::collect(&text) {
                runs.extend(run(path, &command, &mut called));
            }
        }
        Workflows { paths, runs }
    }

    /// The first file of a service.
    pub fn first(&self) -> Option<&str> {
        self.paths.first().map(String::as_str)
    }

    /// The file that other checks of the code belong to: the one that runs the tests, or the only one. A repository's others deploy, publish, greet.
    pub fn of_tests(&self) -> Option<String> {
        let only = || self.paths.first().filter(|_| self.paths.len() == 1).cloned();
        self.naming(&TESTS).map(|place| place.path).or_else(only)
    }

    /// The first command, by path and line, that one of these words names. One that a file of the service spells out comes before one that it
    /// only calls, and both before those of a workflow that delivers: it tests once more what others are there to test.
    pub fn naming(&self, words: &[&str]) -> Option<Place> {
        let names = |run: &&Run| words.iter().any(|word| words::has(&run.text, word));
        let rank = |run: &&Run| (delivers(&run.place.path), run.place.through.is_some());
        self.runs.iter().filter(names).min_by_key(rank).map(|run| run.place.clone())
    }
}

/// Whether a workflow is called after bringing the program to others.
fn delivers(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name).to_lowercase();
    ["deploy", "release", "publish"].iter().any(|word| name.contains(word))
}

/// The command itself, and what it calls.
fn run(path: &str, command: &Command, called: &mut delegates::Called) -> Vec<Run> {
    let place = |through| Place { path: path.to_owned(), line: command.line, through };
    match command.form {
        Form::Action => {
            let mut runs = vec![Run { text: action(&command.text), place: place(None) }];
            let steps = called.by_action(&command.text).into_iter();
            runs.extend(steps.map(|step| Run { text: step.text.to_lowercase(), place: place(Some(step.at)) }));
            runs
        }
        Form::Shell => {
            let mut runs = Vec::new();
            for piece in shell::pieces(&command.text) {
                let steps = called.by_command(&command.folder, &piece);
                let own = if steps.is_empty() { piece.clone() } else { without_runner(&piece) };
                runs.push(Run { text: own.to_lowercase(), place: place(None) });
                runs.extend(
                    steps.into_iter().map(|step| Run { text: step.text.to_lowercase(), place: place(Some(step.at)) }),
                );
            }
            runs
        }
    }
}

/// tox and nox run tests by default, and whatever else their environments say: where those can be read, the program's own name says nothing.
fn without_runner(piece: &str) -> String {
    match shell::words(piece)[..] {
        ["tox" | "nox", ref arguments @ ..] => arguments.join(" "),
        _ => piece.to_owned(),
    }
}

/// The parts of an action's name as words: `golangci/golangci-lint-action@v8`. Its version names nothing.
fn action(name: &str) -> String {
    name.split('@').next().unwrap_or_default().replace('/', " ").to_lowercase()
}
