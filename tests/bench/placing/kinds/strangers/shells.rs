//! Changes as commands of a shell, beside a diff or instead of one.

use super::super::super::corpus::Source;
use super::super::super::random::Random;
use super::super::super::trial::Trial;
use super::super::fenced;
use super::{Make, certain, diff_fence, open, or_nothing, with_file};

const OTHER: &str = "docs/listing.txt";
const TEXT: &str = "one\ntwo\nthree\nfour\n";
const CHANGED: &str = "one\nsecond\nthree\nfour\n";

fn with_command(source: &Source, random: &mut Random, after: Option<&str>, command: &str) -> Option<Trial> {
    let edit = source.plain()?;
    let info = ["bash", "sh", "console", "shell", ""][random.below(5)];
    let command = if info == "console" { format!("$ {command}") } else { command.to_owned() };
    let command = fenced(info, &command);
    let text = match random.below(2) {
        0 => format!("{}\nAnd run this:\n\n{command}", diff_fence(edit)),
        _ => format!("Run:\n\n{command}\nThen apply:\n\n{}", diff_fence(edit)),
    };
    Some(with_file(or_nothing(Trial::right(edit, text)), OTHER, Some(TEXT), after))
}

pub const KINDS: [(&str, Make); 19] = [
    ("patch -p1 from a here-document", |source, random| {
        certain(source, random, |edit| Some(fenced("bash", &format!("patch -p1 <<'EOF'\n{}EOF\n", edit.unified(3)))))
    }),
    ("git apply from a here-document", |source, random| {
        certain(source, random, |edit| {
            Some(fenced("sh", &format!("cd repo\ngit apply <<'PATCH'\n{}PATCH\ngit status\n", edit.git())))
        })
    }),
    ("cat piped into git apply", |source, random| {
        certain(source, random, |edit| Some(fenced("bash", &format!("cat <<'EOF' | git apply -\n{}EOF\n", edit.git()))))
    }),
    ("a patch file written, then applied", |source, random| {
        certain(source, random, |edit| {
            Some(fenced(
                "bash",
                &format!("cat > fix.patch <<'EOF'\n{}EOF\ngit apply fix.patch\nrm fix.patch\n", edit.git()),
            ))
        })
        .map(or_nothing)
    }),
    ("tee writes the whole file", |source, random| {
        open(source, random, |edit| {
            Some(fenced("bash", &format!("tee {} > /dev/null <<'EOF'\n{}EOF\n", edit.path, edit.after)))
        })
    }),
    ("cat appends", |source, random| {
        with_command(
            source,
            random,
            Some("one\ntwo\nthree\nfour\nfive\n"),
            &format!("cat >> {OTHER} <<'EOF'\nfive\nEOF"),
        )
    }),
    ("printf overwrites", |source, random| {
        with_command(source, random, Some(CHANGED), &format!("printf 'one\\nsecond\\nthree\\nfour\\n' > {OTHER}"))
    }),
    ("perl in place", |source, random| {
        with_command(source, random, Some(CHANGED), &format!("perl -pi -e 's/two/second/' {OTHER}"))
    }),
    ("perl with a separator in its quotes", |source, random| {
        with_command(source, random, Some(CHANGED), &format!("perl -pi -e 's/zero;/null;/; s/two/second/' {OTHER}"))
    }),
    ("a patch that only a decoder can read", |source, random| {
        with_command(source, random, Some(CHANGED), "base64 -d <<EOF | git apply\nZGlmZiAtLWdpdCBhL2RvY3MK\nEOF")
    }),
    ("SWE-agent's numbered edit", |source, random| {
        with_command(source, random, Some(CHANGED), &format!("open {OTHER} 2\nedit 2:2\nsecond\nend_of_edit"))
    }),
    ("sed of macOS in place", |source, random| {
        with_command(source, random, Some(CHANGED), &format!("sed -i '' -e 's/two/second/' {OTHER}"))
    }),
    ("awk and mv", |source, random| {
        with_command(
            source,
            random,
            Some(CHANGED),
            &format!("awk '{{sub(/two/,\"second\")}}1' {OTHER} > tmp && mv tmp {OTHER}"),
        )
    }),
    ("rm", |source, random| with_command(source, random, None, &format!("rm -f {OTHER}"))),
    ("unlink through find", |source, random| {
        with_command(source, random, None, "find docs -name 'listing.txt' -delete")
    }),
    ("PowerShell Set-Content", |source, random| {
        with_command(
            source,
            random,
            Some(CHANGED),
            &format!("(Get-Content {OTHER}) -replace 'two', 'second' | Set-Content {OTHER}"),
        )
    }),
    ("ex commands", |source, random| {
        with_command(source, random, Some(CHANGED), &format!("ex -s {OTHER} <<'EOF'\n2c\nsecond\n.\nwq\nEOF"))
    }),
    ("git rm", |source, random| with_command(source, random, None, &format!("git rm -q {OTHER}"))),
    ("commands that change nothing", |source, random| {
        certain(source, random, |edit| {
            let commands = format!("git diff --stat\ngrep -n 'x' {0} | head\nls -l\npython -m pytest -q\n", edit.path);
            Some(format!("{}\nCheck it with:\n\n{}", diff_fence(edit), fenced("bash", &commands)))
        })
    }),
];
