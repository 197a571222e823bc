//! From the document of all schemas to nodes. A keyword that is not known here fails the build, so that nothing passes because
//! the guard could not look.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use crate::{Result, code};

/// The node that every value fits.
const ANYTHING: usize = 0;

/// Nodes before they are numbered in words.
#[derive(Default)]
pub struct Tables {
    /// Node of each schema under `$defs`.
    pub roots: BTreeMap<String, usize>,
    pub nodes: Vec<Vec<Keyword>>,
    pub numbers: Vec<f64>,
    pub patterns: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Keyword {
    pub code: u16,
    pub words: Vec<Code>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    Plain(u16),
    Node(usize),
    Text(String),
    Pattern(usize),
}

pub fn compile(bundle: &Value) -> Result<Tables> {
    let mut compiler = Compiler { bundle, seen: HashMap::new(), tables: Tables::default() };
    compiler.tables.nodes.push(Vec::new());
    for name in bundle["$defs"].as_object().ok_or("the bundle has no schemas")?.keys() {
        let root = compiler.at(&format!("/$defs/{name}"))?;
        compiler.tables.roots.insert(name.clone(), root);
    }
    let mut tables = compiler.tables;
    while share(&mut tables) {}
    prune(&mut tables);
    Ok(tables)
}

struct Compiler<'b> {
    bundle: &'b Value,
    /// Nodes by where they stand in the bundle.
    seen: HashMap<String, usize>,
    tables: Tables,
}

