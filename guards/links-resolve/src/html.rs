//! What a piece of HTML links to, and what can be linked to in it.

/// Targets of `href` and `src`, each with the byte at which its attribute begins; comments are left out.
pub fn targets(html: &str) -> Vec<(usize, String)> {
    let comments = comments(html);
    let attributes = attributes(html, &["href", "src"]);
    let seen = attributes.filter(|(at, _)| !comments.iter().any(|comment| comment.contains(at)));
    seen.map(|(at, value)| (at, value.replace("&amp;", "&"))).collect()
}

/// Values of `id` and `name`, and of the properties that components make ids of: `<Recipes titleId="x">`.
pub fn ids(html: &str) -> impl Iterator<Item = &str> {
    let quoted =
        attributes(html, &["id", "name", "titleId", "headingId", "anchorId", "anchor"]).map(|(_, value)| value);
    quoted.chain(bare_ids(html))
}

/// Values of `id` and `name` without quotes, as HTML allows them: `<a id=x></a>`.
fn bare_ids(html: &str) -> impl Iterator<Item = &str> {
    [" id=", " name="].into_iter().flat_map(move |attribute| {
        html.match_indices(attribute).filter_map(move |(at, _)| {
            let value = &html[at + attribute.len()..];
            let end = value.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(value.len());
            // A tag that is longer is none.
            let near = &html[html.floor_char_boundary(at.saturating_sub(500))..at];
            let in_tag = near.rfind('<') > near.rfind('>');
            (in_tag && end > 0 && !value.starts_with(['"', '\'', '{'])).then(|| &value[..end])
        })
    })
}

fn comments(html: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = html[at..].find("<!--").map(|open| at + open) {
        let end = html[open..].find("-->").map_or(html.len(), |close| open + close + 3);
        found.push(open..end);
        at = end;
    }
    found
}

/// Attributes of one of the names that have a value in quotes: what has none is an expression, or rare.
fn attributes<'h>(html: &'h str, names: &'static [&'static str]) -> impl Iterator<Item = (usize, &'h str)> {
    html.match_indices('=').filter_map(move |(equals, _)| {
        let before = html[..equals].trim_end();
        let name = names.iter().find(|name| {
            let at = before.len().checked_sub(name.len());
            let is_it = at.and_then(|at| before.get(at..)).is_some_and(|word| word.eq_ignore_ascii_case(name));
            is_it && before[..before.len() - name.len()].ends_with(|c: char| c.is_whitespace() || c == '"' || c == '\'')
        })?;
        let after = html[equals + 1..].trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let value = &after[1..];
        let end = value.find(quote)?;
        Some((before.len() - name.len(), value[..end].trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_attributes_outside_of_comments() {
        let html = "<a class=x href = 'a.md?x=1&amp;y'><img data-src=\"no\" SRC=\"b.png\"> <!-- <a href=\"c\"> --> <a href={d}>";
        assert_eq!(targets(html), [(11, "a.md?x=1&y".to_string()), (54, "b.png".to_string())]);
        assert_eq!(ids("<a name=\"x\"></a><h2 id='y z' data-id=\"q\">").collect::<Vec<_>>(), ["x", "y z"]);
        assert_eq!(
            ids("<a id=merging></a> a < b id=no > <X titleId=\"t\" id={d}/>").collect::<Vec<_>>(),
            ["t", "merging", "no"]
        );
        assert_eq!(targets("="), []);
        assert_eq!(targets(" href=\""), []);
    }
}
