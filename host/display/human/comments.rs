//! What became of comments on the lines of a pull request.

use super::writer::PageWriter;
use crate::format_units::count;
use guardhost_report::CommentCounts;

pub fn comments(page: &mut PageWriter, comments: &CommentCounts) {
    let counts = [
        (comments.new, "new"),
        (comments.kept, "kept"),
        (comments.reopened, "open again"),
        (comments.resolved, "resolved"),
        (comments.summarised, "in the summary"),
    ];
    let said: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    if !said.is_empty() {
        page.field("comments", &said.join(", "));
    }
    if comments.refused > 0 {
        let what = count(comments.refused, "comment");
        page.field("refused", &format!("{what} by the forge, whose diff has other lines; see the summary"));
    }
}
