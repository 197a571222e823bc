//! What a language's table says: which nodes of its grammar mean what. The walk in `outline` is the same for all of them.

use guard_sdk::language::{DefinitionKind, SkipKind, Visibility};

pub struct Table {
    pub definitions: &'static [Define],
    pub comments: &'static [&'static str],
    pub strings: &'static [&'static str],
    pub annotations: &'static [&'static str],
    /// Nodes that hold what a class derives from.
    pub bases: &'static [&'static str],
    /// Nodes that a body may be wrapped in: what is in the innermost are its statements.
    pub blocks: &'static [&'static str],
    /// How a statement begins that refuses to do anything; a stub if its text says that it is unfinished.
    pub refusals: &'static [&'static str],
    /// How a statement begins that says so by its name alone.
    pub stubs: &'static [&'static str],
    pub returns: &'static [&'static str],
    /// Nodes whose inside is their own business, and that have no name: functions as values, initializers, accessors.
    pub scopes: &'static [&'static str],
    pub visibility: Visibilities,
    pub class_calls: ClassCalls,
    /// Words before a name that say what a class is.
    pub nouns: &'static [&'static str],
    pub imports: &'static [(&'static str, ImportForm)],
    /// Nodes inside of which an import may come to nothing.
    pub conditions: &'static [&'static str],
    pub calls: &'static [Call],
    pub members: &'static [Member],
    /// Leaves that are names.
    pub names: &'static [&'static str],
    /// Where a name is given a meaning.
    pub binds: &'static [At],
    /// Where a name is neither given a meaning nor read by itself: a member, a label.
    pub labels: &'static [At],
    pub handlers: &'static [Handler],
    /// Names may come to the file, or leave it, in ways that its text does not show: macros, `eval`.
    pub is_open: bool,
    pub tests: Tests,
}

/// A node that defines something.
pub struct Define {
    pub node: &'static str,
    pub kind: DefinitionKind,
    pub noun: Option<&'static str>,
    pub name: Name,
    /// Nodes that are its body, among its children.
    pub body: &'static [&'static str],
    pub role: Role,
}

/// What a definition is to what stands inside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It owns them.
    Type,
    /// They are its own business.
    Function,
    /// It owns them, and is no definition itself: an extension, a companion.
    Owner,
    /// Nothing stands in it.
    Leaf,
}

/// Where the names of a definition stand.
#[derive(Clone, Copy, Debug)]
pub enum Name {
    /// All children in this field.
    Field(&'static str),
    /// All children of one of these kinds.
    Kinds(&'static [&'static str]),
    /// Children in a field, if they are of one of these kinds.
    FieldOf(&'static str, &'static [&'static str]),
    /// The names of children of one of these kinds.
    In(&'static [&'static str], &'static Name),
    /// A word of the language.
    Fixed(&'static str),
    /// A word, and the text in a field.
    Word(&'static str, &'static str),
    /// What a declarator of C declares.
    Declarator,
}

/// A leaf's place: the kind of its parent, and its field; `""` is none, `"*"` any, and `"+"` none and not the first.
pub type At = (&'static str, &'static str);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportForm {
    /// `import a.b.C;`, `import a.b.*`, `import a.b.C as D`.
    Dotted,
    /// `using A.B;`, `using X = A.B;`.
    Using,
    /// `#include "a.h"`.
    Include,
    /// `import struct A.B`.
    Module,
    /// `alias "a/b"`.
    Path,
    /// `A\B as C`.
    Use,
}

pub struct Call {
    pub node: &'static str,
    /// Nodes with the arguments, which end what is called.
    pub arguments: &'static [&'static str],
}

/// `object.member`.
pub struct Member {
    pub node: &'static str,
    /// None: the first child.
    pub object: Option<&'static str>,
    /// None: the last child.
    pub member: Option<&'static str>,
}

/// A node that handles an error.
pub struct Handler {
    pub node: &'static str,
    pub body: Name,
    /// It is one only if this is its condition.
    pub condition: Option<&'static str>,
    /// A part of every such text.
    pub mark: &'static str,
    /// Types that are those of every error.
    pub broad: &'static [&'static str],
}

pub struct Visibilities {
    pub words: &'static [(&'static str, Visibility)],
    pub default: Visibility,
    /// A capital letter makes a name public.
    pub by_capital: bool,
}

/// How calls in the body of a class say things of its members.
#[derive(Clone, Copy)]
pub struct ClassCalls {
    /// The node in which a word holds for all that follows.
    pub body: &'static str,
    pub visibility: &'static [VisibilityCall],
    /// Functions that give a class the members of their arguments.
    pub mixins: &'static [&'static str],
}

impl ClassCalls {
    pub const NONE: ClassCalls = ClassCalls { body: "", visibility: &[], mixins: &[] };
}

/// A function without a receiver that says who may use members: those in its arguments, or, where it has none, those that follow.
pub struct VisibilityCall {
    pub word: &'static str,
    pub visibility: Visibility,
    /// With which the names of its members begin here; it then holds for none that follow.
    pub prefix: &'static str,
}

/// What the frameworks of a language call a test, and how they are told not to run it.
pub struct Tests {
    /// Annotations of a function that is a test.
    pub annotations: &'static [&'static str],
    pub methods: &'static [MethodTest],
    pub functions: &'static [FunctionTest],
    /// Words in the name of a macro that begins a test.
    pub macros: &'static [&'static str],
    pub calls: &'static [CallTests],
    /// A comment above a method that makes it a test.
    pub comment: Option<&'static str>,
    pub skips: Skips,
    /// Calls that check something: how the name begins; with a `.` in it, how it begins with what it is called on; with a `=` behind it,
    /// the whole name.
    pub assertions: &'static [&'static str],
    pub assertion_nodes: &'static [&'static str],
}