impl Compiler<'_> {
    fn at(&mut self, pointer: &str) -> Result<usize> {
        if let Some(node) = self.seen.get(pointer) {
            return Ok(*node);
        }
        let schema = self.bundle.pointer(pointer).ok_or_else(|| format!("{pointer}: nothing stands there"))?;
        let node = self.tables.nodes.len();
        self.seen.insert(pointer.to_owned(), node);
        self.tables.nodes.push(Vec::new());
        self.tables.nodes[node] = match schema {
            Value::Bool(true) => Vec::new(),
            Value::Bool(false) => vec![Keyword { code: code::NEVER, words: Vec::new() }],
            Value::Object(keywords) => self.keywords(pointer, keywords).map_err(|why| format!("{pointer}: {why}"))?,
            other => return Err(format!("{pointer}: {other} is no schema").into()),
        };
        Ok(node)
    }

    fn keywords(&mut self, pointer: &str, schema: &Map<String, Value>) -> Result<Vec<Keyword>> {
        let mut keywords = Vec::new();
        for (name, value) in schema {
            let at = format!("{pointer}/{}", escape(name));
            let (code, words) = match name.as_str() {
                "$defs" | "definitions" => continue,
                // Written with `properties`, `prefixItems` and `if`.
                "patternProperties" | "additionalProperties" if schema.contains_key("properties") => continue,
                "additionalProperties" if schema.contains_key("patternProperties") => continue,
                "then" | "else" => continue,
                "$ref" => {
                    let target = value.as_str().and_then(|target| target.strip_prefix('#'));
                    (code::ALL, vec![self.node(target.ok_or("a reference out of the bundle")?)?])
                }
                "type" => (code::TYPE, vec![Code::Plain(types(value)?)]),
                "enum" => (code::ENUM, self.values(value)?),
                "minimum" => (code::MINIMUM, vec![self.number(value)?]),
                "maximum" => (code::MAXIMUM, vec![self.number(value)?]),
                "exclusiveMinimum" => (code::ABOVE, vec![self.number(value)?]),
                "exclusiveMaximum" => (code::BELOW, vec![self.number(value)?]),
                "minLength" => (code::MIN_LENGTH, vec![count(value)?]),
                "maxLength" => (code::MAX_LENGTH, vec![count(value)?]),
                "pattern" => (code::PATTERN, vec![self.pattern(value.as_str().ok_or("a pattern is a string")?)]),
                "prefixItems" => (code::PREFIX, self.list(&at, value)?),
                "items" => {
                    let taken = schema.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
                    (code::ITEMS, vec![Code::Plain(u16::try_from(taken)?), self.node(&at)?])
                }
                "minItems" => (code::MIN_ITEMS, vec![count(value)?]),
                "maxItems" => (code::MAX_ITEMS, vec![count(value)?]),
                "uniqueItems" if value == true => (code::UNIQUE, Vec::new()),
                "uniqueItems" => continue,
                "contains" => (code::CONTAINS, vec![self.node(&at)?]),
                "properties" | "patternProperties" | "additionalProperties" => {
                    (code::PROPERTIES, self.properties(pointer, schema)?)
                }
                "propertyNames" => (code::NAMES, vec![self.node(&at)?]),
                "minProperties" => (code::MIN_PROPERTIES, vec![count(value)?]),
                "maxProperties" => (code::MAX_PROPERTIES, vec![count(value)?]),
                "required" => (code::REQUIRED, texts(value)?),
                "dependentRequired" => {
                    for (asks, wants) in value.as_object().ok_or("it is no object")? {
                        let mut words = vec![Code::Text(asks.clone())];
                        words.extend(texts(wants)?);
                        keywords.push(Keyword { code: code::DEPENDENT, words });
                    }
                    continue;
                }
                "allOf" => (code::ALL, self.list(&at, value)?),
                "anyOf" => (code::ANY, self.list(&at, value)?),
                "oneOf" => (code::ONE, self.list(&at, value)?),
                "not" => (code::NOT, vec![self.node(&at)?]),
                "if" => {
                    let mut words = vec![self.node(&at)?];
                    for branch in ["then", "else"] {
                        words.push(match schema.contains_key(branch) {
                            true => self.node(&format!("{pointer}/{branch}"))?,
                            false => Code::Node(ANYTHING),
                        });
                    }
                    (code::IF, words)
                }
                other => return Err(format!("the guard does not know the keyword {other}").into()),
            };
            keywords.push(Keyword { code, words });
        }
        // Cheap and telling ones first.
        keywords.sort_by_key(|keyword| keyword.code);
        Ok(keywords)
    }

    fn node(&mut self, pointer: &str) -> Result<Code> {
        Ok(Code::Node(self.at(pointer)?))
    }

    fn list(&mut self, at: &str, value: &Value) -> Result<Vec<Code>> {
        (0..value.as_array().ok_or("it is no list")?.len()).map(|index| self.node(&format!("{at}/{index}"))).collect()
    }

    fn properties(&mut self, pointer: &str, schema: &Map<String, Value>) -> Result<Vec<Code>> {
        let names = |group: &str| -> Result<Vec<String>> {
            let Some(group) = schema.get(group) else { return Ok(Vec::new()) };
            let mut names: Vec<String> = group.as_object().ok_or("it is no object")?.keys().cloned().collect();
            names.sort();
            Ok(names)
        };
        let rest = match schema.contains_key("additionalProperties") {
            true => self.node(&format!("{pointer}/additionalProperties"))?,
            false => Code::Node(ANYTHING),
        };
        let patterns = names("patternProperties")?;
        let mut words = vec![rest, Code::Plain(u16::try_from(patterns.len())?)];
        for pattern in patterns {
            words.push(self.pattern(&pattern));
            words.push(self.node(&format!("{pointer}/patternProperties/{}", escape(&pattern)))?);
        }
        for name in names("properties")? {
            words.push(Code::Text(name.clone()));
            words.push(self.node(&format!("{pointer}/properties/{}", escape(&name)))?);
        }
        Ok(words)
    }

    fn values(&mut self, values: &Value) -> Result<Vec<Code>> {
        let (mut strings, mut others) = (Vec::new(), Vec::new());
        for value in values.as_array().ok_or("it is no list")? {
            match value {
                Value::String(text) => strings.push(text.clone()),
                Value::Null => others.push(Code::Plain(0)),
                Value::Bool(value) => others.push(Code::Plain(1 + u16::from(*value))),
                Value::Number(_) => {
                    let Code::Plain(index) = self.number(value)? else { unreachable!("numbers are plain words") };
                    others.push(Code::Plain(3 + index));
                }
                other => return Err(format!("the guard does not compare with {other}").into()),
            }
        }
        strings.sort();
        strings.dedup();
        let mut words = vec![Code::Plain(u16::try_from(strings.len())?)];
        words.extend(strings.into_iter().map(Code::Text));
        words.extend(others);
        Ok(words)
    }

    fn number(&mut self, value: &Value) -> Result<Code> {
        let number = value.as_f64().ok_or("it is no number")?;
        let known = self.tables.numbers.iter().position(|known| *known == number);
        let index = known.unwrap_or_else(|| {
            self.tables.numbers.push(number);
            self.tables.numbers.len() - 1
        });
        Ok(Code::Plain(u16::try_from(index)?))
    }

    fn pattern(&mut self, pattern: &str) -> Code {
        let known = self.tables.patterns.iter().position(|known| known == pattern);
        Code::Pattern(known.unwrap_or_else(|| {
            self.tables.patterns.push(pattern.to_owned());
            self.tables.patterns.len() - 1
        }))
    }
}

