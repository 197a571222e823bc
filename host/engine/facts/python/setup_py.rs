//! `setup.py`: a program, of which only the literal arguments of `setup()` are read. A computed argument is reported as a problem.

use super::super::DependencyKind;
use super::super::declared::Declared;
use super::lexer::{PythonToken, tokens};

/// Most names in a list that are looked up.
const MAX_NAMES: usize = 16;
/// Most occurrences of one argument that are read.
const MAX_VALUES: usize = 4;

pub fn setup_py(text: &str) -> Declared {
    let tokens = tokens(text);
    let mut declared = Declared::default();
    let arguments = [
        ("install_requires", DependencyKind::Normal),
        ("setup_requires", DependencyKind::Build),
        ("tests_require", DependencyKind::Dev),
        ("extras_require", DependencyKind::Optional),
    ];
    for (argument, kind) in arguments {
        for value in values(&tokens, argument).take(MAX_VALUES) {
            let (texts, whole) = texts(&tokens, value, 0);
            texts.iter().for_each(|text| declared.require(text, kind));
            if !whole {
                declared.add_problem(format!("`{argument}` is computed"));
            }
        }
    }
    let name = values(&tokens, "name").find_map(|at| match tokens.get(at) {
        Some(PythonToken::Text(name)) => Some(name.clone()),
        _ => None,
    });
    declared.name = name;
    declared
}

/// Where the values of `name` begin: `name=…`, or `"name": …` in a dictionary.
fn values<'t>(tokens: &'t [PythonToken], name: &'t str) -> impl Iterator<Item = usize> {
    tokens.windows(3).enumerate().filter_map(move |(at, window)| {
        let named = match &window[0] {
            PythonToken::Name(word) => word == name && window[1] == PythonToken::Sign('='),
            PythonToken::Text(word) => word == name && window[1] == PythonToken::Sign(':'),
            _ => false,
        };
        (named && window[2] != PythonToken::Sign('=')).then_some(at + 2)
    })
}

/// The strings of a list, tuple or dictionary (without its keys), and whether it has nothing else. A name is replaced by the value that
/// was assigned to it.
fn texts(tokens: &[PythonToken], at: usize, depth: u8) -> (Vec<String>, bool) {
    match &tokens[at] {
        PythonToken::Sign('[' | '(' | '{') => inside(tokens, at, depth),
        PythonToken::Text(text) => {
            (text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect(), true)
        }
        PythonToken::Name(name)
            if depth == 0 && !matches!(tokens.get(at + 1), Some(PythonToken::Sign('(' | '.' | '['))) =>
        {
            let assigned: Vec<_> = values(tokens, name).filter(|value| *value != at).collect();
            match assigned[..] {
                [only] => texts(tokens, only, depth + 1),
                _ => (Vec::new(), false),
            }
        }
        _ => (Vec::new(), false),
    }
}

fn inside(tokens: &[PythonToken], open: usize, depth: u8) -> (Vec<String>, bool) {
    let mut found = Vec::new();
    let mut whole = true;
    let mut names = 0;
    let mut level = 0;
    // The nesting level at which a call or a subscript began: strings in it are arguments, not requirements.
    let mut call = None;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        let next = tokens.get(at + 1);
        match token {
            PythonToken::Sign('[' | '(' | '{') => level += 1,
            PythonToken::Sign(']' | ')' | '}') => {
                level -= 1;
                if level == 0 {
                    // `[…] + more` continues the list.
                    let ends = matches!(next, None | Some(PythonToken::Sign(',' | ')' | '}') | PythonToken::Name(_)));
                    return (found, whole && ends);
                }
                call = call.filter(|begun| *begun != level);
            }
            _ if call.is_some() => {}
            // A key of a dictionary.
            PythonToken::Text(_) if next == Some(&PythonToken::Sign(':')) => {}
            PythonToken::Text(text) => found.push(text.clone()),
            PythonToken::Sign(',' | ':') => {}
            PythonToken::Name(_) if matches!(next, Some(PythonToken::Sign('(' | '[' | '.'))) => {
                whole = false;
                call = Some(level);
            }
            PythonToken::Name(_) if depth == 0 && names < MAX_NAMES => {
                names += 1;
                let (more, all) = texts(tokens, at, depth);
                found.extend(more);
                whole &= all;
            }
            _ => whole = false,
        }
    }
    (found, false)
}
