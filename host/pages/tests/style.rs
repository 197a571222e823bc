//! The style sheet: every theme names every colour, and text on its ground has the contrast of WCAG AA.

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../assets/style.css");

/// The variables of each block between the marks, in the order light, dark by the system, dark by choice.
fn themes() -> Vec<BTreeMap<&'static str, &'static str>> {
    let part = STYLE.split("/* light */").nth(1).expect("themes").split("/* end of themes */").next().expect("an end");
    let blocks: Vec<&str> = part.split('}').filter(|block| block.contains("--page")).collect();
    let colours = |block: &'static str| {
        let pairs = block.split(';').filter_map(|line| line.rsplit_once("--")?.1.split_once(": "));
        pairs.filter(|(_, value)| value.starts_with('#')).collect::<BTreeMap<_, _>>()
    };
    blocks.into_iter().map(colours).collect()
}

fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("hex")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_theme_names_the_same_colours_and_both_dark_ones_are_equal() {
    let themes = themes();
    assert_eq!(themes.len(), 3);
    assert!(themes[0].len() >= 20, "{:?}", themes[0]);
    assert_eq!(themes[0].keys().collect::<Vec<_>>(), themes[1].keys().collect::<Vec<_>>());
    assert_eq!(themes[1], themes[2]);
}

#[test]
fn text_stands_out_from_its_ground() {
    for theme in themes() {
        let mut pairs = vec![
            ("good", "good-soft"),
            ("bad", "bad-soft"),
            ("fault", "fault-soft"),
            ("busy", "busy-soft"),
            ("none", "none-soft"),
        ];
        for text in ["text", "quiet", "link"] {
            pairs.extend(["page", "panel", "sunk"].map(|ground| (text, ground)));
        }
        pairs.extend(["good", "bad", "fault", "busy"].map(|text| (text, "panel")));
        // Text of changed lines.
        pairs.extend(["good-soft", "bad-soft"].map(|ground| ("text", ground)));
        pairs.extend(
            ["quiet", "quoted"].iter().flat_map(|text| [(*text, "good-soft"), (*text, "bad-soft"), (*text, "panel")]),
        );
        // Words within them, which stand out from the rest of their line.
        pairs.extend([("text", "good-mark"), ("text", "bad-mark")]);
        for [mark, soft] in [["good-mark", "good-soft"], ["bad-mark", "bad-soft"]] {
            assert!(contrast(theme[mark], theme[soft]) >= 1.2, "--{mark} on --{soft}");
        }
        for (text, ground) in pairs {
            let found = contrast(theme[text], theme[ground]);
            assert!(found >= 4.5, "--{text} on --{ground}: {found:.2}");
        }
        // Parts of drawings beside their ground.
        for part in ["answer", "patch", "guards", "settle"] {
            assert!(contrast(theme[part], theme["sunk"]) >= 1.8, "--{part}");
        }
    }
}

#[test]
fn the_script_is_short_and_holds_no_closing_tag() {
    let scripts = ["page", "live", "list"];
    let [page, live, list] =
        [include_str!("../assets/page.js"), include_str!("../assets/live.js"), include_str!("../assets/list.js")];
    // A page has two of them: short enough to be read by whoever opens it.
    assert!(page.lines().count() + live.lines().count().max(list.lines().count()) <= 350);
    for text in [page, live, list, STYLE] {
        assert!(!text.contains("</"), "a closing tag");
    }
    for word in
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http:", "https:"]
    {
        assert!([page, live, list].iter().all(|script| !script.contains(word)), "{scripts:?}: {word}");
    }
}
