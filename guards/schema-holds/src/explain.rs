//! Why a value does not hold what a schema asks: all of it, and of alternatives the one that was most likely meant.

use crate::check::{Checker, each_of, name};
use crate::problem::{Problem, Violation};
use crate::table::{Keyword, Literal, Literals, Node, Properties, Types};
use crate::value::{self, Kind, Member, Value};

/// How the value was reached.
#[derive(Clone, Copy)]
pub enum Path<'p> {
    Top,
    Key(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    /// Of this value.
    fn violation_at_value(&self, value: &Value, problem: Problem) -> Violation {
        Violation { span: value.span.clone(), ..self.violation(value.line, problem) }
    }

    fn violation(&self, line: u32, problem: Problem) -> Violation {
        let (mut path, mut place, mut depth) = (String::new(), String::new(), 0);
        self.write(&mut path, &mut place, &mut depth);
        Violation { path, place, depth, line, span: 0..0, problem }
    }

    fn write(&self, path: &mut String, place: &mut String, depth: &mut usize) {
        match self {
            Path::Top => return,
            Path::Key(parent, key) => {
                parent.write(path, place, depth);
                for text in [path, place] {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(&crate::words::short(key));
                }
            }
            Path::Item(parent, index) => {
                parent.write(path, place, depth);
                path.push_str(&format!("[{index}]"));
                place.push_str("[]");
            }
        }
        *depth += 1;
    }

    fn depth(&self) -> usize {
        match self {
            Path::Top => 0,
            Path::Key(parent, _) | Path::Item(parent, _) => parent.depth() + 1,
        }
    }
}

/// Every violation, each named once.
pub fn explain(checker: &Checker, node: Node, value: &Value) -> Vec<Violation> {
    let mut found: Vec<Violation> = Vec::new();
    for violation in violations(checker, node, value, &Path::Top) {
        if !found.iter().any(|known| known.path == violation.path && known.problem == violation.problem) {
            found.push(violation);
        }
    }
    found.sort_by_key(|violation| violation.line);
    without_twice_told(found)
}

/// A misspelt key that is required is no second violation.
fn without_twice_told(mut found: Vec<Violation>) -> Vec<Violation> {
    let meant: Vec<(String, &str)> = found
        .iter()
        .filter_map(|one| match &one.problem {
            Problem::Unknown { key, known } => Some((one.path.clone(), crate::words::nearest(key, known)?)),
            _ => None,
        })
        .collect();
    found.retain(|one| match &one.problem {
        Problem::Missing { keys } => !meant.iter().any(|(path, near)| *path == one.path && keys.contains(near)),
        _ => true,
    });
    found
}

fn violations(checker: &Checker, node: Node, value: &Value, path: &Path) -> Vec<Violation> {
    let broken: Vec<Keyword> = node.keywords().filter(|keyword| !checker.keyword(*keyword, value)).collect();
    if checker.is_exhausted() || matches!(value.kind, Kind::Open) {
        return Vec::new();
    }
    // Of a value of another type there is nothing else to say.
    let shape = broken.iter().find(|keyword| matches!(keyword, Keyword::Type(_) | Keyword::Enum(_)));
    if let Some(shape) = shape {
        let values = node.keywords().find_map(|keyword| match keyword {
            Keyword::Enum(literals) => Some(literals),
            _ => None,
        });
        let types = match shape {
            Keyword::Type(types) => *types,
            _ => Types::NONE,
        };
        return vec![path.violation_at_value(value, misshapen(types, values, value))];
    }
    broken.into_iter().flat_map(|keyword| why(checker, keyword, value, path)).collect()
}

fn misshapen(types: Types, values: Option<Literals>, value: &Value) -> Problem {
    let mut listed = Vec::new();
    if let Some(literals) = values {
        listed.extend(literals.texts().iter().map(|text| format!("`{text}`")));
        listed.extend(literals.others().map(|literal| match literal {
            Literal::Null => "null".to_owned(),
            Literal::Bool(value) => value.to_string(),
            Literal::Number(value) => value.to_string(),
        }));
    }
    let types = if listed.is_empty() { types } else { Types::NONE };
    Problem::Shape { types, values: listed, found: crate::words::value(value), is: value.types() }
}

