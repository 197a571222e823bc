//! What the words of the pages mean: at the foot of each.

use maud::{Markup, html};

/// Words that a reader may not know, in the order in which they are met.
const WORDS: [(&str, &str); 17] = [
    ("run", "One request: rounds until one is accepted, or none is left"),
    ("round", "One question to the provider, its answer, and what became of that"),
    ("provider", "The program or the server that is asked for a change: an agent, a model"),
    ("plan, step", "Runs in a row, each on what the one before it made"),
    ("candidate", "The change, placed on the files, before anything judged it"),
    ("guard", "A program without files, network or clock that judges changes by a few rules"),
    ("finding", "What a guard has against a change: a rule, mostly a line, and what to do instead"),
    ("rejected", "A guard, or a rule of the host itself, objects to the change"),
    ("error", "The guard failed, which says nothing about the change, and stops it too"),
    ("not applicable", "The change has nothing that the guard looks at"),
    ("monitored, advice", "What the guard says is shown, and does not count"),
    ("reused", "The verdict of an earlier run, in which the guard saw the same"),
    ("instructions", "How much the guard computed: the same on every machine, whereas time is not"),
    ("alarm", "One guard's objection to one file, however often it is repeated"),
    ("heeded", "In a later change of the file the guard has nothing against it any more"),
    ("overridden", "A person let the finding stand: by a comment, a baseline, --skip or a permission"),
    ("median, 99 %", "Half of all were below it, and 99 of 100 were"),
];

pub fn words() -> Markup {
    html! {
        details.glossary {
            summary { "What the words mean" }
            dl {
                @for (word, meaning) in WORDS { dt { (word) } dd { (meaning) } }
            }
        }
    }
}
