//! A pattern as the table of a finite automaton.

use std::collections::HashMap;

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::Result;

/// How many classes of bytes, and how many runs of bytes of one class; the first byte of each run, and its class; for each
/// state the next state by class, then one by the end of the text.
/// State 0 matches no more, state 1 has matched, state 2 is where to start.
pub fn words(pattern: &str) -> Result<Vec<u16>> {
    let dfa = dense::Builder::new()
        .configure(
            dense::Config::new()
                .start_kind(StartKind::Unanchored)
                .match_kind(MatchKind::LeftmostFirst)
                .minimize(true)
                .accelerate(false),
        )
        .build(&ascii_classes(pattern))
        .map_err(|error| format!("pattern {pattern}: {error}"))?;
    let classes: Vec<u16> = (0..=255).map(|byte| u16::from(dfa.byte_classes().get(byte))).collect();
    let count = usize::from(classes.iter().copied().max().unwrap_or_default()) + 1;
    let byte_of =
        |class: usize| classes.iter().position(|known| usize::from(*known) == class).unwrap_or_default() as u8;

    let mut number: HashMap<StateID, u16> = HashMap::new();
    let mut states = Vec::new();
    let first = dfa.start_state(&start::Config::new().anchored(Anchored::No)).map_err(|error| error.to_string())?;
    let mut name = |state: StateID, states: &mut Vec<StateID>| -> u16 {
        match () {
            _ if dfa.is_dead_state(state) => 0,
            // Where it matched is no question; that it did is enough.
            _ if dfa.is_match_state(state) => 1,
            _ => *number.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() as u16 + 1
            }),
        }
    };
    let mut table = Vec::new();
    let start = name(first, &mut states);
    let mut next = 0;
    while next < states.len() {
        let state = states[next];
        for class in 0..count {
            table.push(name(dfa.next_state(state, byte_of(class)), &mut states));
        }
        table.push(name(dfa.next_eoi_state(state), &mut states));
        next += 1;
    }
    if start != 2 {
        return Err(format!("pattern {pattern}: it matches everything or nothing").into());
    }
    let starts: Vec<usize> =
        (0..classes.len()).filter(|byte| *byte == 0 || classes[*byte] != classes[byte - 1]).collect();
    let mut words = vec![u16::try_from(count)?, u16::try_from(starts.len())?];
    words.extend(starts.iter().flat_map(|byte| [*byte as u16, classes[*byte]]));
    words.extend(table);
    Ok(words)
}

/// ECMA-262's classes are of ASCII, save that `\s` knows Unicode's spaces.
fn ascii_classes(pattern: &str) -> String {
    let mut out = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('d') => out.push_str("[0-9]"),
            Some('w') => out.push_str("[A-Za-z0-9_]"),
            Some('D') => out.push_str("[^0-9]"),
            Some('W') => out.push_str("[^A-Za-z0-9_]"),
            // Not an escape of the regex crate's.
            Some('/') => out.push('/'),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    out
}
