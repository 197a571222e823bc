//! Conditions that hold whatever happens: beside `${{ … }}` there is more text, so that the whole is a text that is not empty
//! (<https://docs.github.com/actions/reference/workflows-and-actions/expressions>).

use guard_yaml::Node;

use crate::problem::Problem;
use crate::workflow::Workflow;

pub fn problems(workflow: &Workflow) -> Vec<Problem> {
    let mut found = Vec::new();
    for job in &workflow.jobs {
        let all = job.node.get("if").into_iter().chain(job.steps.iter().filter_map(|step| step.get("if")));
        found.extend(all.filter_map(|condition| problem(job.id, condition)));
    }
    found
}

fn problem(job: &str, condition: &Node) -> Option<Problem> {
    let text = condition.text()?.trim();
    if !has_more(text) {
        return None;
    }
    let shown: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(80).collect();
    let message =
        format!("the condition `{shown}` of `{job}` always holds: what stands beside the braces makes a text of it");
    let help = "Put the whole condition into one pair of braces, or leave the braces out.";
    Some(Problem::error("condition-constant", format!("{job}:{shown}"), condition.line, message, help))
}

/// Whether something stands outside of the braces.
fn has_more(text: &str) -> bool {
    let mut outside = String::new();
    let mut rest = text;
    let mut has_braces = false;
    while let Some((before, inside)) = rest.split_once("${{") {
        has_braces = true;
        outside.push_str(before);
        rest = inside.split_once("}}").map_or("", |(_, behind)| behind);
    }
    outside.push_str(rest);
    has_braces && !outside.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::has_more;

    #[test]
    fn beside_the_braces() {
        assert!(has_more("${{ github.event_name }} == 'release'"));
        assert!(has_more("${{ a }} && ${{ b }}"));
        assert!(has_more("!${{ a }}"));
        assert!(!has_more("${{ a == 'b' && c }}"));
        assert!(!has_more("a == 'b'"));
        assert!(!has_more(" ${{ a }}\n"));
    }
}
