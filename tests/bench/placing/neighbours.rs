//! The reply of a kind with something beside it: an edit in a form that nobody reads, a discarded edit, or a plain edit after it.
//! Whatever a reader does not know, the only right results are both edits or none; of a discarded one, the other alone or none.

use super::random::Random;
use super::trial::{Files, Trial, Want, file};

const PATH: &str = "neighbour/notes.txt";
const BEFORE: &str = "first of the notes\nsecond of the notes\nthird of the notes\nfourth of the notes\n";
const AFTER: &str = "first of the notes\nsecond of the notes, changed\nthird of the notes\nfourth of the notes\n";
const OLD: &str = "second of the notes";
const NEW: &str = "second of the notes, changed";
const DIFF: &str = "--- a/neighbour/notes.txt\n+++ b/neighbour/notes.txt\n@@ -1,4 +1,4 @@\n first of the notes\n-second of the notes\n\
                    +second of the notes, changed\n third of the notes\n fourth of the notes\n";

/// What stands beside a reply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Neighbour {
    Unread,
    Discarded,
    After,
}

impl Neighbour {
    pub const ALL: [Neighbour; 3] = [Neighbour::Unread, Neighbour::Discarded, Neighbour::After];

    pub fn name(self) -> &'static str {
        match self {
            Neighbour::Unread => "an edit that is not read",
            Neighbour::Discarded => "a discarded edit",
            Neighbour::After => "an edit after it",
        }
    }

    /// The trial with this neighbour. None where the reply says that nothing outside of its markers counts, and where it ought to be
    /// refused alone: text after it may show that it was not cut off.
    pub fn beside(self, trial: &Trial, random: &mut Random) -> Option<Trial> {
        let reply = String::from_utf8(trial.reply.clone()).ok()?;
        if reply.contains("<<<AI_DIFF") || trial.shown.is_some() {
            return None;
        }
        let line = if reply.ends_with('\n') { "" } else { "\n" };
        let text = match self {
            Neighbour::Unread => format!("{reply}{line}\n{}", unread(random)),
            Neighbour::After => format!("{reply}{line}\n{}", ["```diff\n", DIFF, "```\n"].concat()),
            Neighbour::Discarded => discarded(&format!("{reply}{line}"), random),
        };
        let with = |files: &Files, content: &str| {
            let mut files = files.clone();
            files.insert(PATH.to_owned(), file(content.as_bytes()));
            files
        };
        let want = match (&trial.want, self) {
            (Want::Result(files) | Want::AllOrNothing(files), Neighbour::Discarded) => {
                Want::AllOrNothing(with(files, BEFORE))
            }
            (Want::Result(files) | Want::AllOrNothing(files), _) => Want::AllOrNothing(with(files, AFTER)),
            (Want::Refusal, _) => return None,
        };
        Some(Trial { reply: text.into_bytes(), tree: with(&trial.tree, BEFORE), want, ..trial.clone() })
    }
}

fn unread(random: &mut Random) -> String {
    let forms = [
        format!("```bash\nsed -i 's/{OLD}/{NEW}/' {PATH}\n```\n"),
        format!("And `{PATH}`, likewise:\n\n```\n{AFTER}```\n"),
        format!("### `{PATH}` (complete)\n\n```text\n{AFTER}```\n"),
        format!("{{\"name\": \"delete_file\", \"input\": {{\"target_file\": \"{PATH}\"}}}}\n"),
        format!("In {PATH}:\n\n-{OLD}\n+{NEW}\n"),
        format!("In `{PATH}` replace ```{OLD}``` with ```{NEW}```\n"),
        format!("<delete_file>\n<path>{PATH}</path>\n</delete_file>\n"),
        format!("In {PATH}, change\n\n```\n{OLD}\n```\n\nto\n\n```\n{NEW}\n```\n"),
        format!("2c2\n< {OLD}\n---\n> {NEW}\n"),
        format!("<lov-delete file_path=\"{PATH}\" />\n"),
        format!("[{PATH}]({PATH}):\n\n```\n{AFTER}```\n"),
        format!("$ git rm {PATH}\n"),
    ];
    forms[random.below(forms.len())].clone()
}

fn discarded(reply: &str, random: &mut Random) -> String {
    let fence = format!("```diff\n{DIFF}```\n");
    let forms = [
        format!("<scratchpad>\nMaybe:\n\n{fence}</scratchpad>\n\n{reply}"),
        format!("<reasoning>\n{DIFF}</reasoning>\n\n{reply}"),
        format!("My first idea was this:\n\n{fence}\nOn second thought, that file stays as it is.\n\n{reply}"),
        format!("Rejected approach:\n\n{fence}\nInstead:\n\n{reply}"),
        format!("{reply}\nDo not do this:\n\n{fence}"),
        format!("<think>\n{fence}</think>\n{reply}"),
    ];
    forms[random.below(forms.len())].clone()
}