fn why(checker: &Checker, keyword: Keyword, value: &Value, path: &Path) -> Vec<Violation> {
    let one = |problem| vec![path.violation_at_value(value, problem)];
    let bounds = |must: String| one(Problem::Bounds { must, found: crate::words::value(value) });
    match (keyword, &value.kind) {
        (Keyword::All(nodes), _) => nodes.iter().flat_map(|node| violations(checker, node, value, path)).collect(),
        (Keyword::Any(nodes), _) => {
            nearest(nodes.iter().map(|node| violations(checker, node, value, path)).collect(), value, path)
        }
        (Keyword::One(nodes), _) => {
            let holding: Vec<Node> = nodes.iter().filter(|node| checker.holds(*node, value)).collect();
            match holding.is_empty() {
                true => nearest(nodes.iter().map(|node| violations(checker, node, value, path)).collect(), value, path),
                false => one(clash(&holding)),
            }
        }
        (Keyword::Not(node), _) => one(clash(&[node])),
        (Keyword::If { condition, then, otherwise }, _) => {
            violations(checker, if checker.holds(condition, value) { then } else { otherwise }, value, path)
        }
        (Keyword::Minimum(least), _) => bounds(format!("at least {least}")),
        (Keyword::Maximum(most), _) => bounds(format!("at most {most}")),
        (Keyword::Above(limit), _) => bounds(format!("above {limit}")),
        (Keyword::Below(limit), _) => bounds(format!("below {limit}")),
        (Keyword::MinLength(1), _) => bounds("not empty".to_owned()),
        (Keyword::MinLength(least), _) => bounds(format!("at least {least} characters long")),
        (Keyword::MaxLength(most), _) => bounds(format!("at most {most} characters long")),
        (Keyword::MinItems(1) | Keyword::MinProperties(1), _) => bounds("not empty".to_owned()),
        (Keyword::MinItems(least), _) => bounds(format!("at least {least} items long")),
        (Keyword::MaxItems(most), _) => bounds(format!("at most {most} items long")),
        (Keyword::MinProperties(least), _) => bounds(format!("a map of at least {least} keys")),
        (Keyword::MaxProperties(most), _) => bounds(format!("a map of at most {most} keys")),
        (Keyword::Pattern(pattern), _) => {
            one(Problem::Form { found: crate::words::value(value), pattern: pattern.source(), name: false })
        }
        (Keyword::Prefix(nodes), Kind::List(items)) => {
            let pairs = nodes.iter().zip(items).enumerate();
            pairs.flat_map(|(index, (node, item))| violations(checker, node, item, &Path::Item(path, index))).collect()
        }
        (Keyword::Items(from, node), Kind::List(items)) => {
            let items = items.iter().enumerate().skip(from);
            items.flat_map(|(index, item)| violations(checker, node, item, &Path::Item(path, index))).collect()
        }
        (Keyword::Unique, Kind::List(items)) => {
            let again = checker.twice(items);
            let twice = |item: &Value| path.violation(item.line, Problem::Twice { found: crate::words::value(item) });
            again.map(twice).into_iter().collect()
        }
        (Keyword::Properties(properties), Kind::Map(members)) => {
            members.iter().flat_map(|member| member_why(checker, properties, members, member, path)).collect()
        }
        (Keyword::Names(node), Kind::Map(members)) => {
            let wrong = members.iter().filter(|member| !checker.holds(node, &name(member)));
            wrong.flat_map(|member| name_why(checker, node, member, path)).collect()
        }
        (Keyword::Required(keys), Kind::Map(members)) => {
            let gone = keys.iter().filter(|key| value::find(members, key).is_none());
            gone.map(|key| path.violation_at_value(value, Problem::Missing { keys: vec![key] })).collect()
        }
        (Keyword::Dependent(key, needed), Kind::Map(members)) => {
            let gone = needed.iter().filter(|key| value::find(members, key).is_none());
            gone.map(|needed| path.violation_at_value(value, Problem::Needs { key, needed })).collect()
        }
        _ => one(Problem::Misfit),
    }
}

fn member_why(
    checker: &Checker,
    properties: Properties,
    members: &[Member],
    member: &Member,
    path: &Path,
) -> Vec<Violation> {
    let mut found = Vec::new();
    each_of(properties, &member.key, |node| {
        let never = node.keywords().any(|keyword| matches!(keyword, Keyword::Never));
        if never && !matches!(member.value.kind, Kind::Open) {
            let there = |name: &str| value::find(members, name).is_some();
            let known = properties.named().map(|(name, _)| name).filter(|name| !there(name)).collect();
            found.push(path.violation(member.line, Problem::Unknown { key: member.key.to_string(), known }));
        } else if !checker.holds(node, &member.value) {
            let from = found.len();
            found.extend(violations(checker, node, &member.value, &Path::Key(path, &member.key)));
            // A value may begin below its key, and people look for the key. What is wrong about a key of the value stands at that key.
            let depth = path.depth() + 1;
            let own = |one: &&mut Violation| one.depth == depth && !one.problem.is_of_a_key();
            found[from..].iter_mut().filter(own).for_each(|one| one.line = member.line);
        }
        true
    });
    found
}

