//! What the texts of modules say of themselves, for the application: the same reading, in the same sandbox, as guards get by
//! `guardhost:modules`.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use guardhost_core::change::Oid;
use guardhost_core::stop::StopToken;

use crate::embedded::EmbeddedGuards;
use crate::limits::GuardStop;
use crate::readers::bindings::guardhost::language::text_facts::{DefinitionKind, Outline as Facts};
use crate::readers::bindings::guardhost::modules::outline::{Imported, Parameter, Target};
use crate::readers::{LONGEST, TextQuestions, TextReaders, TextSubject};

/// What one text says. Each part is Err where its language, or the text, has no answer; why.
#[derive(Debug, Clone)]
pub struct Outline {
    pub imports: Result<Vec<Import>, String>,
    pub offers: Result<Offers, String>,
    /// Functions whose parameters are certain, sorted by name, and the calls within the text.
    pub functions: Result<Vec<Function>, String>,
    pub text: Result<TextOutline, String>,
}

/// What a text defines and reads, of every kind.
#[derive(Debug, Clone, Default)]
pub struct TextOutline {
    /// In the order of the text, those of classes too.
    pub definitions: Vec<Definition>,
    /// Names that are read: `f`, and `os.path` where a member of a name is.
    pub read: BTreeSet<String>,
    /// Bytes that no program runs: comments and strings that are statements.
    pub dead: Vec<Range<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// `Class.method` of a method.
    pub name: String,
    /// `function`, `method`, `class`, `module`, `variable`, …
    pub kind: &'static str,
    /// From 1, with its decorators.
    pub first: u32,
    pub last: u32,
    /// It stands in no class and no other group.
    pub is_top: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As written.
    pub module: String,
    /// None for the module itself.
    pub name: Option<String>,
    /// What it is called in the file; empty when it binds nothing.
    pub local: String,
    /// From 1.
    pub line: u32,
}

/// What other modules may take out of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offers {
    /// Sorted.
    pub names: Vec<String>,
    /// Modules all of whose names it offers as well.
    pub all_of: Vec<String>,
    /// It may offer names that its text does not show.
    pub is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// `Class.method` of a method.
    pub name: String,
    /// From 1.
    pub line: u32,
    /// Names, and whether a call must give them: by place, then by name alone.
    pub positional: Vec<(String, bool)>,
    pub keyword_only: Vec<(String, bool)>,
    pub takes_more: bool,
    pub takes_keywords: bool,
    /// Lines of the calls in the same text.
    pub callers: Vec<u32>,
}

/// Reads texts one after another.
pub struct Outlines {
    pub(crate) readers: TextReaders,
    pub(crate) stop: StopToken,
}

impl Outlines {
    /// Keeps nothing on disk.
    pub fn new(embedded: &'static EmbeddedGuards, stop: StopToken) -> Self {
        Outlines { readers: TextReaders::new(embedded.readers, None), stop }
    }

    /// `name` is the file's name, which tells the language.
    ///
    /// # Errors
    /// In words: the work was stopped, or the machine lacks something.
    pub fn read(&self, name: &str, blob: Oid, bytes: &[u8]) -> Result<Outline, String> {
        let text = || -> Result<Result<Arc<str>, String>, GuardStop> {
            if bytes.len() as u64 > LONGEST {
                return Ok(Err(format!("it has more than the {LONGEST} bytes that are read")));
            }
            Ok(std::str::from_utf8(bytes).map(Arc::from).map_err(|_| "it is no UTF-8".to_owned()))
        };
        let questions = TextQuestions::SURFACE.or(TextQuestions::SIGNATURES).or(TextQuestions::OUTLINE);
        let Some((claimed, claim)) = self.readers.claim(name, questions) else {
            let why = || "no language of modules that are known has this ending".to_owned();
            return Ok(Outline { imports: Err(why()), offers: Err(why()), functions: Err(why()), text: Err(why()) });
        };
        let wanted = claim.answers.and(questions);
        let subject = TextSubject { claimed, wanted, blob, is_test: false };
        let reading = self.readers.read(&subject, &self.stop, text).map_err(|stop| format!("{stop:?}"))?;
        let (imports, offers) = match &reading.answers.surface {
            Some(Ok(surface)) => {
                let import = |Imported { module, name, local, line, .. }: &Imported| Import {
                    module: module.clone(),
                    name: name.clone(),
                    local: local.clone(),
                    line: *line,
                };
                let offered = &surface.offered;
                let offers =
                    Offers { names: offered.names.clone(), all_of: offered.all_of.clone(), is_open: offered.is_open };
                (Ok(surface.imports.iter().map(import).collect()), Ok(offers))
            }
            Some(Err(why)) => (Err(why.to_string()), Err(why.to_string())),
            None => (Err(UNANSWERED.to_owned()), Err(UNANSWERED.to_owned())),
        };
        let functions = match &reading.answers.signatures {
            Some(Ok(read)) => Ok(read
                .functions
                .iter()
                .map(|function| {
                    let parameters = |list: &[Parameter]| {
                        list.iter().map(|parameter| (parameter.name.clone(), parameter.is_required)).collect()
                    };
                    let calls = read.calls.iter().filter(|call| match &call.target {
                        Target::SameFile(key) => *key == function.key,
                        Target::Imported(_) | Target::Member(_) | Target::Other(_) => false,
                    });
                    Function {
                        name: function.key.clone(),
                        line: function.line,
                        positional: parameters(&function.positional),
                        keyword_only: parameters(&function.keyword_only),
                        takes_more: function.takes_more,
                        takes_keywords: function.takes_keywords,
                        callers: calls.map(|call| call.lines.first).collect(),
                    }
                })
                .collect()),
            Some(Err(why)) => Err(why.to_string()),
            None => Err(UNANSWERED.to_owned()),
        };
        let text = match &reading.answers.outline {
            Some(Ok(outline)) => Ok(text_outline(outline)),
            Some(Err(why)) => Err(why.to_string()),
            None => Err(UNANSWERED.to_owned()),
        };
        Ok(Outline { imports, offers, functions, text })
    }
}

fn text_outline(outline: &Facts) -> TextOutline {
    let definitions = outline.definitions.iter().map(|definition| Definition {
        name: match &definition.owner {
            Some(owner) => format!("{owner}.{}", definition.name),
            None => definition.name.clone(),
        },
        kind: match definition.kind {
            DefinitionKind::Function => "function",
            DefinitionKind::Method => "method",
            DefinitionKind::Class => "class",
            DefinitionKind::Fixture => "fixture",
            DefinitionKind::Test => "test",
            DefinitionKind::Module => "module",
            DefinitionKind::Value => "variable",
        },
        first: definition.lines.first,
        last: definition.lines.last,
        is_top: definition.owner.is_none(),
    });
    let plain = outline.uses.iter().map(|each| each.name.clone());
    let members = outline.members.iter().map(|each| format!("{}.{}", each.object, each.member));
    TextOutline {
        definitions: definitions.collect(),
        read: plain.chain(members).collect(),
        dead: outline.dead.iter().map(|span| span.start as usize..span.end as usize).collect(),
    }
}

const UNANSWERED: &str = "its language has no answer to this question";