/// Methods whose names begin so, in classes that derive from something that ends so, or that end so themselves.
pub struct MethodTest {
    pub prefix: &'static str,
    pub bases: &'static [&'static str],
    pub classes: &'static [&'static str],
}

/// Functions whose names begin so, with a parameter of this type.
pub struct FunctionTest {
    pub prefix: &'static str,
    /// Empty: by its name, in a file of tests.
    pub parameter: &'static str,
}

/// Calls with a title and a function.
pub struct CallTests {
    /// What a file of this framework contains.
    pub needs: &'static [&'static str],
    pub tests: &'static [&'static str],
    pub groups: &'static [&'static str],
    /// What stands before the name and a dot.
    pub receivers: &'static [&'static str],
    /// The title may be called itself: `"adds" { … }`.
    pub titles: bool,
    /// A test may do without a title: `it { is_expected.to be }`.
    pub untitled: bool,
    /// Its names mean nothing else, so that a file need not be run as tests by its path.
    pub anywhere: bool,
}

pub struct Skips {
    /// Annotations: the name, what its arguments contain (without spaces), what it means.
    pub annotations: &'static [(&'static str, &'static str, SkipKind)],
    /// How a name begins.
    pub names: &'static [(&'static str, SkipKind)],
    /// Names of calls that make a test or a group, and mark it.
    pub calls: &'static [(&'static str, SkipKind)],
    /// What the arguments of such a call contain (without spaces).
    pub arguments: &'static [(&'static str, SkipKind)],
    /// What is called on the test: `->skip()`.
    pub chained: &'static [(&'static str, SkipKind)],
    /// How a statement of the body begins.
    pub statements: &'static [(&'static str, SkipKind)],
}

impl Table {
    /// The kinds of nodes that it names. Not those that it only compares with, as what holds what is wanted: several grammars share these.
    pub fn nodes(&self) -> Vec<&'static str> {
        let lists = [
            self.comments,
            self.strings,
            self.annotations,
            self.bases,
            self.blocks,
            self.returns,
            self.scopes,
            self.conditions,
            self.names,
            self.tests.assertion_nodes,
        ];
        let mut nodes: Vec<&str> = lists.concat();
        for define in self.definitions {
            nodes.push(define.node);
            nodes.extend(define.body);
            define.name.nodes(&mut nodes);
        }
        for call in self.calls {
            nodes.push(call.node);
            nodes.extend(call.arguments);
        }
        for handler in self.handlers {
            nodes.push(handler.node);
            handler.body.nodes(&mut nodes);
        }
        nodes.extend(self.members.iter().map(|member| member.node));
        nodes.extend(self.imports.iter().map(|(node, _)| *node));
        nodes.extend(self.binds.iter().chain(self.labels).map(|(parent, _)| *parent));
        nodes
    }

    /// Words of which one stands in every line by which a test is put to sleep or cut short.
    pub fn sleep_marks(&self) -> Vec<&'static str> {
        let skips = &self.tests.skips;
        let annotations = skips.annotations.iter().map(|(name, argument, _)| match *argument {
            "" => *name,
            argument => longest_word(argument),
        });
        let called = skips.names.iter().chain(skips.calls).chain(skips.chained).map(|(mark, _)| *mark);
        let said = skips.arguments.iter().chain(skips.statements).map(|(mark, _)| longest_word(mark));
        let ends = (!self.returns.is_empty()).then_some("return");
        let mut marks: Vec<&str> = annotations.chain(called).chain(said).chain(ends).collect();
        marks.sort_unstable();
        marks.dedup();
        marks
    }

    /// Words of which one stands in every handler.
    pub fn error_marks(&self) -> Vec<&'static str> {
        let mut marks: Vec<&str> = self.handlers.iter().map(|handler| handler.mark).collect();
        marks.dedup();
        marks
    }

    /// The fields of nodes that it names.
    pub fn fields(&self) -> Vec<&'static str> {
        let mut fields = Vec::new();
        self.definitions.iter().for_each(|define| define.name.fields(&mut fields));
        self.handlers.iter().for_each(|handler| handler.body.fields(&mut fields));
        fields.extend(self.members.iter().flat_map(|member| [member.object, member.member]).flatten());
        let places = self.binds.iter().chain(self.labels).map(|(_, field)| *field);
        fields.extend(places.filter(|field| !["", "*", "+"].contains(field)));
        fields
    }
}

/// Marks are compared without their spaces, which a word has none of. All of a mark that has no word.
fn longest_word(mark: &'static str) -> &'static str {
    let words = mark.split(|c: char| !c.is_alphanumeric() && c != '_');
    let longest = words.rev().max_by_key(|word| word.len()).unwrap_or_default();
    if longest.is_empty() { mark } else { longest }
}

impl Name {
    fn nodes(&self, nodes: &mut Vec<&'static str>) {
        match self {
            Name::Kinds(kinds) | Name::FieldOf(_, kinds) => nodes.extend(*kinds),
            Name::In(kinds, inner) => {
                nodes.extend(*kinds);
                inner.nodes(nodes);
            }
            Name::Field(_) | Name::Fixed(_) | Name::Word(..) | Name::Declarator => {}
        }
    }

    fn fields(&self, fields: &mut Vec<&'static str>) {
        match self {
            Name::Field(field) | Name::FieldOf(field, _) | Name::Word(_, field) => fields.push(field),
            Name::In(_, inner) => inner.fields(fields),
            Name::Kinds(_) | Name::Fixed(_) | Name::Declarator => {}
        }
    }
}