fn name_why(checker: &Checker, node: Node, member: &Member, path: &Path) -> Vec<Violation> {
    violations(checker, node, &name(member), path)
        .into_iter()
        .map(|violation| {
            let key = member.key.to_string();
            let problem = match violation.problem {
                Problem::Form { pattern, .. } => Problem::Form { found: key, pattern, name: true },
                _ => Problem::Unknown { key, known: names_of(node) },
            };
            path.violation(member.line, problem)
        })
        .collect()
}

fn names_of(node: Node) -> Vec<&'static str> {
    node.keywords()
        .flat_map(|keyword| match keyword {
            Keyword::Enum(literals) => literals.texts().iter().collect(),
            Keyword::Any(nodes) | Keyword::One(nodes) | Keyword::All(nodes) => {
                nodes.iter().flat_map(names_of).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}

/// What must not all hold, if that can be said in keys.
fn clash(nodes: &[Node]) -> Problem {
    let mut keys: Vec<&'static str> = Vec::new();
    for keyword in nodes.iter().flat_map(|node| node.keywords()) {
        if let Keyword::Required(required) = keyword {
            keys.extend(required.iter());
        }
    }
    keys.dedup();
    if keys.is_empty() { Problem::Misfit } else { Problem::Clash { keys } }
}

/// Of what each alternative objects to: what the one objects to that was most likely meant, or what all of them ask.
fn nearest(attempts: Vec<Vec<Violation>>, value: &Value, path: &Path) -> Vec<Violation> {
    let depth = path.depth();
    let is_shape = |attempt: &[Violation]| {
        attempt.iter().any(|one| one.depth == depth && matches!(one.problem, Problem::Shape { .. }))
    };
    let (shapes, mut others): (Vec<_>, Vec<_>) = attempts.into_iter().partition(|attempt| is_shape(attempt));
    // A list of values tells more than a pattern, and that an expression would do too goes without saying.
    let lists = |one: &Violation| matches!(&one.problem, Problem::Shape { values, .. } if !values.is_empty());
    let listed = shapes.iter().flatten().any(lists);
    others.retain(|attempt| match attempt.as_slice() {
        [Violation { problem: Problem::Form { pattern, .. }, .. }] => {
            shapes.is_empty() || !(listed || pattern.contains(r"\$\{"))
        }
        _ => true,
    });
    if others.is_empty() {
        return merged_shapes(shapes.into_iter().flatten().collect(), value, path);
    }
    if let Some(keys) = all_missing(&others, depth) {
        return vec![path.violation_at_value(value, Problem::Missing { keys })];
    }
    let cost = |attempt: &Vec<Violation>| {
        let against = attempt.iter().filter(|one| tells_apart(one, depth)).count();
        (against, attempt.iter().map(|one| weight(one, depth)).sum::<u32>())
    };
    others.into_iter().min_by_key(cost).unwrap_or_default()
}

fn merged_shapes(shapes: Vec<Violation>, value: &Value, path: &Path) -> Vec<Violation> {
    let (mut all, mut listed) = (Types::NONE, Vec::new());
    for violation in shapes {
        if let Problem::Shape { types, values, .. } = violation.problem {
            all = all.with(types);
            for value in values {
                if !listed.contains(&value) {
                    listed.push(value);
                }
            }
        }
    }
    let found = crate::words::value(value);
    vec![path.violation_at_value(value, Problem::Shape { types: all, values: listed, found, is: value.types() })]
}

/// When each alternative asks for one key more and nothing else: those keys.
fn all_missing(attempts: &[Vec<Violation>], depth: usize) -> Option<Vec<&'static str>> {
    let mut all: Vec<&'static str> = Vec::new();
    for attempt in attempts {
        match attempt.as_slice() {
            [Violation { depth: at, problem: Problem::Missing { keys }, .. }] if *at == depth => {
                all.extend(keys.iter().filter(|key| !all.contains(key)).copied().collect::<Vec<_>>());
            }
            _ => return None,
        }
    }
    Some(all)
}

/// A key that says which alternative is meant says another.
fn tells_apart(violation: &Violation, depth: usize) -> bool {
    violation.depth == depth + 1 && matches!(&violation.problem, Problem::Shape { values, .. } if !values.is_empty())
}

/// How much a violation tells against the alternative that it is of.
fn weight(violation: &Violation, depth: usize) -> u32 {
    let below = (violation.depth - depth).min(8) as u32;
    let base = match &violation.problem {
        Problem::Unknown { key, known } if crate::words::nearest(key, known).is_some() => 8,
        Problem::Unknown { .. } => 20,
        Problem::Missing { .. } => 16,
        _ => 12,
    };
    // What was meant fits far down.
    base - below
}