fn types(value: &Value) -> Result<u16> {
    value.as_array().ok_or("it is no list")?.iter().try_fold(0, |set, name| {
        Ok(set
            | match name.as_str().unwrap_or_default() {
                "null" => code::NULL,
                "boolean" => code::BOOLEAN,
                "integer" => code::INTEGER,
                "number" => code::NUMBER | code::INTEGER,
                "string" => code::STRING,
                "array" => code::ARRAY,
                "object" => code::OBJECT,
                other => return Err(format!("there is no type {other:?}").into()),
            })
    })
}

fn count(value: &Value) -> Result<Code> {
    Ok(Code::Plain(u16::try_from(value.as_u64().ok_or("it is no count")?)?))
}

fn texts(value: &Value) -> Result<Vec<Code>> {
    let text = |item: &Value| Ok(Code::Text(item.as_str().ok_or("it is no string")?.to_owned()));
    value.as_array().ok_or("it is no list")?.iter().map(text).collect()
}

/// As a part of a JSON pointer.
fn escape(part: &str) -> String {
    part.replace('~', "~0").replace('/', "~1")
}

/// Makes one of equal nodes; whether there were any.
fn share(tables: &mut Tables) -> bool {
    let mut first: HashMap<&[Keyword], usize> = HashMap::new();
    let mut same: Vec<usize> = Vec::new();
    for (index, keywords) in tables.nodes.iter().enumerate() {
        // A node that only points at another is that other.
        let target = match keywords.as_slice() {
            [Keyword { code: code::ALL, words }] if words.len() == 1 => match words[0] {
                Code::Node(target) if target != index => Some(target),
                _ => None,
            },
            _ => None,
        };
        same.push(target.unwrap_or_else(|| *first.entry(keywords.as_slice()).or_insert(index)));
    }
    let mut changed = false;
    let mut follow = |node: &mut usize| {
        changed |= same[*node] != *node;
        *node = same[*node];
    };
    for keyword in tables.nodes.iter_mut().flatten() {
        for word in &mut keyword.words {
            if let Code::Node(node) = word {
                follow(node);
            }
        }
    }
    tables.roots.values_mut().for_each(&mut follow);
    changed
}

/// Drops the nodes that no schema reaches, and numbers the others anew.
fn prune(tables: &mut Tables) {
    let mut number: Vec<Option<usize>> = vec![None; tables.nodes.len()];
    let mut order = vec![ANYTHING];
    number[order[0]] = Some(0);
    let mut meet = |node: usize, order: &mut Vec<usize>| {
        if number[node].is_none() {
            number[node] = Some(order.len());
            order.push(node);
        }
    };
    tables.roots.values().for_each(|root| meet(*root, &mut order));
    let mut next = 0;
    while next < order.len() {
        for keyword in &tables.nodes[order[next]] {
            for word in &keyword.words {
                if let Code::Node(node) = word {
                    meet(*node, &mut order);
                }
            }
        }
        next += 1;
    }
    let new = |node: usize| number[node].unwrap_or_default();
    let mut nodes: Vec<Vec<Keyword>> = order.iter().map(|node| tables.nodes[*node].clone()).collect();
    for keyword in nodes.iter_mut().flatten() {
        for word in &mut keyword.words {
            if let Code::Node(node) = word {
                *node = new(*node);
            }
        }
    }
    tables.roots.values_mut().for_each(|root| *root = new(*root));
    tables.nodes = nodes;
}
