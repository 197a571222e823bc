//! What others may do with it.

use guard_sdk::analysis::{Point, Tree};

/// What a text of the licence certainly has in it, and its SPDX id. The more exact first.
const KNOWN: [(&[&str], &str); 17] = [
    (&["gnu affero general public license"], "AGPL-3.0"),
    (&["gnu lesser general public license"], "LGPL"),
    (&["gnu general public license", "version 3"], "GPL-3.0"),
    (&["gnu general public license", "version 2"], "GPL-2.0"),
    (&["apache license", "version 2.0"], "Apache-2.0"),
    (&["mozilla public license", "2.0"], "MPL-2.0"),
    (&["eclipse public license"], "EPL"),
    (&["european union public licence"], "EUPL"),
    (&["boost software license"], "BSL-1.0"),
    (&["creative commons"], "CC"),
    (&["this is free and unencumbered software"], "Unlicense"),
    (&["permission to use, copy, modify, and/or distribute this software for any"], "ISC"),
    (&["redistribution and use in source and binary forms", "neither the name"], "BSD-3-Clause"),
    (&["redistribution and use in source and binary forms"], "BSD-2-Clause"),
    (&["permission is hereby granted, free of charge"], "MIT"),
    (&["business source license"], "BUSL"),
    (&["altered source versions must be plainly marked as such"], "Zlib"),
];

pub fn points(tree: &Tree) -> Vec<Point> {
    let globs = [
        "/*LICENSE*",
        "/*LICENCE*",
        "/COPYING*",
        "/*license*",
        "/*licence*",
        "/*License*",
        "/UNLICENSE*",
        "/LICENSES/*",
    ];
    let paths = tree.find(&globs, 20);
    let texts = paths.iter().filter_map(|path| Some((path, tree.text(path).ok()?)));
    let mut unknown = None;
    for (path, text) in texts {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if text.is_empty() {
            continue;
        }
        if let Some((_, id)) = KNOWN.iter().find(|(signs, _)| signs.iter().all(|sign| text.contains(sign))) {
            return vec![Point::earned("license", 1_000, format!("it is {id}")).at(path)];
        }
        unknown = unknown.or(Some(path));
    }
    vec![match unknown {
        Some(path) => {
            let help = "Use the unchanged text of a known licence, so that tools and lawyers recognise it.";
            Point::part("license", 600, 1_000, "its text is that of no known licence").at(path).help(help)
        }
        None => {
            let help = "Choose a licence and put its text into LICENSE: without one nobody may use the code.";
            Point::missed("license", 1_000, "there is no licence", help)
        }
    }]
}
