//! A diff as mail programs, chat pages, trackers and markup languages carry it.

use super::super::fenced;
use super::{Make, certain, diff_fence, open};

fn indented(text: &str, by: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{by}{line}\n") }).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub const KINDS: [(&str, Make); 20] = [
    ("git format-patch", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "From 1f0c3b2a9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a Mon Sep 17 00:00:00 2001\nFrom: A Model <model@example.org>\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\
                 Subject: [PATCH] fix it\n\nIt was wrong.\n---\n {} | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)\n\n{}-- \n2.43.0\n\n",
                edit.path,
                edit.git()
            ))
        })
    }),
    ("a mail with flowed lines", |source, random| {
        open(source, random, |edit| {
            let flowed: String = edit
                .unified(3)
                .lines()
                .map(|line| {
                    if line.len() > 60 {
                        format!(
                            "{} \n{}\n",
                            &line[..line.floor_char_boundary(60)],
                            &line[line.floor_char_boundary(60)..]
                        )
                    } else {
                        format!("{line}\n")
                    }
                })
                .collect();
            Some(format!("Content-Type: text/plain; charset=utf-8; format=flowed\n\n{flowed}\n--\nA Model\n"))
        })
    }),
    ("a review's reply that quotes the diff", |source, random| {
        open(source, random, |edit| {
            Some(format!(
                "On Tue, 3 Mar 2026, someone wrote:\n{}\nLooks right to me, please apply.\n",
                edit.unified(3).lines().map(|line| format!("> {line}\n")).collect::<String>()
            ))
        })
    }),
    ("ChatGPT page: Copy code", |source, random| {
        certain(source, random, |edit| {
            Some(format!("diff\nCopy code\n{}\nLet me know if that works!\n", edit.unified(3)))
        })
    }),
    ("ChatGPT page: python, Copy, Edit above a whole file", |source, random| {
        open(source, random, |edit| Some(format!("{}\n\npython\nCopy\nEdit\n{}", edit.path, edit.after)))
    }),
    ("Gemini page: Use code with caution", |source, random| {
        certain(source, random, |edit| Some(format!("Diff\n\n{}\nUse code with caution.\n", edit.unified(3))))
    }),
    ("GitHub: suggestion", |source, random| {
        open(source, random, |edit| {
            let hunk = edit.hunks(0).into_iter().next().filter(|_| edit.hunks(0).len() == 1)?;
            Some(format!(
                "**{}** lines {}-{}\n\n{}",
                edit.path,
                hunk.old,
                hunk.old + hunk.count('-'),
                fenced("suggestion", &hunk.side_text('+'))
            ))
        })
    }),
    ("GitHub page: two columns of numbers", |source, random| {
        open(source, random, |edit| {
            let hunk = edit.hunks(3).into_iter().next().filter(|_| edit.hunks(3).len() == 1)?;
            let (mut old, mut new) = (hunk.old, hunk.new);
            let mut text = format!("{}\n{}\n", edit.path, hunk.header());
            for line in &hunk.lines {
                let (left, right) = match line.sign {
                    '-' => (old.to_string(), String::new()),
                    '+' => (String::new(), new.to_string()),
                    _ => (old.to_string(), new.to_string()),
                };
                text += &format!("{left}\t{right}\t{}{}\n", line.sign, line.text);
                old += usize::from(line.sign != '+');
                new += usize::from(line.sign != '-');
            }
            Some(text)
        })
    }),
    ("Jira: code macro", |source, random| {
        certain(source, random, |edit| Some(format!("{{code:diff|title=fix}}\n{}{{code}}\n", edit.unified(3))))
    }),
    ("HTML: pre and code, escaped", |source, random| {
        open(source, random, |edit| {
            Some(format!(
                "<p>The fix:</p>\n<pre><code class=\"language-diff\">{}</code></pre>\n",
                escaped(&edit.unified(3))
            ))
        })
    }),
    ("reStructuredText: code-block", |source, random| {
        certain(source, random, |edit| {
            Some(format!("The fix:\n\n.. code-block:: diff\n\n{}\nThat is all.\n", indented(&edit.unified(3), "   ")))
        })
    }),
    ("Org: begin_src", |source, random| {
        certain(source, random, |edit| Some(format!("* Fix\n#+BEGIN_SRC diff\n{}#+END_SRC\n", edit.unified(3))))
    }),
    ("Org: begin_src, indented", |source, random| {
        open(source, random, |edit| {
            Some(format!("* Fix\n  #+begin_src diff\n{}  #+end_src\n", indented(&edit.unified(3), "  ")))
        })
    }),
    ("BBCode", |source, random| {
        certain(source, random, |edit| Some(format!("[b]Fix[/b]\n[code]\n{}[/code]\n", edit.unified(3))))
    }),
    ("AsciiDoc listing", |source, random| {
        open(source, random, |edit| Some(format!(".Fix\n[source,diff]\n----\n{}----\n", edit.unified(3))))
    }),
    ("LaTeX listing", |source, random| {
        open(source, random, |edit| {
            Some(format!("\\begin{{lstlisting}}[language=diff]\n{}\\end{{lstlisting}}\n", edit.unified(3)))
        })
    }),
    ("details and summary", |source, random| {
        certain(source, random, |edit| {
            Some(format!("<details>\n<summary>The patch</summary>\n\n{}\n</details>\n", diff_fence(edit)))
        })
    }),
    ("a table of the changes below", |source, random| {
        certain(source, random, |edit| {
            Some(format!("{}\n| file | + | - |\n|---|---|---|\n| `{}` | 3 | 1 |\n", diff_fence(edit), edit.path))
        })
    }),
    ("git show with its header and statistics", |source, random| {
        certain(source, random, |edit| {
            Some(format!(
                "commit 1f0c3b2a9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a (HEAD -> fix)\nAuthor: A Model <m@example.org>\nDate:   Tue Mar 3 10:00:00 2026 +0000\n\n    Fix it\n    \n\
                 \x20   - one reason\n    + another\n\n {} | 2 +-\n 1 file changed\n\n{}",
                edit.path,
                edit.git()
            ))
        })
    }),
    ("Slack: quotation marks made typographic", |source, random| {
        open(source, random, |edit| {
            let text = edit.unified(3);
            text.contains('"').then(|| text.replace(" \"", " \u{201c}").replace('"', "\u{201d}"))
        })
    }),
];
